import { type CommandBody, type IdSource, snowflakes } from 'commandry'
import {
  type AutocompleteInteraction,
  type ChatInputInteraction,
  createInteraction,
  type InteractionRequest,
} from 'commandry/interactions'
import { handClock } from './clock.ts'
import { accepted, lines, refusals } from './found.ts'

/** Ids that are the same in every run. */
export function ids(start?: number): IdSource {
  return snowflakes({ clock: handClock(start) })
}

/** The interaction of a slash command; throws with the issues when the request is refused. */
export function used(command: CommandBody, request: InteractionRequest = {}): ChatInputInteraction {
  return accepted(createInteraction(command, { ids: ids(), ...request })) as ChatInputInteraction
}

export function typing(
  command: CommandBody,
  request: InteractionRequest & { readonly focused: string },
): AutocompleteInteraction {
  return accepted(createInteraction(command, { ids: ids(), ...request })) as AutocompleteInteraction
}

/** The issues of a refused request, each with its code, path and clause. */
export function faults(command: CommandBody, request: InteractionRequest = {}): readonly string[] {
  return lines(refusals(createInteraction(command, request)))
}

/** The code of the first issue of a refused request. */
export function firstFault(command: CommandBody, request: InteractionRequest = {}): string | undefined {
  return faults(command, request)[0]?.split(' ')[0]
}
