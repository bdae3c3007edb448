/** The text of components, as people see them. What is as usual adds nothing to it. */
import { isObject, type JsonObject } from '../../../core/json.ts'
import { objectsIn } from '../../../interactions/usage/modal-inputs.ts'
import { ChannelType } from '../../../model/command-types.ts'
import { ButtonStyle, ComponentType as Type } from '../../../model/interaction-types.ts'

/** Something that a text may have beside it; false or undefined: nothing. */
type Note = string | false | undefined

/** A text, and in brackets what it has beside it. */
export function withNotes(text: string, notes: readonly Note[]): string {
  const given = notes.filter((note) => typeof note === 'string' && note !== '')
  return [text, given.length > 0 && `(${given.join(', ')})`].filter(Boolean).join(' ')
}

export function field(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined
}

const LOCAL_PORT = /^(https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\])):\d+/

/** An address without the port of a service of this machine, which is another one at each run. */
export function addressText(url: unknown): string | undefined {
  return typeof url === 'string' && url !== '' ? url.replace(LOCAL_PORT, '$1') : undefined
}

export function emojiText(emoji: unknown): string | undefined {
  const name = field(emoji, 'name') ?? field(emoji, 'id')
  return name === undefined || name === null ? undefined : String(name)
}

export function colorText(color: unknown): string | undefined {
  return typeof color === 'number' && color > 0 ? `#${color.toString(16).padStart(6, '0')}` : undefined
}

// Ids, times, and what libraries draw by chance: UUIDs, hexadecimal digits, and words of letters of both cases and digits.
const RUN =
  /\d{10,}|[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}|(?<![A-Za-z\d])(?:[\da-f]{16,}|(?=[A-Za-z]*\d)(?=[A-Z\d]*[a-z])(?=[a-z\d]*[A-Z])[A-Za-z\d]{16,})(?![A-Za-z\d])/g

const letters = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** What the bot gets of a part, such as a custom_id, where people see another word. Nothing of what differs by the run. */
export function sentNote(sent: unknown, ...seen: readonly unknown[]): Note {
  const text = String(sent ?? '').replace(RUN, '…')
  const isSeen = seen.some((one) => letters(String(one ?? '')) === letters(text))
  return letters(text) !== '' && !isSeen && `#${text}`
}

/** A row of buttons is one line, as people see it. */
export function componentLines(components: unknown): readonly string[] {
  return objectsIn(components).flatMap((one) => linesOf(one))
}

type Lines = (component: JsonObject, label?: unknown) => readonly string[]

/** @param label that of the component around an input */
function linesOf(component: JsonObject, label?: unknown): readonly string[] {
  const lines = linesByType[component.type as number]
  if (lines !== undefined) return lines(component, label)
  // Of a type that is newer than this file.
  const own = [component.label, component.description, component.content]
  return [...own.filter((text) => typeof text === 'string'), ...componentLines(component.components)]
}

const inOneLine: Lines = ({ components }) => [
  objectsIn(components)
    .flatMap((one) => linesOf(one))
    .join(' '),
]

const linesByType: { readonly [type: number]: Lines } = {
  [Type.ACTION_ROW]: inOneLine,
  [Type.BUTTON]: (one) => [buttonText(one)],
  [Type.STRING_SELECT]: (one) => [menuText(one)],
  [Type.USER_SELECT]: (one) => [menuText(one)],
  [Type.ROLE_SELECT]: (one) => [menuText(one, 'roles')],
  [Type.MENTIONABLE_SELECT]: (one) => [menuText(one, 'people and roles')],
  [Type.CHANNEL_SELECT]: (one) => [menuText(one, channelWords(one))],
  [Type.TEXT_INPUT]: (one, label) => [inputText(one, label)],
  [Type.SECTION]: (one) => [...componentLines(one.components), ...componentLines([one.accessory])],
  [Type.TEXT_DISPLAY]: ({ content }) => [String(content)],
  [Type.THUMBNAIL]: (one) => [mediaText('thumbnail', one)],
  [Type.MEDIA_GALLERY]: ({ items }) => objectsIn(items).map((one) => mediaText('media', one)),
  [Type.FILE]: (one) => [mediaText('media', one)],
  [Type.SEPARATOR]: ({ divider, spacing }) => [
    withNotes(divider === false ? '' : '---', [
      divider === false && 'space',
      spacing === LARGE_SPACING && 'large',
    ]),
  ],
  [Type.CONTAINER]: ({ components, accent_color: color, spoiler }) => [
    withNotes('', [colorText(color), spoiler === true && 'spoiler']),
    ...componentLines(components),
  ],
  [Type.LABEL]: ({ label, description, component }) => [
    String(label),
    ...(typeof description === 'string' ? [description] : []),
    ...objectsIn([component]).flatMap((one) => linesOf(one, label)),
  ],
  [Type.FILE_UPLOAD]: (one, label) => [
    withNotes('[Upload]', [
      Array.isArray(one.file_types) && one.file_types.join(' '),
      countNote(one),
      ...usualNotes(one, label),
    ]),
  ],
  [Type.RADIO_GROUP]: (one, label) => boxLines(one, ['( )', '(x)'], label),
  [Type.CHECKBOX_GROUP]: (one, label) => boxLines(one, ['[ ]', '[x]'], label),
  [Type.CHECKBOX]: (one, label) => [withNotes(one.default === true ? '[x]' : '[ ]', usualNotes(one, label))],
}

