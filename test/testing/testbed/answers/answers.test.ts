import { describe, expect, it } from 'vitest'
import { globalScope, guildScope } from 'commandry'
import type { AnyInteraction } from 'commandry/interactions'
import { testbed, type Testbed } from 'commandry/testbed'

const commands = [{ name: 'x', description: 'A command' }] as const
const labelled = (component: object) => ({ type: 18, label: 'Name', component })
const modal = (...components: object[]) => ({ type: 9, data: { custom_id: 'm', title: 'T', components } })
const input = { type: 4, custom_id: 'a', style: 1 }

/** A testbed with a bot over HTTP. */
function bedOf(
  answer: (interaction: AnyInteraction, bed: Testbed) => unknown,
  list: Parameters<typeof testbed>[0] & object = {},
): Promise<Testbed> {
  const opened = testbed({
    commands,
    ...list,
    endpoint: async (request) => Response.json(await answer(await request.json(), await opened)),
  })
  return opened
}

async function read(bed: Testbed, path: string): Promise<any> {
  return (await fetch(`${bed.rest}/v10${path}`, { headers: { authorization: `Bot ${bed.token}` } })).json()
}

/** Sends a request of the bot. */
async function send(bed: Testbed, method: string, path: string, body: object): Promise<any> {
  const headers = { 'content-type': 'application/json', authorization: `Bot ${bed.token}` }
  const response = await fetch(`${bed.rest}/v10${path}`, { method, headers, body: JSON.stringify(body) })
  const text = await response.text()
  return text === '' ? undefined : JSON.parse(text)
}

it('[2.11-10] a modal of a command is closed by a deferred update, and the bot can follow up', async () => {
  await using bed = await bedOf((interaction) =>
    interaction.type === 5 ? { type: 6 } : modal(labelled(input)),
  )
  const form = await bed.as('ada').use('/x')
  const closed = await form.submit({ a: '1' })
  expect([closed.kind, closed.content, closed.message]).toEqual(['nothing', '', null])
  const { token } = closed.interaction
  await send(bed, 'POST', `/webhooks/${bed.applicationId}/${token}`, { content: 'later' })
  expect((await closed.followedUp()).content).toBe('later')
})

it('[2.11-10] a deferral keeps EPHEMERAL and ignores its other flags, which the requests note', async () => {
  const flags = 64 | 32_768 | 4
  await using bed = await bedOf(async ({ id, token }, own) => {
    await send(own, 'POST', `/interactions/${id}/${token}/callback`, { type: 5, data: { flags } })
    return { type: 5 }
  })
  const shown = await bed.as('ada').use('/x')
  expect([shown.kind, shown.ephemeral, shown.message?.flags]).toEqual(['thinking', true, 64 | 128])
  expect(bed.requests).toMatchObject([
    {
      status: 204,
      notes: [expect.stringContaining(`data.flags is ${flags}, but a deferred answer keeps only EPHEMERAL`)],
    },
  ])
})

it('[2.11-13] a modal is filled in by labels or custom_ids, and an unknown name lists both', async () => {
  const row = { type: 1, components: [{ ...input, custom_id: 'random-2', label: 'Text' }] }
  const form = modal(labelled({ ...input, custom_id: 'random-1' }), row)
  const values = (interaction: AnyInteraction) => JSON.stringify(interaction.data).match(/"value":"[^"]*"/g)
  await using bed = await bedOf((interaction) =>
    interaction.type === 5 ? { type: 4, data: { content: String(values(interaction)) } } : form,
  )
  const shown = await bed.as('ada').use('/x')
  await expect(shown.submit({ Subject: 'a' })).rejects.toThrow(
    'no input "Subject"; there are "Name" (custom_id "random-1") and "Text" (custom_id "random-2")',
  )
  await expect(shown.submit({ Name: 'a', 'random-1': 'b' })).rejects.toThrow('given twice')
  expect((await shown.submit({ Name: 'a', 'random-2': 'b' })).content).toBe('"value":"a","value":"b"')
})

it('[2.11-13] a label that several inputs have is refused, but not their custom_ids', async () => {
  const form = modal(labelled(input), labelled({ ...input, custom_id: 'b' }))
  await using bed = await bedOf((interaction) => (interaction.type === 5 ? { type: 6 } : form))
  const shown = await bed.as('ada').use('/x')
  await expect(shown.submit({ Name: 'x' })).rejects.toThrow('several inputs have the label "Name"')
  expect((await shown.submit({ a: 'x', b: 'y' })).kind).toBe('nothing')
})

