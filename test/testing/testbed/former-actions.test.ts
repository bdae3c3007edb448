import { expect, it } from 'vitest'
import { bed, open, useTestbeds } from './demo-bot.ts'

useTestbeds()

const members = [{ user: { id: '3101', username: 'bob' } }]
const channels = [{ id: '4101', name: 'Lounge', type: 2 as const }]
const theirs = {
  id: '2002',
  name: 'Theirs',
  roles: [{ id: '5101', name: 'Guests', permissions: '0' }],
  members,
  channels,
}
const memberOf = (name: string, at = 0) => bed.servers[at]!.members.find(({ username }) => username === name)
const roleNames = (username: string, at = 0) => memberOf(username, at)?.roles

it('the actions of 0.2.0 on the bed itself act on the first server, as those of bed.server', async () => {
  expect(bed.addPerson('eve', ['Moderators'])).toMatchObject({ username: 'eve' })
  expect(roleNames('eve')).toEqual(['Moderators'])
  bed.setRoles('eve', [])
  expect(roleNames('eve')).toEqual([])
  bed.timeout('eve', '5m')
  await expect(bed.as('eve').say('Hi')).rejects.toMatchObject({ code: 'permission_denied' })
  bed.timeout('eve', null)
  await bed.as('eve').say('Hi')
  bed.setPermissions('general', 'eve', { SEND_MESSAGES: false })
  await expect(bed.as('eve').say('Hi')).rejects.toMatchObject({ code: 'permission_denied' })
  bed.leave('eve')
  expect(memberOf('eve')).toBeUndefined()
})

it('the actions of 0.2.0 find the server of a person, or take it as an option', async () => {
  await open({ servers: [{ id: '2001', name: 'Ours' }, theirs] })
  bed.setRoles('bob', ['Guests'])
  expect(roleNames('bob', 1)).toEqual(['Guests'])
  await bed.as('bob', { channel: 'Lounge' }).joinVoice('Lounge')
  bed.mute('bob')
  bed.mute('bob', false)
  bed.addPerson('eve', ['Guests'], { server: 'Theirs' })
  expect(roleNames('eve', 1)).toEqual(['Guests'])
  bed.leave('testbed', { server: 'Theirs' })
  expect(memberOf('testbed', 1)).toBeUndefined()
  expect(memberOf('testbed')).toBeDefined()
  expect(() => bed.leave('bob', { sever: 'Theirs' } as never)).toThrow('leave: unknown option "sever"')
  expect(() => bed.leave('carol')).toThrow('unknown person "carol"')
  expect(() => bed.setRoles('bob', 'Guests' as never)).toThrow('roles: expected a list')
})
