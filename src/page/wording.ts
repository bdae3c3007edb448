/** Requirements of commands, and decisions about them, in words. */
import { IntegrationType, InteractionContext } from '../command/types.ts'
import { listed } from '../core/text.ts'
import type { UnavailableCode } from '../permission/availability.ts'
import { permissionNames } from '../permission/bits.ts'
import type { ServerSettings } from '../world/server.ts'
import type { AccessExplanation, AccessStep } from '../permission/trace.ts'
import type { HiddenCommand } from '../picker/picker.ts'
import type { TraceStep } from './answers.ts'
import { withNames } from '../authoring/words.ts'

const stepNames: Readonly<Record<AccessStep['step'], string>> = {
  administrator: 'Administrator',
  use_application_commands: 'Use commands',
  channel: 'Channel',
  command: 'Command overrides',
  application: 'App-wide overrides',
  default_member_permissions: 'Required permissions',
}

/** Why a command is hidden, in a few words. */
export function hiddenReason({ command, availability, access }: HiddenCommand): string {
  const [reason] = availability.reasons
  return reason === undefined ? accessReason(access) : unavailable(reason.code, command)
}

/** The steps of a decision, with the names of a server. */
export function stepsOf(
  access: AccessExplanation | null,
  server: ServerSettings | null,
): readonly TraceStep[] {
  return (access?.trace ?? []).map(({ step, outcome, text, otherwise }) => ({
    step,
    name: stepNames[step],
    outcome,
    text: withNames(text, server),
    otherwise: otherwise && withNames(otherwise.text, server),
  }))
}

/** The contexts by their values. */
export const contextNames = ['servers', 'bot DM', 'other DMs and group DMs'] as const

/** Why a command is not available somewhere, in a few words. */
export function unavailable(
  code: UnavailableCode,
  command: Pick<HiddenCommand['command'], 'contexts' | 'integration_types'>,
): string {
  switch (code) {
    case 'other_guild':
      return 'for another server'
    case 'guild_only':
      return 'for servers only'
    case 'context': {
      const contexts = command.contexts ?? [InteractionContext.GUILD, InteractionContext.BOT_DM]
      return `for ${listed(contexts.map((context) => contextNames[context]))} only`
    }
    case 'installation': {
      const isForUsers = command.integration_types?.includes(IntegrationType.USER_INSTALL) === true
      return isForUsers ? 'app not installed' : 'not installed here'
    }
    default:
      return 'age-restricted'
  }
}

function accessReason(access: AccessExplanation | null): string {
  const last = access?.trace[access.trace.length - 1]
  if (last?.outcome !== 'denied') return 'nothing to choose'
  if (isOverride(last)) return 'denied by an override'
  return last.missing.length === 0 ? 'for administrators' : `needs ${listed(last.missing)}`
}

/** Whether a step is about permission entries. */
export function isOverride({ step }: AccessStep): boolean {
  return step === 'channel' || step === 'command' || step === 'application'
}

/** The permissions that a command asks for by default, in words. */
export function requiredPermissions(bits: string | null): string {
  if (bits === null) return 'none'
  return bits === '0' ? 'administrators only' : listed(permissionNames(BigInt(bits)))
}
