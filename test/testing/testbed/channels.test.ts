/** What people do in channels without the bot: threads, replies, mentions, files, pins and voice. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { ChannelType, permissions } from 'commandry'
import { testbed } from 'commandry/testbed'

const ping = {
  name: 'ping',
  description: 'Replies with the channel',
  options: [{ type: 7, name: 'where', description: 'A channel' }],
} as const

/** A bot that replies with the id and the parent of the channel. */
async function open() {
  const used: any[] = []
  const endpoint = async (request: Request) => {
    const interaction: any = await request.json()
    used.push(interaction)
    return Response.json({ type: 4, data: { content: interaction.channel.name } })
  }
  const channels = [
    { id: '100000000000004001', name: 'general', type: ChannelType.GUILD_TEXT },
    { id: '100000000000004002', name: 'staff', type: ChannelType.GUILD_TEXT },
    { id: '100000000000004005', name: 'Lounge', type: ChannelType.GUILD_VOICE },
  ]
  const bed = await testbed({
    commands: [ping],
    endpoint,
    servers: [{ id: '100000000000002001', name: 'Ours', channels }],
  })
  onTestFinished(() => bed.close())
  const everyone = { SEND_MESSAGES_IN_THREADS: true, CREATE_PUBLIC_THREADS: true }
  bed.server.setPermissions('general', '@everyone', everyone)
  return { bed, used }
}

const it = test
  .extend('opened', () => open())
  .extend('bed', ({ opened }) => opened.bed)
  .extend('used', ({ opened }) => opened.used)

describe('a thread', () => {
  it('is started, and has people who write and use commands in it', async ({ bed, used }) => {
    const help = await bed.as('ada').say('Help')
    const thread = await bed.as('ada').startThread('ticket-7', { message: help })
    expect(thread).toMatchObject({ id: help.id, name: 'ticket-7', parent_id: '100000000000004001' })
    await bed.as('grace', { channel: 'ticket-7' }).say('What is it, @ada?')
    const [first, answer] = bed.channel('ticket-7').messages
    expect([first!.author, answer]).toMatchObject([
      'ada',
      { author: 'grace', content: 'What is it, <@100000000000003001>?' },
    ])
    const shown = await bed.as('ada', { channel: 'ticket-7' }).use('/ping where:#ticket-7')
    expect(shown.content).toBe('ticket-7')
    expect(used[0].channel).toMatchObject({
      id: help.id,
      type: 11,
      parent_id: '100000000000004001',
      thread_metadata: {},
    })
    for (const internal of ['members', 'active_at', 'parent'])
      expect(used[0].channel).not.toHaveProperty(internal)
    expect(used[0].data.resolved.channels[help.id]).toMatchObject({ name: 'ticket-7', type: 11 })
    expect(bed.server.threads).toEqual([
      {
        ...{
          id: help.id,
          name: 'ticket-7',
          parent: 'general',
          archived: false,
          locked: false,
          private: false,
        },
        ...{ members: ['ada', 'grace'], tags: [] },
      },
    ])
  })

  it('[2.9-05] is closed to people by the permissions of its channel', async ({ bed }) => {
    await bed.as('ada').startThread('ticket')
    const ada = bed.as('ada', { channel: 'ticket' })
    await ada.say('Hi')
    bed.server.setPermissions('general', '@everyone', {
      SEND_MESSAGES_IN_THREADS: false,
      CREATE_PUBLIC_THREADS: false,
    })
    const denied = { code: 'permission_denied' }
    await expect(ada.say('Hi')).rejects.toMatchObject(denied)
    await expect(bed.as('ada').startThread('x')).rejects.toMatchObject({
      ...denied,
      message: 'ada lacks CREATE_PUBLIC_THREADS in #general of Ours',
    })
    bed.server.setPermissions('general', '@everyone', { USE_APPLICATION_COMMANDS: false })
    await expect(ada.use('/ping')).rejects.toMatchObject(denied)
    expect(() => bed.server.setPermissions('ticket', '@everyone', {})).toThrow(
      'a thread has the permissions of its channel',
    )
  })

  it('is private for those who are not in it', async ({ bed }) => {
    bed.server.setPermissions('general', '@everyone', { CREATE_PRIVATE_THREADS: true })
    await bed.as('ada').startThread('secret', { private: true })
    const grace = bed.as('grace', { channel: 'secret' })
    const message = 'grace lacks MANAGE_THREADS and is not in the private thread #secret of Ours'
    for (const act of [() => grace.say('Hi'), () => grace.use('/ping')])
      await expect(act()).rejects.toMatchObject({ code: 'permission_denied', message })
    bed.server.setPermissions('general', 'ada', { VIEW_CHANNEL: false })
    await expect(bed.as('ada').use('/ping')).rejects.toMatchObject({
      code: 'permission_denied',
      message: 'ada lacks VIEW_CHANNEL in #general of Ours',
    })
    bed.server.setPermissions('general', 'ada', { VIEW_CHANNEL: true })
    await bed.as('ada', { channel: 'secret' }).say('Come in, @grace')
    await bed.as('grace', { channel: 'secret' }).say('Hi')
    expect(bed.server.threads[0]).toMatchObject({ private: true, members: ['ada', 'grace'] })
  })
})

