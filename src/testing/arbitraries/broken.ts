import { checkConstraints } from './constraints.ts'
import fc, { type Arbitrary } from 'fast-check'
import { rulesOfCommands, type CommandRuleCode } from '../../commands/definition/rules/definition-rules.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Path } from '../../core/rules/rule.ts'
import { commandExamples } from '../../reference/examples/command-examples.ts'
import { slashCommand } from './command-arbitrary.ts'
import type { OptionConstraints } from './option-arbitrary.ts'

type BreakableCode = keyof typeof commandExamples

/** A definition that breaks exactly one rule. */
export interface BrokenCommand {
  readonly body: JsonObject
  readonly code: CommandRuleCode
  readonly path: Path
}

/**
 * Slash commands that break exactly one rule, at any place where it applies. Limits are exceeded by one.
 *
 * @example fc.property(brokenCommand(), ({ body, code }) => validateCommand(body).issues[0].code === code)
 */
export function brokenCommand(
  constraints: Pick<OptionConstraints, 'locales' | 'style'> = {},
): Arbitrary<BrokenCommand> {
  checkConstraints(constraints)
  const { locales, style } = constraints
  const codes = rulesOfCommands()
    .filter(({ level, context }) => level === 'error' && context === null)
    .flatMap(({ code }) => (Object.hasOwn(commandExamples, code) ? [code as BreakableCode] : []))
  const sample = slashCommand({ ...(locales && { locales }), ...(style && { style }) })
  const choices = fc.array(fc.nat(1000), { minLength: 1, maxLength: 6 })
  return fc.tuple(fc.constantFrom(...codes), sample, choices).map(([code, valid, numbers]) => {
    let next = 0
    const pick = (count: number) => numbers[next++ % numbers.length]! % count
    const { body, path } = commandExamples[code](valid, pick)
    return { body: body as JsonObject, code, path }
  })
}
