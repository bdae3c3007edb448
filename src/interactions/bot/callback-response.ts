/** The response to a callback request that asks for one: it has the message. */
import { deepFreeze } from '../../core/freeze.ts'
import type { AnyInteraction } from '../../model/interaction-payload.ts'
import { hasFlag, InteractionCallbackType, isEphemeral, MessageFlag } from '../../model/interaction-types.ts'
import type { InteractionCallback } from '../../model/answer-types.ts'
import type { AppMessage } from './bot-message.ts'

/**
 * The response to an accepted callback with `with_response=true`.
 *
 * @param message the message it created or edited; null for none
 */
export function callbackResponse(
  { id, type }: AnyInteraction,
  callback: InteractionCallback,
  message: AppMessage | null,
) {
  const isActivity = callback.type === InteractionCallbackType.LAUNCH_ACTIVITY
  const carriesMessage =
    callback.type === InteractionCallbackType.CHANNEL_MESSAGE_WITH_SOURCE ||
    callback.type === InteractionCallbackType.UPDATE_MESSAGE
  return deepFreeze({
    interaction: {
      id,
      type,
      ...(message !== null && {
        response_message_id: message.id,
        response_message_loading: hasFlag(message.flags, MessageFlag.LOADING),
        response_message_ephemeral: isEphemeral(message),
      }),
      ...(isActivity && { activity_instance_id: `i-${id}` }),
    },
    resource: {
      type: callback.type,
      ...(carriesMessage && message !== null && { message }),
      ...(isActivity && { activity_instance: { id: `i-${id}` } }),
    },
  })
}
