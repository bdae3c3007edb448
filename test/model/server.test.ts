import { expect, it } from 'vitest'
import { effectivePermissions, PermissionFlag } from 'commandry'
import { scene } from 'commandry/testing'
import { completeServer, demoServer } from '../../src/model/demo-server.ts'

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
  const server = completeServer({ id: '2002', name: 'Mine', roles: [role] })
  expect(server.roles.map(({ id }) => id)).toEqual(['2002', '7'])
  expect(server.members.map(({ roles }) => roles)).toEqual([[], [], []])
  expect(completeServer({ ...server, members: [] }).members).toEqual([])
  const bare = completeServer({ id: '2003', name: 'Bare' })
  expect(bare.roles.map(({ id }) => id)).toEqual(['2003', '5001', '5002'])
})
