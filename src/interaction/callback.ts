/** What an app may answer, and until when (clauses 2.3-03, 6-04; service facts 7.3). */
import { isEmbedded, type ApplicationSettings } from '../command/application.ts'
import { readChoices } from '../command/choice.ts'
import type { CommandChoice } from '../command/definition.ts'
import { admits, CommandType, HandlerType } from '../command/kinds.ts'
import { Reading } from '../command/reading.ts'
import * as shape from '../command/shape.ts'
import { deepFreeze } from '../core/freeze.ts'
import { isObject, type JsonObject } from '../core/json.ts'
import { isNestedDeeper } from '../core/nesting.ts'
import { rule, warning, type Rule } from '../core/rule.ts'
import { snowflakeTime } from '../core/snowflake.ts'
import { counted, countCharacters, described, fits, listed, quoted } from '../core/text.ts'
import { validation, type Validation } from '../core/validation.ts'
import { badLength, maxLength, oneOf, oneOfNumbers } from '../core/wire.ts'
import { InteractionCallbackType, InteractionType, MessageFlag } from './kinds.ts'
import { focusedType } from './options.ts'
import type { AnyInteraction } from './payload.ts'

/** Milliseconds an app has for its first answer. */
export const ANSWER_WITHIN = 3_000
/** Milliseconds the token of an interaction is good for. */
export const TOKEN_VALID = 900_000
/** How deep lists and objects of an answer may stand inside one another. */
export const DEPTH_MAX = 100

const CONTENT_MAX = 2_000
const EMBEDS_MAX = 10
const CUSTOM_ID_MIN = 1
const CUSTOM_ID_MAX = 100
const TITLE_MAX = 45
const COMPONENTS_MIN = 1
const COMPONENTS_MAX = 5

// --- What an answer is --------------------------------------------------------------------------------------

/** A message of an app. Fields that are not looked at here are kept as they are. */
export interface AnswerMessage {
  readonly content?: string | null
  readonly embeds?: readonly object[] | null
  readonly components?: readonly object[] | null
  readonly flags?: number
  readonly [field: string]: unknown
}

export interface AnswerModal {
  readonly custom_id: string
  readonly title: string
  readonly components: readonly object[]
  readonly [field: string]: unknown
}

type Type = typeof InteractionCallbackType

export type InteractionCallback =
  | { readonly type: Type['PONG'] }
  | {
      readonly type: Type['CHANNEL_MESSAGE_WITH_SOURCE'] | Type['UPDATE_MESSAGE']
      readonly data: AnswerMessage
    }
  | {
      readonly type: Type['DEFERRED_CHANNEL_MESSAGE_WITH_SOURCE']
      readonly data?: { readonly flags?: number } | null
    }
  | { readonly type: Type['DEFERRED_UPDATE_MESSAGE'] }
  | {
      readonly type: Type['APPLICATION_COMMAND_AUTOCOMPLETE_RESULT']
      readonly data: { readonly choices: readonly CommandChoice[] }
    }
  | { readonly type: Type['MODAL']; readonly data: AnswerModal }
  | { readonly type: Type['PREMIUM_REQUIRED'] }
  | { readonly type: Type['LAUNCH_ACTIVITY'] }

/** What decides whether an answer is right, beside the answer itself. */
export interface CallbackContext {
  /** Milliseconds since 1970 at which the answer arrives. Absent: in time. */
  readonly now?: number
  /** What the service knows of the app. Default: an app to which everything is allowed. */
  readonly application?: ApplicationSettings
}

// --- Rules --------------------------------------------------------------------------------------------------

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
const typeWords = Object.entries(InteractionCallbackType).map(([name, value]) => `${value} ${name}`)

function word(type: number): string {
  return typeWords.find((words) => words.startsWith(`${type} `)) ?? String(type)
}