describe('an option that does not exist', () => {
  it.each<[string, (bed: Testbed) => unknown, string]>([
    [
      'as',
      (bed) => bed.as('ada', { instaled: 'user' } as never),
      'as: unknown option "instaled"; did you mean "installed"?',
    ],
    [
      'installed',
      (bed) => bed.as('ada', { installed: 'guild' } as never),
      'installed: expected "server" or "user", got the string "guild"',
    ],
    [
      'a list in place of a word',
      (bed) => bed.as('ada', { installed: ['user'] } as never),
      'installed: expected "server" or "user", got a list',
    ],
    ['locale', (bed) => bed.as('ada', { locale: 'xx' } as never), 'locale: expected one of'],
    [
      'channel',
      (bed) => bed.as('ada', { channel: 5 } as never),
      'channel: expected the name or the id of a channel',
    ],
    ['no object', (bed) => bed.as('ada', 'dm' as never), 'as: expected an object with options'],
    [
      'say',
      (bed) => bed.as('ada').say('x', { replay: '1' } as never),
      'say: unknown option "replay"; did you mean "reply"?',
    ],
    ['suggestions', (bed) => bed.as('ada').suggestions('/x', { row: true } as never), 'did you mean "raw"?'],
    [
      'channel of a bed',
      (bed) => bed.channel('general', { sever: 'x' } as never),
      'channel: unknown option "sever"',
    ],
    [
      'leave',
      (bed) => (bed.server.leave as (...given: unknown[]) => void)('ada', { server: 'Other' }),
      'leave: takes no server; write bed.servers[1].leave(…) for the second one',
    ],
    [
      'on',
      (bed) => bed.on('GET /x', () => 1, { onse: true } as never),
      'on: unknown option "onse"; did you mean "once"?',
    ],
  ])('is refused by %s with the known ones', async (_, call, message) => {
    await using bed = await bedOf(() => ({ type: 6 }))
    await expect(async () => call(bed)).rejects.toThrow(TypeError)
    await expect(async () => call(bed)).rejects.toThrow(message)
  })

  it('is refused in the options of a testbed', async () => {
    await expect(testbed({ bot: { role: [] } } as never)).rejects.toThrow('bot: unknown option "role"')
    await expect(testbed({ bot: { roles: 'Team' } } as never)).rejects.toThrow(/roles: .*a list/)
  })
})

it('takes commands of a variable, whose types the compiler has widened', async () => {
  const list = [
    {
      name: 'a',
      description: 'A',
      options: [{ type: 3, name: 'o', description: 'O', choices: [{ name: 'c', value: 'v' }] }],
    },
    { name: 'B', type: 2, contexts: [0] },
  ]
  await using bed = await testbed({ commands: list, endpoint: () => Response.json({ type: 6 }) })
  expect((await bed.as('ada').suggestions('/')).map(({ name }) => name)).toEqual(['a'])
})

it('[2.11-05] names the bound of a partial number, and sends it raw when asked to', async () => {
  const age = { type: 4, name: 'age', description: 'x', autocomplete: true, min_value: 14, max_value: 99 }
  const word = { type: 3, name: 'word', description: 'x', autocomplete: true, max_length: 2 }
  await using bed = await bedOf(
    ({ data }: any) => ({
      type: 8,
      data: { choices: [{ name: `got ${data.options[0].value}`, value: '15' }] },
    }),
    {
      commands: [
        { name: 'x', description: 'x', options: [age] },
        { name: 'y', description: 'x', options: [word] },
      ],
    },
  )
  const ada = bed.as('ada')
  await expect(ada.suggestions('/x age:1')).rejects.toThrow('is 1; the option takes 14 to 99')
  await expect(ada.suggestions('/x age:-')).rejects.toThrow('an option of type INTEGER takes a whole number')
  await expect(ada.suggestions('/y word:abc')).rejects.toThrow('has 3 characters; 0 to 2 are allowed')
  for (const text of ['1', '-', 'ab'])
    expect(await ada.suggestions(`/x age:${text}`, { raw: true })).toEqual([
      { kind: 'choice', name: `got ${text}`, value: 15 },
    ])
})

it('[2.11-07] in a DM no channel and no role of a server can be chosen', async () => {
  const options = [
    { type: 7, name: 'c', description: 'x' },
    { type: 9, name: 'm', description: 'x' },
  ]
  const menu = { type: 1, components: [{ type: 8, custom_id: 'where' }] }
  await using bed = await bedOf(() => ({ type: 4, data: { content: 'ok', components: [menu] } }), {
    commands: [{ name: 'x', description: 'x', options }],
  })
  const ada = bed.as('ada', { channel: 'dm' })
  await expect(ada.use('/x c:#general')).rejects.toThrow('in a DM no channel of a server can be chosen')
  await expect(ada.use('/x m:@Moderators')).rejects.toThrow('in a DM no role of a server can be chosen')
  const shown = await ada.use('/x m:@alan')
  await expect(shown.choose('where', '#general')).rejects.toThrow(
    'in a DM no channel of a server can be chosen',
  )
  expect((await bed.as('ada').use('/x c:#general m:@Moderators')).content).toBe('ok')
})

it('[2.6-05] [2.11-07] a choice outside of the range of its option is refused at use', async () => {
  const choices = [1, 6].map((value) => ({ name: `n${value}`, value }))
  const options = [{ type: 4, name: 'n', description: 'x', min_value: 5, choices }]
  await using bed = await bedOf(() => ({ type: 4, data: { content: 'ok' } }), {
    commands: [{ name: 'x', description: 'x', options }],
  })
  await expect(bed.as('ada').use('/x n:n1')).rejects.toThrow('is 1; the option takes 5 to')
  expect((await bed.as('ada').use('/x n:n6')).content).toBe('ok')
})

