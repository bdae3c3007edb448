import { afterEach, describe, expect, it } from 'vitest'
import { testbed, type Testbed, type TestbedOptions } from 'commandry/testbed'

const option = (type: 3 | 4 | 6 | 11, name: string, more = {}) => ({ type, name, description: 'x', ...more })
const ban = {
  name: 'ban',
  name_localizations: { de: 'sperren' },
  description: 'Bans a member',
  description_localizations: { de: 'Sperrt ein Mitglied' },
  default_member_permissions: '4',
  options: [
    option(6, 'user', { required: true, name_localizations: { de: 'nutzer' } }),
    option(3, 'reason', { autocomplete: true, name_localizations: { de: 'grund' } }),
    option(4, 'days', { choices: [{ name: 'One', value: 1, name_localizations: { de: 'Einer' } }] }),
  ],
} as const
const commands = [
  ban,
  { name: 'hide', description: 'Answers nothing' },
  { name: 'ask', description: 'Opens a modal' },
  { type: 2, name: 'Greet' },
  { type: 3, name: 'Quote' },
  { name: 'send', description: 'Takes a file', options: [option(11, 'file', { required: true })] },
] as const

const modal = {
  custom_id: 'form',
  title: 'Form',
  components: [{ type: 1, components: [{ type: 4, custom_id: 'name', label: 'Name', style: 1 }] }],
}
const components = [
  {
    type: 1,
    components: [
      { type: 2, style: 4, label: 'Undo', custom_id: 'undo' },
      { type: 2, style: 5, label: 'Help', url: 'https://example.com' },
    ],
  },
  { type: 1, components: [{ type: 3, custom_id: 'menu', options: [{ label: 'First', value: '1' }] }] },
]

/** A bot in one function: the answer to an interaction. */
function answer({ type, data, locale }: any): object | null {
  if (type === 4)
    return { type: 8, data: { choices: [{ name: 'spam', value: 's', name_localizations: { de: 'Müll' } }] } }
  if (type === 3) {
    const content = data.custom_id === 'undo' ? 'undone' : `chose ${data.values}`
    return { type: 7, data: { content } }
  }
  if (type === 5) return { type: 4, data: { content: `Hello, ${data.components[0].components[0].value}` } }
  const target = Object.values((data.resolved?.users ?? {}) as { [id: string]: { username: string } })[0]
    ?.username
  switch (data.name) {
    case 'ban': {
      const values = data.options.map(({ name, value }: any) =>
        name === 'user' ? target : `${name}=${value}`,
      )
      return { type: 4, data: { content: `${locale}: ${values.join(' ')}`, flags: 64, components } }
    }
    case 'Greet':
      return { type: 4, data: { content: `Hello, ${target}` } }
    case 'Quote':
      return {
        type: 4,
        data: { content: Object.values(data.resolved.messages as { content: string }[])[0]!.content },
      }
    case 'send':
      return {
        type: 4,
        data: { content: Object.values(data.resolved.attachments as { filename: string }[])[0]!.filename },
      }
    case 'ask':
      return { type: 9, data: modal }
    default:
      return null
  }
}

const never = new Promise<Response>(() => {})
const endpoint = async (request: Request): Promise<Response> => {
  const body = answer(JSON.parse(await request.text()))
  return body === null ? never : Response.json(body)
}

let bed: Testbed
async function open(options: TestbedOptions = {}): Promise<void> {
  bed = await testbed({ commands, endpoint, patience: 200, ...options })
}
afterEach(() => bed.close())

