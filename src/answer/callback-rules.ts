/** Rules about the types of answers, the interactions they fit, and their time (clauses 2.11-09, 2.11-10, 6-04). */
import { isEmbedded, type ApplicationSettings } from '../command/application.ts'
import * as shape from '../command/shape.ts'
import { namedNumbers } from '../command/types.ts'
import { isNestedDeeper } from '../core/nesting.ts'
import { NO_PARAMS, rule, warning, type Broken } from '../core/rule.ts'
import { snowflakeTime } from '../core/snowflake.ts'
import { describeValue, listed, quoted } from '../core/text.ts'
import { oneOf, oneOfNumbers } from '../core/wire.ts'
import type { AnyInteraction } from '../interaction/payload.ts'
import { InteractionCallbackType, InteractionType, MessageFlag } from '../interaction/types.ts'
import { ANSWER_WITHIN, DEPTH_MAX, TOKEN_VALID } from './answer-types.ts'
import { invalidAnswer, message, slash, typing } from './examples.ts'

const {
  PONG,
  CHANNEL_MESSAGE_WITH_SOURCE,
  DEFERRED_CHANNEL_MESSAGE_WITH_SOURCE,
  DEFERRED_UPDATE_MESSAGE,
  UPDATE_MESSAGE,
  APPLICATION_COMMAND_AUTOCOMPLETE_RESULT,
  MODAL,
  PREMIUM_REQUIRED,
  LAUNCH_ACTIVITY,
} = InteractionCallbackType

const types: readonly number[] = Object.values(InteractionCallbackType)
const typeWords = namedNumbers(InteractionCallbackType)

function word(type: number): string {
  return typeWords.find((words) => words.startsWith(`${type} `)) ?? String(type)
}

/** A value as JSON text, or the error. */
export interface JsonText {
  /** The text; undefined for a value that JSON omits, and after an error. */
  readonly text?: string | undefined
  /** The error, for example for a circular value. */
  readonly error?: unknown
}

/** A value as JSON text. Calls `toJSON` of the builders of client libraries. */
export function toJsonText(value: object): JsonText {
  try {
    return { text: JSON.stringify(value) as string | undefined }
  } catch (error) {
    return { error }
  }
}

const invalidCallback = { code: 'INTERACTION_CALLBACK_INVALID', message: 'Invalid interaction callback' }

export const callbackJson = rule({
  code: 'callback.json',
  clause: 'decision 14',
  summary: 'An answer contains only values that JSON supports.',
  on: 'callback',
  check: ({ error }: JsonText) =>
    error === undefined || error instanceof RangeError ? undefined : { reason: reasonOf(error) },
  message: ({ reason }: { reason: string }) =>
    `cannot be written as JSON: ${reason}; JSON supports strings, numbers, true, false, null, lists and objects`,
  wire: invalidCallback,
  breaks: () => invalidAnswer({ ...message, data: { content: 'x', nonce: 1n } }),
})

export const callbackDepth = rule({
  code: 'callback.depth',
  clause: 'decision 14',
  limit: { max: DEPTH_MAX },
  summary: `Lists and objects of an answer are nested at most ${DEPTH_MAX} deep.`,
  on: 'callback',
  check: ({ text, error }: JsonText) =>
    error instanceof RangeError || (text !== undefined && isNestedDeeper(text, DEPTH_MAX))
      ? NO_PARAMS
      : undefined,
  message: () => `is nested too deep; at most ${DEPTH_MAX} levels of lists and objects are allowed`,
  wire: invalidCallback,
  breaks() {
    let components: readonly unknown[] = []
    // Two levels are the answer and its data.
    for (let depth = 3; depth <= DEPTH_MAX; depth++) components = [components]
    return invalidAnswer({ ...message, data: { content: 'x', components } })
  },
})

export const callbackType = rule({
  code: 'callback.type',
  clause: '2.11-09',
  summary: 'The type of an answer is a known one.',
  on: 'callback',
  check: (type: unknown) => (types.includes(type as number) ? undefined : shape.found(type)),
  message: ({ actual }: shape.Found) => `is ${actual}; the types are ${typeWords.join(', ')}`,
  wire: oneOfNumbers(types),
  breaks: (_, pick) => invalidAnswer({ type: [2, 3, 99, '4', null][pick(5)] }, 'type'),
})

const newMessage: readonly number[] = [CHANNEL_MESSAGE_WITH_SOURCE, DEFERRED_CHANNEL_MESSAGE_WITH_SOURCE]
const messageUpdate: readonly number[] = [DEFERRED_UPDATE_MESSAGE, UPDATE_MESSAGE]
const others: readonly number[] = [PREMIUM_REQUIRED, LAUNCH_ACTIVITY]

/** The types of answers for an interaction; null for an unknown type, which accepts any. */
export function fittingTypes(interaction: AnyInteraction): readonly number[] | null {
  switch (interaction.type) {
    case InteractionType.PING:
      return [PONG]
    case InteractionType.APPLICATION_COMMAND:
      return [...newMessage, MODAL, ...others]
    case InteractionType.MESSAGE_COMPONENT:
      return [...newMessage, ...messageUpdate, MODAL, ...others]
    case InteractionType.APPLICATION_COMMAND_AUTOCOMPLETE:
      return [APPLICATION_COMMAND_AUTOCOMPLETE_RESULT]
    case InteractionType.MODAL_SUBMIT:
      // A modal that a component opened accepts the answers of the component too.
      return [...newMessage, ...others, ...('message' in interaction ? messageUpdate : [])]
    default:
      return null
  }
}

