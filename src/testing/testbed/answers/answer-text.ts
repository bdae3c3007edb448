/** The text of an answer without ids and times, for snapshots. */
import { counted } from '../../../core/text.ts'
import { isObject, type JsonObject } from '../../../core/json.ts'
import type { KnownObjects } from '../../../interactions/usage/complete.ts'
import { objectsIn } from '../../../interactions/usage/modal-inputs.ts'
import type { Rendered } from '../../../interactions/answer/rendered.ts'
import type { AnswerModal, MessagePoll } from '../../../model/answer-types.ts'
import type { WireMessage } from '../../../service/world/world-message.ts'
import { hasFlag, MessageFlag, isEphemeral } from '../../../model/interaction-types.ts'
import {
  addressText,
  colorText,
  componentLines,
  emojiText,
  field,
  sentNote,
  withNotes,
} from './component-text.ts'

/** What an answer shows. */
interface AnswerParts {
  readonly kind: Rendered['kind']
  readonly message: WireMessage | null
  readonly modal: AnswerModal | null
  readonly deleted: boolean
  readonly ephemeral: boolean
}

/** The text of a message of an answer or a channel. */
export function messageText(
  message: WireMessage,
  objects: KnownObjects,
  deleted = false,
  allowedMentions?: unknown,
): string {
  const kind = hasFlag(message.flags, MessageFlag.LOADING) ? 'thinking' : 'message'
  const parts = { kind, message, modal: null, deleted, ephemeral: isEphemeral(message) } as const
  return answerText(parts, objects, allowedMentions)
}

/**
 * @param objects what mentions refer to
 * @param allowedMentions the `allowed_mentions` of a new message
 */
export function answerText(shown: AnswerParts, objects: KnownObjects, allowedMentions?: unknown): string {
  const { kind, message, modal, deleted, ephemeral } = shown
  const head = withNotes('', [
    ephemeral && 'ephemeral',
    deleted && 'deleted',
    kind !== 'message' && kind,
    hasFlag(message?.flags, MessageFlag.SUPPRESS_NOTIFICATIONS) && 'silent',
    hasFlag(message?.flags, MessageFlag.IS_VOICE_MESSAGE) && 'voice message',
    message?.tts === true && 'tts',
    pingNote(allowedMentions),
  ])
  const body =
    modal !== null
      ? [
          withNotes(modal.title, [sentNote(modal.custom_id, modal.title)]),
          ...componentLines(modal.components),
        ]
      : message === null
        ? []
        : messageLines(message)
  const lines = [head, ...body].filter((line) => line !== '')
  // The address of a file has its id.
  const text = (message?.attachments ?? []).reduce(
    (all, { url, filename }) => all.replaceAll(addressText(url) ?? url, `attachment://${filename}`),
    lines.join('\n'),
  )
  return stable(text, objects)
}

type Content = Pick<WireMessage, 'content' | 'embeds' | 'components' | 'attachments' | 'flags' | 'timestamp'>

function messageLines(message: Content): readonly string[] {
  const { content, embeds, components, attachments, flags, timestamp } = message
  const { message_snapshots: forwards, sticker_items: stickers, poll } = message as Content & JsonObject
  return [
    content,
    ...objectsIn(forwards).flatMap((one) => ['forwarded:', ...forwardLines(one.message as Content)]),
    ...(hasFlag(flags, MessageFlag.SUPPRESS_EMBEDS)
      ? []
      : embeds.flatMap((one) => embedLines(one as JsonObject))),
    ...(isObject(poll) ? pollLines(poll as unknown as MessagePoll, timestamp) : []),
    ...componentLines(components),
    ...objectsIn(stickers).map(({ name }) => `sticker: ${String(name)}`),
    ...attachments.map(({ filename, description, flags: bits = 0 }) =>
      withNotes(`file: ${filename}`, [
        description,
        (bits & IS_SPOILER) !== 0 && !filename.startsWith('SPOILER_') && 'spoiler',
      ]),
    ),
  ]
}

const IS_SPOILER = 1 << 3

