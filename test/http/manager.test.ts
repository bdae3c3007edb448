import { describe, expect, it } from 'vitest'
import { globalScope, PermissionFlag } from 'commandry'
import { openAccess } from 'commandry/http'
import { APP, base, GUILD, guildBase, service, USER } from './service.ts'
import { hello } from '../support/fixtures.ts'

const { BAN_MEMBERS, MANAGE_GUILD, MANAGE_ROLES, USE_APPLICATION_COMMANDS } = PermissionFlag
const both = MANAGE_GUILD | MANAGE_ROLES

/** A service whose bearer tokens are of a user with these permissions. */
function managedBy(permissions: bigint) {
  const scopes = ['applications.commands.permissions.update']
  const guilds = { [GUILD]: { permissions: String(permissions) } }
  return service({
    authenticate: (credentials, place) =>
      credentials.type === 'Bot'
        ? openAccess()(credentials, place)
        : { type: 'Bearer', applicationId: APP, scopes, user: { id: USER, guilds } },
  })
}

async function edit(permissions: bigint, body: object, before: readonly object[] = []) {
  const { send, registry } = managedBy(permissions)
  const created = await send('POST', base, { body })
  const id = created.body.id as string
  if (before.length > 0) await registry.setPermissions(APP, GUILD, id, before)
  const { status, body: answer } = await send('PUT', `${guildBase}/${id}/permissions`, {
    authorization: 'Bearer user',
    body: { permissions: [{ id: '7', type: 2, permission: true }] },
  })
  expect(await registry.list(globalScope(APP))).toHaveLength(1)
  return [status, answer.code]
}

describe('[5-02] a manager of permissions', () => {
  it('[5-02] must be able to run the command', async () => {
    const forBanners = { ...hello, default_member_permissions: String(BAN_MEMBERS) }
    expect(await edit(both | USE_APPLICATION_COMMANDS, forBanners)).toEqual([403, 50013])
    expect(await edit(both | USE_APPLICATION_COMMANDS | BAN_MEMBERS, forBanners)).toEqual([200, undefined])
    expect(await edit(both, hello, [{ id: USER, type: 2, permission: false }])).toEqual([403, 50013])
  })

  it('[5-02] can run it by an entry for @everyone or a role, even if only the permissions are known', async () => {
    const closed = { ...hello, default_member_permissions: '0' }
    const user = both | USE_APPLICATION_COMMANDS
    expect(await edit(user, closed)).toEqual([403, 50013])
    expect(await edit(user, closed, [{ id: GUILD, type: 1, permission: true }])).toEqual([200, undefined])
    expect(await edit(user, closed, [{ id: '5001', type: 1, permission: true }])).toEqual([200, undefined])
    expect(await edit(user, hello, [{ id: GUILD, type: 1, permission: false }])).toEqual([403, 50013])
  })

  it('[5-02] is not refused for permissions that are unknown', async () => {
    expect(await edit(both, { ...hello, default_member_permissions: '0' })).toEqual([200, undefined])
    expect(await edit(both, hello, [{ id: GUILD, type: 1, permission: false }])).toEqual([200, undefined])
    expect(await edit(MANAGE_GUILD, hello)).toEqual([403, 50013])
  })
})
