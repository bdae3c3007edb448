/** Rules about messages of apps. Limits are those of developers/resources/message.mdx, discord-api-docs at c98d64bc. */
import { MESSAGE_EMPTY } from './empty-message.ts'
import { isObject, type JsonObject } from '../../core/json.ts'
import { form } from '../../core/rules/rule-kinds.ts'
import { NO_PARAMS, warning } from '../../core/rules/rule.ts'
import { given, isBlank, listed, quoted } from '../../core/text.ts'
import { mustBeOneOf } from '../../core/rules/wire-errors.ts'
import { MessageFlag } from '../../model/interaction-types.ts'
import { answerListRule, answerRangeRule, answerRule, answerTextRule, CLAUSE } from './answer-rule.ts'

/** The fields of a message without IS_COMPONENTS_V2 that show something. */
export const LEGACY_FIELDS = ['content', 'embeds', 'sticker_ids', 'poll', 'shared_client_theme'] as const

/** The flags that an app can set in a message of a channel. */
export const CHANNEL_FLAGS =
  MessageFlag.SUPPRESS_EMBEDS |
  MessageFlag.SUPPRESS_NOTIFICATIONS |
  MessageFlag.IS_VOICE_MESSAGE |
  MessageFlag.IS_COMPONENTS_V2

/** The flags that an app can set in an answer. */
export const SENT_FLAGS = CHANNEL_FLAGS | MessageFlag.EPHEMERAL

const mentionKinds = ['roles', 'users', 'everyone']

const content = { code: 'message.content', subject: 'The content of a message has' } as const

/** Of apps, and of people without Nitro. */
export const CONTENT_OF_APPS = 2_000

/** Of people with Nitro. */
export const longContent = answerTextRule({ ...content, max: 4_000 })

export const messageRules = {
  messageContent: answerTextRule({ ...content, max: CONTENT_OF_APPS }),
  /** The service refuses an empty message with the code 50006, after all errors of the form. */
  messageEmpty: answerRule({
    code: MESSAGE_EMPTY,
    summary: 'A message has content, embeds, components, attachments, files, stickers or a poll.',
    check: (message: JsonObject) =>
      [...LEGACY_FIELDS, 'components', 'attachments', 'files'].some((field) => shows(message[field]))
        ? undefined
        : NO_PARAMS,
    message: () => 'has no content, no embeds, no components and no files, so it is empty',
  }),
  messageFlags: warning({
    code: 'message.flags',
    clause: CLAUSE,
    summary: 'The flags of a message are those that an app can set; others are ignored.',
    check: (flags: number, most: number) => ((flags & most) === flags ? undefined : { flags, most }),
    message: ({ flags, most }) =>
      `is ${flags}, which has flags that are ignored; an app can set those of ${most}`,
  }),
  messageLegacy: answerRule({
    code: 'message.legacy',
    summary: 'A message with IS_COMPONENTS_V2 has only components and files.',
    check: (value: unknown, field: string) => (shows(value) ? { field } : undefined),
    about: 'text',
    message: ({ field }) =>
      `is not allowed beside the flag IS_COMPONENTS_V2; write it as components, and set ${field} of an older message to null`,
    wire: ({ field }) => ({
      code: 'MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2',
      message: `The '${field}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2`,
    }),
  }),
  messageStickers: answerListRule({
    code: 'message.stickers',
    subject: 'A message has',
    item: 'sticker',
    max: 3,
  }),
  messageAttachments: answerListRule({
    code: 'message.attachments',
    subject: 'A message has',
    item: 'attachment',
    max: 10,
  }),
  attachmentDescription: answerTextRule({
    code: 'attachment.description',
    subject: 'The description of an attachment has',
    max: 1_024,
  }),
  attachmentFile: answerRule({
    code: 'attachment.file',
    context: { files: [] },
    summary:
      'The id of an attachment is the number of a file of the request, or an attachment of the edited message.',
    check: (id: unknown, known: readonly string[]) =>
      known.includes(String(id)) ? undefined : { id: given(id) },
    message: ({ id }) => `is ${quoted(String(id))}, but no file has this number; send it as files[${id}]`,
    wire: { code: 'ATTACHMENT_NOT_FOUND', message: 'Attachment data not found' },
    at: 'parent',
  }),
  mentionKind: answerRule({
    code: 'mentions.parse',
    summary: 'The kinds of `allowed_mentions.parse` are roles, users and everyone.',
    ...form(
      (kind) => mentionKinds.includes(kind),
      `expected ${listed(
        mentionKinds.map((kind) => `"${kind}"`),
        'or',
      )}`,
    ),
    wire: mustBeOneOf(mentionKinds),
  }),
  mentionIds: answerListRule({
    code: 'mentions.ids',
    subject: 'A list of `allowed_mentions` has',
    item: 'id',
    max: 100,
  }),
  mentionsExclusive: answerRule({
    code: 'mentions.exclusive',
    summary: 'A kind of `allowed_mentions.parse` has no list of ids beside it.',
    check: (ids: unknown, kind: string, parse: unknown) =>
      Array.isArray(parse) && parse.includes(kind) && shows(ids) ? { kind } : undefined,
    message: ({ kind }) => `lists ids, but parse allows all ${kind}; leave out one of them`,
    wire: ({ kind }) => ({
      code: 'MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE',
      message: `parse:["${kind}"] and ${kind}: [ids...] are mutually exclusive.`,
    }),
  }),
  pollQuestion: answerTextRule({
    code: 'poll.question',
    subject: 'The question of a poll has',
    max: 300,
    min: 1,
  }),
  pollAnswers: answerListRule({
    code: 'poll.answers',
    subject: 'A poll has',
    item: 'answer',
    max: 10,
    min: 1,
  }),
  pollAnswer: answerTextRule({ code: 'poll.answer', subject: 'An answer of a poll has', max: 55, min: 1 }),
  pollDuration: answerRangeRule({
    code: 'poll.duration',
    subject: 'The duration of a poll, in hours,',
    min: 1,
    max: 768,
  }),
} as const

/** Whether a field of a message shows something; white space alone does not. */
function shows(value: unknown): boolean {
  if (typeof value === 'string') return !isBlank(value)
  return Array.isArray(value) ? value.length > 0 : isObject(value)
}
