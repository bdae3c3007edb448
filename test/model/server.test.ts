import { expect, it } from 'vitest'
import { effectivePermissions, PermissionFlag } from 'commandry'
import { scene } from 'commandry/testing'
import { completeServer, demoServer } from '../../src/model/demo-server.ts'
import { memberInChannel } from '../../src/model/server.ts'

it('servers have the users and channels of the scene in the demo server', () => {
  const demo = demoServer()
  expect(demo.id).toBe(scene.guildId)
  expect(demo.channels[0]).toMatchObject({ id: scene.channel.id, name: scene.channel.name })
  expect(demo.members.map(({ user }) => user.id).slice(0, 2)).toEqual([scene.user.id, scene.target.id])
  const may = (index: number) =>
    effectivePermissions(demo.members[index]!, demo.roles, null, { guildId: demo.id })
  expect(may(0) & PermissionFlag.BAN_MEMBERS).toBe(0n)
  expect(may(1) & PermissionFlag.BAN_MEMBERS).not.toBe(0n)
  expect(may(2) & PermissionFlag.ADMINISTRATOR).not.toBe(0n)
})

it('servers are completed with @everyone and omit unknown roles', () => {
  const role = { id: '7', name: 'Helpers', permissions: '0' }
  const server = completeServer({ id: '100000000000002002', name: 'Mine', roles: [role] })
  expect(server.roles.map(({ id }) => id)).toEqual(['100000000000002002', '7'])
  expect(server.members.map(({ roles }) => roles)).toEqual([[], [], []])
  expect(completeServer({ ...server, members: [] }).members).toEqual([])
  const bare = completeServer({ id: '100000000000002003', name: 'Bare' })
  expect(bare.roles.map(({ id }) => id)).toEqual([
    '100000000000002003',
    '100000000000005001',
    '100000000000005002',
  ])
})

it('members of a channel are known beside the owner of their server, if it has one', () => {
  const { owner_id: _, ...server } = demoServer()
  const [first] = server.members
  const channel = server.channels[0]!
  const ownerOf = (one: Parameters<typeof memberInChannel>[0]) => memberInChannel(one, first!, channel)
  expect(ownerOf({ ...server, owner_id: '100000000000003001' })).toHaveProperty(
    'ownerId',
    '100000000000003001',
  )
  expect(ownerOf(server)).not.toHaveProperty('ownerId')
})

const role = { id: '100000000000005001', name: 'Team', permissions: '8' }
const member = { user: { id: '100000000000003001', username: 'ada' } }
it.each<readonly [string, unknown]>([
  ['server', new Map()],
  ['server', null],
  ['server.id', { id: 2002 }],
  ['server.owner_id', { owner_id: 3001 }],
  ['server.roles', { roles: new Set([role]) }],
  ['server.roles[0].permissions', { roles: [{ ...role, permissions: 8 }] }],
  ['server.roles[0].permissions', { roles: [{ ...role, permissions: ['ADMINISTRATOR'] }] }],
  ['server.roles[0].position', { roles: [{ ...role, position: 'top' }] }],
  ['server.channels', { channels: 'general' }],
  ['server.channels[0].nsfw', { channels: [{ id: '4', name: 'a', type: 0, nsfw: 'false' }] }],
  [
    'server.channels[0].permission_overwrites',
    { channels: [{ id: '4', name: 'a', type: 0, permission_overwrites: new Map() }] },
  ],
  [
    'server.channels[0].permission_overwrites[0].deny',
    {
      channels: [
        { id: '4', permission_overwrites: [{ id: '100000000000005001', type: 0, allow: '0', deny: 1024 }] },
      ],
    },
  ],
  ['server.members', { members: { ada: member } }],
  ['server.members[0].user.id', { members: [{ user: { id: 3001 } }] }],
  ['server.members[0].roles', { members: [{ ...member, roles: '100000000000005001' }] }],
  ['server.members[0].roles', { members: [{ ...member, roles: null }] }],
  ['server.members[0].roles[0]', { members: [{ ...member, roles: [5001] }] }],
  [
    'server.members[0].communication_disabled_until',
    { members: [{ ...member, communication_disabled_until: 'never' }] },
  ],
])('[5-05] a server must have rights of the right types, or a TypeError names %s', (name, over) => {
  const input =
    over === null || over instanceof Map
      ? over
      : { id: '100000000000002002', name: 'Mine', ...(over as object) }
  const complete = () => completeServer(input as never)
  expect(complete).toThrow(TypeError)
  expect(complete).toThrow(`${name}: expected`)
})
