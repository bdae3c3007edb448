/** The endpoints of users and of the bot itself. */
import { nullable, objectOf } from '../../../core/rules/readers.ts'
import { completeUser } from '../../../interactions/usage/complete.ts'
import { hasBot } from '../../world/installation.ts'
import { openDirectMessage } from '../../world/channels.ts'
import { removeMember, setBotUser } from '../../world/members.ts'
import { directChannel } from '../../world/wire.ts'
import { Refused } from '../../refusals.ts'
import { bodyId, orNoImage, textBetween } from '../../world/body-fields.ts'
import { row, type WorldRoute } from './visit.ts'

const recipient = objectOf({ recipient_id: bodyId })
const ownUser = objectOf({ username: nullable(textBetween(2, 32)), avatar: orNoImage, banner: orNoImage })

export const userRoutes: readonly WorldRoute[] = [
  row('GET', '/users/{user.id}', 'A user', {}, ({ target }) => completeUser(target)),
  row(
    'PATCH',
    '/users/@me',
    'Change the name or the pictures of the bot',
    { event: 'USER_UPDATE' },
    (visit) => {
      const { world, bot } = visit
      const { username = bot.username, avatar, banner } = visit.body(ownUser)
      const user = {
        ...bot,
        username,
        ...visit.hashesOf({ avatar, banner }),
      }
      setBotUser(world, user)
      return completeUser(user)
    },
  ),
  row('GET', '/users/@me/guilds', 'The servers the bot is in', {}, ({ world, botId }) =>
    world.servers
      .filter(({ id: serverId }) => hasBot(world, serverId, botId))
      .map(({ id: serverId, name, owner_id: owner, fields: { icon = null, banner = null } }) => ({
        ...{ id: serverId, name, icon, banner, owner: owner === botId, features: [] },
        permissions: String(world.permissions(serverId, botId)),
      })),
  ),
  row(
    'DELETE',
    '/users/@me/guilds/{guild.id}',
    'Leave a server',
    { event: 'GUILD_DELETE' },
    ({ world, server, botId }) => removeMember(world, server.id, botId),
  ),
  row('POST', '/users/@me/channels', 'Open the DM channel with a user', {}, (visit) => {
    const { world, botId } = visit
    const { recipient_id: userId } = visit.body(recipient)
    if (world.user(userId) === undefined || userId === botId) throw new Refused('invalid_recipient')
    return directChannel(openDirectMessage(world, botId, userId))
  }),
]
