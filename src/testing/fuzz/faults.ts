/** Whether what a bot did is a fault. */
import type { Traffic } from '../../interactions/bot/traffic.ts'
import { InvocationError } from '../../interactions/client/invocation-error.ts'
import type { CommandOption } from '../../model/command-definition.ts'
import type { Issue } from '../../core/rules/report.ts'
import { describeValue } from '../../core/text.ts'
import { ComponentError } from '../../interactions/usage/component.ts'
import { createInteraction } from '../../interactions/usage/create.ts'
import { InputError } from '../testbed/people/people.ts'
import type { Shown } from '../testbed/answers/shown.ts'
import { TestbedError } from '../testbed/answers/bot-watch.ts'
import { requestsAfter } from '../testbed/answers/transcript.ts'
import type { Suggestion } from '../testbed/people/suggestion.ts'
import type { FuzzCode } from './fuzz-report.ts'

export interface Fault {
  readonly code: FuzzCode
  readonly message: string
  readonly issues: readonly Issue[]
}

/** Faults that a busy machine can cause too. Others show by themselves what the bot did. */
const TIMED: ReadonlySet<FuzzCode> = new Set<FuzzCode>(['no_answer', 'never_edited'])

/** Whether a fault only counts when it happens again. */
export function mustRepeat({ code }: Pick<Fault, 'code'>): boolean {
  return TIMED.has(code)
}

export function faultOf(code: FuzzCode, message: string, issues: readonly Issue[] = []): Fault {
  return { code, message, issues }
}

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
  return code && faultOf(isSuggestion ? 'bad_suggestion' : code, error.message, error.issues)
}

/** @param text everything that the person entered */
export function faultOfMessage({ message, ephemeral }: Shown, text: string): Fault | undefined {
  if (message === null || ephemeral) return undefined
  const everyone = message.mention_everyone && /@(?:everyone|here)\b/.exec(text)?.[0]
  const role = message.mention_roles.map((id) => `<@&${String(id)}>`).find((one) => text.includes(one))
  const mention = everyone || role
  if (!mention) return undefined
  const remedy = 'set allowed_mentions, such as { parse: [] }'
  return faultOf('mentions_everyone', `the answer repeats ${mention} and notifies all of them; ${remedy}`)
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
    return faultOf('bad_suggestion', text, used.issues)
  }
  return undefined
}

/** The fault of requests that answer an interaction, or change its answer: the service refused one. */
export function faultOfRequests(traffic: Traffic, began: number, interactionId: string): Fault | undefined {
  // The second answer to an earlier interaction may arrive now.
  const routes = ['/webhooks/', `/interactions/${interactionId}/`]
  const refused = requestsAfter(traffic, began).find(
    ({ status, path }) => status === 400 && routes.some((route) => path.includes(route)),
  )
  if (refused === undefined) return undefined
  const { method, error = '' } = refused
  return faultOf('refused_answer', `the service refused a ${method} of the bot: ${error}`)
}