export const callbackFits = rule({
  code: 'callback.fits',
  clause: '2.11-10',
  summary: 'The type of an answer fits the interaction.',
  on: 'callback',
  check: (type: number, fits: readonly number[] | null) =>
    fits === null || fits.includes(type) ? undefined : { type, fits },
  message: ({ type, fits }: { type: number; fits: readonly number[] }) =>
    `is ${word(type)}; this interaction takes ${listed(fits.map(word), 'or')}`,
  wire: ({ fits }: { type: number; fits: readonly number[] }) => oneOf(fits),
  breaks(_, pick) {
    const cases = [
      { interaction: slash, callback: { type: 8, data: { choices: [] } } },
      { interaction: slash, callback: { type: 7, data: { content: 'x' } } },
      { interaction: typing, callback: message },
      { interaction: { ...slash, type: 1 }, callback: message },
    ]
    return { body: cases[pick(4)], path: ['type'] }
  },
})

export const callbackLaunch = rule({
  code: 'callback.launch',
  clause: '6-04',
  summary: 'LAUNCH_ACTIVITY is for apps with an Activity, which have the EMBEDDED flag.',
  on: 'callback',
  context: { application: { flags: 0 } },
  check: (type: number, application: ApplicationSettings) =>
    type !== LAUNCH_ACTIVITY || isEmbedded(application) ? undefined : NO_PARAMS,
  message: () => 'is 12 LAUNCH_ACTIVITY, but the app has no Activity; enable it, or answer with a message',
  wire: { code: 'APPLICATION_NOT_EMBEDDED', message: 'Application does not have Activities enabled' },
  breaks: () => invalidAnswer({ type: LAUNCH_ACTIVITY }, 'type'),
})

export const callbackLate = rule({
  code: 'callback.late',
  clause: '2.11-09',
  limit: { max: ANSWER_WITHIN },
  summary: `The first answer arrives within ${ANSWER_WITHIN} milliseconds; a deferred one gives more time.`,
  on: 'callback',
  check: (age: number) => (age <= ANSWER_WITHIN ? undefined : { age }),
  message: ({ age }: { age: number }) =>
    `arrives after ${age} milliseconds; the first answer must arrive within ${ANSWER_WITHIN}, so defer it`,
  wire: { code: 'INTERACTION_CALLBACK_LATE', message: 'Unknown interaction' },
  breaks: () => answeredAfter(ANSWER_WITHIN + 1),
})

export const tokenExpired = rule({
  code: 'callback.token',
  clause: '2.11-09',
  limit: { max: TOKEN_VALID },
  summary: `The token of an interaction is valid for ${TOKEN_VALID} milliseconds.`,
  on: 'callback',
  check: (age: number) => (age <= TOKEN_VALID ? undefined : { age }),
  message: ({ age }: { age: number }) =>
    `arrives after ${age} milliseconds; the token was valid for ${TOKEN_VALID}`,
  wire: { code: 'INVALID_WEBHOOK_TOKEN', message: 'Invalid Webhook Token' },
  breaks: () => answeredAfter(TOKEN_VALID + 1),
})

function answeredAfter(milliseconds: number): Broken {
  const now = snowflakeTime(slash.id) + milliseconds
  return { body: { interaction: slash, callback: message, now }, path: [] }
}

function reasonOf(error: unknown): string {
  const message: unknown = error instanceof Error ? error.message : undefined
  return typeof message === 'string' ? quoted(message, 100) : describeValue(error)
}

export const deferredFlags = rule({
  code: 'deferred.flags',
  clause: '2.11-10',
  summary: 'A deferred answer sets no flag but EPHEMERAL.',
  on: 'callback',
  // Compares numbers, because bitwise operators drop bits above the 32nd.
  check: (flags: number) => (flags === 0 || flags === MessageFlag.EPHEMERAL ? undefined : { flags }),
  message: ({ flags }: { flags: number }) =>
    `is ${flags}; a deferred answer can only set EPHEMERAL, ${MessageFlag.EPHEMERAL}`,
  wire: oneOf([0, MessageFlag.EPHEMERAL]),
  breaks: () => invalidAnswer({ type: 5, data: { flags: MessageFlag.EPHEMERAL | 4 } }, 'data', 'flags'),
})

export const deferredData = warning({
  code: 'deferred.data',
  clause: '2.11-10',
  summary: 'The data of a deferred answer has only flags; other fields are ignored.',
  on: 'callback',
  check: (key: string, value: unknown) => (key === 'flags' || isUnset(value) ? undefined : { key }),
  message: ({ key }: { key: string }) =>
    `${quoted(key)} is ignored, because a deferred answer only sets flags; send it when the answer is ready`,
  breaks: () => invalidAnswer({ type: 5, data: { content: 'x' } }, 'data', 'content'),
})

export const callbackDeprecated = warning({
  code: 'callback.deprecated',
  clause: '9-03',
  summary: 'PREMIUM_REQUIRED is deprecated; a message with a premium button takes its place.',
  on: 'callback',
  check: (type: number) => (type === PREMIUM_REQUIRED ? NO_PARAMS : undefined),
  message: () =>
    'is 10 PREMIUM_REQUIRED, which is deprecated; answer with a message that has a premium button',
  breaks: () => invalidAnswer({ type: PREMIUM_REQUIRED }, 'type'),
})

/** Whether a value is one that client builders send for an unset field (clause 2.1-23). */
function isUnset(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0
  return value === null || value === false || value === ''
}

/** Rules about an answer as a whole. */
export const envelopeRules = [
  callbackJson,
  callbackDepth,
  callbackType,
  callbackFits,
  callbackLaunch,
  callbackLate,
  tokenExpired,
  deferredFlags,
  deferredData,
  callbackDeprecated,
] as const
