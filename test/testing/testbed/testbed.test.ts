import { beforeEach, describe, expect, it } from 'vitest'
import { ApplicationFlag, globalScope, PermissionFlag } from 'commandry'
import type { ModalValues } from 'commandry/interactions'
import { testbed, type Shown, type Testbed, type TestbedOptions } from 'commandry/testbed'
import { demoServer } from '../../../src/model/demo-server.ts'

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
const file = { id: 0, filename: 'cat.png' }
const row = (...components: object[]) => ({ type: 1, components })
const channelMenu = { type: 8, custom_id: 'channel', channel_types: [0] }
const pickers = [row({ type: 7, custom_id: 'whom' }), row(channelMenu)]
const commands = [
  ban,
  { name: 'say', description: 'Says a text', options: [option(3, 'text')] },
  { name: 'show', description: 'Shows a file' },
  { name: 'play', description: 'Launches the Activity' },
  { name: 'pick', description: 'Offers people and channels' },
  { name: 'hide', description: 'Answers nothing' },
  { name: 'ask', description: 'Opens a modal' },
  { name: 'form', description: 'Opens a modal with menus' },
  { name: 'order', description: 'Opens a modal with boxes and files' },
  { name: 'here', description: 'Works everywhere', contexts: [0, 1, 2], integration_types: [0, 1] },
  { name: 'mine', description: 'For group DMs', contexts: [2], integration_types: [1] },
  { type: 2, name: 'Greet' },
  { type: 3, name: 'Quote' },
  { name: 'send', description: 'Takes a file', options: [option(11, 'file', { required: true })] },
] as const

const modal = {
  custom_id: 'form',
  title: 'Form',
  components: [row({ type: 4, custom_id: 'name', label: 'Name', style: 1 })],
}
const undo = { type: 2, style: 4, label: 'Undo', custom_id: 'undo' }
const help = { type: 2, style: 5, label: 'Help', url: 'https://example.com' }
const menu = { type: 3, custom_id: 'menu', options: [{ label: 'First', value: '1' }] }
const components = [row(undo, help), row(menu)]
const labelled = (label: string, component: object) => ({ type: 18, label, component })
const whom = { type: 5, custom_id: 'whom', default_values: [{ id: '3001', type: 'user' }] }
const options = [...menu.options, { label: 'Second', value: '2', default: true }]
const what = { type: 3, custom_id: 'what', options }
const form = { ...modal, components: [labelled('Whom', whom), labelled('What', what)] }
const paint = { type: 21, custom_id: 'paint', options }
const extras = { type: 22, custom_id: 'extras', options }
const inputs = [
  labelled('Paint', paint),
  labelled('Extras', extras),
  labelled('Agree', { type: 23, custom_id: 'agree' }),
  labelled('Plan', { type: 19, custom_id: 'plan', required: false }),
  labelled('Notes', { type: 4, custom_id: 'notes', style: 2, required: false }),
]
const order = { ...modal, title: 'Order', components: inputs }
const no = { type: 2, style: 1, emoji: { name: '👎' }, custom_id: 'no', disabled: true }
const embed = {
  ...{ author: { name: 'Ada' }, title: 'Title', description: 'Words', fields: [{ name: 'A', value: 'B' }] },
  ...{ footer: { text: 'End' }, image: { url: 'https://a.example' } },
}
const vote = [row({ type: 2, style: 1, label: 'Yes', custom_id: 'vote' }, no)]

const message = (content: string, more = {}) => ({ type: 4, data: { content, ...more } })
/** The first of the resolved objects of a kind. */
const first = ({ resolved = {} }: any, kind: string): any => Object.values(resolved[kind] ?? {})[0]

/** The answers of a bot to its commands. */
const answers: { readonly [command: string]: (data: any, locale: string) => object } = {
  ban(data, locale) {
    const values = data.options.map(({ name, value }: any) =>
      name === 'user' ? first(data, 'users').username : `${name}=${value}`,
    )
    return message(`${locale}: ${values.join(' ')}`, { flags: 64, components })
  },
  Greet: (data) => message(`Hello, ${first(data, 'users').username}`),
  Quote: (data) => message(first(data, 'messages').content),
  send: (data) => message(first(data, 'attachments').filename),
  say: (data) => message(data.options?.[0].value ?? 'x'.repeat(2001)),
  play: () => ({ type: 12 }),
  pick: () => message('Whom?', { components: pickers }),
  form: () => ({ type: 9, data: form }),
  order: () => ({ type: 9, data: order }),
  here: () => message('Vote', { components: vote, embeds: [embed] }),
  mine: () => message('Vote', { components: vote }),
  ask: () => ({ type: 9, data: modal }),
}

/** A bot in one function: the answer to an interaction. */
function answer({ type, data, locale, member, user }: any): object | null {
  if (type === 4)
    return { type: 8, data: { choices: [{ name: 'spam', value: 's', name_localizations: { de: 'Müll' } }] } }
  if (type === 3 && data.component_type !== 2 && data.component_type !== 3)
    return message(JSON.stringify(data.resolved))
  if (type === 3) {
    if (data.custom_id === 'vote')
      return { ...message(`${(member ?? { user }).user.username} voted`), type: 7 }
    return { ...message(data.custom_id === 'undo' ? 'undone' : `chose ${data.values}`), type: 7 }
  }
  if (type === 5 && data.components[0].type === 18) return message(JSON.stringify(data))
  if (type === 5) return message(`Hello, ${data.components[0].components[0].value}`)
  return answers[data.name]?.(data, locale) ?? null
}

const never = new Promise<Response>(() => {})
const endpoint = async (request: Request): Promise<Response> => {
  const interaction = JSON.parse(await request.text())
  if (interaction.data.name === 'show') {
    const form = new FormData()
    form.set('payload_json', JSON.stringify({ type: 4, data: { attachments: [file] } }))
    form.set('files[0]', new Blob(['meow']), file.filename)
    return new Response(form)
  }
  const body = answer(interaction)
  return body === null ? never : Response.json(body)
}

