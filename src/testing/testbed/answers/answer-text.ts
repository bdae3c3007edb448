/** The text of an answer without ids and times, for snapshots. */
import { isObject, type JsonObject } from '../../../core/json.ts'
import type { KnownObjects } from '../../../interactions/usage/complete.ts'
import { objectsIn } from '../../../interactions/usage/modal-inputs.ts'
import type { AppMessage } from '../../../interactions/bot/bot-message.ts'
import {
  ButtonStyle,
  ComponentType,
  hasFlag,
  MessageFlag,
  isEphemeral,
} from '../../../model/interaction-types.ts'
import type { Shown } from './shown.ts'

export type AnswerParts = Pick<Shown, 'kind' | 'message' | 'modal' | 'deleted' | 'ephemeral'>

/** The text of a message of an answer or a channel. */
export function messageText(message: AppMessage, objects: KnownObjects, deleted = false): string {
  const kind = hasFlag(message.flags, MessageFlag.LOADING) ? 'thinking' : 'message'
  return textOf({ kind, message, modal: null, deleted, ephemeral: isEphemeral(message) }, objects)
}

/** @param objects what mentions refer to */
export function textOf(shown: AnswerParts, objects: KnownObjects): string {
  const { kind, message, modal, deleted, ephemeral } = shown
  const notes = [ephemeral && 'ephemeral', deleted && 'deleted', kind !== 'message' && kind]
  const head = notes.filter((note) => note !== false).join(', ')
  const body =
    modal !== null
      ? [modal.title, ...componentLines(modal.components)]
      : message === null
        ? []
        : [
            message.content,
            ...message.embeds.flatMap(embedLines),
            ...componentLines(message.components),
            ...message.attachments.map(({ filename }) => `file: ${filename}`),
          ]
  const lines = [head === '' ? '' : `(${head})`, ...body].filter((line) => line !== '')
  // The address of a file has its id.
  const text = (message?.attachments ?? []).reduce(
    (all, { url, filename }) => all.replaceAll(url, `attachment://${filename}`),
    lines.join('\n'),
  )
  return stable(text, objects)
}

function embedLines(embed: object): readonly string[] {
  const { author, title, description, fields, footer, image } = embed as JsonObject
  const url = field(image, 'url')
  return [
    field(author, 'name'),
    title,
    description,
    ...objectsIn(fields).map(({ name, value }) => `${String(name)}: ${String(value)}`),
    field(footer, 'text'),
    url === undefined ? undefined : `image: ${String(url)}`,
  ].flatMap((text) => (text === undefined || text === null ? [] : [`| ${String(text)}`]))
}

/** A row of buttons is one line, as people see it. */
function componentLines(components: unknown): readonly string[] {
  return objectsIn(components).flatMap((one) => {
    const { type, components: inner, component, label, description, content } = one
    if (type === ComponentType.ACTION_ROW) return [objectsIn(inner).flatMap(partsOf).join(' ')]
    if (isObject(one.media) || isObject(one.file)) return [mediaOf(one)]
    const own = [label, description, content].filter((text) => typeof text === 'string')
    const isPart = type === ComponentType.BUTTON || 'custom_id' in one
    return [
      ...(isPart ? partsOf(one) : own),
      ...componentLines(inner),
      ...componentLines([component]),
      ...componentLines([one.accessory]),
      ...objectsIn(one.items).map(mediaOf),
    ]
  })
}

/** The marks before an option, or before the text of a checkbox: not chosen and chosen. */
const marks: { readonly [type: number]: readonly [off: string, on: string] } = {
  [ComponentType.RADIO_GROUP]: ['( )', '(x)'],
  [ComponentType.CHECKBOX_GROUP]: ['[ ]', '[x]'],
  [ComponentType.CHECKBOX]: ['[ ]', '[x]'],
}

function partsOf(one: JsonObject): readonly string[] {
  const { type, label, style, disabled, placeholder, options, value, custom_id: id } = one
  const off = disabled === true ? ' (disabled)' : ''
  if (type === ComponentType.BUTTON)
    return [
      `[${String(label ?? field(one.emoji, 'name') ?? id)}${style === ButtonStyle.LINK ? ' ↗' : ''}]${off}`,
    ]
  if (type === ComponentType.TEXT_INPUT) {
    const name = typeof label === 'string' ? `${label}: ` : ''
    return [`${name}[${String(value ?? placeholder ?? '')}]`]
  }
  if (type === ComponentType.FILE_UPLOAD) return ['[Upload]']
  const mark = marks[type as number]
  if (mark !== undefined)
    return objectsIn(options ?? [one]).map((option) =>
      `${mark[option.default === true ? 1 : 0]} ${String(option.label ?? '')}`.trimEnd(),
    )
  const names = objectsIn(options).map((option) => String(option.label))
  return [`[${[String(placeholder ?? id), ...names].join(' | ')} ▾]${off}`]
}

function mediaOf({ media, file, description }: JsonObject): string {
  return `media: ${String(description ?? field(media, 'url') ?? field(file, 'url'))}`
}

function field(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined
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
    .replace(/\b\d{17,20}\b/g, '<id>')
}
