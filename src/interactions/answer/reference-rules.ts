/** Rules about what a message refers to: its files, its components, emojis and SKUs (clause 2.11-14). */
import type { JsonObject } from '../../core/json.ts'
import { distinctItems } from '../../core/rules/rule-kinds.ts'
import { NO_PARAMS, rule, warning } from '../../core/rules/rule.ts'
import { describeValue, given, listed, quoted } from '../../core/text.ts'
import { badLength } from '../../core/rules/wire-errors.ts'
import { isUnicodeEmoji } from '../../model/emoji.ts'
import { ComponentType, InteractionCallbackType } from '../../model/interaction-types.ts'

const clause = '2.11-14'

/** Discord answers messages of IS_COMPONENTS_V2 with more bytes of text with an error of its own. */
const SHOWN_BYTES_MAX = 10_158
const OPTIONS_MAX = 25

const encoder = /* @__PURE__ */ new TextEncoder()

export const referenceRules = {
  emojiForm: rule({
    code: 'component.emoji',
    clause,
    summary: 'The emoji of a button, of an option or of a poll is one of Unicode, or has an id.',
    check: ({ id, name }: JsonObject) =>
      (id !== undefined && id !== null) || isUnicodeEmoji(name) ? undefined : { name: given(name) },
    message: ({ name }) =>
      `is ${typeof name === 'string' ? quoted(name) : describeValue(name)}, which is not an emoji; write one such as 👍, or give the id of a custom one`,
    wire: { code: 'BUTTON_COMPONENT_INVALID_EMOJI', message: 'Invalid emoji' },
  }),
  emojiUnknown: warning({
    code: 'component.emoji_unknown',
    clause,
    context: { hasEmoji: () => false },
    summary: 'The custom emoji of a component is one of a server of the bot, or of the application.',
    check: (id: unknown, isKnown: boolean) => (isKnown ? undefined : { id: given(id) }),
    message: ({ id }) =>
      `is ${id}, and no server here has this emoji; Discord refuses an emoji that the bot cannot use`,
  }),
  mediaFile: rule({
    code: 'media.attachment',
    clause,
    context: { files: [] },
    summary: 'An address with the scheme attachment names a file of the message.',
    check: (name: string, files: readonly string[]) =>
      files.includes(name) ? undefined : { name: given(name), files },
    message: ({ name, files }) =>
      `names the attachment ${quoted(String(name))}, which the message does not have; ${
        files.length === 0 ? 'send it as files[0]' : `it has ${listed(files.map((one) => quoted(one)))}`
      }`,
    wire: {
      code: 'UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND',
      message: 'The referenced attachment could not be found',
    },
  }),
  embedFile: warning({
    code: 'embed.attachment',
    clause,
    context: { files: [] },
    summary: 'An address of an embed with the scheme attachment names a file of the message.',
    check: (name: string, files: readonly string[]) =>
      files.includes(name) ? undefined : { name: given(name) },
    message: ({ name }) =>
      `names the attachment ${quoted(String(name))}, which the message does not have, so nothing is shown there`,
  }),
  componentNumbers: rule({
    code: 'components.numbers',
    clause,
    summary: 'The numeric ids of the components of a message or a modal differ from one another.',
    check: distinctItems.check,
    message: distinctItems.message,
    wire: { code: 'COMPONENT_ID_DUPLICATED', message: 'Component id cannot be duplicated' },
  }),
  menuMaxOptions: rule({
    code: 'menu.max_options',
    clause,
    summary: 'A select menu has at least as many options as its `max_values`.',
    check: ({ type, options, min_values: min, max_values: max }: JsonObject) => {
      if (type !== ComponentType.STRING_SELECT || !Array.isArray(options) || options.length === 0)
        return undefined
      const { length: actual } = options
      // A smallest number above them is reported by its own rule, and so is a number that no menu takes.
      const isReported = typeof min === 'number' && min > actual
      if (typeof max !== 'number' || max > OPTIONS_MAX || isReported) return undefined
      return max <= actual ? undefined : { actual, max }
    },
    message: ({ actual, max }) =>
      `has ${actual}, but max_values is ${max}; add options, or set max_values to ${actual}`,
    wire: ({ max }) => badLength(max, OPTIONS_MAX),
  }),
  buttonSku: warning({
    code: 'button.sku',
    clause,
    summary: 'A premium button has a SKU of the app.',
    check: (sku: unknown) => (sku === undefined || sku === null ? undefined : { sku: given(sku) }),
    message: ({ sku }) => `is ${sku}; Discord refuses a premium button unless the app has this SKU`,
  }),
  callbackSku: warning({
    code: 'callback.sku',
    clause,
    summary: 'PREMIUM_REQUIRED is for apps with a SKU.',
    check: (type: number) => (type === InteractionCallbackType.PREMIUM_REQUIRED ? NO_PARAMS : undefined),
    message: () => 'is 10 PREMIUM_REQUIRED, which Discord refuses for an app without a SKU',
  }),
  shownBytes: warning({
    code: 'components.bytes',
    clause,
    summary: `The text displays of a message have at most ${SHOWN_BYTES_MAX} bytes together.`,
    check: (components: readonly JsonObject[]) => {
      const texts = components.map(({ content }) => (typeof content === 'string' ? content : ''))
      const actual = texts.reduce((sum, text) => sum + encoder.encode(text).length, 0)
      return actual <= SHOWN_BYTES_MAX ? undefined : { actual }
    },
    message: ({ actual }) =>
      `have ${actual} bytes of text together; Discord answers more than ${SHOWN_BYTES_MAX} with 500 (discord-api-docs#8554), so send less at once`,
  }),
} as const
