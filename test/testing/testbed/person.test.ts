import { describe, expect, it } from 'vitest'
import { demoServer } from '../../support/worlds.ts'
import { bed, open, useTestbeds } from './demo-bot.ts'

useTestbeds()

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
    const shown = await german.use('/sperren nutzer:<@100000000000003001> grund:s days:Einer')
    expect(shown.content).toBe('de: ada reason=s days=1')
  })

  it('use a command by its mention, which has the default names in every language', async () => {
    const german = bed.as('administrator', { locale: 'de' })
    const [entry] = await german.suggestions('/sperren')
    const { mention = '' } = entry as { mention?: string }
    expect((await german.use(`${mention} nutzer:@ada grund:s`)).content).toMatch(/^de: ada/)
    await expect(german.use(`${mention.replace('ban', 'sperren')} nutzer:@ada`)).rejects.toMatchObject({
      code: 'unknown_command',
      message: `a mention works with the default names only: write ${mention}`,
    })
  })

  it('uses commands of context menus, and files', async () => {
    const ada = bed.as('member')
    expect((await ada.useOn('Greet', bed.people.grace!)).content).toBe('Hello, grace')
    expect((await ada.useOn('Quote', { id: '100000000000006001', content: 'Hi' } as never)).content).toBe(
      'Hi',
    )
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
    await expect(grace.suggestions('/sperren gruns:M')).rejects.toMatchObject({
      code: 'invalid_options',
      message: expect.stringContaining('gruns: "M" is not an option'),
    })
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
    await open({ servers: [{ ...demoServer(), owner_id: '100000000000003001' }] })
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
    // This bot has no connection that could be closed.
    const message = expect.not.stringContaining('connection')
    const unanswered = { name: 'TestbedError', code: 'no_answer', message }
    const shown = await bed.as('moderator').use('/ban user:@alan')
    const pressed = await (await bed.as('moderator').use('/ban user:@alan')).press('Undo')
    await Promise.all([
      expect(bed.as('member').use('/hide')).rejects.toMatchObject(unanswered),
      expect(shown.edited()).rejects.toMatchObject({ code: 'not_edited' }),
      expect(pressed.edited()).rejects.toMatchObject({ code: 'not_edited' }),
      expect(pressed.followedUp()).rejects.toMatchObject({ code: 'no_follow_up' }),
    ])
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
      id: '100000000000002002',
      name: 'Ours',
      roles: [{ id: '100000000000005005', name: 'Chiefs', permissions: '8' }],
      channels: [{ id: '100000000000004005', name: 'lobby', type: 0 }],
      members: [{ user: { id: '100000000000003005', username: 'chief' }, roles: ['100000000000005005'] }],
    }
    await open({ servers: [ours] })
    const bob = bed.server.addPerson('bob', ['Chiefs'])
    expect(Object.keys(bed.people)).toEqual(['chief', 'bob'])
    const shown = await bed.as('bob', { channel: 'lobby', server: 'Ours' }).use('/ban user:@bob')
    const place = { guild_id: '100000000000002002', channel_id: '100000000000004005' }
    expect(shown.interaction).toMatchObject({ ...place, member: { user: { id: bob.id } } })
    expect((await bed.as('chief', { channel: 'dm' }).use('/ask')).interaction).toMatchObject({ context: 1 })
    expect(() => bed.as('nobody')).toThrow('unknown person "nobody"; the names are chief, bob')
    expect(() => bed.server.addPerson('eve', ['Kings'])).toThrow('unknown role "Kings"')
    expect(bed.servers).toEqual([bed.server])
    const chief = bed.as('chief')
    await expect(bed.as('chief', { channel: 'cellar' }).use('/ask')).rejects.toThrow(
      'unknown channel "cellar"',
    )
    bed.server.leave('chief')
    await expect(chief.use('/ask')).rejects.toThrow('chief has left "Ours"')
    await open({ servers: [{ id: '100000000000002002', name: 'Empty', channels: [] }] })
    await expect(bed.as('ada').use('/ask')).rejects.toThrow('the server "Empty" has no channel with messages')
  })
})

describe('a person of several servers', () => {
  const servers = [
    {
      id: '100000000000002001',
      name: 'A',
      roles: [{ id: '100000000000005001', name: 'Mods', permissions: '4' }],
      members: [
        { user: { id: '100000000000003001', username: 'ada' } },
        {
          user: { id: '100000000000003002', username: 'grace', global_name: 'Grace H' },
          roles: ['100000000000005001'],
        },
        { user: { id: '3030', username: 'twin' } },
      ],
    },
    {
      id: '100000000000002002',
      name: 'B',
      roles: [{ id: '100000000000005009', name: 'Owners', permissions: '12' }],
      channels: [{ id: '100000000000004009', name: 'lobby', type: 0 }],
      members: [
        { user: { id: '100000000000003009', username: 'hank' }, roles: ['100000000000005009'] },
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
    expect(await memberOf('hank')).toEqual(['100000000000002002', 'hank', '100000000000003009'])
    expect(await memberOf('administrator')).toEqual(['100000000000002002', 'hank', '100000000000003009'])
    expect(await memberOf('moderator', 'A')).toEqual(['100000000000002001', 'grace', '100000000000003002'])
    expect(await memberOf('twin')).toEqual(['100000000000002001', 'twin', '3030'])
    expect(await memberOf('twin', 'B')).toEqual(['100000000000002002', 'twin', '3039'])
    expect(bed.people.twin!.id).toBe('3030')
    expect(() => bed.as('grace', { server: 'B' })).toThrow('unknown person "grace"')
    expect(() => bed.server.addPerson('ada')).toThrow('"A" has a member "ada"')
  })

  it('gives new people an id that no member of any server has', async () => {
    const members = (index: number) => [{ user: { id: String(3900 + index), username: `user ${index}` } }]
    await open({ servers: servers.map((server, index) => ({ ...server, members: members(index) })) })
    expect(bed.server.addPerson('bob').id).toBe('3902')
    expect(bed.servers[1]!.addPerson('eve').id).toBe('3903')
  })

  it('mentions the people of their server by name or display name, and no others', async () => {
    await open({ servers })
    const userOf = async (line: string, server: string) => {
      const { interaction } = await bed.as('moderator', { server }).use(line)
      return (interaction as any).data.options[0].value
    }
    expect(await userOf('/ban user:@twin', 'A')).toBe('3030')
    expect(await userOf('/ban user:@Grace H', 'A')).toBe('100000000000003002')
    await expect(userOf('/ban user:@hank', 'A')).rejects.toMatchObject({ code: 'invalid_options' })
    for (const line of ['/ban user:<@999>', '/ban user:999'])
      await expect(userOf(line, 'A')).rejects.toThrow('user: no person has the id "999"')
    await expect(bed.as('grace').use('ban', { user: '999' })).rejects.toThrow('no person has the id "999"')
    const { interaction } = await bed.as('grace').use('ban', { user: '100000000000003009' })
    expect((interaction as any).data.resolved.users['100000000000003009'].username).toBe('hank')
    expect((interaction as any).data.resolved.members).toBe(undefined)
  })
})