it('finds names in composed and in decomposed letters', async () => {
  const name = '한국'
  const options = [{ type: 3, name: '이름'.normalize('NFD'), description: 'x' }]
  await using bed = await bedOf(() => ({ type: 4, data: { content: 'ok' } }), {
    commands: [{ name: name.normalize('NFD'), description: 'x', options }],
  })
  expect((await bed.as('ada').use(`/${name} 이름:철수`)).content).toBe('ok')
  expect((await bed.as('ada').use(`/${name.normalize('NFD')} ${'이름'.normalize('NFD')}:철수`)).content).toBe(
    'ok',
  )
  const renee = bed.server.addPerson('renée')
  expect(bed.person('renée'.normalize('NFD'))).toEqual(renee)
})

it('the bot has one name, and a person owns its application', async () => {
  await using bed = await bedOf(() => ({ type: 4, data: { content: 'ok' } }))
  const { message } = await bed.as('ada').use('/x')
  const application = await read(bed, '/oauth2/applications/@me')
  const user = await read(bed, '/users/@me')
  const { username } = message!.author
  expect([username, application.name, application.bot.username, user.username]).toEqual(
    Array(4).fill('testbed'),
  )
  expect(application.owner).toMatchObject({ username: 'alan', bot: false })
})

it('attachment:// becomes the address of the file, in embeds and in components', async () => {
  const answer = {
    type: 4,
    data: {
      embeds: [
        {
          image: { url: 'attachment://a.png' },
          footer: { text: 'f', icon_url: 'attachment://a.png' },
          thumbnail: { url: 'attachment://other.png' },
        },
      ],
      attachments: [{ id: 0, filename: 'a.png' }],
    },
  }
  const respond = () => {
    const form = new FormData()
    form.set('payload_json', JSON.stringify(answer))
    form.set('files[0]', new Blob(['x']), 'a.png')
    return new Response(form)
  }
  await using bed = await testbed({ commands, endpoint: respond })
  const shown = await bed.as('ada').use('/x')
  const [file] = shown.message!.attachments
  expect(shown.message!.embeds).toMatchObject([
    {
      image: { url: file!.url, proxy_url: file!.proxy_url },
      footer: { icon_url: file!.url },
      thumbnail: { url: 'attachment://other.png' },
    },
  ])
  expect(shown.text()).toContain('image: attachment://a.png')
  const gallery = { type: 12, items: [{ media: { url: 'attachment://a.png' } }] }
  Object.assign(answer, { data: { flags: 32_768, components: [{ type: 17, components: [gallery] }] } })
  const { components, attachments } = (await bed.as('ada').use('/x')).message!
  expect(components).toMatchObject([{ components: [{ items: [{ media: { url: attachments[0]!.url } }] }] }])
})

it('reacts to a message by its id, and refuses the id of none', async () => {
  await using bed = await bedOf(() => ({ type: 6 }))
  const { id, channel_id: channelId } = await bed.as('ada').say('Hi')
  const ofLibrary = { id, channelId, content: 'Hi' }
  await bed.as('grace').react(ofLibrary as never, '🎉')
  expect(bed.channel('general').messages[0]!.reactions).toEqual({ '🎉': ['grace'] })
  await expect(bed.as('grace').react({ id: '5' } as never, '🎉')).rejects.toThrow(
    'no channel has the message "5"',
  )
})

it('an endpoint that refuses the signature is told about the public key', async () => {
  await using bed = await testbed({ commands, endpoint: () => new Response(null, { status: 401 }) })
  await expect(bed.as('ada').use('/x')).rejects.toThrow(
    'the endpoint failed: it answered with status 401, so it refused the signature; give the bot the public key',
  )
})

it('[4.4-01] a line with a mention uses a global command beside a command of the server', async () => {
  await using bed = await bedOf(({ data }: any) => ({
    type: 4,
    data: { content: `${data.id} ${data.options?.[0]?.value}` },
  }))
  const options = [{ type: 3, name: 'word', description: 'A word' }] as const
  const [own] = await bed.registry.overwrite(guildScope(bed.applicationId, bed.server.id), [
    { ...commands[0], options },
  ])
  const [global] = await bed.registry.overwrite(globalScope(bed.applicationId), [{ ...commands[0], options }])
  const ada = bed.as('ada')
  const offered = await ada.suggestions('/x')
  expect(offered).toMatchObject([
    { path: 'x', scope: 'server', mention: `</x:${own!.id}>` },
    { path: 'x', scope: 'global', mention: `</x:${global!.id}>` },
  ])
  expect((await ada.use('/x word:a')).content).toBe(`${own!.id} a`)
  expect((await ada.use(`</x:${global!.id}> word:b c`)).content).toBe(`${global!.id} b c`)
  expect((await ada.use(`/${global!.id} word:d`)).content).toBe(`${global!.id} d`)
  expect((await ada.use(`</x:${global!.id}>`, { word: 'e' })).content).toBe(`${global!.id} e`)
  await expect(ada.use('</x:1>')).rejects.toThrow(/unknown command/)
})
