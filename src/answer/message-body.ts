/** Rules about messages of apps (service facts 7.3). */
import type { Reading } from '../command/reading.ts'
import * as shape from '../command/shape.ts'
import { isObject, type JsonObject } from '../core/json.ts'
import { NO_PARAMS, warning } from '../core/rule.ts'
import { readComponents } from './component-body.ts'
import { messageWith } from './examples.ts'
import { answerListLength, answerTextLength } from './limits.ts'

const CONTENT_MAX = 2_000
const EMBEDS_MAX = 10

export const messageContent = answerTextLength(
  'message.content',
  'The content of a message',
  0,
  CONTENT_MAX,
  (content) => messageWith({ content }, 'content'),
)

export const messageEmbeds = answerListLength(
  'message.embeds',
  'A message',
  0,
  EMBEDS_MAX,
  'embed',
  {},
  (embeds) => messageWith({ embeds }, 'embeds'),
)

const contentFields = [
  'content',
  'embeds',
  'components',
  'attachments',
  'sticker_ids',
  'poll',
  'shared_client_theme',
]

export const messageEmpty = warning({
  code: 'message.empty',
  clause: '2.11-09',
  summary: 'A message has content, embeds, components, attachments, stickers or a poll.',
  on: 'callback',
  check: (data: JsonObject) =>
    contentFields.some((field) => hasContent(data[field])) ? undefined : NO_PARAMS,
  message: () => 'has no content, no embeds, no components and no attachments, so it is empty',
  breaks: () => messageWith({ tts: true }),
})

/** Rules about messages. */
export const messageRules = [messageContent, messageEmbeds, messageEmpty] as const

function hasContent(value: unknown): boolean {
  return typeof value === 'string' || Array.isArray(value) ? value.length > 0 : isObject(value)
}

/**
 * Reads a message.
 *
 * @param whole false for an update, which keeps absent fields
 */
export function readMessage(reading: Reading, data: JsonObject, whole: boolean): void {
  const { content, embeds, components, flags } = data
  if (reading.optional(shape.string, content, 'content')) reading.run(messageContent, content, 'content')
  if (reading.optional(shape.list, embeds, 'embeds')) reading.run(messageEmbeds, embeds, 'embeds')
  if (reading.optional(shape.list, components, 'components')) readComponents(reading, components)
  reading.optional(shape.integer, flags, 'flags')
  if (whole) reading.run(messageEmpty, data)
}