const slash = /* @__PURE__ */ deepFreeze({
  id: '0',
  application_id: '1',
  token: 't',
  type: 2,
  data: { id: '2', name: 'a', type: 1 },
})
const typing = /* @__PURE__ */ deepFreeze({
  ...slash,
  type: 4,
  data: { ...slash.data, options: [{ name: 'o', type: 3, value: '', focused: true }] },
})
const message = /* @__PURE__ */ deepFreeze({ type: CHANNEL_MESSAGE_WITH_SOURCE, data: { content: 'x' } })

/** What came of writing a value as JSON. */
export interface Written {
  /** Nothing for what JSON leaves out, and for what cannot be written. */
  readonly text?: string | undefined
  /** What came in the way. Values that hold themselves are found out before the stack overflows. */
  readonly error?: unknown
}

/** A value as JSON, which asks builders of client libraries what they send. */
function written(value: object): Written {
  try {
    return { text: JSON.stringify(value) as string | undefined }
  } catch (error) {
    return { error }
  }
}

const invalidCallback = { code: 'INTERACTION_CALLBACK_INVALID', message: 'Invalid interaction callback' }

export const callbackJson = rule({
  code: 'callback.json',
  clause: '2.11',
  summary: 'An answer holds nothing but what JSON can carry.',
  on: 'callback',
  check: ({ error }: Written) => error === undefined || error instanceof RangeError,
  message: ({ reason }: { reason: string }) =>
    `cannot be written as JSON: ${reason}; JSON carries strings, numbers, true, false, null, lists and objects`,
  wire: invalidCallback,
  breaks: () => ({
    body: { interaction: slash, callback: { ...message, data: { content: 'x', nonce: 1n } } },
    path: [],
  }),
})

export const callbackDepth = rule({
  code: 'callback.depth',
  clause: '2.11',
  limit: { max: DEPTH_MAX },
  summary: `Lists and objects of an answer stand inside one another at most ${DEPTH_MAX} deep.`,
  on: 'callback',
  check: ({ text, error }: Written) =>
    !(error instanceof RangeError) && (text === undefined || !isNestedDeeper(text, DEPTH_MAX)),
  message: () => `is nested too deep; lists and objects can stand ${DEPTH_MAX} deep inside one another`,
  wire: invalidCallback,
  breaks() {
    let components: readonly unknown[] = []
    // Two levels are the answer and its data.
    for (let depth = 3; depth <= DEPTH_MAX; depth++) components = [components]
    return {
      body: { interaction: slash, callback: { ...message, data: { content: 'x', components } } },
      path: [],
    }
  },
})

export const callbackType = rule({
  code: 'callback.type',
  clause: '2.11',
  summary: 'The type of an answer is one there is.',
  on: 'callback',
  check: (type: unknown) => types.includes(type as number),
  message: ({ actual }: shape.Found) => `is ${actual}; the types are ${typeWords.join(', ')}`,
  wire: oneOfNumbers(types),
  breaks: (_, pick) => ({
    body: { interaction: slash, callback: { type: [2, 3, 99, '4', null][pick(5)] } },
    path: ['type'],
  }),
})

/** The answers each kind of interaction takes. */
const fitting: ReadonlyMap<number, readonly number[]> = new Map<number, readonly number[]>([
  [InteractionType.PING, [PONG]],
  [
    InteractionType.APPLICATION_COMMAND,
    [
      CHANNEL_MESSAGE_WITH_SOURCE,
      DEFERRED_CHANNEL_MESSAGE_WITH_SOURCE,
      MODAL,
      PREMIUM_REQUIRED,
      LAUNCH_ACTIVITY,
    ],
  ],
  [
    InteractionType.MESSAGE_COMPONENT,
    [
      CHANNEL_MESSAGE_WITH_SOURCE,
      DEFERRED_CHANNEL_MESSAGE_WITH_SOURCE,
      DEFERRED_UPDATE_MESSAGE,
      UPDATE_MESSAGE,
      MODAL,
      PREMIUM_REQUIRED,
      LAUNCH_ACTIVITY,
    ],
  ],
  [InteractionType.APPLICATION_COMMAND_AUTOCOMPLETE, [APPLICATION_COMMAND_AUTOCOMPLETE_RESULT]],
  [
    InteractionType.MODAL_SUBMIT,
    [CHANNEL_MESSAGE_WITH_SOURCE, DEFERRED_CHANNEL_MESSAGE_WITH_SOURCE, PREMIUM_REQUIRED, LAUNCH_ACTIVITY],
  ],
])

