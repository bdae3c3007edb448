/** Rules about messages of apps (service facts 7.3). */
import type { Reading } from '../command/reading.ts'
import * as shape from '../command/shape.ts'
import { isObject, type JsonObject } from '../core/json.ts'
import { NO_PARAMS, rule, warning } from '../core/rule.ts'
import { counted } from '../core/text.ts'
import { maxLength } from '../core/wire.ts'
import { readComponents } from './component-body.ts'
import { message, slash } from './examples.ts'
import { textLength } from './text-length.ts'

const CONTENT_MAX = 2_000
const EMBEDS_MAX = 10

export const messageContent = textLength(
  'message.content',
  'The content of a message',
  0,
  CONTENT_MAX,
  (content) => ({
    body: { interaction: slash, callback: { ...message, data: { content } } },
    path: ['data', 'content'],
  }),
)
export const messageEmbeds = rule({
  code: 'message.embeds',
  clause: '2.11-09',
  limit: { max: EMBEDS_MAX },
  summary: `A message has at most ${EMBEDS_MAX} embeds.`,
  on: 'callback',
  check: (embeds: readonly unknown[]) =>
    embeds.length <= EMBEDS_MAX ? undefined : { actual: embeds.length },
  message: ({ actual }: { actual: number }) =>
    `has ${counted(actual, 'embed')}; at most ${EMBEDS_MAX} are allowed`,
  wire: maxLength(EMBEDS_MAX),
  breaks: () => ({
    body: {
      interaction: slash,
      callback: { ...message, data: { embeds: Array.from({ length: EMBEDS_MAX + 1 }, () => ({})) } },
    },
    path: ['data', 'embeds'],
  }),
})

export const messageEmpty = warning({
  code: 'message.empty',
  clause: '2.11-09',
  summary: 'A message has content, embeds, components, attachments, stickers or a poll.',
  on: 'callback',
  check: (data: JsonObject) =>
    ['content', 'embeds', 'components', 'attachments', 'sticker_ids', 'poll', 'shared_client_theme'].some(
      (field) => {
        const value = data[field]
        return typeof value === 'string' || Array.isArray(value) ? value.length > 0 : isObject(value)
      },
    )
      ? undefined
      : NO_PARAMS,
  message: () => 'has no content, no embeds, no components and no attachments, so it is empty',
  breaks: () => ({
    body: { interaction: slash, callback: { ...message, data: { tts: true } } },
    path: ['data'],
  }),
})

/** Rules about messages. */
export const messageRules = [messageContent, messageEmbeds, messageEmpty] as const

/**
 * Reads a message.
 *
 * @param whole false for an update, which keeps absent fields
 */
export function readMessage(reading: Reading, data: JsonObject, whole: boolean): void {
  const { content, embeds, components, flags } = data
  if (content !== undefined && content !== null && reading.run(shape.string, content, 'content'))
    reading.run(messageContent, content, 'content')
  if (embeds !== undefined && embeds !== null && reading.run(shape.list, embeds, 'embeds'))
    reading.run(messageEmbeds, embeds, 'embeds')
  if (components !== undefined && components !== null && reading.run(shape.list, components, 'components'))
    readComponents(reading, components)
  if (flags !== undefined && flags !== null) reading.run(shape.integer, flags, 'flags')
  if (whole) reading.run(messageEmpty, data)
}
