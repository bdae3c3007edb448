/** Requirements, decisions and problems in words. */
import { reasonsOf, whyHidden } from '../../../commands/access/hidden-reasons.ts'
import { commandLabel, targetName } from '../../authoring/words.ts'
import { describeIssue } from '../../../commands/definition/format-issues.ts'
import { IntegrationType, InteractionContext } from '../../../model/command-types.ts'
import type { Issue } from '../../../core/rules/report.ts'
import { listed } from '../../../core/text.ts'
import type { UnavailableCode } from '../../../commands/access/availability.ts'
import { permissionNames } from '../../../model/permission-bits.ts'
import { stepText, type AccessExplanation, type AccessStep } from '../../../commands/access/access.ts'
import type { HiddenCommand } from '../../../commands/access/picker.ts'
import { ruleOf } from '../../../reference/catalogue.ts'
import { ruleUrl } from '../../../reference/rule-url.ts'
import type { ResponseError } from '../../../reference/response-errors.ts'
import type { ServerSettings } from '../../../model/server.ts'

const stepNames: Readonly<Record<AccessStep['step'], string>> = {
  administrator: 'Administrator',
  use_application_commands: 'Use commands',
  channel: 'Channel',
  command: 'Command overrides',
  application: 'App-wide overrides',
  default_member_permissions: 'Required permissions',
}

export function stepsOf(access: AccessExplanation | null, server: ServerSettings | null) {
  return (access?.trace ?? []).map((one) => ({
    name: stepNames[one.step],
    outcome: one.outcome,
    text: textIn(server, one),
    otherwise: one.otherwise && textIn(server, one.otherwise),
  }))
}

/** The text of a step with the names of roles, users and channels. */
function textIn(server: ServerSettings | null, step: Omit<AccessStep, 'otherwise'>): string {
  return server === null ? step.text : stepText(step, (entry) => targetName(entry, server))
}

/** Why a command is hidden, in full sentences with the names of roles, users and channels. */
export function hiddenSentences(hidden: HiddenCommand, server: ServerSettings | null): readonly string[] {
  return whyHidden(hidden, (step) => textIn(server, step))
}

/** Why a command is hidden, in a few words. */
export function hiddenReason(hidden: HiddenCommand): string {
  const [reason] = reasonsOf(hidden)
  if (reason?.kind === 'unavailable') return unavailable(reason.code, hidden.command)
  if (reason?.kind !== 'denied') return 'nothing to choose'
  const { step } = reason
  if (isOverride(step)) return 'denied by an override'
  return step.missing.length === 0 ? 'for administrators' : `needs ${listed(step.missing)}`
}

export const contextNames = ['servers', 'bot DM', 'other DMs and group DMs'] as const

/** Why a command is not available somewhere, in a few words. */
export function unavailable(
  code: UnavailableCode,
  { contexts, integration_types: ways }: Pick<HiddenCommand['command'], 'contexts' | 'integration_types'>,
): string {
  switch (code) {
    case 'other_guild':
      return 'for another server'
    case 'guild_only':
      return 'for servers only'
    case 'context': {
      const known = contexts ?? [InteractionContext.GUILD, InteractionContext.BOT_DM]
      return `for ${listed(known.map((context) => contextNames[context]))} only`
    }
    case 'installation':
      return ways?.includes(IntegrationType.USER_INSTALL) ? 'app not installed' : 'not installed here'
    default:
      return 'age-restricted'
  }
}

export function isOverride({ step }: AccessStep): boolean {
  return step === 'channel' || step === 'command' || step === 'application'
}

/** The permissions that a command asks for by default, in words. */
export function requiredPermissions(bits: string | null): string {
  if (bits === null) return 'none'
  return bits === '0' ? 'administrators only' : listed(permissionNames(BigInt(bits)))
}

/** A problem of a body, with its place in words (empty for the whole), and the rule it breaks. */
export interface Problem extends ResponseError {
  readonly place: string
  readonly rule: ReturnType<typeof ruleWords>
}

/** The page shows no more problems of one body. */
export const MAX_PROBLEMS = 200

export function problemsOf(issues: readonly Issue[], body?: unknown): readonly Problem[] {
  return issues.slice(0, MAX_PROBLEMS).map((issue) => {
    const { code, message, path } = issue
    const place = body === undefined ? path.join('.') : describeIssue(issue, body, commandLabel).place
    return { code, message, path, place, rule: ruleWords(issue) }
  })
}

/** The rule of an issue, for those who look it up. */
export function ruleWords({ code, params, path }: Issue) {
  const rule = ruleOf(code)
  if (rule === undefined) return null
  return { summary: rule.summary, wire: rule.wire?.(params, path).code ?? '', docs: ruleUrl(code) }
}
