import { afterAll, beforeAll, expect, it } from 'vitest'
import { createHandler } from 'commandry/http'
import { CommandRegistry } from 'commandry'
import { pendingAnswers } from 'commandry/interactions'
import { testbed, type Testbed } from 'commandry/testbed'

const option = { type: 11, name: 'file', description: 'x' } as const
const commands = [
  { name: 'chart', description: 'Sends an image' },
  { name: 'read', description: 'Reads a file', options: [option] },
]
const png = Uint8Array.from([137, 80, 78, 71, 0, 255, 13, 10, 45, 45])
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
let bed: Testbed

/** A form with JSON and a file, as libraries send it. */
function form(json: object, content: BlobPart = png, filename = 'chart.png'): FormData {
  const body = new FormData()
  body.append('files[0]', new Blob([content]), filename)
  body.append('payload_json', JSON.stringify(json))
  return body
}

beforeAll(async () => {
  bed = await testbed({
    commands,
    endpoint: async (request) => {
      const { data } = (await request.json()) as any
      const [file] = Object.values<any>(data.resolved?.attachments ?? {})
      if (data.name === 'read') {
        const text = file === undefined ? 'none' : (await (await fetch(file.url)).text()).slice(0, 500)
        return Response.json({ type: 4, data: { content: `${file?.content_type} ${file?.size}: ${text}` } })
      }
      const embeds = [{ title: 'Chart', image: { url: 'attachment://chart.png' } }]
      return new Response(form({ type: 4, data: { embeds } }))
    },
  })
})
afterAll(() => bed.close())

const contentOf = async (url: string) => {
  const response = await fetch(url)
  return [response.headers.get('content-type'), Buffer.from(await response.arrayBuffer()).toString('base64')]
}

it('serves what the bot sends at the address of the attachment and of the embed', async () => {
  const { message } = await bed.as('ada').use('/chart')
  const [attachment] = message!.attachments
  expect(attachment).toMatchObject({ filename: 'chart.png', size: 10, content_type: 'image/png' })
  expect(await contentOf(attachment!.url)).toEqual(['image/png', base64(png)])
  expect((message!.embeds[0] as any).image.url).toBe(attachment!.url)
  const response = await fetch(attachment!.url, { method: 'HEAD' })
  expect(response.headers.get('content-security-policy')).toBe('sandbox')
  expect((await fetch(`${attachment!.url}x`)).status).toBe(404)
})

it('lists the files of a request, also of a large one, and refuses one above 10 MiB', async () => {
  const channel = bed.channel('general').id
  const send = (body: FormData) =>
    fetch(`${bed.rest}/v10/channels/${channel}/messages`, {
      method: 'POST',
      headers: { authorization: `Bot ${bed.token}` },
      body,
    })
  const large = new Uint8Array(1_000_000).fill(45)
  const sent = (await (await send(form({ content: 'Log' }, large, 'größe.log'))).json()) as any
  expect(await contentOf(sent.attachments[0].url)).toEqual(['text/plain; charset=utf-8', base64(large)])
  expect(bed.requests.at(-1)).toMatchObject({
    body: { content: 'Log' },
    files: [{ filename: 'größe.log', content_type: 'application/octet-stream', size: 1_000_000 }],
  })
  const refused = await send(form({ content: 'Log' }, new Uint8Array(10_485_761)))
  expect([refused.status, await refused.json()]).toEqual([413, expect.objectContaining({ code: 40005 })])
})

it('lets the bot read what a person attaches: a content, a File, and a path in a line', async () => {
  const read = async (file: any) => (await bed.as('ada').use('read', { file })).content
  expect(await read({ filename: 'a.txt', content: 'Grüße' })).toBe('text/plain; charset=utf-8 7: Grüße')
  expect(await read(new File(['{}'], 'a.json'))).toBe('application/json; charset=utf-8 2: {}')
  expect(await read({ filename: 'a.bin', content: Uint8Array.of(65, 66) })).toBe(
    'application/octet-stream 2: AB',
  )
  expect((await bed.as('ada').use('/read file:package.json')).content).toContain('"name": "commandry"')
  await expect(read({ filename: 'a', content: new Uint8Array(10_485_761) })).rejects.toThrow(
    'a has 10485761 bytes; a file has at most 10485760',
  )
  const said = await bed.as('ada').say('Look', { files: [{ filename: 'b.txt', content: 'Hi' }] })
  const seen = await fetch(`${bed.rest}/v10/channels/${said.channel_id}/messages/${said.id}`, {
    headers: { authorization: `Bot ${bed.token}` },
  })
  const [attachment] = ((await seen.json()) as any).attachments
  expect(await (await fetch(attachment.url)).text()).toBe('Hi')
})

it.each([
  [
    { content_type: 'text/plain\r\n' },
    'content_type of a.txt: expected one such as "text/plain", got the string',
  ],
  [{ content_type: 'text/plain; name=日本' }, 'content_type of a.txt: expected'],
  [{ content_type: 5 }, 'content_type of a.txt: expected one such as "text/plain", got the number 5'],
  [{ filename: 'a\ud800.txt' }, 'filename: expected a name'],
  [{ filename: '' }, 'filename: expected a name'],
])('refuses a file of a person that no address or header can name: %j', async (fields, message) => {
  const file = { filename: 'a.txt', content: 'x', ...fields } as never
  await expect(bed.as('ada').use('read', { file })).rejects.toThrow(message)
  await expect(bed.as('ada').say('Look', { files: [file] })).rejects.toThrow(message)
})

