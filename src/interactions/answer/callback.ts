/** Validates the answers of apps (clauses 2.3-03, 2.11-09, 2.11-10, 2.11-12, 6-04). */
import { readChoices } from '../../commands/definition/fields/choice.ts'
import { optionTraits } from '../../model/command-types.ts'
import { Reading } from '../../commands/definition/rules/reading.ts'
import * as shape from '../../core/rules/shape-rules.ts'
import { isObject, type JsonObject } from '../../core/json.ts'
import { aFunction, argument, demandObject, listArgument, optionsOf } from '../../core/rules/arguments.ts'
import { optional } from '../../core/rules/readers.ts'
import type { Range } from '../../core/rules/rule.ts'
import { snowflakeTime } from '../../core/snowflake.ts'
import { validation, type Validation } from '../../core/rules/validation.ts'
import { focusedType } from '../usage/option-values.ts'
import type { AnyInteraction } from '../../model/interaction-payload.ts'
import { InteractionCallbackType } from '../../model/interaction-types.ts'
import { someSettings } from '../../model/server-checks.ts'
import type { AnswerMessage, CallbackContext, InteractionCallback } from '../../model/answer-types.ts'
import { envelopeRules as rules, fittingTypes, toJsonText } from './callback-rules.ts'
import { readModal } from './component-body.ts'
import { readNames } from './message-fields.ts'
import { readMessageBody, type MessageBase } from './message-body.ts'
import { partsOf } from './component-parts.ts'
import { referenceRules } from './reference-rules.ts'
import { readParts, type ReferenceBase } from './references.ts'

const {
  CHANNEL_MESSAGE_WITH_SOURCE,
  DEFERRED_CHANNEL_MESSAGE_WITH_SOURCE,
  UPDATE_MESSAGE,
  APPLICATION_COMMAND_AUTOCOMPLETE_RESULT,
  MODAL,
} = InteractionCallbackType

const now = /* @__PURE__ */ optional(argument<number>('milliseconds since 1970', Number.isFinite))
const aFile = /* @__PURE__ */ argument('a file with its key', (file) => typeof file?.key === 'string')
const files = /* @__PURE__ */ optional(/* @__PURE__ */ listArgument(aFile, 'a list of files'))
/* @__NO_SIDE_EFFECTS__ */
function readContext(caller: string): (context: CallbackContext) => CallbackContext {
  return optionsOf<CallbackContext>(caller, {
    now,
    application: someSettings,
    files,
    hasEmoji: optional(aFunction),
  })
}
const contextOf = {
  validateCallback: /* @__PURE__ */ readContext('validateCallback'),
  validateFollowUp: /* @__PURE__ */ readContext('validateFollowUp'),
}

/**
 * Checks an app's first answer to an interaction: its type, its data, and with `now` whether it is in time, by
 * the time in the interaction's id.
 *
 * @param callback any value: the body of a response, or the result of a client library
 */
export function validateCallback(
  interaction: AnyInteraction,
  callback: unknown,
  context: CallbackContext = {},
): Validation<InteractionCallback> {
  demandObject(interaction, 'interaction')
  const { now, files, hasEmoji } = contextOf.validateCallback(context)
  const reading = new Reading(context)
  const sent = bodyAsJson(reading, callback)
  if (sent === undefined) return validation<InteractionCallback>(undefined, reading, callback)
  const source = withNumericChoices(sent, numbersOf(interaction))
  checkTime(reading, interaction, now, true)
  const type = source.type as number
  const isKnown = reading.at('type', () => {
    if (!reading.check(rules.callbackType, type)) return false
    if (reading.check(rules.callbackFits, type, fittingTypes(interaction)))
      reading.check(rules.callbackLaunch, type, reading.application)
    reading.check(rules.callbackDeprecated, type)
    reading.check(referenceRules.callbackSku, type)
    return true
  })
  if (isKnown)
    reading.at('data', () => readData(reading, interaction, type, source.data, { files, hasEmoji }))
  return validation(source as unknown as InteractionCallback, reading, source)
}

/** Checks a follow-up message, or the message of a deferred answer. */
export function validateFollowUp(
  interaction: AnyInteraction,
  message: unknown,
  context: CallbackContext = {},
): Validation<AnswerMessage> {
  demandObject(interaction, 'interaction')
  const { now, files, hasEmoji } = contextOf.validateFollowUp(context)
  return validateBody(message, { before: null, files, hasEmoji }, (reading) =>
    checkTime(reading, interaction, now, false),
  )
}