const forwardLines = (message: Content) =>
  messageLines(message)
    .filter((line) => line !== '')
    .map((line) => `> ${line}`)

/** Whom a message may ping, where that is less than everyone in it. */
function pingNote(allowed: unknown): string | false {
  if (!isObject(allowed)) return false
  const listOf = (value: unknown) => (Array.isArray(value) ? value.map(String) : [])
  const kinds = listOf(allowed.parse)
  if (['users', 'roles', 'everyone'].every((kind) => kinds.includes(kind))) return false
  const pinged = [
    ...kinds,
    ...listOf(allowed.users).map((id) => `<@${id}>`),
    ...listOf(allowed.roles).map((id) => `<@&${id}>`),
    ...(allowed.replied_user === true ? ['the author of the message'] : []),
  ]
  return pinged.length === 0 ? 'pings nobody' : `pings ${pinged.join(' ')}`
}

function embedLines(embed: JsonObject): readonly string[] {
  const { author, title, description, url, fields, footer, timestamp, image, thumbnail, color } = embed
  const textOrEmpty = (value: unknown) => (typeof value === 'string' ? value : '')
  const named = (name: string, value: string | undefined) => (value === undefined ? '' : `${name}: ${value}`)
  const time = timestamp === undefined || timestamp === null ? '' : '<time>'
  const foot = [textOrEmpty(field(footer, 'text')), time].filter((text) => text !== '').join(' • ')
  return [
    withNotes(textOrEmpty(field(author, 'name')), [addressText(field(author, 'url')), iconNote(author)]),
    withNotes(textOrEmpty(title), [addressText(url)]),
    textOrEmpty(description),
    ...objectsIn(fields).map(({ name, value, inline }) =>
      withNotes(`${String(name)}: ${String(value)}`, [inline === true && 'inline']),
    ),
    withNotes(foot, [iconNote(footer)]),
    named('image', addressText(field(image, 'url'))),
    named('thumbnail', addressText(field(thumbnail, 'url'))),
    named('color', colorText(color)),
  ].flatMap((text) => (text === '' ? [] : [`| ${text}`]))
}

function iconNote(part: unknown): string | undefined {
  const icon = addressText(field(part, 'icon_url'))
  return icon && `icon ${icon}`
}

const HOUR = 3_600_000
/** The hours of a poll that gives none. */
const USUAL_HOURS = 24

/** @param since when it began, as ISO 8601 */
function pollLines(
  { question, answers, allow_multiselect: isMultiple, expiry, results }: MessagePoll,
  since: string,
): readonly string[] {
  const hours = Math.round((Date.parse(expiry) - Date.parse(since)) / HOUR)
  const isOver = results.is_finalized
  return [
    withNotes(`poll: ${question.text}`, [
      isMultiple && 'multiple answers',
      !isOver && hours !== USUAL_HOURS && `${hours} h`,
      isOver && 'ended',
    ]),
    ...answers.map(({ answer_id: id, poll_media: { text, emoji } }) => {
      const votes = results.answer_counts.find((one) => one.id === id)?.count ?? 0
      const named = [emojiText(emoji), text].filter((part) => part !== undefined).join(' ')
      return withNotes(`( ) ${named}`, [votes > 0 && counted(votes, 'vote')])
    }),
  ]
}

const TIME = /<t:-?\d+(?::[tTdDfFR])?>|\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g

function stable(text: string, { users, roles, channels }: KnownObjects): string {
  return text
    .replace(/<@&(\d+)>/g, (_, id: string) => `@${roles?.[id]?.name ?? 'role'}`)
    .replace(/<@!?(\d+)>/g, (_, id: string) => `@${users?.[id]?.username ?? 'person'}`)
    .replace(/<#(\d+)>/g, (_, id: string) => `#${channels?.[id]?.name ?? 'channel'}`)
    .replace(/<\/([^<:>]+):\d+>/g, '/$1')
    .replace(/<a?(:\w+:)\d+>/g, '$1')
    .replace(TIME, '<time>')
    .replace(/(?<!\d\.)\b\d{17,20}\b/g, '<id>')
}
