/** Who may mention everyone and roles, and whether a message does. */
import { rolesMentionedIn } from '../../interactions/bot/bot-message.ts'
import type { AnswerMessage } from '../../model/answer-types.ts'
import { PermissionFlag } from '../../model/permission-flags.ts'
import { isDirect, type AnyChannel } from './entities.ts'
import type { World } from './world.ts'
import type { MessageOrigin } from './world-message.ts'

/** Whether an author may mention everyone (null) or a role in a channel. Webhooks may. */
export function mayMention(
  world: World,
  channel: AnyChannel,
  { id, webhook_id }: Pick<MessageOrigin, 'id' | 'webhook_id'>,
  roleId: string | null,
): boolean {
  if (isDirect(channel) || webhook_id !== undefined) return true
  const { guild_id: guildId } = channel
  const role = world.server(guildId)?.roles.find((one) => one.id === roleId)
  return (
    role?.mentionable === true ||
    (world.permissions(guildId, id, channel) & PermissionFlag.MENTION_EVERYONE) !== 0n
  )
}

/** Whether a message mentions everyone, or a role that not everyone may mention. */
export function mentionsMany(world: World, channel: AnyChannel, { content }: AnswerMessage): boolean {
  if (isDirect(channel) || typeof content !== 'string') return false
  const roles = world.server(channel.guild_id)?.roles
  const isMentionable = (id: string | null) => roles?.find((one) => one.id === id)?.mentionable === true
  return rolesMentionedIn(content).some((id) => !isMentionable(id))
}