/** Checks a message that answers no interaction: the body of POST /channels/{id}/messages. */
export function validateMessage(
  message: unknown,
  limits: Omit<MessageBase, 'before'> = {},
): Validation<AnswerMessage> {
  return validateBody(message, { before: null, ...limits })
}

/** Checks an edit of a message. */
export function validateEdit(
  before: object,
  message: unknown,
  limits: Omit<MessageBase, 'before'> = {},
): Validation<AnswerMessage> {
  return validateBody(message, { before: before as JsonObject, ...limits })
}

function validateBody(
  message: unknown,
  base: MessageBase,
  check?: (reading: Reading) => void,
): Validation<AnswerMessage> {
  const reading = new Reading({})
  const source = bodyAsJson(reading, message)
  if (source === undefined) return validation<AnswerMessage>(undefined, reading, message)
  check?.(reading)
  readMessageBody(reading, source, base)
  return validation(source as AnswerMessage, reading, source)
}

/** A copy through JSON; undefined after an issue. */
function bodyAsJson(reading: Reading, value: unknown): JsonObject | undefined {
  let copy = value
  if (typeof value === 'object' && value !== null) {
    const json = toJsonText(value)
    if (!reading.check(rules.callbackDepth, json) || !reading.check(rules.callbackJson, json))
      return undefined
    copy = json.text === undefined ? undefined : JSON.parse(json.text)
  }
  return reading.check(shape.object, copy) ? copy : undefined
}

function checkTime(reading: Reading, { id }: AnyInteraction, now: number | undefined, isFirst: boolean) {
  if (now === undefined) return
  const age = Math.floor(now) - snowflakeTime(id)
  if (reading.check(rules.tokenExpired, age) && isFirst) reading.check(rules.callbackLate, age)
}

function readData(
  reading: Reading,
  interaction: AnyInteraction,
  type: number,
  data: unknown,
  known: Omit<ReferenceBase, 'before'>,
): void {
  switch (type) {
    case CHANNEL_MESSAGE_WITH_SOURCE:
    case UPDATE_MESSAGE:
      if (reading.required(shape.object, data))
        readMessageBody(reading, data, {
          before: type === UPDATE_MESSAGE ? usedMessage(interaction) : null,
          ...known,
        })
      return
    case DEFERRED_CHANNEL_MESSAGE_WITH_SOURCE:
      if (reading.optional(shape.object, data)) readDeferred(reading, data)
      return
    case APPLICATION_COMMAND_AUTOCOMPLETE_RESULT:
      if (reading.required(shape.object, data))
        reading.at('choices', () => {
          if (!reading.required(shape.list, data.choices)) return
          readNames(reading, data.choices)
          readChoices(reading, data.choices, numbersOf(interaction))
        })
      return
    case MODAL:
      if (!reading.required(shape.object, data)) return
      readModal(reading, data)
      if (Array.isArray(data.components)) readParts(reading, partsOf(data.components, ['components']), known)
  }
}

/** The numbers that the focused option takes; null for one of texts, undefined without one. */
function numbersOf(interaction: AnyInteraction): Range | null | undefined {
  const option = focusedType(interaction)
  return option === undefined ? undefined : optionTraits[option]?.range
}

const NUMERIC = /^[+-]?\d+(?:\.\d+)?$/

/** An answer whose suggestions for an option of numbers have numbers in place of texts such as `"12"`. */
function withNumericChoices(source: JsonObject, numbers: Range | null | undefined): JsonObject {
  const { data } = source
  if (!numbers || !isObject(data) || !Array.isArray(data.choices)) return source
  const choices = data.choices.map((choice: unknown) =>
    isObject(choice) && typeof choice.value === 'string' && NUMERIC.test(choice.value)
      ? { ...choice, value: Number(choice.value) }
      : choice,
  )
  return { ...source, data: { ...data, choices } }
}

/** The message whose component was used. */
function usedMessage(interaction: AnyInteraction): JsonObject | null {
  const { message } = interaction as { readonly message?: unknown }
  return isObject(message) ? message : null
}

function readDeferred(reading: Reading, data: JsonObject): void {
  for (const key in data) reading.at(key, () => reading.check(rules.deferredData, key, data[key]))
  const { flags } = data
  reading.at(
    'flags',
    () => reading.optional(shape.integer, flags) && reading.check(rules.deferredFlags, flags),
  )
}
