/** What messages refer to: emojis, files, ids, stickers and other messages. */
import { describe, expect } from 'vitest'
import { ApplicationFlag } from 'commandry'
import { demo, GENERAL, IMAGE, invalid, it, open, SERVER, STAFF } from './bed.ts'

const MESSAGES = `/channels/${GENERAL}/messages`
const V2 = 1 << 15

const rowOf = (...components: readonly object[]) => [{ type: 1, components }]
const button = (more: object = {}) => ({ type: 2, style: 1, custom_id: 'b', label: 'Go', ...more })
const menu = (more: object = {}) => ({
  type: 3,
  custom_id: 'm',
  options: [{ label: 'a', value: 'a' }],
  ...more,
})
const text = (more: object = {}) => ({ type: 10, content: 'a', ...more })

/** A message with files. */
function form(body: object, ...names: readonly string[]): FormData {
  const data = new FormData()
  data.set('payload_json', JSON.stringify(body))
  names.forEach((name, index) => data.set(`files[${index}]`, new Blob(['x']), name))
  return data
}

/** The one error of a body, at its path. */
function errorAt(path: readonly (string | number)[], code: string): object {
  const leaf = { _errors: [{ code }] }
  return invalid(path.reduceRight<object>((inner, step) => ({ [step]: inner }), leaf))
}

describe('emojis of components', () => {
  const at = ['components', 0, 'components', 0]

  it.for([{ name: 'black_nib' }, {}, { name: '<:party:123>' }, { name: '' }, { name: '🔁🔁' }])(
    '[2.11-14] refuses %j of a button and of an option',
    async (emoji, { call }) => {
      const code = 'BUTTON_COMPONENT_INVALID_EMOJI'
      expect(await call('POST', MESSAGES, { components: rowOf(button({ emoji })) })).toMatchObject(
        errorAt([...at, 'emoji', 'name'], code),
      )
      const options = [{ label: 'a', value: 'a', emoji }]
      expect(await call('POST', MESSAGES, { components: rowOf(menu({ options })) })).toMatchObject(
        errorAt([...at, 'options', 0, 'emoji', 'name'], code),
      )
    },
  )

  it('[2.11-14] refuses an id that is not a snowflake', async ({ call }) => {
    const components = rowOf(button({ emoji: { id: '🔁' } }))
    expect(await call('POST', MESSAGES, { components })).toMatchObject(
      errorAt([...at, 'emoji', 'id'], 'NUMBER_TYPE_COERCE'),
    )
  })

  it.for(['🔁', '1️⃣', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '👩🏽‍🦰', '🇩🇪', '❤'])('[2.11-14] takes %s', async (name, { call }) => {
    expect(await call('POST', MESSAGES, { components: rowOf(button({ emoji: { name } })) })).toMatchObject({
      status: 200,
    })
  })

  it('[2.11-14] notes a custom emoji that no server here has, and takes it', async ({ call, bed }) => {
    const { body: own } = await call('POST', `/guilds/${SERVER}/emojis`, { name: 'party', image: IMAGE })
    const send = (id: string) =>
      call('POST', MESSAGES, { components: rowOf(button({ emoji: { id, name: 'party' } })) })
    expect(await send('99999')).toMatchObject({ status: 200 })
    expect(bed.requests.at(-1)?.notes).toEqual([expect.stringContaining('no server here has this emoji')])
    expect(await send(own.id)).toMatchObject({ status: 200 })
    expect(bed.requests.at(-1)).not.toHaveProperty('notes')
  })
})

it('[2.11-14] notes a reaction with a custom emoji that no server here has', async ({ call, bed }) => {
  const { body: message } = await call('POST', MESSAGES, { content: 'a' })
  const react = (emoji: string) => call('PUT', `${MESSAGES}/${message.id}/reactions/${emoji}/@me`)
  expect(await react('party:99999')).toMatchObject({ status: 204 })
  expect(bed.requests.at(-1)?.notes).toEqual([expect.stringContaining('no server here has this emoji')])
  expect(await react(encodeURIComponent('👍'))).toMatchObject({ status: 204 })
  expect(bed.requests.at(-1)).not.toHaveProperty('notes')
  expect(await react('party')).toMatchObject({ status: 400, body: { code: 10014 } })
})

