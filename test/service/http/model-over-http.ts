/** The calls of a registry over HTTP, for the model of test/commands/registry. */
import { CommandRegistry, RegistryError, type RegistryErrorCode, type Scope } from 'commandry'
import { openAccess } from 'commandry/http'
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
export function overHttp(registry: CommandRegistry): Calls {
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