describe('a message', () => {
  it('replies, mentions people, roles and channels, and has files', async ({ bed }) => {
    const first = await bed.as('ada').say('First')
    const content = 'See #staff, @alan and @Moderators, not a@b.example'
    await bed.as('grace').say(content, { reply: first, files: [{ filename: 'a.log', size: 7 }] })
    const { messages } = bed.channel('general')
    expect(messages[1]).toMatchObject({
      content: 'See <#100000000000004002>, <@100000000000003003> and <@&100000000000005001>, not a@b.example',
      files: ['a.log'],
    })
    await bed.as('ada').say('', { files: [{ filename: 'only.png' }] })
    await expect(bed.as('ada').say('')).rejects.toMatchObject({ code: 'empty_message' })
    await expect(bed.as('ada', { channel: 'staff' }).say('x', { reply: first })).rejects.toThrow(
      'reply: expected a message of the channel of the person',
    )
    await expect(bed.as('ada').say('x', { replay: first } as never)).rejects.toThrow('replay')
  })

  it('is pinned by those who may, with PIN_MESSAGES', async ({ bed }) => {
    const message = await bed.as('ada').say('Rules')
    await expect(bed.as('grace').pin(message)).rejects.toMatchObject({
      message: 'grace lacks PIN_MESSAGES in #general of Ours',
    })
    bed.server.setPermissions('general', 'Moderators', { PIN_MESSAGES: true })
    await bed.as('grace').pin(message)
    const [pinned, notice] = bed.channel('general').messages
    expect([pinned, notice]).toMatchObject([{ content: 'Rules', pinned: true }, { author: 'grace' }])
    await bed.as('grace').unpin(message)
    expect(bed.channel('general').messages[0]!.pinned).toBe(false)
  })
})

describe('a person with another kind of installation', () => {
  it.each([
    [{ contexts: [0], integration_types: [1] }, {}, 'the command needs User, and the app is not installed'],
    [
      { contexts: [0], integration_types: [0] },
      { installed: 'user' },
      'the command needs Server, and the app is',
    ],
    [
      { contexts: [2], integration_types: [0, 1] },
      { channel: 'group' },
      'the command needs User, and the app is',
    ],
  ] as const)('names the context that a command needs: %o', async (fields, person, words) => {
    await using bed = await testbed({
      commands: [{ name: 'x', description: 'x', ...fields }],
      endpoint: () => Response.json({ type: 4, data: { content: 'ok' } }),
    })
    const ada = bed.as('ada', { installed: 'server', ...person })
    await expect(ada.use('/x')).rejects.toThrow(`Installed to: ${words}`)
  })
})

