/** Acts on servers as a whole. */
import { objectOf, optional, orNull, partial } from '../../../core/rules/readers.ts'
import { bodyFlag, bodyId, integerIn, orNoImage, textBetween } from '../body-fields.ts'
import { setServer } from '../servers.ts'
import { serverAct } from './act.ts'

const serverFields = objectOf({
  name: optional(textBetween(2, 100)),
  ...{ icon: orNoImage, banner: orNoImage, splash: orNoImage },
  ...partial(optional, {
    description: orNull(textBetween(0, 300)),
    verification_level: orNull(integerIn(0, 4)),
    default_message_notifications: orNull(integerIn(0, 1)),
    explicit_content_filter: orNull(integerIn(0, 2)),
    afk_channel_id: orNull(bodyId),
    afk_timeout: integerIn(60, 3600),
    system_channel_id: orNull(bodyId),
    system_channel_flags: integerIn(0, 0xffff),
    rules_channel_id: orNull(bodyId),
    public_updates_channel_id: orNull(bodyId),
    preferred_locale: orNull(textBetween(2, 6)),
    premium_progress_bar_enabled: bodyFlag,
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