describe('a person in a testbed', () => {
  it('uses a command by a typed line or by values', async () => {
    await open()
    const shown = await bed.as('moderator').use('/ban user:@alan reason:too much spam')
    expect(shown).toMatchObject({
      kind: 'message',
      content: 'en-US: alan reason=too much spam',
      ephemeral: true,
    })
    const same = await bed.as('grace').use('ban', { user: bed.people.alan, days: 1 })
    expect(same.content).toBe('en-US: alan days=1')
  })

  it('uses names in their language', async () => {
    await open()
    const shown = await bed
      .as('administrator', { locale: 'de' })
      .use('/sperren nutzer:<@3001> grund:s days:Einer')
    expect(shown.content).toBe('de: ada reason=s days=1')
  })

  it('uses commands of context menus, and files', async () => {
    await open()
    const ada = bed.as('member')
    expect((await ada.useOn('Greet', bed.people.grace!)).content).toBe('Hello, grace')
    expect((await ada.useOn('Quote', { id: '6001', content: 'Hi' } as never)).content).toBe('Hi')
    expect((await ada.use('/send file:notes.txt')).content).toBe('notes.txt')
  })

  it('is offered commands, choices and suggestions while typing', async () => {
    await open()
    const grace = bed.as('moderator', { locale: 'de' })
    expect(await grace.suggestions('/sper')).toEqual([
      { kind: 'command', name: 'sperren', description: 'Sperrt ein Mitglied', path: 'ban' },
    ])
    expect(await grace.suggestions('/sperren days:E')).toEqual([{ kind: 'choice', name: 'Einer', value: 1 }])
    expect(await grace.suggestions('/sperren grund:')).toEqual([{ kind: 'choice', name: 'Müll', value: 's' }])
    expect(await bed.as('member').suggestions('/ban')).toEqual([])
  })

  it('presses, chooses and submits', async () => {
    await open()
    const shown = await bed.as('moderator').use('/ban user:@alan')
    const pressed = await shown.press('Undo')
    expect([pressed.content, shown.content]).toEqual(['undone', 'undone'])
    await shown.edited()
    await shown.choose('menu', 'First')
    expect((await shown.edited()).content).toBe('chose 1')
    const form = await bed.as('member').use('/ask')
    expect(form).toMatchObject({ kind: 'modal', content: '', message: null, modal: { title: 'Form' } })
    expect((await form.submit({ name: 'Ada' })).content).toBe('Hello, Ada')
  })

  it('gets the reason of a refused command, which the bot does not receive', async () => {
    await open()
    await expect(bed.as('member').use('/ban user:@alan')).rejects.toMatchObject({ code: 'permission_denied' })
    const grace = bed.as('moderator')
    await expect(grace.use('/nothing')).rejects.toMatchObject({ code: 'unknown_command' })
    await expect(grace.use('/ban')).rejects.toMatchObject({ code: 'invalid_options', message: /user/ })
    await expect(grace.use('/ban user:@bob days:many')).rejects.toMatchObject({
      issues: [{ code: expect.any(String) }, { code: expect.any(String) }],
    })
    await expect(grace.use('/ban @alan')).rejects.toThrow('write "user:@alan"')
    const shown = await grace.use('/ban user:@alan')
    await expect(shown.press('Redo')).rejects.toMatchObject({ code: 'unknown_component' })
    await expect(shown.press('Help')).rejects.toMatchObject({ code: 'not_interactive' })
    await expect(shown.submit({})).rejects.toMatchObject({ code: 'no_message' })
    expect(
      bed
        .transcript()
        .split('\n')
        .filter((line) => line.includes('INTERACTION_CREATE')),
    ).toHaveLength(1)
  })

  it('rejects when the bot does not answer, edit or follow up in time', async () => {
    await open()
    await expect(bed.as('member').use('/hide')).rejects.toMatchObject({
      name: 'TestbedError',
      code: 'no_answer',
    })
    const shown = await bed.as('moderator').use('/ban user:@alan')
    await expect(shown.edited()).rejects.toMatchObject({ code: 'not_edited' })
    await expect(shown.followedUp()).rejects.toMatchObject({ code: 'no_follow_up' })
  })

  it('is in the given place, among the users of its servers', async () => {
    await open({
      servers: [
        {
          id: '2002',
          name: 'Ours',
          roles: [{ id: '5005', name: 'Chiefs', permissions: '8' }],
          channels: [{ id: '4005', name: 'lobby', type: 0 }],
          members: [{ user: { id: '3005', username: 'chief' }, roles: ['5005'] }],
        },
      ],
    })
    const bob = bed.addPerson('bob', ['Chiefs'])
    expect(Object.keys(bed.people)).toEqual(['chief', 'bob'])
    const shown = await bed.as('bob', { channel: 'lobby', server: 'Ours' }).use('/ban user:@bob')
    expect(shown.interaction).toMatchObject({
      guild_id: '2002',
      channel_id: '4005',
      member: { user: { id: bob.id } },
    })
    expect((await bed.as('chief', { channel: 'dm' }).use('/ask')).interaction).toMatchObject({ context: 1 })
    expect(() => bed.as('nobody')).toThrow('unknown person "nobody"; the names are chief, bob')
    expect(() => bed.addPerson('eve', ['Kings'])).toThrow('unknown role "Kings"')
    await expect(bed.as('chief', { channel: 'cellar' }).use('/ask')).rejects.toThrow(
      'unknown channel "cellar"',
    )
  })
})

describe('a testbed', () => {
  it('advances the clock: a use fails after 3 seconds without an answer', async () => {
    await open({ patience: 60_000 })
    const use = bed.as('member').use('/hide')
    const failed = expect(use).rejects.toMatchObject({ code: 'no_answer' })
    // Waits until the bot has received it.
    await expect.poll(() => bed.transcript()).toContain('"hide"')
    bed.advance('3001ms')
    await failed
  })

  it('responds to requests of the bot and lists them without tokens', async () => {
    await open()
    const { status } = await fetch(`${bed.rest}/v10/users/@me`, {
      headers: { authorization: `Bot ${bed.token}` },
    })
    expect(status).toBe(200)
    await fetch(`${bed.rest}/v10/interactions/1/secret-token/callback`, { method: 'POST', body: '{}' })
    expect(bed.requests).toEqual([
      { method: 'GET', path: '/api/v10/users/@me', status: 200 },
      { method: 'POST', path: '/api/v10/interactions/1/***/callback', status: 404 },
    ])
    expect(bed.transcript()).not.toContain('secret-token')
    const { interaction } = await bed.as('member').use('/ask')
    expect(bed.transcript()).toContain('INTERACTION_CREATE')
    expect(bed.transcript()).not.toContain(interaction.token)
  })

  it('closes at the end of its scope', async () => {
    await open()
    const { rest } = bed
    await bed[Symbol.asyncDispose]()
    await expect(fetch(`${rest}/v10/gateway`)).rejects.toThrow()
  })

  it('rejects invalid commands with the error of the registry', async () => {
    await open()
    await expect(testbed({ endpoint, commands: [{ name: 'Ban', description: '' }] })).rejects.toMatchObject({
      name: 'RegistryError',
      code: 'invalid',
    })
  })
})
