/** The rules as cases: bodies that break each of them, and the errors of a service. A case is also a probe. */
import { ruleOf } from '../../../reference/catalogue.ts'
import { toErrorBody } from '../../../reference/error-body.ts'
import type { PickIndex } from '../../../reference/examples/breaking.ts'
import { EVERYWHERE, HERE, put, type Probe } from '../../../reference/probes/probe.ts'
import { errorsInResponse, type ResponseError } from '../../../reference/response-errors.ts'
import { rules, type CatalogueRule } from '../../../reference/rules.ts'
import { validateCommands } from '../../../commands/validate.ts'
import { sameJson } from '../../../core/json.ts'
import { violating } from '../../../testing/samples/violations.ts'
import { bigintsAsText } from '../base/text-file.ts'

/** One way to break a rule. */
export type Case = ReturnType<typeof casesOf>[number]

/** A command that breaks no rule. */
export const valid = { name: 'a', description: 'b' }

// The first and the last way to break a rule.
const picks: readonly PickIndex[] = [() => 0, (count) => count - 1]

export function allCases(): readonly Case[] {
  return rules.flatMap(casesOf)
}

function casesOf(rule: (typeof rules)[number]) {
  const first = violating(rule.code)
  const ways =
    rule.on === 'command' || rule.on === 'commands'
      ? picks.map((pick) => rule.breaks(rule.on === 'command' ? valid : [], pick))
      : [{ body: first.body as unknown, path: first.path }]
  const distinct = new Map(ways.map((way) => [JSON.stringify(way.body, bigintsAsText), way]))
  return [...distinct].map(([text, { path }]) => {
    // Other languages read the JSON, without values that JSON cannot hold.
    const body: unknown = JSON.parse(text)
    const { code, level, on, summary, context } = rule
    return { rule: code, level, on, summary, context, body, path, errors: errorsOf(rule, body) }
  })
}

function listOf(on: CatalogueRule['on'], body: unknown): readonly unknown[] {
  return on === 'commands' ? (body as readonly unknown[]) : [body]
}

type RuleOnBody = Pick<CatalogueRule, 'level' | 'on' | 'context'>

/** The errors of a bulk overwrite with a body. Empty for a refusal without errors at paths; null for no refusal. */
function errorsOf({ level, on, context }: RuleOnBody, body: unknown): readonly ResponseError[] | null {
  if (level === 'warning' || (on !== 'command' && on !== 'commands')) return null
  const result = validateCommands(listOf(on, body), (context ?? {}) as object)
  // Values such as infinite numbers are lost in JSON, and then the body is valid.
  if (result.ok) return null
  // The service refuses some lists as a whole, without an error at a path.
  return errorsInResponse(toErrorBody(result.issues.filter(({ code }) => ruleOf(code)?.wire)))
}

/**
 * The cases that a bulk overwrite can show, as probes in their order.
 *
 * @param hasGuild whether there is a server; then a case is about it, unless only global commands have its errors
 * @param hasMessages whether the messages of the errors count
 */
export function caseProbes(
  cases: readonly Case[],
  hasGuild: boolean,
  hasMessages: boolean,
): readonly Probe[] {
  return cases.flatMap(({ rule, on, body, errors, context }, index) => {
    const needsGuild = context?.scope === 'guild'
    if (errors === null || context?.application !== undefined || (needsGuild && !hasGuild)) return []
    const inGuild = { level: 'error', on, context: { scope: 'guild' } } as const
    const isHere = needsGuild || (hasGuild && sameJson(errorsOf(inGuild, body), errors))
    const expected = hasMessages ? errors : errors.map(({ path, code }) => ({ path, code }))
    const isSecond = cases[index - 1]?.rule === rule
    return {
      clause: ruleOf(rule)!.clause,
      holds: `${rule}${isSecond ? ', another way' : ''}`,
      requests: [put(listOf(on, body), isHere ? HERE : EVERYWHERE)],
      expects: { status: 400, ...(errors.length > 0 && { code: 50035, errors: expected }) },
      otherwise: 'Discord has another rule, code or message',
    }
  })
}