describe('files', () => {
  const media = { media: { url: 'attachment://missing.txt' } }
  const code = 'UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND'

  it.for([
    ['a file', { type: 13, file: media.media }, ['file', 'url']],
    ['a gallery', { type: 12, items: [media] }, ['items', 0, 'media', 'url']],
    [
      'a thumbnail',
      { type: 9, components: [text()], accessory: { type: 11, ...media } },
      ['accessory', 'media', 'url'],
    ],
  ] as const)(
    '[2.11-14] refuses %s that names a file which is not sent',
    async ([, part, path], { call }) => {
      const body = { flags: V2, components: [part] }
      expect(await call('POST', MESSAGES, body)).toMatchObject(errorAt(['components', 0, ...path], code))
      expect(await call('POST', MESSAGES, form(body, 'missing.txt'))).toMatchObject({ status: 200 })
    },
  )

  it('[2.11-14] notes a picture of an embed that is not sent', async ({ call, bed }) => {
    const embeds = [{ title: 'a', image: { url: 'attachment://missing.png' } }]
    expect(await call('POST', MESSAGES, { embeds })).toMatchObject({ status: 200 })
    expect(bed.requests.at(-1)?.notes).toEqual([expect.stringContaining('missing.png')])
  })

  it('[2.11-14] cleanses names, and references follow', async ({ call }) => {
    const body = { flags: V2, components: [{ type: 13, file: { url: 'attachment://_cat.png' } }] }
    const { body: sent } = await call('POST', MESSAGES, form(body, '_cat.png'))
    expect(sent.attachments).toMatchObject([{ filename: 'cat.png' }])
    expect(sent.components[0].file.url).toBe(sent.attachments[0].url)
    // The file stays when an edit does not name it.
    const edit = { components: [{ type: 13, file: { url: 'attachment://cat.png' } }] }
    expect(await call('PATCH', `${MESSAGES}/${sent.id}`, edit)).toMatchObject({ status: 200 })
    expect(await call('PATCH', `${MESSAGES}/${sent.id}`, { ...edit, attachments: [] })).toMatchObject(
      errorAt(['components', 0, 'file', 'url'], code),
    )
  })

  it('[2.11-14] has the name that a message gives to its file', async ({ call }) => {
    const of = (url: string) => ({
      attachments: [{ id: '0', filename: 'dog.png' }],
      ...{ flags: V2, components: [{ type: 13, file: { url } }] },
    })
    const { body: sent } = await call('POST', MESSAGES, form(of('attachment://dog.png'), 'cat.png'))
    expect(sent.attachments).toMatchObject([{ filename: 'dog.png' }])
    expect(await call('POST', MESSAGES, form(of('attachment://cat.png'), 'cat.png'))).toMatchObject(
      errorAt(['components', 0, 'file', 'url'], code),
    )
  })

  it('[2.11-14] changes the description and the spoiler of a file that an edit keeps', async ({ call }) => {
    const attachments = [{ id: '0', description: 'one' }]
    const { body: sent } = await call('POST', MESSAGES, form({ attachments }, 'a.png'))
    const edit = async (changes: object) => {
      const body = { attachments: [{ id: sent.attachments[0].id, ...changes }] }
      return (await call('PATCH', `${MESSAGES}/${sent.id}`, body)).body.attachments[0]
    }
    expect(await edit({ description: 'two', is_spoiler: true })).toMatchObject({
      description: 'two',
      flags: 8,
    })
    expect(await edit({ is_spoiler: false })).toMatchObject({ description: 'two', flags: 0 })
    expect(await edit({ description: null })).not.toHaveProperty('description')
  })
})

describe('components', () => {
  it('[2.11-14] have different numeric ids', async ({ call }) => {
    const components = [text({ id: 5 }), text({ id: 5 })]
    expect(await call('POST', MESSAGES, { flags: V2, components })).toMatchObject(
      errorAt(['components', 1, 'id'], 'COMPONENT_ID_DUPLICATED'),
    )
  })

  it('[2.11-14] get numeric ids in order where they have none', async ({ call }) => {
    const components = [{ type: 17, components: [text({ id: 1 }), text(), text({ id: 0 })] }, text()]
    const { body } = await call('POST', MESSAGES, { flags: V2, components })
    expect(body.components).toMatchObject([
      { id: 2, components: [{ id: 1 }, { id: 3 }, { id: 4 }] },
      { id: 5 },
    ])
  })

  it('[2.11-14] have at least max_values options', async ({ call }) => {
    const components = rowOf(menu({ max_values: 3 }))
    expect(await call('POST', MESSAGES, { components })).toMatchObject(
      errorAt(['components', 0, 'components', 0, 'options'], 'BASE_TYPE_BAD_LENGTH'),
    )
  })

  it('[2.11-14] are noted with a SKU, and with more bytes than Discord takes', async ({ call, bed }) => {
    const components = rowOf({ type: 2, style: 6, sku_id: '1' })
    expect(await call('POST', MESSAGES, { components })).toMatchObject({ status: 200 })
    expect(bed.requests.at(-1)?.notes).toEqual([expect.stringContaining('SKU')])
    const long = { flags: V2, components: [text({ content: '漢'.repeat(4_000) })] }
    expect(await call('POST', MESSAGES, long)).toMatchObject({ status: 200 })
    expect(bed.requests.at(-1)?.notes).toEqual([expect.stringContaining('12000 bytes')])
  })
})

