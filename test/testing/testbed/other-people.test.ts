import { describe, expect, it } from 'vitest'
import { ApplicationFlag } from 'commandry'
import type { Shown } from 'commandry/testbed'
import { demoServer } from '../../support/worlds.ts'
import { bed, open, useTestbeds } from './demo-bot.ts'

useTestbeds()

it('the person of an answer presses with the roles that they have now, and no more after they have left', async () => {
  const shown = await bed.as('ada').use('/here')
  bed.server.setRoles('ada', ['Moderators'])
  expect((await shown.press('Yes')).interaction).toMatchObject({ member: { roles: ['100000000000005001'] } })
  bed.server.leave('ada')
  await expect(shown.press('Yes')).rejects.toMatchObject({ code: 'not_visible' })
})

describe('another person', () => {
  it('presses and chooses on what they can see, as themselves', async () => {
    const shown = await bed.as('ada').use('/here')
    const { interaction, content } = await bed.as('grace', { locale: 'de' }).press(shown, 'Yes')
    expect([content, shown.content]).toEqual(['grace voted', 'grace voted'])
    expect(interaction).toMatchObject({
      locale: 'de',
      guild_id: '100000000000002001',
      member: {
        user: { username: 'grace' },
        roles: ['100000000000005001'],
        permissions: expect.stringMatching(/^[1-9]/),
      },
    })
    const picked = await bed.as('alan').choose(await bed.as('ada').use('/pick'), 'whom', '@grace')
    expect(picked.interaction).toMatchObject({ member: { user: { username: 'alan' } } })
    await bed.as('ada', { channel: 'dm' }).use('/here')
    const [direct] = bed.directMessages('ada')
    expect((await bed.as('ada').press(direct!, 'Yes')).content).toBe('ada voted')
  })

  it('[2.11-13] cannot use what they do not see', async () => {
    const { channels, ...server } = demoServer()
    const overwrite = { id: '100000000000002001', type: 0, allow: '0', deny: '1024' }
    const secret = { id: '100000000000004009', name: 'secret', permission_overwrites: [overwrite] } as never
    const other = {
      id: '100000000000002002',
      name: 'B',
      members: [{ user: { id: '3010', username: 'guest' } }],
    }
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
    bed.server.setPermissions('general', '@everyone', { SEND_MESSAGES: false })
    bed.server.setPermissions('general', 'ada', { SEND_MESSAGES: true })
    bed.server.setPermissions('general', 'Moderators', { SEND_MESSAGES: true })
    expect(await Promise.all([ada.say('Here'), grace.say('Too')])).toHaveLength(2)
    expect(() => bed.server.setPermissions('general', 'nobody', {})).toThrow(
      'unknown role or person "nobody"',
    )
    const set = (name: string) => bed.server.setPermissions('general', 'ada', { [name]: true })
    expect(() => set('SEND_MESAGES')).toThrow('"SEND_MESAGES"; did you mean SEND_MESSAGES?')
    expect(() => set('x')).toThrow('did you mean SEND_MESSAGES or VIEW_CHANNEL?')
    bed.server.setPermissions('general', 'ada', { SEND_MESSAGES: null })
    await expect(ada.say('Again')).rejects.toMatchObject({ code: 'permission_denied' })
  })

  it('is in a group DM, with a bot that only the user has installed', async () => {
    const group = { channel: 'group', installed: 'user' } as const
    const shown = await bed.as('ada', group).use('/mine')
    expect(shown.interaction).toMatchObject({
      context: 2,
      authorizing_integration_owners: { 1: '100000000000003001' },
    })
    expect((await bed.as('grace', group).press(shown, 'Yes')).content).toBe('grace voted')
    const uninstalled = bed.as('ada', { installed: 'server', channel: 'group' }).use('/mine')
    await expect(uninstalled).rejects.toMatchObject({ code: expect.stringMatching(/install/) })
    const { interaction } = await bed.as('ada', { installed: 'user' }).use('/here')
    expect(interaction).toMatchObject({
      guild_id: '100000000000002001',
      authorizing_integration_owners: { 1: '100000000000003001' },
    })
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
