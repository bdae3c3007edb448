/** Whether what a bot did is a fault. */
import type { Traffic } from '../../interactions/bot/traffic.ts'
import { InvocationError } from '../../interactions/client/invocation-error.ts'
import type { CommandOption } from '../../model/command-definition.ts'
import type { Issue } from '../../core/rules/report.ts'
import { describeValue } from '../../core/text.ts'
import { isObject, parsedJson } from '../../core/json.ts'
import { isEphemeral } from '../../model/interaction-types.ts'
import { refusals } from '../../service/refusals.ts'
import { ComponentError } from '../../interactions/usage/component-error.ts'
import { createInteraction } from '../../interactions/usage/create.ts'
import { InputError } from '../testbed/people/people.ts'
import type { Shown } from '../testbed/answers/shown.ts'
import { TestbedError } from '../testbed/answers/bot-watch.ts'
import { requestsAfter, type LoggedRequest } from '../testbed/answers/transcript.ts'
import type { Suggestion } from '../testbed/people/suggestion.ts'
import type { FuzzCode } from './fuzz-report.ts'

export interface Fault {
  readonly code: FuzzCode
  readonly message: string
  readonly issues: readonly Issue[]
  /** Whether the bot answered well first, and did this afterwards. */
  readonly isLater?: boolean
}

/** Faults that a busy machine can cause too. Others show by themselves what the bot did. */
const TIMED: ReadonlySet<FuzzCode> = new Set<FuzzCode>(['no_answer', 'never_edited'])

/** Whether a fault only counts when it happens again. */
export function mustRepeat({ code }: Pick<Fault, 'code'>): boolean {
  return TIMED.has(code)
}

export function newFault(code: FuzzCode, message: string, issues: readonly Issue[] = []): Fault {
  return { code, message, issues }
}

const ALREADY_ANSWERED = refusals.already_answered.message

const codes: { readonly [Code in TestbedError['code']]?: FuzzCode } = {
  no_answer: 'no_answer',
  refused: 'refused_answer',
  not_connected: 'lost_connection',
}

/**
 * The fault of a bot that made a step fail; undefined when the person cannot do that, such as pressing a button that was
 * removed.
 *
 * @throws the error, when it is neither
 */
export function faultOfError(error: unknown): Fault | undefined {
  if (error instanceof InvocationError || error instanceof ComponentError || error instanceof InputError)
    return undefined
  if (!(error instanceof TestbedError)) throw error
  const code = codes[error.code]
  const isSuggestion = error.issues.some(({ path }) => path.includes('choices'))
  return code && newFault(isSuggestion ? 'bad_suggestion' : code, error.message, error.issues)
}

/** @param text everything that the person entered */
export function faultOfMessage({ message, ephemeral }: Shown, text: string): Fault | undefined {
  return message === null || ephemeral ? undefined : faultOfMentions(message, text, 'the answer')
}

/** The fault of a message that all see and that repeats a mention of the person. @param what the message, in words */
function faultOfMentions(
  message: { readonly mention_everyone?: unknown; readonly mention_roles?: unknown },
  text: string,
  what: string,
): Fault | undefined {
  const everyone = message.mention_everyone === true && /@(?:everyone|here)\b/.exec(text)?.[0]
  const roles = Array.isArray(message.mention_roles) ? message.mention_roles : []
  const role = roles.map((id) => `<@&${String(id)}>`).find((one) => text.includes(one))
  const mention = everyone || role
  if (!mention) return undefined
  const remedy = 'set allowed_mentions, such as { parse: [] }'
  return newFault('mentions_everyone', `${what} repeats ${mention} and notifies all of them; ${remedy}`)
}

export function faultOfSuggestions(
  suggestions: readonly Suggestion[],
  option: CommandOption,
): Fault | undefined {
  const command = { name: 'x', description: 'x', options: [option] }
  for (const suggestion of suggestions) {
    if (suggestion.kind !== 'choice') continue
    const { name, value } = suggestion
    const used = createInteraction(command, { options: { [option.name]: value } })
    if (used.ok) continue
    const why = used.issues.map(({ message }) => message).join('; ')
    const text = `the suggestion ${JSON.stringify(name)} has ${describeValue(value)}, which ${option.name} refuses: ${why}`
    return newFault('bad_suggestion', text, used.issues)
  }
  return undefined
}

const FOLLOW_UP = /\/webhooks\//
const IN_CHANNEL = /\/channels\/\d+\/(?:messages|threads)\b/

/**
 * The fault of the messages that a bot sent beside its first answer, or of its edits: the service refused one, or one
 * repeats a mention.
 *
 * @param interactionId that of the step: the second answer to an earlier one may arrive now. Absent after a wait
 * @param text everything that the person entered
 */
export function faultOfSent(
  traffic: Traffic,
  began: number,
  interactionId: string | undefined,
  text: string,
): Fault | undefined {
  const callback = `/interactions/${interactionId}/`
  const isSent = ({ path }: { readonly path: string }) =>
    FOLLOW_UP.test(path) || IN_CHANNEL.test(path) || path.includes(callback)
  const refused = requestsAfter(traffic, began).find((one) => one.status === 400 && isSent(one))
  if (refused !== undefined)
    return (
      faultOfSecondAnswer(refused) ??
      newFault('refused_answer', `the service refused a ${refused.method} of the bot: ${refused.error}`)
    )
  for (const { method, path, status, response } of traffic.requestsSince(began)) {
    const message = method === 'POST' && status === 200 && isSent({ path }) ? parsedJson(response) : undefined
    if (!isObject(message) || isEphemeral({ flags: Number(message.flags ?? 0) })) continue
    const what = FOLLOW_UP.test(path) ? 'a follow-up' : 'a message in a channel'
    const fault = faultOfMentions(message, text, what)
    if (fault !== undefined) return fault
  }
  return undefined
}

/** The fault of a request that was refused because the interaction has an answer. */
export function faultOfSecondAnswer({ path, error = '' }: LoggedRequest): Fault | undefined {
  if (!path.includes('/interactions/') || !error.startsWith(ALREADY_ANSWERED)) return undefined
  return newFault('answered_twice', `the bot answered an interaction again: ${error}`)
}
