import { describe, expect, it } from 'vitest'
import { ApplicationFlag, PermissionFlag } from 'commandry'
import type { ModalValues } from 'commandry/interactions'
import { demoServer } from '../../../support/worlds.ts'
import { message, bed, open, useTestbeds } from '../demo-bot.ts'

useTestbeds()

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
    await open({
      servers: [{ ...server, channels: [...channels, { id: '100000000000004009', name: 'voice', type: 2 }] }],
    })
    const shown = await bed.as('member').use('/pick')
    const choose = async (...choice: [string, string]) => JSON.parse((await shown.choose(...choice)).content)
    expect(await choose('whom', '100000000000005001')).toMatchObject({
      roles: { '100000000000005001': { name: 'Moderators' } },
    })
    expect(await choose('whom', '100000000000003003')).toMatchObject({
      users: { '100000000000003003': { username: 'alan' } },
      members: { '100000000000003003': { roles: ['100000000000005002'] } },
    })
    expect(await choose('channel', '100000000000004002')).toMatchObject({
      channels: { '100000000000004002': { name: 'staff' } },
    })
    expect(await choose('whom', '@alan')).toHaveProperty('users.100000000000003003')
    expect(await choose('whom', 'Moderators')).toHaveProperty('roles.100000000000005001')
    expect(await choose('channel', '#staff')).toHaveProperty('channels.100000000000004002')
    // A member has the permissions of the channel of the message, and a channel those of the person who chooses.
    bed.server.setPermissions('general', 'grace', { KICK_MEMBERS: false })
    bed.server.setPermissions('staff', 'ada', { VIEW_CHANNEL: false })
    const [everyone, moderators] = demoServer().roles.map(({ permissions }) => BigInt(permissions))
    const grace = { permissions: String((everyone! | moderators!) & ~PermissionFlag.KICK_MEMBERS) }
    expect((await choose('whom', '@grace')).members['100000000000003002']).toMatchObject(grace)
    expect((await choose('whom', '@ada')).members['100000000000003001']).toMatchObject({
      permissions: String(everyone),
    })
    expect((await choose('channel', '#staff')).channels['100000000000004002']).toMatchObject({
      permissions: '0',
    })
    const { interaction } = await bed.as('alan').use('/ban user:@grace')
    expect(interaction).toHaveProperty(
      'data.resolved.members.100000000000003002.permissions',
      grace.permissions,
    )
    await expect(shown.choose('channel', 'voice')).rejects.toThrow(
      'the select menu "channel" takes channels of type 0; "voice" has type 2',
    )
    await expect(shown.choose('whom', '@nobody')).rejects.toThrow('and names, got the unknown "@nobody"')
    const unknown = { code: 'invalid_values', message: 'no person has the id "999999"' }
    await expect(shown.choose('whom', '999999')).rejects.toMatchObject(unknown)
  })

  it('keeps the default values of the menus of a modal, and takes names', async () => {
    const { components, resolved } = await submitted('/form', {})
    expect(components.map(({ component }: any) => component.values)).toEqual([['100000000000003001'], ['2']])
    expect(resolved.users['100000000000003001']).toMatchObject({ username: 'ada' })
    expect((await submitted('/form', { whom: '@alan' })).resolved.users).toHaveProperty('100000000000003003')
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
        ...['(modal)', 'Order (#form)', 'Paint', '( ) First', '(x) Second'],
        ...['Extras', '[ ] First', '[x] Second', 'Agree', '[ ]', 'Plan', '[Upload] (optional)'],
        ...['Notes', '[] (paragraph, optional)'],
      ].join('\n'),
    )
  })

  it('has a stable text without ids and times', async () => {
    const shown = await bed.as('moderator').use('/ban user:@alan')
    expect(shown.text()).toBe(
      '(ephemeral)\nen-US: alan\n[Undo] (danger) [Help ↗] (https://example.com)\n[menu | First ▾]',
    )
    expect((await bed.as('member').use('/ask')).text()).toBe('(modal)\nForm\nName: []')
    const here = await bed.as('member').use('/here')
    expect(here.text()).toBe(
      'Vote\n| Ada\n| Title\n| Words\n| A: B\n| End\n| image: https://a.example\n[Yes] (#vote) [👎] (disabled, #no)',
    )
    const text =
      'for <@100000000000003003> and <@&100000000000005001> in <#100000000000004001>, <t:1700000000:R>, 1029384756102938475'
    const more =
      '2026-01-02T03:04:05.678Z 2026-01-02T03:04:05+01:00 </ban:12> <a:wave:12> <:cat:12> <@!100000000000003003>'
    for (const [said, shown] of [
      ['<@999> <@&999> <#999>', '@person @role #channel'],
      [text, 'for @alan and @Moderators in #general, <time>, <id>'],
      [more, '<time> <time> /ban :wave: :cat: @alan'],
      // A number is not an id, however many digits follow its point.
      ['0.12345678901234567, 1029384756102938475.', '0.12345678901234567, <id>.'],
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
    const form = () => {
      const data = new FormData()
      data.set('payload_json', JSON.stringify({ type: 4, data: { flags: 32_768, components } }))
      data.set('files[0]', new Blob(['x']), 'notes.txt')
      return new Response(data)
    }
    await open({ endpoint: form })
    expect((await bed.as('member').use('say')).text()).toBe(
      [
        '# Title',
        ...['In a section', '[Open] (#open1)', 'With a picture'],
        ...['thumbnail: A cat (https://example.com/cat.png)', 'media: https://example.com/cat.png'],
        ...['media: attachment://notes.txt', '---', 'In a container', '[Open] (#open6)', 'file: notes.txt'],
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

it('[2.11-17] the answer to a context menu command names what it was used on, and is a reply to a message', async () => {
  const commands = [
    { type: 2, name: 'Greet' },
    { type: 3, name: 'Report' },
    { name: 'ping', description: 'x' },
  ] as const
  const endpoint = async () => Response.json({ type: 4, data: { content: 'Done' } })
  await open({ commands, endpoint })
  const ada = bed.as('ada')
  const said = await bed.as('alan').say('Hello')
  const { message: ofUser } = await ada.useOn('Greet', 'alan')
  expect(ofUser!.interaction_metadata).toMatchObject({
    user: { username: 'ada' },
    target_user: { username: 'alan' },
  })
  expect(ofUser).not.toHaveProperty('message_reference')
  const { message: ofMessage } = await ada.useOn('Report', said)
  expect(ofMessage).toMatchObject({
    interaction_metadata: { target_message_id: said.id },
    message_reference: { message_id: said.id },
    referenced_message: { id: said.id, content: 'Hello' },
  })
  expect(ofMessage!.interaction_metadata).not.toHaveProperty('target_user')
  const { message: ofSlash } = await ada.use('/ping')
  expect(Object.keys(ofSlash!.interaction_metadata)).toEqual([
    'id',
    'type',
    'user',
    'authorizing_integration_owners',
  ])
})

it('a 202 with the answer beside it is named as what it is', async () => {
  const endpoint = async () => Response.json({ type: 4, data: { content: 'x' } }, { status: 202 })
  await open({ commands: [{ name: 'ping', description: 'x' }], endpoint, timeout: 50 })
  await expect(bed.as('ada').use('/ping')).rejects.toThrow(
    'within 3 seconds: it responded with status 202, which announces the answer in a request of its own; an answer in the response has status 200',
  )
})

it('a person sees the answers to them alone, and other people do not', async () => {
  const endpoint = async () => Response.json({ type: 4, data: { content: 'Saved your list', flags: 64 } })
  await open({ commands: [{ name: 'save', description: 'x' }], endpoint, timeout: 300 })
  await bed.as('ada').use('/save')
  await bed.as('ada').sees(/Saved/)
  await bed.as('ada').sees('(ephemeral)\nSaved your list')
  await expect(bed.as('alan').sees(/Saved/)).rejects.toThrow('no messages are visible there')
})

it('a reaction that is not there is not taken back', async () => {
  await open({})
  const said = await bed.as('alan').say('Hello')
  const refused = 'emoji: ada has not reacted with 👍; their reactions are'
  await expect(bed.as('ada').unreact(said, '👍')).rejects.toThrow(`${refused} none`)
  await bed.as('ada').react(said, '🎉')
  await expect(bed.as('ada').unreact(said, '👍')).rejects.toThrow(`${refused} 🎉`)
  await bed.as('ada').unreact(said, '🎉')
})

it('an unknown name is refused with what there is, in a line and in a menu', async () => {
  const options = [{ type: 8, name: 'role', description: 'x' }] as const
  const menu = { type: 6, custom_id: 'roles', placeholder: 'Roles' }
  const endpoint = async () =>
    Response.json({ type: 4, data: { components: [{ type: 1, components: [menu] }] } })
  await open({ commands: [{ name: 'give', description: 'x', options }], endpoint })
  const ada = bed.as('ada')
  await expect(ada.use('/give role:@Modrators')).rejects.toThrow(
    'options, role: unknown name "@Modrators"; did you mean @Moderators?',
  )
  await expect(ada.use('/give role:nothing-like-it')).rejects.toThrow(
    '"nothing-like-it"; there are @everyone, ',
  )
  const shown = await ada.use('/give')
  await expect(shown.choose('roles', 'Nope')).rejects.toThrow('got the unknown "Nope"; there are @everyone,')
})

it('[2.11-04] no command is used where a person may not write, by line or by menu', async () => {
  const commands = [
    { name: 'ping', description: 'x' },
    { type: 3, name: 'Report' },
  ] as const
  const endpoint = async () => Response.json({ type: 4, data: { content: 'Pong' } })
  await open({ commands, endpoint })
  const said = await bed.as('alan').say('Hello')
  const { content } = await bed.as('ada').use('/ping')
  bed.server.setPermissions('general', '@everyone', { SEND_MESSAGES: false })
  const denied = (kind: string) => ({
    code: 'permission_denied',
    message: `the member may not send messages in this channel, which ${kind} commands require`,
  })
  await expect(bed.as('ada').use('/ping')).rejects.toMatchObject(denied('slash'))
  await expect(bed.as('ada').useOn('Report', said)).rejects.toMatchObject(denied('message'))
  expect([content, (await bed.as('ada', { channel: 'dm' }).use('/ping')).content]).toEqual(['Pong', 'Pong'])
})

it('names the remedy of what a person types wrong', async () => {
  const choices = [
    { name: 'One', value: 1 },
    { name: 'A dozen', value: 12 },
  ]
  const sub = (name: string) => ({ type: 1, name, description: 'x' }) as const
  const commands = [
    { name: 'buy', description: 'x', options: [{ type: 4, name: 'count', description: 'x', choices }] },
    { name: 'game', description: 'x', options: [sub('start'), sub('stop')] },
    { type: 2, name: 'Card' },
  ] as never
  await open({ commands, endpoint: async () => Response.json({ type: 4, data: { content: 'x' } }) })
  const ada = bed.as('ada')
  const said = await ada.say('Hello')
  for (const [act, message] of [
    [() => ada.use('/buy count:Two'), 'options, count: is "Two"; the choices are 1 and 12'],
    [() => ada.use('/game strt'), 'game has no subcommand strt; it has start and stop'],
    [() => ada.use('/Card'), 'unknown command /Card; "Card" is a user command'],
    [() => ada.vote(said, 'Yes'), 'Cannot expire a non-poll message: the message has no poll'],
    [async () => bed.server.timeout('ada', '29d'), 'duration: a person is timed out for 28 days at most'],
    [async () => bed.on('FETCH /users/@me', () => ({})), 'route: expected a method and a path such as'],
  ] as const)
    await expect(act()).rejects.toThrow(message)
})