/** The answers an interaction takes; null for a kind that is not known, which takes any. */
function fittingTypes(interaction: AnyInteraction): readonly number[] | null {
  const found = fitting.get(interaction.type) ?? null
  // A modal that a component opened can be answered as the component can.
  const hasMessage = interaction.type === InteractionType.MODAL_SUBMIT && 'message' in interaction
  return found !== null && hasMessage ? [...found, DEFERRED_UPDATE_MESSAGE, UPDATE_MESSAGE] : found
}

export const callbackFits = rule({
  code: 'callback.fits',
  clause: '2.11',
  summary: 'An answer is of a type that goes with the interaction.',
  on: 'callback',
  check: (type: number, fits: readonly number[] | null) => fits === null || fits.includes(type),
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
  summary: 'Only apps that have an Activity, with the EMBEDDED flag, answer with LAUNCH_ACTIVITY.',
  on: 'callback',
  context: { application: { flags: 0 } },
  check: (type: number, application: ApplicationSettings) =>
    type !== LAUNCH_ACTIVITY || isEmbedded(application),
  message: () => 'is 12 LAUNCH_ACTIVITY, but the app has no Activity; enable it, or answer with a message',
  wire: { code: 'APPLICATION_NOT_EMBEDDED', message: 'Application does not have Activities enabled' },
  breaks: () => ({ body: { interaction: slash, callback: { type: LAUNCH_ACTIVITY } }, path: ['type'] }),
})

export const callbackLate = rule({
  code: 'callback.late',
  clause: '2.11',
  limit: { max: ANSWER_WITHIN },
  summary: `The first answer comes within ${ANSWER_WITHIN} milliseconds; a deferred one gives more time.`,
  on: 'callback',
  check: (age: number) => age <= ANSWER_WITHIN,
  message: ({ age }: { age: number }) =>
    `comes after ${age} milliseconds; the first answer has to come within ${ANSWER_WITHIN}, so defer it`,
  wire: { code: 'INTERACTION_CALLBACK_LATE', message: 'Unknown interaction' },
  breaks: () => ({
    body: { interaction: slash, callback: message, now: snowflakeTime(slash.id) + ANSWER_WITHIN + 1 },
    path: [],
  }),
})

export const tokenExpired = rule({
  code: 'callback.token',
  clause: '2.11',
  limit: { max: TOKEN_VALID },
  summary: `The token of an interaction is good for ${TOKEN_VALID} milliseconds.`,
  on: 'callback',
  check: (age: number) => age <= TOKEN_VALID,
  message: ({ age }: { age: number }) =>
    `comes after ${age} milliseconds; the token was good for ${TOKEN_VALID}`,
  wire: { code: 'INVALID_WEBHOOK_TOKEN', message: 'Invalid Webhook Token' },
  breaks: () => ({
    body: { interaction: slash, callback: message, now: snowflakeTime(slash.id) + TOKEN_VALID + 1 },
    path: [],
  }),
})

/* @__NO_SIDE_EFFECTS__ */
function textLength<const Code extends string>(
  code: Code,
  what: string,
  min: number,
  max: number,
  breaks: (text: string) => { readonly body: object; readonly path: readonly string[] },
): Rule<Code, { actual: number }, [text: string]> {
  return rule({
    code,
    clause: '2.11',
    limit: min === 0 ? { max } : { min, max },
    summary: `${what} has ${min === 0 ? `at most ${max}` : `${min} to ${max}`} characters.`,
    on: 'callback',
    check: (text: string) => fits(text, max) && text.length >= min,
    message: ({ actual }: { actual: number }) =>
      actual < min
        ? `is empty; at least ${counted(min, 'character')} is needed`
        : `has ${counted(actual, 'character')}; at most ${max} are allowed`,
    wire: min === 0 ? maxLength(max) : badLength(min, max),
    breaks: (_, pick) => breaks(min > 0 && pick(2) === 0 ? '' : 'x'.repeat(max + 1)),
  })
}

