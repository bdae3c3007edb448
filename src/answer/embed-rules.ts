/** Rules about the embeds of a message. */
import { valueOf, type Reader } from '../command/readers.ts'
import * as shape from '../command/shape.ts'
import { form } from '../core/form.ts'
import { isObject, type JsonObject } from '../core/json.ts'
import { NO_PARAMS, rule } from '../core/rule.ts'
import { countCharacters } from '../core/text.ts'
import { required } from '../core/wire.ts'
import { address, integer, listOf, media, part, text } from './fields.ts'
import { answerListLength, answerRange, answerTrimmedLength, CLAUSE } from './limits.ts'

const EMBEDS_MAX = 10
const SIZE_MAX = 6_000

export const messageEmbeds = answerListLength('message.embeds', 'A message', 'embed', EMBEDS_MAX)

export const embedTitle = answerTrimmedLength('embed.title', 'The title of an embed', 256)
export const embedDescription = answerTrimmedLength('embed.description', 'The text of an embed', 4_096)
export const embedFields = answerListLength('embed.fields', 'An embed', 'field', 25)
export const fieldName = answerTrimmedLength('embed.field_name', 'The name of a field of an embed', 256, 1)
export const fieldValue = answerTrimmedLength(
  'embed.field_value',
  'The value of a field of an embed',
  1_024,
  1,
)
export const embedFooter = answerTrimmedLength('embed.footer', 'The footer of an embed', 2_048, 1)
export const embedAuthor = answerTrimmedLength('embed.author', 'The author of an embed', 256, 1)
export const embedColor = answerRange('embed.color', 'The color of an embed', 0, 0xff_ff_ff)

export const embedTimestamp = rule({
  code: 'embed.timestamp',
  clause: CLAUSE,
  summary: 'The timestamp of an embed is a time as ISO 8601.',
  ...form(
    (time) => typeof time === 'string' && Number.isFinite(Date.parse(time)),
    'expected a time as ISO 8601',
  ),
  wire: ({ given }) => ({
    code: 'DATE_TIME_TYPE_PARSE',
    message: `Could not parse ${given}. Should be ISO8601.`,
  }),
})

export const embedEmpty = rule({
  code: 'embed.empty',
  clause: CLAUSE,
  summary: 'An embed shows something: a color or a url alone is nothing.',
  check: ({ type: _type, color: _color, url: _url, ...shown }: JsonObject) =>
    Object.values(shown).some((value) => (Array.isArray(value) ? value.length > 0 : Boolean(value)))
      ? undefined
      : NO_PARAMS,
  message: () =>
    'is missing in an embed that shows nothing else; give the embed a text, a field or a picture',
  wire: required,
})

/** Texts count as they are shown, without the white space around them. */
export const embedsSize = rule({
  code: 'embeds.size',
  clause: CLAUSE,
  limit: { max: SIZE_MAX },
  summary: `The texts of all embeds of a message have at most ${SIZE_MAX} characters together.`,
  check: (embeds: readonly unknown[]) => {
    const actual = embeds.slice(0, EMBEDS_MAX).reduce<number>((sum, embed) => sum + sizeOf(embed), 0)
    return actual <= SIZE_MAX ? undefined : { actual }
  },
  message: ({ actual }) => `have ${actual} characters together; at most ${SIZE_MAX} are allowed`,
  wire: { code: 'MAX_EMBED_SIZE_EXCEEDED', message: `Embed size exceeds maximum size of ${SIZE_MAX}` },
})

/** Rules about embeds. */
export const embedRules = [
  messageEmbeds,
  embedTitle,
  embedDescription,
  embedFields,
  fieldName,
  fieldValue,
  embedFooter,
  embedAuthor,
  embedColor,
  embedTimestamp,
  embedEmpty,
  embedsSize,
] as const

const page = address('http', 'https')
const icon = address('http', 'https', 'attachment')

const embed = part({
  title: text(embedTitle),
  description: text(embedDescription),
  url: page,
  timestamp: valueOf(embedTimestamp),
  color: integer(embedColor),
  author: part({ name: text(embedAuthor), url: page, icon_url: icon }, 'name'),
  fields: listOf(
    embedFields,
    part({ name: text(fieldName), value: text(fieldValue), inline: valueOf(shape.boolean) }, 'name', 'value'),
  ),
  image: media,
  thumbnail: media,
  footer: part({ text: text(embedFooter), icon_url: icon }, 'text'),
})

const list = listOf(messageEmbeds, (report, value) => {
  embed(report, value)
  if (isObject(value)) report.at('description', () => report.check(embedEmpty, value))
})

/** Reads the embeds of a message. */
export const readEmbeds: Reader = (report, value) => {
  list(report, value)
  if (Array.isArray(value)) report.check(embedsSize, value)
}

/** The characters of an embed that count. */
function sizeOf(embed: unknown): number {
  if (!isObject(embed)) return 0
  const { title, description, author, footer, fields } = embed
  const parts = [
    { title, description },
    author,
    footer,
    ...(Array.isArray(fields) ? fields.slice(0, 25) : []),
  ]
  const texts = parts.filter(isObject).flatMap((part) => COUNTED.map((key) => part[key]))
  return texts.reduce<number>(
    (sum, one) => sum + (typeof one === 'string' ? countCharacters(one.trim()) : 0),
    0,
  )
}

// Of an embed, its author, its footer and its fields.
const COUNTED = ['title', 'description', 'name', 'text', 'value']
