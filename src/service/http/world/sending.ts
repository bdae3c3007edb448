/** New and edited messages: how their bodies are read, and where they may be sent. */
import { validateEdit, validateMessage, isEmptyMessage } from '../../../interactions/answer/callback.ts'
import { isObject } from '../../../core/json.ts'
import { objectOf, nullable } from '../../../core/rules/readers.ts'
import type { AnswerFile, AnswerMessage } from '../../../model/answer-types.ts'
import { isThread } from '../../../model/server.ts'
import { isDirect, type AnyChannel, type Thread } from '../../world/entities.ts'
import { isWritable } from '../../world/channels.ts'
import { isForward, type WorldMessage } from '../../world/world-message.ts'
import { invalidField, messageRefusal, Refused } from '../respond.ts'
import { readFields, text } from './request-fields.ts'
import type { Visit } from './visit.ts'

const nonceText = text(0, 25)
const nonce = objectOf({
  // A number is as long as its digits. JSON numbers that are too large for JavaScript are infinite.
  nonce: nullable((report, value) =>
    nonceText(report, Number.isInteger(value) ? String(BigInt(value as number)) : value),
  ),
})

/** The checked body of a new message, or of an edit of one. @throws Refused */
export function readMessage(
  body: unknown,
  files: readonly AnswerFile[],
  before: WorldMessage | null,
): AnswerMessage {
  const read = before === null ? validateMessage(body, files) : validateEdit(before, body, files)
  const isOnlyForward = isObject(body) && isForward(body) && before === null
  if (!read.ok && !(isOnlyForward && isEmptyMessage(read.issues)))
    throw messageRefusal('invalid', read.issues)
  if (isOnlyForward && read.ok)
    throw invalidField(
      'message_reference',
      'A forward has no content of its own.',
      'MESSAGE_FORWARD_CANNOT_HAVE_CONTENT',
    )
  readFields(nonce, body)
  return read.ok ? read.value : (body as AnswerMessage)
}

/** @throws Refused where the bot may not send this message, or for a reply to a message that does not exist */
export function checkSending(visit: Visit, channel: AnyChannel, body: AnswerMessage): void {
  if (isDirect(channel) && channel.user.bot) throw new Refused('unreachable_user')
  if (!isWritable(channel)) throw new Refused('wrong_channel_type')
  if (!isDirect(channel) && isThread(channel) && (channel as Thread).thread_metadata?.locked) {
    if (!visit.has('MANAGE_THREADS')) throw new Refused('locked_thread')
  }
  if (visit.call.files.length > 0) visit.need('ATTACH_FILES')
  if ((body.embeds?.length ?? 0) > 0) visit.need('EMBED_LINKS')
  const { message_reference: reference } = body
  if (!isObject(reference)) return
  if (isForward(body)) return checkForward(visit, reference)
  if (reference.fail_if_not_exists === false) return
  if (visit.world.message(channel.id, String(reference.message_id)) === undefined)
    throw invalidField('message_reference', 'Unknown message', 'REPLIES_UNKNOWN_MESSAGE')
}

/** @throws Refused for a forward of a message that the bot cannot read */
function checkForward(visit: Visit, reference: { readonly [field: string]: unknown }): void {
  const channelId = String(reference.channel_id)
  visit.needIn(visit.channelOf(channelId), 'READ_MESSAGE_HISTORY')
  if (visit.world.message(channelId, String(reference.message_id)) === undefined)
    throw new Refused('unknown_message')
}
