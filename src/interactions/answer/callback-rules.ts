/** Rules about the types of answers, the interactions they fit, and their time (clauses 2.11-09, 2.11-10, 6-04). */
import { isEmbedded, type ApplicationSettings } from '../../model/application.ts'
import { isNestedTooDeep, MAX_JSON_DEPTH } from '../../core/json.ts'
import { oneOfMembers, namedNumbers } from '../../core/rules/rule-kinds.ts'
import { NO_PARAMS, rule, warning } from '../../core/rules/rule.ts'
import { describeValue, listed, quoted } from '../../core/text.ts'
import { mustBeOneOf } from '../../core/rules/wire-errors.ts'
import { MODAL_CALLBACKS, since } from '../../model/platform.ts'
import type { AnyInteraction } from '../../model/interaction-payload.ts'
import { InteractionCallbackType, InteractionType, MessageFlag } from '../../model/interaction-types.ts'
import { ANSWER_TIMEOUT, TOKEN_VALID } from '../../model/answer-types.ts'

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

const typeWords = namedNumbers(InteractionCallbackType)

function word(type: number): string {
  return typeWords.find((words) => words.startsWith(`${type} `)) ?? String(type)
}

export interface JsonText {
  /** The text; undefined for a value that JSON omits, and after an error. */
  readonly text?: string | undefined
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
      // Any modal can be closed without a visible change. Only that of a component has a message to update.
      return [
        ...newMessage,
        ...others,
        DEFERRED_UPDATE_MESSAGE,
        ...('message' in interaction ? [UPDATE_MESSAGE] : []),
      ]
    default:
      return null
  }
}

function thrownText(error: unknown): string {
  const message: unknown = error instanceof Error ? error.message : undefined
  return typeof message === 'string' ? quoted(message, 100) : describeValue(error)
}

/** Whether a value is one that client builders send for an unset field (clause 2.1-23). */
function isUnset(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0
  return value === null || value === false || value === ''
}

export const envelopeRules = {
  callbackJson: rule({
    code: 'callback.json',
    clause: 'decision 14',
    summary: 'An answer contains only values that JSON supports.',
    check: ({ error }: JsonText) =>
      error === undefined || error instanceof RangeError ? undefined : { reason: thrownText(error) },
    message: ({ reason }) =>
      `cannot be written as JSON: ${reason}; JSON supports strings, numbers, true, false, null, lists and objects`,
    wire: invalidCallback,
  }),
  callbackDepth: rule({
    code: 'callback.depth',
    clause: 'decision 14',
    limit: { max: MAX_JSON_DEPTH },
    summary: `Lists and objects of an answer are nested at most ${MAX_JSON_DEPTH} deep.`,
    check: ({ text, error }: JsonText) =>
      error instanceof RangeError || (text !== undefined && isNestedTooDeep(text)) ? NO_PARAMS : undefined,
    message: () => `is nested too deep; at most ${MAX_JSON_DEPTH} levels of lists and objects are allowed`,
    wire: invalidCallback,
  }),
  callbackType: rule({
    code: 'callback.type',
    clause: '2.11-09',
    summary: 'The type of an answer is a known one.',
    ...oneOfMembers(InteractionCallbackType, `the types are ${typeWords.join(', ')}`),
  }),
  callbackFits: rule({
    code: 'callback.fits',
    clause: '2.11-10',
    ...since(MODAL_CALLBACKS),
    summary: 'The type of an answer fits the interaction.',
    check: (type: number, fits: readonly number[] | null) =>
      fits === null || fits.includes(type) ? undefined : { type, fits },
    message: ({ type, fits }) => `is ${word(type)}; this interaction takes ${listed(fits.map(word), 'or')}`,
    wire: ({ fits }) => mustBeOneOf(fits),
  }),
  callbackLaunch: rule({
    code: 'callback.launch',
    clause: '6-04',
    summary: 'LAUNCH_ACTIVITY is for apps with an Activity, which have the EMBEDDED flag.',
    context: { application: { flags: 0 } },
    check: (type: number, application: ApplicationSettings) =>
      type !== LAUNCH_ACTIVITY || isEmbedded(application) ? undefined : NO_PARAMS,
    message: () => 'is 12 LAUNCH_ACTIVITY, but the app has no Activity; enable it, or answer with a message',
    wire: { code: 'APPLICATION_NOT_EMBEDDED', message: 'Application does not have Activities enabled' },
  }),
  callbackLate: rule({
    code: 'callback.late',
    clause: '2.11-09',
    limit: { max: ANSWER_TIMEOUT },
    summary: `The first answer arrives within ${ANSWER_TIMEOUT} milliseconds; a deferred one gives more time.`,
    check: (age: number) => (age <= ANSWER_TIMEOUT ? undefined : { age }),
    message: ({ age }) =>
      `arrives after ${age} milliseconds; the first answer must arrive within ${ANSWER_TIMEOUT}, so defer it`,
    wire: { code: 'INTERACTION_CALLBACK_LATE', message: 'Unknown interaction' },
  }),
  tokenExpired: rule({
    code: 'callback.token',
    clause: '2.11-09',
    limit: { max: TOKEN_VALID },
    summary: `The token of an interaction is valid for ${TOKEN_VALID} milliseconds.`,
    check: (age: number) => (age <= TOKEN_VALID ? undefined : { age }),
    message: ({ age }) => `arrives after ${age} milliseconds; the token was valid for ${TOKEN_VALID}`,
    wire: { code: 'INVALID_WEBHOOK_TOKEN', message: 'Invalid Webhook Token' },
  }),
  deferredFlags: warning({
    code: 'deferred.flags',
    clause: '2.11-10',
    summary: 'A deferred answer keeps EPHEMERAL; its other flags are ignored.',
    // Compares numbers, because bitwise operators drop bits above the 32nd.
    check: (flags: number) => (flags === 0 || flags === MessageFlag.EPHEMERAL ? undefined : { flags }),
    message: ({ flags }) =>
      `is ${flags}, but a deferred answer keeps only EPHEMERAL, ${MessageFlag.EPHEMERAL}; set the other flags when you edit it`,
  }),
  deferredData: warning({
    code: 'deferred.data',
    clause: '2.11-10',
    summary: 'The data of a deferred answer has only flags; other fields are ignored.',
    check: (key: string, value: unknown) => (key === 'flags' || isUnset(value) ? undefined : { key }),
    about: 'key',
    message: ({ key }) =>
      `${quoted(key)} is ignored, because a deferred answer only sets flags; send it when the answer is ready`,
  }),
  callbackDeprecated: warning({
    code: 'callback.deprecated',
    clause: '9-03',
    summary: 'PREMIUM_REQUIRED is deprecated; a message with a premium button takes its place.',
    check: (type: number) => (type === PREMIUM_REQUIRED ? NO_PARAMS : undefined),
    message: () =>
      'is 10 PREMIUM_REQUIRED, which is deprecated; answer with a message that has a premium button',
  }),
} as const
