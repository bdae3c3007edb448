import { localeNames, locales } from '../../locale/locales.ts'
import { DEMO_SERVER_ID } from '../../permission/server.ts'
import { scopeOfKey } from '../../registry/scope.ts'
import type { About } from '../answers.ts'
import type { Query } from '../query.ts'
import { serverOf, type Context } from '../viewer.ts'

// More scopes than this are not listed.
const MOST_SCOPES = 1_000

export async function about(_query: Query, context: Context): Promise<About> {
  const { applications, servers, store } = context
  const names = new Map(applications.map(({ id, name }) => [id, name ?? id]))
  const isConfigured = names.size > 0
  const guilds = new Set(servers.map(({ id }) => id))
  let seen = 0
  for await (const key of store.keys('scope/')) {
    if (seen++ >= MOST_SCOPES) break
    const scope = scopeOfKey(key)
    if (scope === undefined || (isConfigured && !names.has(scope.applicationId))) continue
    if (!names.has(scope.applicationId)) names.set(scope.applicationId, scope.applicationId)
    if (scope.kind === 'guild') guilds.add(scope.guildId)
  }
  for (const { guilds: authorized = [] } of applications) for (const id of authorized) guilds.add(id)
  if (guilds.size === 0) guilds.add(DEMO_SERVER_ID)
  return {
    applications: Array.from(names, ([id, name]) => ({ id, name })),
    servers: Array.from(guilds, (id) => serverOf(id, context)),
    locales: locales.map((key) => [key, localeNames[key][1], localeNames[key][0]]),
  }
}