const modal = { type: MODAL, data: { custom_id: 'c', title: 't', components: [{ type: 1, components: [] }] } }

function modalWith(field: string, value: unknown) {
  return {
    body: { interaction: slash, callback: { ...modal, data: { ...modal.data, [field]: value } } },
    path: ['data', field],
  }
}

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
export const modalId = textLength(
  'modal.custom_id',
  'The id of a modal',
  CUSTOM_ID_MIN,
  CUSTOM_ID_MAX,
  (text) => modalWith('custom_id', text),
)
export const modalTitle = textLength('modal.title', 'The title of a modal', 0, TITLE_MAX, (text) =>
  modalWith('title', text),
)

export const messageEmbeds = rule({
  code: 'message.embeds',
  clause: '2.11',
  limit: { max: EMBEDS_MAX },
  summary: `A message has at most ${EMBEDS_MAX} embeds.`,
  on: 'callback',
  check: (count: number) => count <= EMBEDS_MAX,
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
  clause: '2.11',
  summary: 'A message says something.',
  on: 'callback',
  check: (data: JsonObject) =>
    ['content', 'embeds', 'components', 'attachments', 'sticker_ids', 'poll', 'shared_client_theme'].some(
      (field) => {
        const value = data[field]
        return typeof value === 'string' || Array.isArray(value) ? value.length > 0 : isObject(value)
      },
    ),
  message: () => 'has no content, no embeds, no components and no attachments: there is nothing to see',
  breaks: () => ({
    body: { interaction: slash, callback: { ...message, data: { tts: true } } },
    path: ['data'],
  }),
})

export const modalComponents = rule({
  code: 'modal.components',
  clause: '2.11',
  limit: { min: COMPONENTS_MIN, max: COMPONENTS_MAX },
  summary: `A modal has ${COMPONENTS_MIN} to ${COMPONENTS_MAX} components.`,
  on: 'callback',
  check: (count: number) => count >= COMPONENTS_MIN && count <= COMPONENTS_MAX,
  message: ({ actual }: { actual: number }) =>
    `has ${counted(actual, 'component')}; ${COMPONENTS_MIN} to ${COMPONENTS_MAX} are allowed`,
  wire: badLength(COMPONENTS_MIN, COMPONENTS_MAX),
  breaks: (_, pick) =>
    modalWith(
      'components',
      Array.from({ length: pick(2) === 0 ? 0 : COMPONENTS_MAX + 1 }, () => ({ type: 1 })),
    ),
})

export const deferredFlags = rule({
  code: 'deferred.flags',
  clause: '2.11',
  summary: 'A deferred answer sets EPHEMERAL and nothing else.',
  on: 'callback',
  // Not by its bits: those above the 32nd are lost on the way to an operator.
  check: (flags: number) => flags === 0 || flags === MessageFlag.EPHEMERAL,
  message: ({ flags }: { flags: number }) =>
    `is ${flags}; a deferred answer can only set EPHEMERAL, ${MessageFlag.EPHEMERAL}`,
  wire: oneOf([0, MessageFlag.EPHEMERAL]),
  breaks: () => ({
    body: { interaction: slash, callback: { type: 5, data: { flags: MessageFlag.EPHEMERAL | 4 } } },
    path: ['data', 'flags'],
  }),
})

export const deferredData = warning({
  code: 'deferred.data',
  clause: '2.11',
  summary: 'The data of a deferred answer holds its flags; whatever else is there is ignored.',
  on: 'callback',
  check: (key: string, value: unknown) => key === 'flags' || saysNothing(value),
  message: ({ key }: { key: string }) =>
    `${quoted(key)} is ignored, because a deferred answer only sets flags; send it when the answer is ready`,
  breaks: () => ({
    body: { interaction: slash, callback: { type: 5, data: { content: 'x' } } },
    path: ['data', 'content'],
  }),
})

