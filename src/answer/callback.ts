/** Validates the answers of apps (clauses 2.3-03, 2.11-09, 2.11-10, 6-04). */
import type { ApplicationSettings } from '../command/application.ts'
import { readChoices } from '../command/choice.ts'
import { admits } from '../command/types.ts'
import { Reading } from '../command/reading.ts'
import * as shape from '../command/shape.ts'
import type { Clock } from '../core/clock.ts'
import type { JsonObject } from '../core/json.ts'
import { snowflakeTime } from '../core/snowflake.ts'
import { validation, type Validation } from '../core/validation.ts'
import { focusedType } from '../interaction/options.ts'
import type { AnyInteraction } from '../interaction/payload.ts'
import { InteractionCallbackType } from '../interaction/types.ts'
import type { AnswerMessage, CallbackContext, InteractionCallback } from './answer-types.ts'
import {
  callbackDeprecated,
  callbackDepth,
  callbackFits,
  callbackJson,
  callbackLate,
  callbackLaunch,
  callbackType,
  deferredData,
  deferredFlags,
  envelopeRules,
  fittingTypes,
  tokenExpired,
  toJsonText,
} from './callback-rules.ts'
import { componentRules } from './component-body.ts'
import { messageRules, readMessage } from './message-body.ts'
import { modalRules, readModal } from './modal-body.ts'

/** The rules about answers; they join the catalogue. */
export const callbackRules = [...envelopeRules, ...messageRules, ...componentRules, ...modalRules] as const

const {
  CHANNEL_MESSAGE_WITH_SOURCE,
  DEFERRED_CHANNEL_MESSAGE_WITH_SOURCE,
  UPDATE_MESSAGE,
  APPLICATION_COMMAND_AUTOCOMPLETE_RESULT,
  MODAL,
} = InteractionCallbackType

/** The circumstances of an answer that arrives now. Without a clock, its time is not checked. */
export function contextAt(
  clock: Clock | undefined,
  application: ApplicationSettings | undefined,
): CallbackContext {
  return { ...(clock && { now: clock.now() }), ...(application && { application }) }
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
  const reading = new Reading(context)
  const source = readJson(reading, callback)
  if (source === undefined) return validation<InteractionCallback>(undefined, reading, callback)
  checkTime(reading, interaction, context.now, true)
  const { type } = source
  if (reading.run(callbackType, type, 'type')) {
    checkType(reading, interaction, type as number)
    reading.at(['data'], () => readData(reading, interaction, type as number, source.data))
  }
  return validation(source as unknown as InteractionCallback, reading, source)
}

/** Checks a follow-up message, or the message of a deferred answer. */
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

/** A copy through JSON; undefined after an issue. */
function readJson(reading: Reading, value: unknown): JsonObject | undefined {
  let copy = value
  if (typeof value === 'object' && value !== null) {
    const json = toJsonText(value)
    if (!reading.run(callbackDepth, json) || !reading.run(callbackJson, json)) return undefined
    copy = json.text === undefined ? undefined : JSON.parse(json.text)
  }
  return reading.run(shape.object, copy) ? copy : undefined
}

function checkTime(
  reading: Reading,
  { id }: AnyInteraction,
  now: number | undefined,
  isFirst: boolean,
): void {
  if (now === undefined) return
  const age = Math.floor(now) - snowflakeTime(id)
  if (reading.run(tokenExpired, age) && isFirst) reading.run(callbackLate, age)
}

function checkType(reading: Reading, interaction: AnyInteraction, type: number): void {
  if (reading.run(callbackFits, type, fittingTypes(interaction), 'type'))
    reading.run(callbackLaunch, type, reading.application, 'type')
  reading.run(callbackDeprecated, type, 'type')
}

function readData(reading: Reading, interaction: AnyInteraction, type: number, data: unknown): void {
  switch (type) {
    case CHANNEL_MESSAGE_WITH_SOURCE:
    case UPDATE_MESSAGE:
      if (reading.required(shape.object, data))
        readMessage(reading, data, type === CHANNEL_MESSAGE_WITH_SOURCE)
      return
    case DEFERRED_CHANNEL_MESSAGE_WITH_SOURCE:
      if (reading.optional(shape.object, data)) readDeferred(reading, data)
      return
    case APPLICATION_COMMAND_AUTOCOMPLETE_RESULT:
      if (reading.required(shape.object, data)) readSuggestions(reading, interaction, data)
      return
    case MODAL:
      if (reading.required(shape.object, data)) readModal(reading, data)
  }
}

function readDeferred(reading: Reading, data: JsonObject): void {
  for (const key in data) reading.run(deferredData, key, data[key], key)
  const { flags } = data
  if (reading.optional(shape.integer, flags, 'flags')) reading.run(deferredFlags, flags, 'flags')
}

function readSuggestions(reading: Reading, interaction: AnyInteraction, { choices }: JsonObject): void {
  if (!reading.required(shape.list, choices, 'choices')) return
  const type = focusedType(interaction)
  readChoices(reading, choices, type === undefined ? undefined : admits[type]?.range)
}
