/** The endpoints of servers and their audit logs. */
import { objectOf, optional, orNull, partial } from '../../../core/rules/readers.ts'
import { compareSnowflakes } from '../../../core/snowflake.ts'
import { completeUser } from '../../../interactions/usage/complete.ts'
import { setServer } from '../../world/servers.ts'
import { guildOf, memberCounts, threadChannel, webhookOf } from '../../world/wire.ts'
import type { ServerState } from '../../world/entities.ts'
import { GUILD } from './paths.ts'
import { flag, id, integer, picture, text } from '../../world/body-fields.ts'
import { row, type WorldRoute } from './visit.ts'

const serverFields = objectOf({
  name: optional(text(2, 100)),
  ...{ icon: picture, banner: picture, splash: picture },
  ...partial(optional, {
    description: orNull(text(0, 300)),
    verification_level: orNull(integer(0, 4)),
    default_message_notifications: orNull(integer(0, 1)),
    explicit_content_filter: orNull(integer(0, 2)),
    afk_channel_id: orNull(id),
    afk_timeout: integer(60, 3600),
    system_channel_id: orNull(id),
    system_channel_flags: integer(0, 0xffff),
    rules_channel_id: orNull(id),
    public_updates_channel_id: orNull(id),
    preferred_locale: orNull(text(2, 6)),
    premium_progress_bar_enabled: flag,
  }),
})

const logPage = objectOf(
  partial(optional, {
    user_id: id,
    action_type: integer(1, 1_000),
    before: id,
    after: id,
    limit: integer(1, 100),
  }),
)

function serverPage(server: ServerState, botId: string): object {
  const { channels, members, voice_states, threads, ...guild } = guildOf(server, botId)
  return { ...guild, ...memberCounts(server) }
}

export const serverRoutes: readonly WorldRoute[] = [
  row('GET', GUILD, 'A server with its roles', {}, ({ server, botId }) => serverPage(server, botId)),
  row(
    'PATCH',
    GUILD,
    'Change a server',
    { needs: ['MANAGE_GUILD'], event: 'GUILD_UPDATE', logs: 'GUILD_UPDATE' },
    (visit) => {
      const { world, server, botId } = visit
      const { icon, banner, splash, ...fields } = visit.body(serverFields)
      const hashes = visit.hashesOf({ icon, banner, splash })
      return serverPage(setServer(world, server.id, { ...fields, ...hashes }), botId)
    },
  ),
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
