/** Reads messages of apps. */
import type { Reading } from '../command/reading.ts'
import * as shape from '../command/shape.ts'
import { isObject, type JsonObject } from '../core/json.ts'
import { hasFlag, MessageFlag } from '../interaction/types.ts'
import { readComponents } from './component-body.ts'
import { readEmbeds } from './embed-rules.ts'
import { by, integer, listOf, part, readFields, readId, text, type Fields } from './fields.ts'
import * as rules from './message-rules.ts'

const { IS_COMPONENTS_V2 } = MessageFlag

/** What a message is added to. */
export interface MessageBase {
  /** The message that is edited; null for a new one. */
  readonly before: JsonObject | null
  /** The files beside the body; undefined when they are unknown. */
  readonly files?: readonly { readonly key: string }[] | undefined
}

const ids = listOf(rules.mentionIds, readId)

const fields: Fields = {
  content: text(rules.messageContent),
  tts: by(shape.boolean),
  embeds: readEmbeds,
  allowed_mentions: part({
    parse: listOf(rules.mentionIds, by(rules.mentionKind)),
    users: ids,
    roles: ids,
    replied_user: by(shape.boolean),
  }),
  components: by(shape.list),
  attachments: listOf(rules.messageAttachments, part({ description: text(rules.attachmentDescription) })),
  flags: integer(rules.messageFlags),
  sticker_ids: listOf(rules.messageStickers, readId),
  poll: part(
    {
      question: part({ text: text(rules.pollQuestion) }, 'text'),
      answers: listOf(
        rules.pollAnswers,
        part({ poll_media: part({ text: text(rules.pollAnswer) }) }, 'poll_media'),
      ),
      duration: integer(rules.pollDuration),
      allow_multiselect: by(shape.boolean),
    },
    'question',
    'answers',
  ),
}

/** Reads a message, or an edit of one, which keeps absent fields. */
export function readMessage(reading: Reading, data: JsonObject, { before, files }: MessageBase): void {
  readFields(reading, data, fields)
  readMentions(reading, data.allowed_mentions)
  if (files !== undefined) readFiles(reading, data.attachments, files, before)
  const isV2 = hasFlag(flagsOf(data), IS_COMPONENTS_V2) || hasFlag(flagsOf(before), IS_COMPONENTS_V2)
  const { components } = data
  if (Array.isArray(components)) reading.at('components', () => readComponents(reading, components, isV2))
  const after: JsonObject = { ...before, ...data, files }
  if (isV2)
    for (const field of rules.LEGACY_FIELDS)
      reading.at(field, () => reading.check(rules.messageLegacy, after[field], field))
  // The service looks at the form first.
  if (reading.errors.length === 0) reading.check(rules.messageEmpty, after)
}

function readMentions(reading: Reading, allowed: unknown): void {
  if (!isObject(allowed)) return
  for (const kind of ['users', 'roles'])
    reading.at(['allowed_mentions', kind], () =>
      reading.check(rules.mentionsExclusive, allowed[kind], kind, allowed.parse),
    )
}

/** Attachments of a body are files by their number, or attachments of the edited message by their id. */
function readFiles(
  reading: Reading,
  attachments: unknown,
  files: NonNullable<MessageBase['files']>,
  before: JsonObject | null,
): void {
  reading.at('files', () => reading.check(rules.messageAttachments, files))
  const kept = Array.isArray(before?.attachments) ? before.attachments.filter(isObject) : []
  const known = [...files.map(({ key }) => key), ...kept.map(({ id }) => String(id))]
  if (!Array.isArray(attachments)) return
  const most = rules.messageAttachments.limit!.max as number
  reading.at('attachments', () =>
    reading.items(attachments, most, (_, one) => {
      if (isObject(one) && one.id != null)
        reading.at('id', () => reading.check(rules.attachmentFile, one.id, known))
    }),
  )
}

function flagsOf(message: JsonObject | null): number {
  return typeof message?.flags === 'number' ? message.flags : 0
}
