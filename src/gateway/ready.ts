/** The first events of a session: the bot user, its servers, and requested members. */
import type { JsonObject } from '../core/json.ts'
import { completeUser } from '../interaction/complete.ts'
import { guildMember, guildOf } from '../world/wire.ts'
import { Intent } from './intents.ts'
import type { GatewayApplication, Session } from './session.ts'

/** Sends READY and, with the intent GUILDS, a GUILD_CREATE for each server. */
export function sendReady(session: Session, url: string): void {
  const { application, shard, intents } = session
  const { id, name = `application ${id}`, flags = 0, servers = [] } = application
  const own = servers.filter((server) => session.receives(server.id))
  session.dispatch('READY', {
    v: 10,
    user: {
      ...completeUser({ id, username: name, bot: true }),
      verified: true,
      mfa_enabled: false,
      flags: 0,
    },
    guilds: own.map((server) => ({ id: server.id, unavailable: true })),
    session_id: session.id,
    session_type: 'normal',
    resume_gateway_url: url,
    ...(shard !== null && { shard }),
    application: { id, flags },
    private_channels: [],
    relationships: [],
    presences: [],
    user_settings: {},
  })
  if ((intents & Intent.GUILDS) === 0) return
  for (const server of own) session.dispatch('GUILD_CREATE', guildOf(server, id))
}

/** The members of a REQUEST_GUILD_MEMBERS; undefined for a server without the bot. */
export function membersChunk(application: GatewayApplication, request: JsonObject): object | undefined {
  const server = application.servers?.find(({ id }) => id === request.guild_id)
  if (server === undefined) return undefined
  const { query, limit, user_ids: ids, nonce } = request
  const all = server.members ?? []
  const asked = Array.isArray(ids) ? ids.map(String) : typeof ids === 'string' ? [ids] : null
  const prefix = typeof query === 'string' ? query.toLowerCase() : ''
  const most = typeof limit === 'number' && limit > 0 ? limit : all.length
  const found = all.filter(({ user }) =>
    asked === null
      ? [user.username, user.global_name].some((name) => (name ?? '').toLowerCase().startsWith(prefix))
      : asked.includes(user.id),
  )
  return {
    guild_id: server.id,
    members: found.slice(0, most).map(guildMember),
    chunk_index: 0,
    chunk_count: 1,
    not_found: (asked ?? []).filter((id) => !all.some(({ user }) => user.id === id)),
    ...(request.presences === true && { presences: [] }),
    ...(typeof nonce === 'string' && { nonce }),
  }
}
