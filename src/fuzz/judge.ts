/** Decides whether what a bot did is a fault of the bot. */
import type { CommandOption } from '../command/definition.ts'
import { InvocationError } from '../client/error.ts'
import type { Issue } from '../core/report.ts'
import { describeValue } from '../core/text.ts'
import { ComponentError } from '../interaction/component.ts'
import { createInteraction } from '../interaction/create.ts'
import { InputError } from '../testbed/people.ts'
import type { Suggestion } from '../testbed/clients.ts'
import type { LoggedRequest } from '../testbed/transcript.ts'
import { TestbedError, type Shown } from '../testbed/shown.ts'

/** What a bot did wrong. */
export type FuzzCode =
  /** It did not answer in 3 seconds. */
  | 'no_answer'
  /** The service refused its answer; `issues` has every problem. */
  | 'refused_answer'
  /** It deferred an answer and never edited it. */
  | 'never_edited'
  /** It ended, or left an error unhandled. */
  | 'crashed'
  /** It suggested a value that its own option refuses, or more than 25. */
  | 'bad_suggestion'
  /** It repeated a person's mention of everyone or of a role, so that all of them are notified. */
  | 'mentions_everyone'
  /** It left the gateway and did not come back. */
  | 'lost_connection'

/** A fault of one answer. */
export interface Fault {
  readonly code: FuzzCode
  readonly message: string
  readonly issues: readonly Issue[]
}

export function fault(code: FuzzCode, message: string, issues: readonly Issue[] = []): Fault {
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
  if (code === undefined) return undefined
  const isSuggestion = error.issues.some(({ path }) => path.includes('choices'))
  return fault(isSuggestion ? 'bad_suggestion' : code, error.message, error.issues)
}

/** The fault of a message. @param entered everything that the person entered */
export function faultOfMessage({ message, ephemeral }: Shown, entered: string): Fault | undefined {
  if (message === null || ephemeral) return undefined
  const everyone = message.mention_everyone && /@(?:everyone|here)\b/.exec(entered)?.[0]
  const role = message.mention_roles.map((id) => `<@&${String(id)}>`).find((one) => entered.includes(one))
  const mention = everyone || role
  if (!mention) return undefined
  const remedy = 'set allowed_mentions, such as { parse: [] }'
  return fault('mentions_everyone', `the answer repeats ${mention} and notifies all of them; ${remedy}`)
}

/** The fault of a list of suggestions. */
export function faultOfSuggestions(
  suggestions: readonly Suggestion[],
  option: CommandOption,
): Fault | undefined {
  for (const suggestion of suggestions) {
    if (suggestion.kind !== 'choice') continue
    const { name, value } = suggestion
    const command = { name: 'x', description: 'x', options: [option] }
    const used = createInteraction(command, { options: { [option.name]: value } })
    if (!used.ok) {
      const why = used.issues.map(({ message }) => message).join('; ')
      const text = `the suggestion ${JSON.stringify(name)} has ${describeValue(value)}, which ${option.name} refuses: ${why}`
      return fault('bad_suggestion', text, used.issues)
    }
  }
  return undefined
}

/** The fault of requests that change an answer: the service refused one. */
export function faultOfRequests(requests: readonly Omit<LoggedRequest, 'body'>[]): Fault | undefined {
  const refused = requests.find(
    ({ status, path }) => status === 400 && /\/(?:webhooks|interactions)\//.test(path),
  )
  if (refused === undefined) return undefined
  const { method, error = '' } = refused
  return fault('refused_answer', `the service refused a ${method} of the bot: ${error}`)
}