it('[2.11-14] refuses a sticker that the server does not have, and shows one that it has', async () => {
  const { call } = await open(null, { servers: [{ ...demo, stickers: [{ id: '7001', name: 'wave' }] }] })
  const unknown = { status: 400, body: { code: 50081 } }
  expect(await call('POST', MESSAGES, { sticker_ids: ['1'] })).toMatchObject(unknown)
  const { body } = await call('POST', MESSAGES, { sticker_ids: ['7001'] })
  expect(body.sticker_items).toEqual([{ id: '7001', name: 'wave', format_type: 1 }])
  // It is not empty without a text.
  const edited = await call('PATCH', `${MESSAGES}/${body.id}`, { flags: 4 })
  expect(edited.body).toMatchObject({ flags: 4, sticker_items: body.sticker_items })
})

it('[2.11-14] refuses to edit a poll', async ({ call }) => {
  const poll = { question: { text: 'x' }, answers: [{ poll_media: { text: 'a', emoji: { name: '👍' } } }] }
  const { body } = await call('POST', MESSAGES, { poll })
  expect(await call('PATCH', `${MESSAGES}/${body.id}`, { content: 'y' })).toMatchObject({
    status: 400,
    body: { code: 520003 },
  })
  const named = { ...poll, answers: [{ poll_media: { text: 'a', emoji: { name: 'thumbs' } } }] }
  expect(await call('POST', MESSAGES, { poll: named })).toMatchObject({ status: 400 })
})

it('[2.11-14] refuses a forward of what the bot cannot read, and leaves out its content', async () => {
  const { bed, call } = await open(null, { flags: ApplicationFlag.EMBEDDED })
  const { id } = await bed.as('alan').say('hello')
  const mention = await bed.as('alan').say(`hello <@${bed.applicationId}>`)
  const forward = (message_id: string) =>
    call('POST', MESSAGES, { message_reference: { type: 1, message_id, channel_id: GENERAL } })
  expect(await forward(id)).toMatchObject({ status: 400, body: { code: 160014 } })
  expect(await forward(mention.id)).toMatchObject({ status: 200 })
  expect(await call('GET', `${MESSAGES}/${id}`)).toMatchObject({ body: { content: '' } })
})

it('[2.11-14] replies to messages of the same channel that people and apps wrote', async ({ call }) => {
  const { body: first } = await call('POST', MESSAGES, { content: 'a' })
  const reply = (message_id: string, more: object = {}, to = MESSAGES) =>
    call('POST', to, { content: 'b', message_reference: { message_id, ...more } })
  for (const channel_id of [GENERAL, Number(GENERAL), null])
    expect((await reply(first.id, { channel_id })).body).toMatchObject({ type: 19 })
  const elsewhere = errorAt(['message_reference'], 'REPLIES_UNKNOWN_MESSAGE')
  const staff = `/channels/${STAFF}/messages`
  expect(await reply(first.id, { channel_id: GENERAL }, staff)).toMatchObject(elsewhere)
  expect(await reply(first.id, { channel_id: STAFF })).toMatchObject(elsewhere)
  const without = await reply(first.id, { channel_id: GENERAL, fail_if_not_exists: false }, staff)
  expect(without.body).toMatchObject({ type: 0 })
  expect(without.body).not.toHaveProperty('message_reference')
  await call('PUT', `/channels/${GENERAL}/pins/${first.id}`)
  const [pin] = (await call('GET', MESSAGES)).body
  expect(await reply(pin.id)).toMatchObject(
    errorAt(['message_reference'], 'REPLIES_CANNOT_REPLY_TO_SYSTEM_MESSAGE'),
  )
})

it('[2.11-14] forwards no message of the service, and no poll', async ({ call }) => {
  const forward = (message_id: string) =>
    call('POST', MESSAGES, { message_reference: { type: 1, message_id, channel_id: GENERAL } })
  const poll = { question: { text: 'x' }, answers: [{ poll_media: { text: 'a' } }] }
  const { body: asked } = await call('POST', MESSAGES, { poll })
  await call('PUT', `/channels/${GENERAL}/pins/${asked.id}`)
  const [pin] = (await call('GET', MESSAGES)).body
  for (const id of [asked.id, pin.id])
    expect(await forward(id)).toMatchObject(
      errorAt(['message_reference'], 'FORWARD_CONTAINS_UNSUPPORTED_CONTENT'),
    )
})

it('[2.11-14] looks up what messages of webhooks refer to', async ({ call, bed }) => {
  const { body: hook } = await call('POST', `/channels/${GENERAL}/webhooks`, { name: 'hook' })
  const path = `/webhooks/${hook.id}/${hook.token}`
  const broken = { components: rowOf(button({ emoji: { name: 'x' } })) }
  expect(await call('POST', path, broken)).toMatchObject({ status: 400 })
  expect(await call('POST', path, { components: rowOf(button({ emoji: { id: '9' } })) })).toMatchObject({
    status: 204,
  })
  expect(bed.requests.at(-1)?.notes).toHaveLength(1)
})
