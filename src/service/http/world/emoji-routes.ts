/** The endpoints of emojis of servers and of applications. */
import { listOf, nullable, objectOf } from '../../../core/rules/readers.ts'
import { SPLIT_PERMISSIONS } from '../../../model/platform.ts'
import type { OwnEmoji } from '../../world/entities.ts'
import {
  applicationEmojis,
  createEmoji,
  deleteEmoji,
  serverEmojis,
  setEmoji,
  type EmojiHolder,
} from '../../world/emojis.ts'
import { guildEmoji } from '../../world/wire.ts'
import { invalidField, Refused } from '../../refusals.ts'
import { GUILD } from './paths.ts'
import { id, image, isAnimated, text } from '../../world/body-fields.ts'
import { row, type RowFacts, type Visit, type WorldRoute } from './visit.ts'

const MAX_OF_SERVER = 50
const MAX_OF_APPLICATION = 2_000

const emojiFields = objectOf({ name: text(2, 32), image, roles: nullable(listOf(id)) })
const changedEmoji = objectOf({ name: nullable(text(2, 32)), roles: nullable(listOf(id)) })

function checkName(name: string | undefined): void {
  if (name !== undefined && !/^\w+$/.test(name))
    throw invalidField('name', 'String value did not match validation regex.', 'STRING_TYPE_REGEX')
}

/** The emojis of a holder: the routes are the same for a server and an application. */
function routesOf(
  path: string,
  whose: string,
  holderOf: (visit: Visit) => EmojiHolder,
  {
    most,
    listed,
    creation,
    change,
    removal,
  }: {
    readonly most: number
    readonly listed: (emojis: readonly object[]) => object
    readonly creation: RowFacts
    readonly change: RowFacts
    readonly removal: RowFacts
  },
): readonly WorldRoute[] {
  const one = `${path}/{emoji.id}`
  const knownEmoji = (visit: Visit): OwnEmoji => {
    const found = holderOf(visit).emojis.find((emoji) => emoji.id === visit.path('emoji'))
    if (found === undefined) throw new Refused('missing_emoji')
    return found
  }
  return [
    row('GET', path, `The emojis of ${whose}`, {}, (visit) => listed(holderOf(visit).emojis.map(guildEmoji))),
    row('POST', path, `Create an emoji of ${whose}`, creation, (visit) => {
      const { name, image: data, roles = [] } = visit.body(emojiFields)
      checkName(name)
      const holder = holderOf(visit)
      if (holder.emojis.length >= most) throw new Refused('too_many_emojis', `${most}`)
      const fields = { name, roles, animated: isAnimated(data), user: visit.bot }
      const emoji = createEmoji(visit.world, holder, fields)
      visit.keepImage(emoji.id, data)
      return guildEmoji(emoji)
    }),
    row('GET', one, `An emoji of ${whose}`, {}, (visit) => guildEmoji(knownEmoji(visit))),
    row('PATCH', one, `Change an emoji of ${whose}`, change, (visit) => {
      const changes = visit.body(changedEmoji)
      checkName(changes.name)
      return guildEmoji(setEmoji(visit.world, holderOf(visit), knownEmoji(visit), changes))
    }),
    row('DELETE', one, `Delete an emoji of ${whose}`, removal, (visit) =>
      deleteEmoji(visit.world, holderOf(visit), knownEmoji(visit)),
    ),
  ]
}

/** Of its own emojis a bot needs only the permission to create them. */
const isOwn = (visit: Visit) =>
  visit.has('CREATE_GUILD_EXPRESSIONS') &&
  visit.server.emojis.some(({ id, user }) => id === visit.path('emoji') && user.id === visit.botId)

/** Before the split of the permissions, bots created emojis with the permission to manage them. */
const mayManage = (visit: Visit) =>
  !visit.world.platform.has(SPLIT_PERMISSIONS) && visit.has('MANAGE_GUILD_EXPRESSIONS')

const event = 'GUILD_EMOJIS_UPDATE'
const managed = { needs: ['MANAGE_GUILD_EXPRESSIONS'], exempt: isOwn, event } as const

export const emojiRoutes: readonly WorldRoute[] = [
  ...routesOf(`${GUILD}/emojis`, 'a server', ({ world, server }) => serverEmojis(world, server.id), {
    most: MAX_OF_SERVER,
    listed: (emojis) => emojis,
    creation: { needs: ['CREATE_GUILD_EXPRESSIONS'], exempt: mayManage, event, logs: 'EMOJI_CREATE' },
    change: { ...managed, logs: 'EMOJI_UPDATE' },
    removal: { ...managed, logs: 'EMOJI_DELETE' },
  }),
  ...routesOf(
    '/applications/{application.id}/emojis',
    'the application',
    ({ world, botId }) => applicationEmojis(world, botId),
    {
      most: MAX_OF_APPLICATION,
      listed: (items) => ({ items }),
      creation: {},
      change: {},
      removal: {},
    },
  ),
]
