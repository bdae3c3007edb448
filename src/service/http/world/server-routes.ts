/** The endpoints of servers and their audit logs. */
import { objectOf, optional, partial } from '../../../core/rules/readers.ts'
import { compareSnowflakes } from '../../../core/snowflake.ts'
import { completeUser } from '../../../interactions/usage/complete.ts'
import { changeServer } from '../../world/acts/server-acts.ts'
import { guildOf, memberCounts, threadChannel, webhookOf } from '../../world/wire.ts'
import type { ServerState } from '../../world/entities.ts'
import { GUILD } from './paths.ts'
import { bodyId, integerIn } from '../../world/body-fields.ts'
import { actRow, row, type WorldRoute } from './visit.ts'

const logPage = objectOf(
  partial(optional, {
    user_id: bodyId,
    action_type: integerIn(1, 1_000),
    before: bodyId,
    after: bodyId,
    limit: integerIn(1, 100),
  }),
)

function serverPage(server: ServerState, botId: string): object {
  const { channels, members, voice_states, threads, ...guild } = guildOf(server, botId)
  return { ...guild, ...memberCounts(server) }
}

export const serverRoutes: readonly WorldRoute[] = [
  row('GET', GUILD, 'A server with its roles', {}, ({ server, botId }) => serverPage(server, botId)),
  actRow('PATCH', GUILD, changeServer, (server, { botId }) => serverPage(server, botId)),
  row('GET', `${GUILD}/audit-logs`, 'The audit log of a server', { needs: ['VIEW_AUDIT_LOG'] }, (visit) => {
    const { world, server } = visit
    const { user_id, action_type, before, after, limit = 50 } = visit.query(logPage)
    const found = world
      .auditLog(server.id)
      .filter((entry) => user_id === undefined || entry.user_id === user_id)
      .filter((entry) => action_type === undefined || entry.action_type === action_type)
      .filter((entry) => before === undefined || compareSnowflakes(entry.id, before) < 0)
      .filter((entry) => after === undefined || compareSnowflakes(entry.id, after) > 0)
    // After an id, the oldest entries come first.
    const entries = after === undefined ? found.slice(-limit).reverse() : found.slice(0, limit)
    const ids = new Set(entries.flatMap(({ user_id: by, target_id: target }) => [by, target ?? '']))
    const users = [...ids].flatMap((one) => world.user(one) ?? []).map(completeUser)
    return {
      audit_log_entries: entries,
      users,
      webhooks: server.webhooks
        .filter((one) => ids.has(one.id))
        .map((one) => webhookOf(server.id, one, false)),
      threads: server.threads.filter((one) => ids.has(one.id)).map((one) => threadChannel(one)),
      ...{
        application_commands: [],
        auto_moderation_rules: [],
        guild_scheduled_events: [],
        integrations: [],
      },
    }
  }),
]