export const callbackDeprecated = warning({
  code: 'callback.deprecated',
  clause: '2.11',
  summary: 'PREMIUM_REQUIRED is deprecated; a message with a premium button takes its place.',
  on: 'callback',
  check: (type: number) => type !== PREMIUM_REQUIRED,
  message: () =>
    'is 10 PREMIUM_REQUIRED, which is deprecated; answer with a message that has a premium button',
  breaks: () => ({ body: { interaction: slash, callback: { type: PREMIUM_REQUIRED } }, path: ['type'] }),
})

/** The rules about answers; they join the catalogue. */
export const callbackRules = [
  callbackJson,
  callbackDepth,
  callbackType,
  callbackFits,
  callbackLaunch,
  callbackLate,
  tokenExpired,
  messageContent,
  messageEmbeds,
  messageEmpty,
  modalId,
  modalTitle,
  modalComponents,
  deferredFlags,
  deferredData,
  callbackDeprecated,
] as const

/** What clients' builders send for a field they were not told of (clause 2.1-23). */
function saysNothing(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0
  return value === null || value === false || value === ''
}

// --- Reading --------------------------------------------------------------------------------------------------

/**
 * Checks an app's first answer to an interaction: its type, its data, and with `now` whether it is in time, by
 * the moment in the interaction's id.
 *
 * @param callback anything: what the endpoint answered, or what a client library built
 */
export function validateCallback(
  interaction: AnyInteraction,
  callback: unknown,
  context: CallbackContext = {},
): Validation<InteractionCallback> {
  const reading = new Reading(context)
  const source = readJson(reading, callback)
  if (source === undefined) return validation<InteractionCallback>(undefined, reading, callback)
  checkTime(reading, interaction, context.now, true)
  const { type } = source
  if (!callbackType.check(type)) reading.add(callbackType, shape.found(type), 'type')
  else {
    checkType(reading, interaction, type as number)
    reading.path[0] = 'data'
    reading.depth = 1
    readData(reading, interaction, type as number, source.data)
    reading.depth = 0
  }
  return validation(source as unknown as InteractionCallback, reading, source)
}

/** Checks a message that follows the first answer, or takes its place once it was deferred. */
export function validateFollowUp(
  interaction: AnyInteraction,
  message: unknown,
  context: CallbackContext = {},
): Validation<AnswerMessage> {
  const reading = new Reading(context)
  const source = readJson(reading, message)
  if (source === undefined) return validation<AnswerMessage>(undefined, reading, message)
  checkTime(reading, interaction, context.now, false)
  readMessage(reading, source, true)
  return validation(source as AnswerMessage, reading, source)
}

/** A copy as JSON carries it, or nothing after saying why there is none. */
function readJson(reading: Reading, value: unknown): JsonObject | undefined {
  if (typeof value !== 'object' || value === null) return reading.object(value)
  const json = written(value)
  if (!callbackDepth.check(json)) reading.add(callbackDepth, {})
  else if (!callbackJson.check(json)) reading.add(callbackJson, { reason: reasonOf(json.error) })
  else return reading.object(json.text === undefined ? undefined : JSON.parse(json.text))
  return undefined
}

function reasonOf(error: unknown): string {
  const message: unknown = error instanceof Error ? error.message : undefined
  return typeof message === 'string' ? quoted(message, 100) : described(error)
}

function checkTime(
  reading: Reading,
  { id }: AnyInteraction,
  now: number | undefined,
  isFirst: boolean,
): void {
  if (now === undefined) return
  const age = Math.floor(now) - snowflakeTime(id)
  if (!tokenExpired.check(age)) reading.add(tokenExpired, { age })
  else if (isFirst && !callbackLate.check(age)) reading.add(callbackLate, { age })
}

function checkType(reading: Reading, interaction: AnyInteraction, type: number): void {
  const fits = fittingTypes(interaction)
  if (!callbackFits.check(type, fits)) reading.add(callbackFits, { type, fits: fits! }, 'type')
  else if (!callbackLaunch.check(type, reading.application)) reading.add(callbackLaunch, {}, 'type')
  if (!callbackDeprecated.check(type)) reading.add(callbackDeprecated, {}, 'type')
}