let bed: Testbed
/** Opens a testbed instead of the one of the test. */
async function open(options: TestbedOptions): Promise<void> {
  await bed.close()
  bed = await testbed({ commands, endpoint, ...options })
}
beforeEach(async () => {
  bed = await testbed({ commands, endpoint })
  return () => bed.close()
})

describe('a person in a testbed', () => {
  it('uses a command by a typed line or by values', async () => {
    const shown = await bed.as('moderator').use('/ban user:@alan reason:too much spam')
    const content = 'en-US: alan reason=too much spam'
    expect(shown).toMatchObject({ kind: 'message', content, ephemeral: true })
    const same = await bed.as('grace').use('ban', { user: bed.people.alan, days: 1 })
    expect(same.content).toBe('en-US: alan days=1')
  })

  it('uses names in their language', async () => {
    const german = bed.as('administrator', { locale: 'de' })
    const shown = await german.use('/sperren nutzer:<@3001> grund:s days:Einer')
    expect(shown.content).toBe('de: ada reason=s days=1')
  })

  it('uses commands of context menus, and files', async () => {
    const ada = bed.as('member')
    expect((await ada.useOn('Greet', bed.people.grace!)).content).toBe('Hello, grace')
    expect((await ada.useOn('Quote', { id: '6001', content: 'Hi' } as never)).content).toBe('Hi')
    expect((await ada.useOn('Quote', await ada.use('say', { text: 'Said' }))).content).toBe('Said')
    expect((await ada.use('/send file:notes.txt')).content).toBe('notes.txt')
    const cat = { filename: 'cat.png', size: 3, content_type: 'image/png' }
    const { interaction, content } = await ada.use('send', { file: cat })
    expect(content).toBe('cat.png')
    expect(Object.values((interaction as any).data.resolved.attachments)).toMatchObject([cat])
  })

  it('is offered commands, choices and suggestions while typing', async () => {
    const grace = bed.as('moderator', { locale: 'de' })
    expect(await grace.suggestions('/sper')).toEqual([
      {
        ...{ kind: 'command', name: 'sperren', description: 'Sperrt ein Mitglied', path: 'ban' },
        ...{ scope: 'global', mention: expect.stringMatching(/^<\/ban:\d+>$/) },
      },
    ])
    expect(await grace.suggestions('/sperren days:E')).toEqual([{ kind: 'choice', name: 'Einer', value: 1 }])
    expect(await grace.suggestions('/sperren grund:')).toEqual([{ kind: 'choice', name: 'Müll', value: 's' }])
    expect(await grace.suggestions('/sperren nutzer:')).toEqual([])
    expect(await bed.as('member').suggestions('/ban')).toEqual([])
  })

  it('presses, chooses and submits', async () => {
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

  it('uses every command of a server that they own', async () => {
    await open({ servers: [{ ...demoServer(), owner_id: '3001' }] })
    expect((await bed.as('ada').use('/ban user:@alan')).content).toBe('en-US: alan')
  })

  it('gets the reason of a refused command, which the bot does not receive', async () => {
    await expect(bed.as('member').use('/ban user:@alan')).rejects.toMatchObject({ code: 'permission_denied' })
    const grace = bed.as('moderator')
    await expect(grace.use('/nothing')).rejects.toMatchObject({ code: 'unknown_command' })
    await expect(grace.use('/ban')).rejects.toMatchObject({ code: 'invalid_options', message: /user/ })
    await expect(grace.use('/ban user:@bob days:many')).rejects.toMatchObject({
      issues: [{ code: expect.any(String) }, { code: expect.any(String) }],
    })
    await expect(grace.use('ban', { user: 'bob' })).rejects.toThrow('"bob"')
    await expect(grace.use('/ban @alan')).rejects.toThrow('write "user:@alan"')
    const shown = await grace.use('/ban user:@alan')
    await expect(shown.press('Redo')).rejects.toMatchObject({ code: 'unknown_component' })
    await expect(shown.press('Help')).rejects.toMatchObject({ code: 'not_interactive' })
    await expect(shown.submit({})).rejects.toMatchObject({ code: 'no_message' })
    expect(bed.transcript().split('INTERACTION_CREATE')).toHaveLength(2)
  })

  it('rejects when the bot does not answer, edit or follow up in time', async () => {
    await open({ timeout: 1_000 })
    const unanswered = { name: 'TestbedError', code: 'no_answer' }
    await expect(bed.as('member').use('/hide')).rejects.toMatchObject(unanswered)
    const shown = await bed.as('moderator').use('/ban user:@alan')
    await expect(shown.edited()).rejects.toMatchObject({ code: 'not_edited' })
    const pressed = await shown.press('Undo')
    await expect(pressed.edited()).rejects.toMatchObject({ code: 'not_edited' })
    await expect(shown.followedUp()).rejects.toMatchObject({ code: 'no_follow_up' })
  })

  it('rejects at once when the endpoint fails or the testbed is closed', async () => {
    await open({ endpoint: () => new Response('no', { status: 500 }) })
    await expect(bed.as('ada').use('/ask')).rejects.toThrow(
      /^the endpoint failed: it answered with status 500; expected 200 with the answer, or 202; it sent/,
    )
    await open({ endpoint: () => Promise.reject(new Error('down')) })
    await expect(bed.as('ada').use('/ask')).rejects.toThrow(
      /^the endpoint failed: it is unreachable; it sent/,
    )
    await open({ timeout: 60_000 })
    const closed = expect(bed.as('ada').use('/hide')).rejects.toThrow('the testbed was closed')
    await expect.poll(() => bed.transcript()).toContain('"hide"')
    await bed.close()
    await closed
  })

  it('is in the given place, among the users of its servers', async () => {
    const ours = {
      id: '2002',
      name: 'Ours',
      roles: [{ id: '5005', name: 'Chiefs', permissions: '8' }],
      channels: [{ id: '4005', name: 'lobby', type: 0 }],
      members: [{ user: { id: '3005', username: 'chief' }, roles: ['5005'] }],
    }
    await open({ servers: [ours] })
    const bob = bed.addPerson('bob', ['Chiefs'])
    expect(Object.keys(bed.people)).toEqual(['chief', 'bob'])
    const shown = await bed.as('bob', { channel: 'lobby', server: 'Ours' }).use('/ban user:@bob')
    const place = { guild_id: '2002', channel_id: '4005' }
    expect(shown.interaction).toMatchObject({ ...place, member: { user: { id: bob.id } } })
    expect((await bed.as('chief', { channel: 'dm' }).use('/ask')).interaction).toMatchObject({ context: 1 })
    expect(() => bed.as('nobody')).toThrow('unknown person "nobody"; the names are chief, bob')
    expect(() => bed.addPerson('eve', ['Kings'])).toThrow('unknown role "Kings"')
    expect(bed.servers).toEqual([bed.server])
    const chief = bed.as('chief')
    await expect(bed.as('chief', { channel: 'cellar' }).use('/ask')).rejects.toThrow(
      'unknown channel "cellar"',
    )
    bed.leave('chief')
    await expect(chief.use('/ask')).rejects.toThrow('chief has left "Ours"')
    await open({ servers: [{ id: '2002', name: 'Empty', channels: [] }] })
    await expect(bed.as('ada').use('/ask')).rejects.toThrow('the server "Empty" has no channel with messages')
  })
})

describe('an answer in a testbed', () => {
  /** A request of the bot to the service. */
  const send = (path: string, method: string, body?: object) =>
    fetch(`${bed.rest}/v10${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  const webhook = ({ application_id, token }: any) => `/webhooks/${application_id}/${token}`
  /** A bot that accepts an interaction, and answers with requests of its own. */
  const calling = (act: (interaction: any, path: string) => Promise<unknown>, timeout = 60_000) =>
    open({
      timeout,
      endpoint: async (request) => {
        const interaction = JSON.parse(await request.text())
        const { id, token } = interaction
        setImmediate(() => void act(interaction, `/interactions/${id}/${token}/callback`))
        return new Response(null, { status: 202 })
      },
    })

  /** What the bot gets from a submitted modal. */
  const submitted = async (command: string, values: ModalValues) =>
    JSON.parse((await (await bed.as('member').use(command)).submit(values)).content)

  it('has the files of a response of the endpoint', async () => {
    const shown = await bed.as('member').use('/show')
    expect(shown.message!.attachments).toMatchObject([{ filename: 'cat.png', size: 4 }])
    expect(shown.text()).toBe('file: cat.png')
    expect(bed.channel('general').messages[0]!.files).toEqual(['cat.png'])
  })

  it('is rejected at once with the reason when the service refuses it', async () => {
    await open({ timeout: 60_000 })
    const reason = 'data.content has 2001 characters; at most 2000 are allowed; it sent nothing'
    const refused = { code: 'refused', message: `the bot's answer was refused: ${reason}` }
    const issues = [{ path: ['data', 'content'] }]
    await expect(bed.as('member').use('/say')).rejects.toMatchObject({ ...refused, issues })
  })

  it('is rejected at once when a callback is refused, and the bot can still answer validly', async () => {
    let recovered: Promise<Response> | undefined
    await calling(async (_, path) => {
      await send(path, 'POST', { type: 4, data: { content: 'x'.repeat(2001) } })
      recovered = send(path, 'POST', { type: 4, data: { content: 'Sorry' } })
    })
    const said = bed.as('member').use('/say')
    const refused = await said.catch((error) => error)
    expect(refused).toMatchObject({ code: 'refused', issues: [{ path: ['data', 'content'] }] })
    expect(refused.message).toContain('callback 400 (Invalid Form Body; data.content: Must be 2000 or fewer')
    expect(refused.message.length).toBeLessThan(700)
    expect(bed.requests[0]).toMatchObject({ status: 400, error: expect.stringContaining('2000 or fewer') })
    await expect.poll(() => recovered).toBeDefined()
    expect((await recovered!).status).toBe(204)
  })

  it('[6-04] launches an Activity only for an application with the EMBEDDED flag', async () => {
    const refused = { code: 'refused', issues: [{ code: 'callback.launch' }] }
    await expect(bed.as('member').use('/play')).rejects.toMatchObject(refused)
    await open({ flags: ApplicationFlag.EMBEDDED })
    expect((await bed.as('member').use('/play')).text()).toBe('(activity)')
  })

  it('[2.11-13] cannot be pressed after the bot has deleted it', async () => {
    const shown = await bed.as('moderator').use('/ban user:@alan')
    await send(`${webhook(shown.interaction)}/messages/@original`, 'DELETE')
    expect([shown.deleted, shown.text().split('\n')[0]]).toEqual([true, '(ephemeral, deleted)'])
    const message = expect.stringContaining('the bot has deleted the message')
    await expect(shown.press('Undo')).rejects.toMatchObject({ code: 'no_message', message })
  })

  it('has its follow-ups in turn', async () => {
    await calling(async (interaction, path) => {
      await send(path, 'POST', message('first'))
      for (const content of ['second', 'third']) await send(webhook(interaction), 'POST', { content })
    })
    const shown = await bed.as('ada').use('/ask')
    expect([await shown.followedUp(), await shown.followedUp()].map(({ content }) => content)).toEqual([
      'second',
      'third',
    ])
  })

  it('submits a modal once', async () => {
    const form = await bed.as('member').use('/ask')
    await expect(form.submit({ name: '' })).rejects.toMatchObject({ code: 'invalid_values' })
    await form.submit({ name: 'Ada' })
    await expect(form.submit({ name: 'Ada' })).rejects.toMatchObject({ code: 'no_message' })
  })

  it('[2.11-07] [2.11-13] offers the people, roles and channels of the server, and nobody else', async () => {
    const { channels, ...server } = demoServer()
    await open({ servers: [{ ...server, channels: [...channels, { id: '4009', name: 'voice', type: 2 }] }] })
    const shown = await bed.as('member').use('/pick')
    const choose = async (...choice: [string, string]) => JSON.parse((await shown.choose(...choice)).content)
    expect(await choose('whom', '5001')).toMatchObject({ roles: { 5001: { name: 'Moderators' } } })
    expect(await choose('whom', '3003')).toMatchObject({
      users: { 3003: { username: 'alan' } },
      members: { 3003: { roles: ['5002'] } },
    })
    expect(await choose('channel', '4002')).toMatchObject({ channels: { 4002: { name: 'staff' } } })
    expect(await choose('whom', '@alan')).toHaveProperty('users.3003')
    expect(await choose('whom', 'Moderators')).toHaveProperty('roles.5001')
    expect(await choose('channel', '#staff')).toHaveProperty('channels.4002')
    // A member has the permissions of the channel of the message, and a channel those of the person who chooses.
    bed.setPermissions('general', 'grace', { KICK_MEMBERS: false })
    bed.setPermissions('staff', 'ada', { VIEW_CHANNEL: false })
    const [everyone, moderators] = demoServer().roles.map(({ permissions }) => BigInt(permissions))
    const grace = { permissions: String((everyone! | moderators!) & ~PermissionFlag.KICK_MEMBERS) }
    expect((await choose('whom', '@grace')).members[3002]).toMatchObject(grace)
    expect((await choose('whom', '@ada')).members[3001]).toMatchObject({ permissions: String(everyone) })
    expect((await choose('channel', '#staff')).channels[4002]).toMatchObject({ permissions: '0' })
    const { interaction } = await bed.as('alan').use('/ban user:@grace')
    expect(interaction).toHaveProperty('data.resolved.members.3002.permissions', grace.permissions)
    await expect(shown.choose('channel', 'voice')).rejects.toThrow(
      'the select menu "channel" takes channels of type 0; "voice" has type 2',
    )
    await expect(shown.choose('whom', '@nobody')).rejects.toThrow('and names, got the unknown "@nobody"')
    const unknown = { code: 'invalid_values', message: 'no person has the id "999999"' }
    await expect(shown.choose('whom', '999999')).rejects.toMatchObject(unknown)
  })

  it('keeps the default values of the menus of a modal, and takes names', async () => {
    const { components, resolved } = await submitted('/form', {})
    expect(components.map(({ component }: any) => component.values)).toEqual([['3001'], ['2']])
    expect(resolved.users['3001']).toMatchObject({ username: 'ada' })
    expect((await submitted('/form', { whom: '@alan' })).resolved.users).toHaveProperty('3003')
  })

  it('chooses, checks and uploads in a modal', async () => {
    const valuesOf = ({ components }: any) =>
      components.map(({ component: { value, values } }: any) => value ?? values)
    expect(valuesOf(await submitted('/order', {}))).toEqual(['2', ['2'], false, [], ''])
    const cat = { filename: 'cat.png', size: 3, content_type: 'image/png' }
    const values = { paint: 'First', extras: ['First', 'Second'], agree: true, plan: [cat] }
    const { components, resolved } = await submitted('/order', values)
    const [id] = Object.keys(resolved.attachments)
    expect(valuesOf({ components })).toEqual(['1', ['1', '2'], true, [id], ''])
    expect(resolved.attachments[id!]).toMatchObject({ id, ...cat, url: expect.stringContaining('cat.png') })
  })

  it('has the text of every input of a modal', async () => {
    expect((await bed.as('member').use('/order')).text()).toBe(
      [
        ...['(modal)', 'Order', 'Paint', '( ) First', '(x) Second'],
        ...['Extras', '[ ] First', '[x] Second', 'Agree', '[ ]', 'Plan', '[Upload]', 'Notes', '[]'],
      ].join('\n'),
    )
  })

  it('has a stable text without ids and times', async () => {
    const shown = await bed.as('moderator').use('/ban user:@alan')
    expect(shown.text()).toBe('(ephemeral)\nen-US: alan\n[Undo] [Help ↗]\n[menu | First ▾]')
    expect((await bed.as('member').use('/ask')).text()).toBe('(modal)\nForm\nName: []')
    const here = await bed.as('member').use('/here')
    expect(here.text()).toBe(
      'Vote\n| Ada\n| Title\n| Words\n| A: B\n| End\n| image: https://a.example\n[Yes] [👎] (disabled)',
    )
    const text = 'for <@3003> and <@&5001> in <#4001>, <t:1700000000:R>, 1029384756102938475'
    const more = '2026-01-02T03:04:05.678Z 2026-01-02T03:04:05+01:00 </ban:12> <a:wave:12> <:cat:12> <@!3003>'
    for (const [said, shown] of [
      ['<@999> <@&999> <#999>', '@person @role #channel'],
      [text, 'for @alan and @Moderators in #general, <time>, <id>'],
      [more, '<time> <time> /ban :wave: :cat: @alan'],
    ] as const)
      expect((await bed.as('member').use('say', { text: said })).text()).toBe(shown)
  })

  it('has the text of every part of a message with components v2', async () => {
    const text = (content: string) => ({ type: 10, content })
    const button = { type: 2, style: 1, label: 'Open', custom_id: 'open' }
    const media = { media: { url: 'https://example.com/cat.png' } }
    const picture = { type: 11, ...media, description: 'A cat' }
    const components = [
      text('# Title'),
      { type: 9, components: [text('In a section')], accessory: button },
      { type: 9, components: [text('With a picture')], accessory: picture },
      { type: 12, items: [media] },
      { type: 13, file: { url: 'attachment://notes.txt' } },
      { type: 14 },
      { type: 17, components: [text('In a container'), { type: 1, components: [button] }] },
    ].map((part, id) => JSON.parse(JSON.stringify(part).replaceAll('"open"', `"open${id}"`)))
    await open({ endpoint: () => Response.json({ type: 4, data: { flags: 32_768, components } }) })
    expect((await bed.as('member').use('say')).text()).toBe(
      [
        '# Title',
        ...['In a section', '[Open]', 'With a picture', 'media: A cat', 'media: https://example.com/cat.png'],
        ...['media: attachment://notes.txt', 'In a container', '[Open]'],
      ].join('\n'),
    )
  })

  it('takes values before names of choices, and names before values in a line', async () => {
    const choices = [
      { name: 'Red', value: 'r' },
      { name: 'r', value: 'other' },
    ]
    const option = { type: 3, name: 'color', description: 'x', choices } as const
    const asked = { name: 'pick', description: 'x', options: [option] } as const
    const endpoint = async (request: Request) =>
      Response.json({ type: 4, data: { content: (await request.json()).data.options[0].value } })
    await open({ commands: [asked], endpoint })
    const ada = bed.as('ada')
    expect((await ada.use('pick', { color: 'r' })).content).toBe('r')
    expect((await ada.use('pick', { color: 'Red' })).content).toBe('r')
    expect((await ada.use('/pick color:r')).content).toBe('other')
  })

  it('reaches more than 1,000 people at once', async () => {
    await open({ timeout: 60_000 })
    const texts = Array.from({ length: 1_010 }, (_, index) => `text ${index}`)
    const ada = bed.as('member')
    const all = await Promise.all(texts.map((text) => ada.use('say', { text })))
    expect(all.map(({ content }) => content)).toEqual(texts)
  })

  it('fails with the requests since the use, and names routes that the service lacks', async () => {
    await calling(() => send('/stage-instances', 'POST', { topic: 'x' }))
    await send('/before', 'POST')
    const use = bed.as('member').use('/ask')
    await expect.poll(() => bed.requests.length).toBe(2)
    bed.advance('3s')
    const error = await use.catch((one) => one)
    expect(error.message).toContain("answer it with bed.on('POST /stage-instances', …)")
    expect(error.message).toContain('the service has no route for POST /api/v10/stage-instances; it sent:')
    expect(error.message).not.toContain('/before')
  })

  it('waits for an edit, and fails with the refused one and the first part of its body', async () => {
    await calling(async (interaction, path) => {
      await send(path, 'POST', { type: 4, data: { content: 'first' } })
      await send(`${webhook(interaction)}/messages/@original`, 'PATCH', { content: 'x'.repeat(2001) })
    }, 300)
    await send('/before', 'POST')
    const shown = await bed.as('member').use('/ask')
    const { message } = await shown.edited().catch((error) => error)
    expect(message).toMatch(/^the bot did not edit the message in time; it sent:/)
    expect(message).toMatch(/PATCH \S+@original 400 \(Invalid Form Body; content: Must be 2000 or fewer/)
    expect(message).not.toMatch(/before|x{201}/)
    expect(bed.transcript()).toContain('x'.repeat(500))
  })
})

describe('a person of several servers', () => {
  const servers = [
    {
      id: '2001',
      name: 'A',
      roles: [{ id: '5001', name: 'Mods', permissions: '4' }],
      members: [
        { user: { id: '3001', username: 'ada' } },
        { user: { id: '3002', username: 'grace', global_name: 'Grace H' }, roles: ['5001'] },
        { user: { id: '3030', username: 'twin' } },
      ],
    },
    {
      id: '2002',
      name: 'B',
      roles: [{ id: '5009', name: 'Owners', permissions: '12' }],
      channels: [{ id: '4009', name: 'lobby', type: 0 }],
      members: [
        { user: { id: '3009', username: 'hank' }, roles: ['5009'] },
        { user: { id: '3039', username: 'twin' } },
      ],
    },
  ] as const

  it('is found in the given server, or in the first one that has them', async () => {
    await open({ servers })
    const memberOf = async (name: string, server?: string) => {
      const { interaction } = await bed.as(name, server === undefined ? {} : { server }).use('/ask')
      const { guild_id, member } = interaction as any
      return [guild_id, member.user.username, member.user.id]
    }
    expect(await memberOf('hank')).toEqual(['2002', 'hank', '3009'])
    expect(await memberOf('administrator')).toEqual(['2002', 'hank', '3009'])
    expect(await memberOf('moderator', 'A')).toEqual(['2001', 'grace', '3002'])
    expect(await memberOf('twin')).toEqual(['2001', 'twin', '3030'])
    expect(await memberOf('twin', 'B')).toEqual(['2002', 'twin', '3039'])
    expect(bed.people.twin!.id).toBe('3030')
    expect(() => bed.as('grace', { server: 'B' })).toThrow('unknown person "grace"')
    expect(() => bed.addPerson('ada')).toThrow('"A" has a member "ada"')
  })

  it('gives new people an id that no member of any server has', async () => {
    const members = (index: number) => [{ user: { id: String(3900 + index), username: `user ${index}` } }]
    await open({ servers: servers.map((server, index) => ({ ...server, members: members(index) })) })
    expect(bed.addPerson('bob').id).toBe('3902')
    expect(bed.addPerson('eve', [], { server: 'B' }).id).toBe('3903')
  })

  it('mentions the people of their server by name or display name, and no others', async () => {
    await open({ servers })
    const userOf = async (line: string, server: string) => {
      const { interaction } = await bed.as('moderator', { server }).use(line)
      return (interaction as any).data.options[0].value
    }
    expect(await userOf('/ban user:@twin', 'A')).toBe('3030')
    expect(await userOf('/ban user:@Grace H', 'A')).toBe('3002')
    await expect(userOf('/ban user:@hank', 'A')).rejects.toMatchObject({ code: 'invalid_options' })
    for (const line of ['/ban user:<@999>', '/ban user:999'])
      await expect(userOf(line, 'A')).rejects.toThrow('user: no person has the id "999"')
    await expect(bed.as('grace').use('ban', { user: '999' })).rejects.toThrow('no person has the id "999"')
    const { interaction } = await bed.as('grace').use('ban', { user: '3009' })
    expect((interaction as any).data.resolved.users['3009'].username).toBe('hank')
    expect((interaction as any).data.resolved.members).toBe(undefined)
  })
})

it('the person of an answer presses with the roles that they have now, and no more after they have left', async () => {
  const shown = await bed.as('ada').use('/here')
  bed.setRoles('ada', ['Moderators'])
  expect((await shown.press('Yes')).interaction).toMatchObject({ member: { roles: ['5001'] } })
  bed.leave('ada')
  await expect(shown.press('Yes')).rejects.toMatchObject({ code: 'not_visible' })
})

it('the bot joins only the added server, not one that it has left', () => {
  bed.leave('testbed')
  const added = bed.addServer({ id: '2002', name: 'B' })
  const hasBot = ({ members }: typeof added) => members.some(({ username }) => username === 'testbed')
  expect([hasBot(bed.server), hasBot(added)]).toEqual([false, true])
})

describe('another person', () => {
  it('presses and chooses on what they can see, as themselves', async () => {
    const shown = await bed.as('ada').use('/here')
    const { interaction, content } = await bed.as('grace', { locale: 'de' }).press(shown, 'Yes')
    expect([content, shown.content]).toEqual(['grace voted', 'grace voted'])
    expect(interaction).toMatchObject({
      locale: 'de',
      guild_id: '2001',
      member: { user: { username: 'grace' }, roles: ['5001'], permissions: expect.stringMatching(/^[1-9]/) },
    })
    const picked = await bed.as('alan').choose(await bed.as('ada').use('/pick'), 'whom', '@grace')
    expect(picked.interaction).toMatchObject({ member: { user: { username: 'alan' } } })
    await bed.as('ada', { channel: 'dm' }).use('/here')
    const [direct] = bed.directMessages('ada')
    expect((await bed.as('ada').press(direct!, 'Yes')).content).toBe('ada voted')
  })

  it('[2.11-13] cannot use what they do not see', async () => {
    const { channels, ...server } = demoServer()
    const overwrite = { id: '2001', type: 0, allow: '0', deny: '1024' }
    const secret = { id: '4009', name: 'secret', permission_overwrites: [overwrite] } as never
    const other = { id: '2002', name: 'B', members: [{ user: { id: '3010', username: 'guest' } }] }
    await open({ servers: [{ ...server, channels: [...channels, secret] }, other] })
    const expectHidden = (use: Promise<Shown>, message: unknown = expect.anything()) =>
      expect(use).rejects.toMatchObject({ code: 'not_visible', message })
    const [ada, grace, guest] = [bed.as('ada'), bed.as('grace'), bed.as('guest')]
    const banned = await grace.use('/ban user:@alan')
    await expectHidden(ada.press(banned, 'Undo'))
    await expectHidden(ada.useOn('Quote', banned))
    const inSecret = await bed.as('alan', { channel: 'secret' }).use('/here')
    await expectHidden(ada.press(inSecret, 'Yes'), 'ada cannot see the channel of the message')
    await expectHidden(ada.useOn('Quote', bed.channel('secret').messages[0]!))
    await expectHidden(guest.press(inSecret, 'Yes'), 'guest is not a member of "Demo Server"')
    const direct = await bed.as('ada', { channel: 'dm' }).use('/here')
    await expectHidden(grace.press(direct, 'Yes'), 'grace is not in the DM of the message')
    await expectHidden(bed.as('grace', { channel: 'group' }).press(direct, 'Yes'))
    await expectHidden(grace.submit(await ada.use('/ask'), {}), 'only ada sees the modal')
    await expect(grace.press({} as never, 'Yes')).rejects.toMatchObject({ code: 'no_message' })
  })

  it('writes where the overwrites of a channel for their role or for themselves let them', async () => {
    await open({})
    const [ada, grace] = [bed.as('ada'), bed.as('grace')]
    bed.setPermissions('general', '@everyone', { SEND_MESSAGES: false })
    bed.setPermissions('general', 'ada', { SEND_MESSAGES: true })
    bed.setPermissions('general', 'Moderators', { SEND_MESSAGES: true })
    expect(await Promise.all([ada.say('Here'), grace.say('Too')])).toHaveLength(2)
    expect(() => bed.setPermissions('general', 'nobody', {})).toThrow('unknown role or person "nobody"')
    const set = (name: string) => bed.setPermissions('general', 'ada', { [name]: true })
    expect(() => set('SEND_MESAGES')).toThrow('"SEND_MESAGES"; did you mean SEND_MESSAGES?')
    expect(() => set('x')).toThrow('did you mean SEND_MESSAGES or VIEW_CHANNEL?')
    bed.setPermissions('general', 'ada', { SEND_MESSAGES: null })
    await expect(ada.say('Again')).rejects.toMatchObject({ code: 'permission_denied' })
  })

  it('is in a group DM, with a bot that only the user has installed', async () => {
    const group = { channel: 'group', installed: 'user' } as const
    const shown = await bed.as('ada', group).use('/mine')
    expect(shown.interaction).toMatchObject({ context: 2, authorizing_integration_owners: { 1: '3001' } })
    expect((await bed.as('grace', group).press(shown, 'Yes')).content).toBe('grace voted')
    const uninstalled = bed.as('ada', { installed: 'server', channel: 'group' }).use('/mine')
    await expect(uninstalled).rejects.toMatchObject({ code: expect.stringMatching(/install/) })
    const { interaction } = await bed.as('ada', { installed: 'user' }).use('/here')
    expect(interaction).toMatchObject({ guild_id: '2001', authorizing_integration_owners: { 1: '3001' } })
  })

  it.each([1, 2] as const)('launches the Activity with handler %i', async (handler) => {
    const entry = { type: 4, name: 'Launch', description: 'x', handler } as const
    await open({ flags: ApplicationFlag.EMBEDDED, commands: [entry], timeout: handler === 1 ? 200 : 60_000 })
    const launch = bed.as('ada', { channel: 'dm' }).launch()
    const launched = { handledBy: 'service', shown: null, message: { content: 'Ada used Launch' } }
    if (handler === 1) await expect(launch).rejects.toMatchObject({ code: 'no_answer' })
    else await expect(launch).resolves.toMatchObject(launched)
  })
})

it('a name is taken wherever an id is', async () => {
  const grace = bed.as('grace')
  expect((await grace.use('ban', { user: '@alan' })).content).toBe('en-US: alan')
  expect((await grace.use('ban', { user: 'alan', days: 'One' })).content).toBe('en-US: alan days=1')
  expect((await bed.as('ada').useOn('Greet', 'grace')).content).toBe('Hello, grace')
  expect(bed.person('moderator')).toMatchObject({ id: '3002', username: 'grace' })
  expect(() => bed.person('nobody')).toThrow('unknown person "nobody"; the names are ada')
})

describe('a route of a test', () => {
  const path = '/api/v10/guilds/2001/prune/3003'
  const at = (path: string, method: string, body?: BodyInit) =>
    fetch(new URL(path, bed.rest), { method, ...(body !== undefined && { body }) })

  it('answers with JSON, a response, or 204, and gets the segments, the query, the JSON and the bot', async () => {
    await open({ routes: { 'GET /prune/:id': ({ params }) => params } })
    bed.on('PUT /guilds/:guild/prune/:user', ({ params, query, body, bot }) => {
      return { ...params, days: query.get('days'), ...body, bot: bot.id }
    })
    const answered = { guild: '2001', user: '3003', days: '7', reason: 'spam', bot: bed.applicationId }
    expect(await (await at(`${path}?days=7`, 'PUT', '{"reason":"spam"}')).json()).toEqual(answered)
    const form = new FormData()
    form.set('payload_json', '{"reason":"spam"}')
    expect(await (await at(`${path}?days=7`, 'PUT', form)).json()).toEqual(answered)
    bed.on('PUT /v10/guilds/:guild/prune/:user', () => new Response('no', { status: 403 }))
    for (let i = 0; i < 2; i++) {
      const refused = await at('/api/guilds/2001/prune/3003', 'PUT')
      expect([refused.status, await refused.text()]).toEqual([403, 'no'])
    }
    bed.on('PUT /guilds/:guild/prune/:user', () => undefined)
    expect((await at(path, 'PUT')).status).toBe(204)
    expect(await (await at('/api/v9/prune/%40me', 'GET')).json()).toEqual({ id: '@me' })
  })

  it('is not needed for webhooks of channels, which take every message', async () => {
    const log = `/api/v10/webhooks/7001/${'x'.repeat(68)}`
    expect((await at(log, 'POST', '{}')).status).toBe(204)
    expect(await (await at(`${log}?wait=true`, 'POST', '{}')).json()).toMatchObject({ webhook_id: '7001' })
    expect((await at('/api/v10/webhooks/7001/token', 'POST', '{}')).status).toBe(404)
  })

  it('is not needed for avatars and emojis, which are one pixel each', async () => {
    for (const path of ['/embed/avatars/0.png', '/emojis/7001.webp']) {
      const response = await at(path, 'GET')
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png'])
      expect((await response.text()).slice(1, 4)).toBe('PNG')
    }
    expect((await at('/embed/avatars/0.txt', 'GET')).status).toBe(404)
  })

  it('comes before a route of the service, once or until it is removed or the testbed is reset', async () => {
    await open({ routes: { 'GET /gateway': () => 'always' } })
    const read = async () => (await at('/api/v10/gateway', 'GET')).json()
    const remove = bed.on('GET /gateway', () => 'mine')
    bed.on('GET /gateway', () => 'once', { once: true })
    expect([await read(), await read()]).toEqual(['once', 'mine'])
    remove()
    expect(await read()).toBe('always')
    bed.on('GET /gateway', () => 'mine')
    bed.reset()
    expect(await read()).toBe('always')
    expect(bed.requests).toHaveLength(1)
  })

  it('is a 500 with the message of the test when the handler throws', async () => {
    const message = '500: Internal Server Error: the handler of "GET /broken" threw: no database'
    for (const error of [new Error('no database'), 'no database']) {
      bed.on('GET /broken', () => Promise.reject(error))
      const response = await at('/api/v10/broken', 'GET')
      expect([response.status, await response.json()]).toEqual([500, { message, code: 0 }])
    }
    expect(bed.requests[0]).toMatchObject({ error: message })
  })

  it('is named by the 404 of a request that nothing answers, without tokens', async () => {
    const messageOf = async (path: string, method = 'PUT') => (await (await at(path, method)).json()).message
    expect(await messageOf(path)).toBe(
      "404: Not Found: this service has no PUT /guilds/2001/prune/3003; answer it with bed.on('PUT /guilds/:guild/prune/:prune', …)",
    )
    expect(await messageOf('/api/v10/webhooks/1001/s3cret')).toContain(
      "PUT /webhooks/1001/***; answer it with bed.on('PUT /webhooks/:webhook/:token', …)",
    )
    expect(await messageOf('/api/v10/%40me/7')).toContain("answer it with bed.on('PUT /:id/:id', …)")
    expect(await messageOf('/gateway')).not.toContain('bed.on')
    expect(await messageOf('/api/v10/gateway')).toMatch(/^405: .* has no PUT \/gateway; answer/)
  })

  it.each(['/guilds', 'put /guilds', 'PUT guilds', 'PUT /guilds?x', 5])(
    'refuses the route %j',
    async (route) => {
      expect(() => bed.on(route as never, () => 1)).toThrow('route: expected a method and a path such as')
      expect(() => bed.on('PUT /x', 5 as never)).toThrow('handler: expected a function, got the number 5')
    },
  )
})

it('arguments of another type are refused with their name', async () => {
  const ada = bed.as('member')
  for (const [call, message] of [
    [() => ada.use(5 as never), 'line: expected a text such as "/ping", got the number 5'],
    [() => ada.use('say', null as never), 'values: expected an object of values by option, got null'],
    [() => ada.use('say', { text: {} as never }), 'text: expected a value, a file with its filename'],
    [() => ada.useOn('Greet', undefined as never), 'target: expected a person or a message, with its id'],
    [() => ada.say(''), 'content: expected a text, got'],
    [() => bed.as('ada', { channel: 'group' }).say('Hi'), 'channel: the bot gets no messages'],
    [() => ada.submit({} as never, {}), 'shown: expected an answer of the bot, got an object'],
  ] as const) {
    await expect(call()).rejects.toThrow(new RegExp(`^${message}`))
    await expect(call()).rejects.toBeInstanceOf(TypeError)
  }
  const form = await ada.use('/ask')
  await expect(form.submit(undefined as never)).rejects.toThrow('values: expected an object of values')
  await expect(form.submit({ name: 5 } as never)).rejects.toThrow(
    'values.name: expected a string, true or false, or a list',
  )
  const server = { id: '2001', name: 'x' }
  const member = { user: { id: '3001', username: 'ada' } }
  for (const [options, message] of [
    [{ ws: {} }, 'ws: expected the module ws'],
    [{ timeout: 'x' }, 'timeout: expected a number'],
    [{ servers: [] }, 'servers: expected at least one server'],
    [{ servers: [server, server] }, 'the id "2001" is that of two servers'],
    [{ servers: [{ ...server, members: [member, member] }] }, '"x" has the member "3001" twice'],
    [{ flags: 'x' }, 'flags: expected a whole number'],
  ] as const)
    await expect(testbed(options as never)).rejects.toThrow(message)
})

describe('a testbed', () => {
  it.each(['before', 'after'])(
    'ends a use by its clock after 3 seconds, %s the bot has received it',
    async (when) => {
      await open({ timeout: 60_000 })
      const failed = expect(bed.as('member').use('/hide')).rejects.toMatchObject({
        code: 'no_answer',
        message: expect.stringContaining('nothing'),
      })
      if (when === 'after') await expect.poll(() => bed.transcript()).toContain('"hide"')
      bed.advance('3001ms')
      await failed
    },
  )

  it('waits for a command that is not deployed until the time limit', async () => {
    await open({ timeout: 50 })
    await bed.deployed('say')
    await bed.registry.overwrite(globalScope(bed.applicationId), [])
    await expect(bed.deployed('say')).rejects.toMatchObject({ code: 'not_deployed' })
  })

  it('responds to requests of the bot and lists them without tokens', async () => {
    const headers = { authorization: `Bot ${bed.token}` }
    const { status } = await fetch(`${bed.rest}/v10/users/@me`, { headers })
    expect(status).toBe(200)
    await fetch(`${bed.rest}/v10/interactions/1/secret-token/callback`, { method: 'POST', body: '{}' })
    const path = '/api/v10/interactions/1/***/callback'
    expect(bed.requests).toEqual([
      { method: 'GET', path: '/api/v10/users/@me', status: 200 },
      { method: 'POST', path, status: 404, error: 'Unknown interaction' },
    ])
    expect(bed.transcript()).not.toContain('secret-token')
    const { interaction } = await bed.as('member').use('/ask')
    expect(bed.transcript()).toContain('INTERACTION_CREATE')
    expect(bed.transcript()).not.toContain(interaction.token)
  })

  it('signs by the clock of the system, as bots refuse signatures that look old', async () => {
    const ages: number[] = []
    await open({
      endpoint: (request) => {
        ages.push(Date.now() / 1000 - Number(request.headers.get('x-signature-timestamp')))
        return endpoint(request)
      },
    })
    bed.advance('1h')
    await bed.as('member').use('/ask')
    expect(Math.abs(ages[0]!)).toBeLessThan(60)
  })

  it('closes at the end of its scope', async () => {
    const { rest } = bed
    await bed[Symbol.asyncDispose]()
    await expect(fetch(`${rest}/v10/gateway`)).rejects.toThrow()
  })

  it.each([[{ id: 'demo', name: 'x' }], [{ name: 'x' }], [null]])('rejects the server %j', async (server) => {
    const message =
      server === null ? 'server: expected an object, got null' : 'server.id: expected a snowflake'
    await expect(testbed({ servers: [server as never] })).rejects.toThrow(message)
  })

  it('rejects invalid commands with the error of the registry', async () => {
    const opening = testbed({ endpoint, commands: [{ name: 'Ban', description: '' }] })
    await expect(opening).rejects.toMatchObject({ name: 'RegistryError', code: 'invalid' })
  })
})