const LARGE_SPACING = 2

// --- Parts ----------------------------------------------------------------------------------------------------

/** The words for the styles of buttons. PRIMARY is the usual one, and the others are seen otherwise. */
const styleWords: { readonly [style: number]: string } = {
  [ButtonStyle.SECONDARY]: 'secondary',
  [ButtonStyle.SUCCESS]: 'success',
  [ButtonStyle.DANGER]: 'danger',
}

function buttonText({ label, style, emoji, disabled, url, sku_id: sku, custom_id: id }: JsonObject): string {
  const seen = [emojiText(emoji), label].filter((one) => typeof one === 'string')
  const name = seen.length > 0 ? seen.join(' ') : style === ButtonStyle.PREMIUM ? 'Premium' : String(id)
  return withNotes(`[${name}${style === ButtonStyle.LINK ? ' ↗' : ''}]`, [
    styleWords[style as number],
    disabled === true && 'disabled',
    addressText(url),
    sku !== undefined && `SKU ${String(sku)}`,
    sentNote(id, label, name),
  ])
}

/** What is beside every input. */
function usualNotes({ disabled, required, custom_id: id }: JsonObject, ...seen: readonly unknown[]) {
  return [disabled === true && 'disabled', required === false && 'optional', sentNote(id, ...seen)]
}

/** How many values may be chosen. Usual is one. */
function countNote({ min_values: min, max_values: max }: JsonObject, usualMax = 1): Note {
  const [least, most] = [min ?? 1, max ?? usualMax]
  return (least !== 1 || most !== usualMax) && `${String(least)}-${String(most)}`
}

/** @param index its place, which many bots take as the value */
function optionText({ label, value, description, emoji }: JsonObject, index: number): string {
  const named = [emojiText(emoji), label].filter((one) => one !== undefined).join(' ')
  const text = typeof description === 'string' && description !== '' ? `${named} – ${description}` : named
  return withNotes(text, [sentNote(value, label, index, index + 1)])
}

const mentionSigns: { readonly [type: string]: string } = { role: '@&', user: '@', channel: '#' }

/** @param kind whom or what it offers; absent for people and for options of its own */
function menuText(menu: JsonObject, kind?: string): string {
  const { placeholder, custom_id: id, options, default_values: presets } = menu
  const offered = [
    ...objectsIn(options).map((one, at) => `${one.default === true ? '(x) ' : ''}${optionText(one, at)}`),
    ...objectsIn(presets).map((one) => `(x) <${mentionSigns[String(one.type)] ?? ''}${String(one.id)}>`),
  ]
  return withNotes(`[${[String(placeholder ?? id), ...offered].join(' | ')} ▾]`, [
    kind,
    countNote(menu),
    ...usualNotes(menu, placeholder ?? id),
  ])
}

function channelWords({ channel_types: types }: JsonObject): string {
  const wordOf = (type: unknown) => Object.entries(ChannelType).find(([, one]) => one === type)?.[0]
  const words = Array.isArray(types) ? types.map((type) => wordOf(type) ?? String(type)) : []
  return ['channels', ...words].join(' ')
}

const PARAGRAPH = 2
const LONGEST_INPUT = 4_000

function inputText(input: JsonObject, around: unknown): string {
  const { style, label = around, value, placeholder, min_length: min, max_length: max } = input
  const name = typeof input.label === 'string' ? `${input.label}: ` : ''
  const [least, most] = [min ?? 0, max ?? LONGEST_INPUT]
  return withNotes(`${name}[${String(value ?? placeholder ?? '')}]`, [
    style === PARAGRAPH && 'paragraph',
    value !== undefined && typeof placeholder === 'string' && `placeholder ${placeholder}`,
    (least !== 0 || most !== LONGEST_INPUT) && `${String(least)}-${String(most)} characters`,
    ...usualNotes(input, label),
  ])
}

/** The options of a group, a line each, with a mark for those that are chosen. */
function boxLines(
  group: JsonObject,
  [off, on]: readonly [string, string],
  label: unknown,
): readonly string[] {
  const options = objectsIn(group.options)
  const usualMax = group.type === Type.CHECKBOX_GROUP ? options.length : 1
  return [
    ...options.map((one, at) => `${one.default === true ? on : off} ${optionText(one, at)}`),
    withNotes('', [countNote(group, usualMax), ...usualNotes(group, label)]),
  ]
}

function mediaText(word: string, { media, file, description, spoiler }: JsonObject): string {
  const url = addressText(field(media, 'url') ?? field(file, 'url'))
  const isDescribed = typeof description === 'string' && description !== ''
  return withNotes(`${word}: ${isDescribed ? description : (url ?? '')}`, [
    isDescribed && url,
    spoiler === true && 'spoiler',
  ])
}
