/** Rules about the embeds of a message. */
import { valueOf, type Reader } from '../../core/rules/readers.ts'
import * as shape from '../../core/rules/shape-rules.ts'
import { isObject, type JsonObject } from '../../core/json.ts'
import { form, type Actual, type TextRule } from '../../core/rules/rule-kinds.ts'
import { NO_PARAMS, rule } from '../../core/rules/rule.ts'
import { countCharacters } from '../../core/text.ts'
import { maxLength, isRequired } from '../../core/rules/wire-errors.ts'
import { answerListRule, answerRangeRule, answerRule, answerTextRule } from './answer-rule.ts'
import { address, wholeNumber, listIn, media, part, textIn } from './message-fields.ts'

const EMBEDS_MAX = 10
const SIZE_MAX = 6_000

/** A rule about the length of a text without the white space around it. A blank text counts as missing. */
/* @__NO_SIDE_EFFECTS__ */
function trimmedTextRule<const Code extends string>(definition: Omit<TextRule<Code>, 'clause' | 'remedy'>) {
  const remedy = 'at least 1 character that is not white space is needed'
  const length = answerTextRule({ ...definition, remedy })
  return rule({
    ...length,
    summary: `${length.summary.slice(0, -1)}, without the white space around it.`,
    check: (text: string) => length.check(text.trim()),
    wire: ({ actual }: Actual) => (actual === 0 ? isRequired : maxLength(definition.max)),
  })
}

export const embedRules = {
  messageEmbeds: answerListRule({
    code: 'message.embeds',
    subject: 'A message has',
    item: 'embed',
    max: EMBEDS_MAX,
  }),
  embedTitle: trimmedTextRule({ code: 'embed.title', subject: 'The title of an embed has', max: 256 }),
  embedDescription: trimmedTextRule({
    code: 'embed.description',
    subject: 'The text of an embed has',
    max: 4_096,
  }),
  embedFields: answerListRule({ code: 'embed.fields', subject: 'An embed has', item: 'field', max: 25 }),
  fieldName: trimmedTextRule({
    code: 'embed.field_name',
    subject: 'The name of a field of an embed has',
    max: 256,
  }),
  fieldValue: trimmedTextRule({
    code: 'embed.field_value',
    subject: 'The value of a field of an embed has',
    max: 1_024,
  }),
  embedFooter: trimmedTextRule({
    code: 'embed.footer',
    subject: 'The footer of an embed has',
    max: 2_048,
    min: 1,
  }),
  embedAuthor: trimmedTextRule({
    code: 'embed.author',
    subject: 'The author of an embed has',
    max: 256,
    min: 1,
  }),
  embedColor: answerRangeRule({
    code: 'embed.color',
    subject: 'The color of an embed',
    min: 0,
    max: 0xff_ff_ff,
  }),
  embedTimestamp: answerRule({
    code: 'embed.timestamp',
    summary: 'The timestamp of an embed is a time as ISO 8601.',
    // 0 means no time: discord.js 13 sends it in every embed without one (discordjs/discord.js#7226).
    ...form(
      (time) => time === 0 || (typeof time === 'string' && Number.isFinite(Date.parse(time))),
      'expected a time as ISO 8601',
    ),
    wire: ({ given }) => ({
      code: 'DATE_TIME_TYPE_PARSE',
      message: `Could not parse ${given}. Should be ISO8601.`,
    }),
  }),
  embedEmpty: answerRule({
    code: 'embed.empty',
    summary: 'An embed shows something: a color or a url alone is nothing.',
    check: ({ type: _type, color: _color, url: _url, ...shown }: JsonObject) =>
      Object.values(shown).some((value) => (Array.isArray(value) ? value.length > 0 : Boolean(value)))
        ? undefined
        : NO_PARAMS,
    message: () =>
      'is missing in an embed that shows nothing else; give the embed a text, a field or a picture',
    wire: isRequired,
  }),
  /** Texts count as they are shown, without the white space around them. */
  embedsSize: answerRule({
    code: 'embeds.size',
    limit: { max: SIZE_MAX },
    summary: `The texts of all embeds of a message have at most ${SIZE_MAX} characters together.`,
    check: (embeds: readonly unknown[]) => {
      const actual = embeds.slice(0, EMBEDS_MAX).reduce<number>((sum, embed) => sum + embedSize(embed), 0)
      return actual <= SIZE_MAX ? undefined : { actual }
    },
    message: ({ actual }) => `have ${actual} characters together; at most ${SIZE_MAX} are allowed`,
    wire: { code: 'MAX_EMBED_SIZE_EXCEEDED', message: `Embed size exceeds maximum size of ${SIZE_MAX}` },
  }),
} as const

const page = address('http', 'https')
const icon = address('http', 'https', 'attachment')

const embed = part({
  title: textIn(embedRules.embedTitle),
  description: textIn(embedRules.embedDescription),
  url: page,
  timestamp: valueOf(embedRules.embedTimestamp),
  color: wholeNumber(embedRules.embedColor),
  author: part({ name: textIn(embedRules.embedAuthor), url: page, icon_url: icon }, 'name'),
  fields: listIn(
    embedRules.embedFields,
    part(
      {
        name: textIn(embedRules.fieldName),
        value: textIn(embedRules.fieldValue),
        inline: valueOf(shape.boolean),
      },
      'name',
      'value',
    ),
  ),
  image: media,
  thumbnail: media,
  footer: part({ text: textIn(embedRules.embedFooter), icon_url: icon }, 'text'),
})

const list = listIn(embedRules.messageEmbeds, (report, value) => {
  embed(report, value)
  if (isObject(value)) report.at('description', () => report.check(embedRules.embedEmpty, value))
})

export const readEmbeds: Reader = (report, value) => {
  list(report, value)
  if (Array.isArray(value)) report.check(embedRules.embedsSize, value)
}

/** The characters of an embed that count. */
function embedSize(embed: unknown): number {
  if (!isObject(embed)) return 0
  const { title, description, author, footer, fields } = embed
  const parts = [{ title, description }, author, footer, ...(Array.isArray(fields) ? fields : [])]
  const texts = parts.filter(isObject).flatMap((part) => COUNTED.map((key) => part[key]))
  return texts.reduce<number>(
    (sum, one) => sum + (typeof one === 'string' ? countCharacters(one.trim()) : 0),
    0,
  )
}

// Of an embed, its author, its footer and its fields.
const COUNTED = ['title', 'description', 'name', 'text', 'value']
