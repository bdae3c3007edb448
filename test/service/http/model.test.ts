import { CommandRegistry, memoryStore, RegistryError, type RegistryErrorCode, type Scope } from 'commandry'
import { openAccess } from 'commandry/http'
import { it } from 'vitest'
import { compareWithModel, moves } from '../../commands/registry/model.ts'
import { forAnyAsync } from '../../support/properties.ts'
import type { Calls } from '../../support/scope-model.ts'
import { service } from './service.ts'

/** The codes of refused calls, by the codes of responses. */
const codes: Readonly<Record<number, RegistryErrorCode>> = {
  10063: 'unknown_command',
  30032: 'too_many_commands',
  30034: 'daily_creates_exhausted',
  40041: 'name_taken',
  50035: 'invalid',
  50240: 'entry_point_required',
}

/** The calls of a registry as requests to its service. */
function overHttp(registry: CommandRegistry): Calls {
  const { send } = service({ registry, authenticate: openAccess(), applications: { get: () => ({}) } })
  async function request(method: string, path: string, body?: unknown, authorization = 'Bot x') {
    const answer = await send(method, path, { body, authorization })
    if (answer.status < 400) return answer
    throw new RegistryError(codes[answer.body.code]!)
  }
  const inGuild = (app: string, guild: string) => `/applications/${app}/guilds/${guild}/commands`
  const at = (scope: Scope) =>
    scope.kind === 'guild'
      ? inGuild(scope.applicationId, scope.guildId)
      : `/applications/${scope.applicationId}/commands`
  return {
    list: async (scope) => (await request('GET', at(scope))).body,
    async upsert(scope, body) {
      const { status, body: command } = await request('POST', at(scope), body)
      return { command, created: status === 201 }
    },
    edit: async (scope, id, patch) => (await request('PATCH', `${at(scope)}/${id}`, patch)).body,
    delete: (scope, id) => request('DELETE', `${at(scope)}/${id}`),
    overwrite: async (scope, bodies) => (await request('PUT', at(scope), bodies)).body,
    listPermissions: async (app, guild) => (await request('GET', `${inGuild(app, guild)}/permissions`)).body,
    setPermissions: (app, guild, id, permissions) =>
      request('PUT', `${inGuild(app, guild)}/${id}/permissions`, { permissions }, 'Bearer x'),
  }
}

it('[4.1-07] [4.2-07] [2.9-09] [4.4-01] behaves like plain maps after any sequence of requests', async () => {
  await forAnyAsync([moves(30)], 80, (list) => compareWithModel(memoryStore(), list, overHttp))
})
