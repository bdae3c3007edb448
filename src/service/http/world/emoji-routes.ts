/** The endpoints of emojis of servers and of applications. */
import {
  createEmojiFor,
  changeEmoji,
  checkEmojiName,
  checkNewEmoji,
  createEmoji,
  deleteEmoji,
  ofChangedEmoji,
  ofNewEmoji,
} from '../../world/acts/emoji-acts.ts'
import { applicationEmojis, dropEmoji, setEmoji } from '../../world/emojis.ts'
import type { OwnEmoji } from '../../world/entities.ts'
import { throwRefusal } from '../../world/party.ts'
import { guildEmoji } from '../../world/wire.ts'
import { GUILD } from './paths.ts'
import { actRow, row, type Visit, type WorldRoute } from './visit.ts'

const OF_SERVER = `${GUILD}/emojis`
const OF_APPLICATION = '/applications/{application.id}/emojis'
const MAX_OF_APPLICATION = 2_000

const one = (path: string) => `${path}/{emoji.id}`
const own = ({ world, botId }: Visit) => applicationEmojis(world, botId)

/** An emoji of the application. @throws Refused */
function knownEmoji(visit: Visit): OwnEmoji {
  const id = visit.path('emoji')
  return own(visit).emojis.find((emoji) => emoji.id === id) ?? throwRefusal('missing_emoji')
}

/** A bot needs no permission for the emojis of its own application. */
const ofApplication: readonly WorldRoute[] = [
  row('GET', OF_APPLICATION, 'The emojis of the application', {}, (visit) => ({
    items: own(visit).emojis.map(guildEmoji),
  })),
  row('POST', OF_APPLICATION, 'Create an emoji of the application', {}, (visit) => {
    const given = visit.body(ofNewEmoji)
    checkNewEmoji(own(visit), given, MAX_OF_APPLICATION)
    return guildEmoji(createEmojiFor(visit, own(visit), given))
  }),
  row('GET', one(OF_APPLICATION), 'An emoji of the application', {}, (visit) =>
    guildEmoji(knownEmoji(visit)),
  ),
  row('PATCH', one(OF_APPLICATION), 'Change an emoji of the application', {}, (visit) => {
    const changes = visit.body(ofChangedEmoji)
    checkEmojiName(changes.name)
    return guildEmoji(setEmoji(visit.world, own(visit), knownEmoji(visit), changes))
  }),
  row('DELETE', one(OF_APPLICATION), 'Delete an emoji of the application', {}, (visit) =>
    dropEmoji(visit.world, own(visit), knownEmoji(visit)),
  ),
]

/** An emoji, with its creator for those who create or manage emojis. */
function seen(visit: Visit): (emoji: OwnEmoji) => object {
  const { server } = visit
  const seesUser =
    visit.hasInstead(server, 'CREATE_GUILD_EXPRESSIONS') ||
    visit.hasInstead(server, 'MANAGE_GUILD_EXPRESSIONS')
  return (emoji) => {
    const { user, ...rest } = guildEmoji(emoji)
    return seesUser ? { ...rest, user } : rest
  }
}

export const emojiRoutes: readonly WorldRoute[] = [
  row('GET', OF_SERVER, 'The emojis of a server', {}, (visit) => visit.server.emojis.map(seen(visit))),
  actRow('POST', OF_SERVER, createEmoji, guildEmoji),
  row('GET', one(OF_SERVER), 'An emoji of a server', {}, (visit) => seen(visit)(visit.ownEmoji)),
  actRow('PATCH', one(OF_SERVER), changeEmoji, guildEmoji),
  actRow('DELETE', one(OF_SERVER), deleteEmoji),
  ...ofApplication,
]