describe('a voice channel', () => {
  it('is joined and left', async ({ bed }) => {
    const voice = () => bed.server.members.find(({ username }) => username === 'ada')!.voice
    bed.server.setPermissions('Lounge', '@everyone', { CONNECT: true })
    await bed.as('ada').joinVoice('Lounge', { muted: true })
    expect(voice()).toBe('Lounge')
    const muted = async () => {
      const headers = { authorization: `Bot ${bed.token}` }
      const path = `${bed.rest}/v10/guilds/${bed.server.id}/voice-states/${bed.people.ada!.id}`
      const { mute, self_mute } = await (await fetch(path, { headers })).json()
      return [mute, self_mute]
    }
    expect(await muted()).toEqual([false, true])
    bed.server.mute('ada')
    expect(await muted()).toEqual([true, true])
    bed.server.mute('ada', false)
    expect(await muted()).toEqual([false, true])
    await bed.as('ada').leaveVoice()
    expect(voice()).toBe(null)
    expect(() => bed.server.mute('ada')).toThrow(
      'ada is in no voice channel; let them join one with joinVoice',
    )
    await expect(bed.as('ada').joinVoice('general')).rejects.toThrow('#general is not a voice channel')
    bed.server.setPermissions('Lounge', '@everyone', { CONNECT: false })
    await expect(bed.as('ada').joinVoice('Lounge')).rejects.toMatchObject({ code: 'permission_denied' })
  })
})

it('a voice channel that is full is joined with MOVE_MEMBERS alone', async () => {
  const everyone = {
    id: '100000000000002001',
    name: '@everyone',
    permissions: permissions('VIEW_CHANNEL', 'CONNECT'),
  }
  const movers = { id: '100000000000005001', name: 'Movers', permissions: permissions('MOVE_MEMBERS') }
  const members = ['ada', 'bob', 'cleo'].map((username, index) => ({
    user: { id: `300${index}`, username },
    roles: username === 'cleo' ? [movers.id] : [],
  }))
  const channels = [{ id: '100000000000004001', name: 'Duo', type: ChannelType.GUILD_VOICE, user_limit: 1 }]
  await using bed = await testbed({
    servers: [{ id: '100000000000002001', name: 'Ours', roles: [everyone, movers], channels, members }],
    endpoint: () => Response.json({ type: 1 }),
  })
  await bed.as('ada').joinVoice('Duo')
  await bed.as('ada').joinVoice('Duo', { muted: true })
  await expect(bed.as('bob').joinVoice('Duo')).rejects.toThrow(
    '#Duo is full: bob lacks MOVE_MEMBERS in #Duo of Ours; the role Movers has it',
  )
  await bed.as('cleo').joinVoice('Duo')
  expect(bed.server.members.map(({ voice }) => voice).filter(Boolean)).toEqual(['Duo', 'Duo'])
})

describe('a message that a person waits for', () => {
  it('is seen once it is there, by its text as people read it', async ({ bed }) => {
    const seeing = bed.as('grace', { channel: 'ticket-7' }).sees('What is it, @ada?')
    await bed.as('ada').startThread('ticket-7')
    const said = await bed.as('alan', { channel: 'ticket-7' }).say('What is it, @ada?')
    expect((await seeing).id).toBe(said.id)
  })

  it('is one of several by its number', async ({ bed }) => {
    const first = await bed.as('ada').say('Hi')
    const second = bed.as('grace').sees('Hi', 2)
    const last = await bed.as('ada').say('Hi')
    expect([(await bed.as('grace').sees('Hi')).id, (await second).id]).toEqual([first.id, last.id])
  })

  it('that does not come is an error with the last messages, also where the person sees none', async () => {
    await using bed = await testbed({ timeout: 50, endpoint: () => new Response() })
    await bed.as('ada').say('Hello')
    await expect(bed.as('grace').sees('Hallo')).rejects.toMatchObject({
      code: 'not_seen',
      message: expect.stringContaining(
        'grace does not see the message "Hallo" in time; the last are "Hello"',
      ),
    })
    bed.server.setPermissions('general', '@everyone', { VIEW_CHANNEL: false })
    for (const channel of ['general', 'no-such-thread', 'dm', 'group'])
      await expect(bed.as('ada', { channel }).sees('Hello')).rejects.toThrow('no messages are visible there')
  })
})