it('forgets the files of messages with their channel, but not with one deleted message', async () => {
  const headers = { authorization: `Bot ${bed.token}` }
  const request = async (method: string, path: string, body?: FormData | string) => {
    const type = typeof body === 'string' && { 'content-type': 'application/json' }
    const init = { method, headers: { ...headers, ...type }, ...(body !== undefined && { body }) }
    return (await fetch(`${bed.rest}/v10${path}`, init)).json().catch(() => null) as any
  }
  const channel = await request('POST', `/guilds/${bed.server.id}/channels`, '{"name":"files"}')
  const send = () => request('POST', `/channels/${channel.id}/messages`, form({ content: 'x' }, png, 'a.txt'))
  const [deleted, kept] = [await send(), await send()]
  await request('DELETE', `/channels/${channel.id}/messages/${deleted.id}`)
  const [one, other] = [deleted, kept].map(({ attachments }) => attachments[0].url)
  expect((await fetch(one)).status).toBe(200)
  await request('DELETE', `/channels/${channel.id}`)
  expect((await fetch(other)).status).toBe(404)
})

it('answers the addresses of Discord in a handler without a port', async () => {
  const answers = pendingAnswers()
  const registry = new CommandRegistry()
  const handler = createHandler({ registry, answers, authenticate: () => undefined })
  const file = { filename: 'a.txt', content_type: 'text/plain', bytes: png }
  const url = answers.conversations.files.add('1', file)
  expect(url).toBe('https://cdn.discordapp.com/attachments/1/a.txt')
  expect(new Uint8Array(await (await handler(new Request(url))).arrayBuffer())).toEqual(png)
  answers.conversations.files.origin = null
  expect(await contentOf(answers.conversations.files.add('2', file))).toEqual(['text/plain', base64(png)])
})

it('serves the images that a bot uploads where libraries look for them', async () => {
  const request = async (method: string, path: string, body: object) => {
    const headers = { authorization: `Bot ${bed.token}`, 'content-type': 'application/json' }
    const response = await fetch(`${bed.rest}/v10${path}`, { method, headers, body: JSON.stringify(body) })
    return [response.status, await response.json()] as [number, any]
  }
  const image = `data:image/png;base64,${base64(png)}`
  const gif = `data:image/gif;base64,${base64(png)}`
  const server = bed.server.id
  const channel = bed.channel('general').id
  const [, user] = await request('PATCH', '/users/@me', { avatar: image, banner: gif })
  const [, guild] = await request('PATCH', `/guilds/${server}`, { icon: gif, splash: image, banner: image })
  const [, webhook] = await request('POST', `/channels/${channel}/webhooks`, { name: 'Log', avatar: image })
  const [, emoji] = await request('POST', `/guilds/${server}/emojis`, { name: 'ok', image })
  const [, own] = await request('POST', `/applications/${user.id}/emojis`, { name: 'own', image: gif })
  const [, member] = await request('PATCH', `/guilds/${server}/members/@me`, { avatar: gif, banner: image })
  const [, role] = await request('POST', `/guilds/${server}/roles`, { name: 'Gold', icon: image })
  for (const [type, path] of [
    ['gif', `guilds/${server}/users/${user.id}/avatars/${member.avatar}.gif?size=64`],
    ['png', `guilds/${server}/users/${user.id}/banners/${member.banner}.png`],
    ['png', `role-icons/${role.id}/${role.icon}.png`],
    ['png', `avatars/${user.id}/${user.avatar}.webp?size=128`],
    ['gif', `banners/${user.id}/${user.banner}.gif`],
    ['gif', `icons/${server}/${guild.icon}.gif`],
    ['png', `splashes/${server}/${guild.splash}.png`],
    ['png', `banners/${server}/${guild.banner}.png`],
    ['png', `avatars/${webhook.id}/${webhook.avatar}.png`],
    ['png', `emojis/${emoji.id}.webp`],
    ['gif', `emojis/${own.id}.gif`],
  ])
    expect([path, await contentOf(new URL(path!, bed.rest).href)]).toEqual([
      path,
      [`image/${type}`, base64(png)],
    ])
  expect([user.banner, guild.icon]).toEqual([
    expect.stringMatching(/^a_\w{32}$/),
    expect.stringMatching(/^a_/),
  ])
  const [, servers] = await request('PATCH', '/users/@me', { avatar: null })
  expect(servers).toMatchObject({ avatar: null, banner: user.banner })
  const changed = { icon: null, unicode_emoji: '🥇' }
  expect(await request('PATCH', `/guilds/${server}/roles/${role.id}`, changed)).toMatchObject([200, changed])
  for (const wrong of [
    'data:image/png;base64,AAAAA',
    'data:text/html;base64,AAAA',
    'data:image/png;base64,A_AA',
  ])
    expect([wrong, (await request('PATCH', '/users/@me', { avatar: wrong }))[0]]).toEqual([wrong, 400])
})
