/** Acts on servers as a whole. */
import { objectOf, optional, orNull, partial } from '../../../core/rules/readers.ts'
import { flag, id, integer, picture, textBetween } from '../body-fields.ts'
import { setServer } from '../servers.ts'
import { serverAct } from './act.ts'

const serverFields = objectOf({
  name: optional(textBetween(2, 100)),
  ...{ icon: picture, banner: picture, splash: picture },
  ...partial(optional, {
    description: orNull(textBetween(0, 300)),
    verification_level: orNull(integer(0, 4)),
    default_message_notifications: orNull(integer(0, 1)),
    explicit_content_filter: orNull(integer(0, 2)),
    afk_channel_id: orNull(id),
    afk_timeout: integer(60, 3600),
    system_channel_id: orNull(id),
    system_channel_flags: integer(0, 0xffff),
    rules_channel_id: orNull(id),
    public_updates_channel_id: orNull(id),
    preferred_locale: orNull(textBetween(2, 6)),
    premium_progress_bar_enabled: flag,
  }),
})

export const changeServer = serverAct({
  summary: 'Change a server',
  needs: ['MANAGE_GUILD'],
  event: 'GUILD_UPDATE',
  logs: 'GUILD_UPDATE',
  on: [],
  body: serverFields,
  do(by, { body: { icon, banner, splash, ...fields } }, server) {
    return setServer(by.world, server.id, { ...fields, ...by.hashesOf({ icon, banner, splash }) })
  },
})
