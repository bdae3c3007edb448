/** The address of a bot over HTTP: what Discord checks when it is saved, and whether every interaction is verified. */
import { checkEndpoint, refusesForged } from '../../interactions/bot/endpoint.ts'
import type { Traffic } from '../../interactions/bot/traffic.ts'
import type { Clock } from '../../core/clock.ts'
import { parsedJson } from '../../core/json.ts'
import type { AnyInteraction } from '../../model/interaction-payload.ts'
import { InteractionType } from '../../model/interaction-types.ts'
import type { EndpointOfBot } from '../testbed/bed.ts'
import type { FuzzedEndpoint } from './fuzz-report.ts'

const words: { readonly [type: number]: string } = {
  [InteractionType.APPLICATION_COMMAND]: 'the use of a command',
  [InteractionType.APPLICATION_COMMAND_AUTOCOMPLETE]: 'a request for suggestions',
  [InteractionType.MESSAGE_COMPONENT]: 'the use of a button or a menu',
  [InteractionType.MODAL_SUBMIT]: 'a modal',
}

/** Sends what Discord sends when the address is saved. */
export async function checkAddress(
  applicationId: string,
  endpoint: EndpointOfBot,
  clock: Clock,
): Promise<Pick<FuzzedEndpoint, 'url' | 'problems'>> {
  const problems = await checkEndpoint(applicationId, { ...endpoint, clock })
  return { url: String(endpoint.url), problems }
}

/**
 * Sends the last interaction of each kind again, with an invalid signature: a bot may verify PINGs alone.
 *
 * @returns the kinds that the bot does not refuse, in words
 */
export async function takenForged(
  traffic: Traffic,
  endpoint: EndpointOfBot,
  clock: Clock,
): Promise<readonly string[]> {
  const last = new Map<number, AnyInteraction>()
  for (const { direction, request } of traffic.requestsSince()) {
    const interaction = direction === 'out' ? (parsedJson(request) as AnyInteraction | undefined) : undefined
    if (interaction !== undefined && interaction.type in words) last.set(interaction.type, interaction)
  }
  const taken: string[] = []
  for (const [type, interaction] of last)
    if (!(await refusesForged(interaction, { ...endpoint, clock }))) taken.push(words[type]!)
  return taken
}
