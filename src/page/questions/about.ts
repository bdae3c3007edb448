import { localeNames, locales } from '../../locale/locales.ts'
import { DEMO_SERVER_ID } from '../../world/demo-server.ts'
import { RegistryError } from '../../registry/error.ts'
import { scopeOfKey } from '../../registry/scope.ts'
import type { Store } from '../../storage/store.ts'
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
  for (const key of await scopeKeys(store)) {
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

async function scopeKeys(store: Store): Promise<readonly string[]> {
  const keys: string[] = []
  try {
    for await (const key of store.keys('scope/')) {
      if (keys.push(key) >= MOST_SCOPES) break
    }
  } catch (cause) {
    throw new RegistryError('storage', { cause })
  }
  return keys
}
