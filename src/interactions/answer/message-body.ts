/** Reads messages of apps. */
import { valueOf } from '../../core/rules/readers.ts'
import type { Report } from '../../core/rules/report.ts'
import * as shape from '../../core/rules/shape-rules.ts'
import { isObject, type JsonObject } from '../../core/json.ts'
import { hasFlag, MessageFlag } from '../../model/interaction-types.ts'
import { readComponents } from './component-body.ts'
import { readEmbeds } from './embed-rules.ts'
import { wholeNumber, listIn, part, readId, textIn } from './message-fields.ts'
import { readReferences, type ReferenceBase } from './references.ts'
import {
  LEGACY_FIELDS,
  longContent,
  CONTENT_OF_APPS,
  messageRules as rules,
  SENT_FLAGS,
} from './message-rules.ts'

const { IS_COMPONENTS_V2 } = MessageFlag

export interface MessageBase extends ReferenceBase {
  /** The most characters of the content. Default 2000, as for apps. */
  readonly maxContent?: number
  /** The flags that it can have. Default: those of an answer. */
  readonly sentFlags?: number
}

const ids = listIn(rules.mentionIds, readId)

const contentFields = part({ content: textIn(rules.messageContent) })
const longContentFields = part({ content: textIn(longContent) })

const readFields = part({
  tts: valueOf(shape.boolean),
  embeds: readEmbeds,
  allowed_mentions: part({
    parse: listIn(rules.mentionIds, valueOf(rules.mentionKind)),
    users: ids,
    roles: ids,
    replied_user: valueOf(shape.boolean),
  }),
  components: valueOf(shape.list),
  attachments: listIn(rules.messageAttachments, part({ description: textIn(rules.attachmentDescription) })),
  flags: wholeNumber(),
  sticker_ids: listIn(rules.messageStickers, readId),
  poll: part(
    {
      question: part({ text: textIn(rules.pollQuestion) }, 'text'),
      answers: listIn(
        rules.pollAnswers,
        part(
          { poll_media: part({ text: textIn(rules.pollAnswer), emoji: part({ id: readId }) }) },
          'poll_media',
        ),
      ),
      duration: wholeNumber(rules.pollDuration),
      allow_multiselect: valueOf(shape.boolean),
    },
    'question',
    'answers',
  ),
})

/** Reads a message, or an edit of one, which keeps absent fields. */
export function readMessageBody(
  report: Report,
  data: JsonObject,
  { maxContent = 0, sentFlags = SENT_FLAGS, ...base }: MessageBase,
): void {
  const { before, files } = base
  const isLong = maxContent > CONTENT_OF_APPS
  ;(isLong ? longContentFields : contentFields)(report, data)
  readFields(report, data)
  report.at('flags', () => report.check(rules.messageFlags, readFlags(data), sentFlags))
  const allowed = data.allowed_mentions
  if (isObject(allowed))
    for (const kind of ['users', 'roles'])
      report.at(['allowed_mentions', kind], () =>
        report.check(rules.mentionsExclusive, allowed[kind], kind, allowed.parse),
      )
  if (files !== undefined) readAttachments(report, data.attachments, files, before)
  readReferences(report, data, base)
  const isV2 = hasFlag(readFlags(data), IS_COMPONENTS_V2) || hasFlag(readFlags(before), IS_COMPONENTS_V2)
  const { components } = data
  if (Array.isArray(components)) report.at('components', () => readComponents(report, components, isV2))
  const after: JsonObject = { ...before, ...data, files }
  if (isV2)
    for (const field of LEGACY_FIELDS)
      report.at(field, () => report.check(rules.messageLegacy, after[field], field))
  // Received messages have what bodies cannot have, and an edit keeps it.
  const isShown = ['sticker_items', 'message_snapshots'].some((field) => before?.[field] !== undefined)
  // The service looks at the form first.
  if (report.errors.length === 0 && !isShown) report.check(rules.messageEmpty, after)
}

/** Attachments of a body are files by their number, or attachments of the edited message by their id. */
function readAttachments(
  report: Report,
  attachments: unknown,
  files: NonNullable<MessageBase['files']>,
  before: JsonObject | null,
): void {
  report.at('files', () => report.check(rules.messageAttachments, files))
  const kept = Array.isArray(before?.attachments) ? before.attachments.filter(isObject) : []
  const known = [...files.map(({ key }) => key), ...kept.map(({ id }) => String(id))]
  if (!Array.isArray(attachments)) return
  const most = rules.messageAttachments.limit!.max as number
  report.at('attachments', () =>
    report.items(attachments, most, (_, one) => {
      if (isObject(one) && one.id != null)
        report.at('id', () => report.check(rules.attachmentFile, one.id, known))
    }),
  )
}

function readFlags(message: JsonObject | null): number {
  return typeof message?.flags === 'number' ? message.flags : 0
}
