import { type CommandBody, type IdSource, snowflakes } from 'commandry'
import {
  type AutocompleteInteraction,
  type ChatInputInteraction,
  createInteraction,
  type InteractionRequest,
} from 'commandry/interactions'
import { handClock } from './clock.ts'
import { accepted, refusals, type Fact } from './found.ts'

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

/** The issues of a refused request. */
export function faults(command: CommandBody, request: InteractionRequest = {}): readonly Fact[] {
  return refusals(createInteraction(command, request))
}