function readData(reading: Reading, interaction: AnyInteraction, type: number, data: unknown): void {
  switch (type) {
    case CHANNEL_MESSAGE_WITH_SOURCE:
    case UPDATE_MESSAGE: {
      const message = needed(reading, data)
      return message && readMessage(reading, message, type === CHANNEL_MESSAGE_WITH_SOURCE)
    }
    case DEFERRED_CHANNEL_MESSAGE_WITH_SOURCE:
      if (data !== undefined && data !== null) readDeferred(reading, data)
      return
    case APPLICATION_COMMAND_AUTOCOMPLETE_RESULT: {
      const result = needed(reading, data)
      return result && readSuggestions(reading, interaction, result)
    }
    case MODAL: {
      const content = needed(reading, data)
      return content && readModal(reading, content)
    }
  }
}

/** The data of an answer that needs some, or nothing after saying that there is none. */
function needed(reading: Reading, data: unknown): JsonObject | undefined {
  return reading.is(shape.present, data) ? reading.object(data) : undefined
}

/** @param whole whether the message stands for itself; an update may leave out what it keeps */
function readMessage(reading: Reading, data: JsonObject, whole: boolean): void {
  const { content, embeds, flags } = data
  if (content !== undefined && content !== null && reading.is<string>(shape.string, content, 'content')) {
    if (!messageContent.check(content)) {
      reading.add(messageContent, { actual: countCharacters(content) }, 'content')
    }
  }
  if (
    embeds !== undefined &&
    embeds !== null &&
    reading.is<readonly unknown[]>(shape.list, embeds, 'embeds')
  ) {
    if (!messageEmbeds.check(embeds.length)) reading.add(messageEmbeds, { actual: embeds.length }, 'embeds')
  }
  if (flags !== undefined && flags !== null) reading.is(shape.integer, flags, 'flags')
  if (whole && !messageEmpty.check(data)) reading.add(messageEmpty, {})
}

function readDeferred(reading: Reading, data: unknown): void {
  const fields = reading.object(data)
  if (fields === undefined) return
  for (const [key, value] of Object.entries(fields)) {
    if (!deferredData.check(key, value)) reading.add(deferredData, { key }, key)
  }
  const { flags } = fields
  if (flags === undefined || flags === null || !reading.is<number>(shape.integer, flags, 'flags')) return
  if (!deferredFlags.check(flags)) reading.add(deferredFlags, { flags }, 'flags')
}

function readSuggestions(reading: Reading, interaction: AnyInteraction, { choices }: JsonObject): void {
  if (!reading.is(shape.present, choices, 'choices')) return
  if (!reading.is<readonly unknown[]>(shape.list, choices, 'choices')) return
  const type = focusedType(interaction)
  readChoices(reading, choices, type === undefined ? undefined : admits[type]?.range)
}

function readModal(reading: Reading, { custom_id, title, components }: JsonObject): void {
  for (const [key, value, length] of [
    ['custom_id', custom_id, modalId],
    ['title', title, modalTitle],
  ] as const) {
    if (!reading.is(shape.present, value, key) || !reading.is<string>(shape.string, value, key)) continue
    if (!length.check(value)) reading.add(length, { actual: countCharacters(value) }, key)
  }
  if (!reading.is(shape.present, components, 'components')) return
  if (!reading.is<readonly unknown[]>(shape.list, components, 'components')) return
  if (!modalComponents.check(components.length)) {
    reading.add(modalComponents, { actual: components.length }, 'components')
  }
}

/** Whether the service answers a command itself and the app is not asked (clause 2.3-03). */
export function isHandledByService(command: {
  readonly type?: CommandType
  readonly handler?: HandlerType
}): boolean {
  return (
    command.type === CommandType.PRIMARY_ENTRY_POINT &&
    command.handler === HandlerType.SERVICE_LAUNCH_ACTIVITY
  )
}
