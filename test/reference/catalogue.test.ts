import { readdirSync, readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { expect, it } from 'vitest'
import { CommandRegistry, globalScope, validateCommand } from 'commandry'
import { toErrorBody } from 'commandry/http'
import { rules, type Rule } from 'commandry/reference'
import { command, commandSet, permissions, slashCommand } from 'commandry/arbitraries'
import { clauses } from '../support/clauses.ts'
import { root } from '../support/markdown.ts'
import { judge } from './judge.ts'
import { fc, forAny, forAnyAsync } from '../support/properties.ts'

/** A place for a rule to break, chosen by fast-check so that a failure can be shrunk and replayed. */
const pickFrom = (choices: readonly number[]) => {
  let turn = 0
  return (count: number) => choices[turn++ % choices.length]! % count
}

const registry = new CommandRegistry()
await registry.upsert(globalScope('1001'), { type: 2, name: 'A' })
const snapshot = await registry.snapshot('1001')

// Made once: fast-check takes longer to prepare a generator than to take a value from it.
const commands = { global: command({ scope: 'global' }), guild: command({ scope: 'guild' }) }
const empty = fc.constant({})
const bodies: { [Subject in Exclude<Rule['on'], 'command'>]: fc.Arbitrary<unknown> } = {
  commands: commandSet(),
  permissions: permissions(),
  patch: slashCommand(),
  scope: empty,
  snapshot: fc.constant(snapshot),
  interaction: empty,
  callback: empty,
}
const samplesOf = ({ on, context }: Rule): fc.Arbitrary<unknown> =>
  on === 'command' ? commands[context?.scope ?? 'global'] : bodies[on]

/** breaking.test.ts tries every way to break a rule whose body is always the same. */
const runsOf = ({ on, code }: Rule) =>
  ['scope', 'snapshot', 'interaction', 'callback'].includes(on) ? 3 : code === 'commands.count' ? 5 : 60

it('the catalogue contains every rule once', () => {
  const codes = rules.map(({ code }) => code)
  expect(new Set(codes).size).toBe(codes.length)
  for (const code of codes) expect(code).toMatch(/^[a-z_]+\.[a-z_]+$/)
})

it('the catalogue refers every rule to an existing clause or decision', () => {
  const decisions = readdirSync(new URL('docs/decisions/', root)).map((one) => `decision ${one.slice(0, 2)}`)
  for (const { code, clause } of rules) {
    const known = clauses.includes(clause) || decisions.includes(clause)
    expect(known, `${code} points at ${clause}`).toBe(true)
  }
})

it('the catalogue has no module but examples that names the code of a rule of another file', () => {
  const source = new URL('src/', root)
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.startsWith('reference/examples'))
    .map((file) => ({ file, text: readFileSync(new URL(file, source), 'utf8').replace(/^ *\*.*$/gm, '') }))
  const places = rules.map(({ code }) => ({
    code,
    files: files.filter(({ text }) => text.includes(`'${code}'`)).map(({ file }) => file),
  }))
  // The codes of lists of enumerated numbers are composed: `${field}.known`.
  expect(places.filter(({ files }) => files.length > 1)).toEqual([])
  expect(places.filter(({ files }) => files.length === 1).length).toBeGreaterThan(100)
})

const choicesOfPick = fc.array(fc.nat(1000), { minLength: 1, maxLength: 6 })
const byCode = rules.map((rule) => [rule.code, rule] as const)
it.each(byCode)('the catalogue has for %s an example that breaks this rule and no other', async (_, rule) => {
  await forAnyAsync([samplesOf(rule), choicesOfPick], runsOf(rule), async (sample, choices) => {
    const before = structuredClone(sample)
    const { body, path } = rule.breaks(sample, pickFrom(choices))
    if (!isDeepStrictEqual(sample, before)) expect(sample).toEqual(before)
    if (rule.on === 'interaction')
      expect(await judge('command', body.command, null)).toMatchObject({ issues: [] })
    const { issues, warnings } = await judge(rule.on, body, rule.context)
    const expected = { code: rule.code, path, clause: rule.clause }
    if (rule.level === 'error') {
      expect(issues.map(({ code, path, clause }) => ({ code, path, clause }))).toEqual([expected])
    } else {
      expect(issues).toEqual([])
      expect(warnings.map(({ code, path, clause }) => ({ code, path, clause }))).toContainEqual(expected)
    }
  })
})

it.each(byCode)(
  'the catalogue has for %s a message, and a wire form of a code and a sentence',
  async (_, rule) => {
    const [sample] = fc.sample(samplesOf(rule), 1)
    const { body } = rule.breaks(sample, () => 0)
    const { issues, warnings } = await judge(rule.on, body, rule.context)
    const issue = [...issues, ...warnings].find(({ code }) => code === rule.code)!
    expect(issue.message.length).toBeGreaterThan(10)
    expect(issue.message).not.toMatch(/undefined|\[object|NaN/)
    expect(JSON.parse(JSON.stringify(issue))).toEqual(issue)
    if (rule.level === 'warning') return expect(rule.wire).toBeNull()
    expect(toErrorBody([issue])).toMatchObject({ code: 50035, message: 'Invalid Form Body' })
    if (rule.wire === null) return
    const { code, message } = rule.wire(issue.params, issue.path)
    expect(code).toMatch(/^[A-Z][A-Z0-9_]+$/)
    expect(message.length).toBeGreaterThan(5)
  },
)

it('the catalogue accepts valid bodies', () => {
  forAny([command()], 100, (body) => {
    expect(validateCommand(body)).toMatchObject({ ok: true })
  })
})

it('freezes the catalogue and each of its rules', () => {
  expect([rules, ...rules].filter((one) => !Object.isFrozen(one))).toEqual([])
})
