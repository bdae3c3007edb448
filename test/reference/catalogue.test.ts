import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  CommandRegistry,
  globalScope,
  rules,
  toErrorBody,
  validateCommand,
  validateCommands,
  validatePatch,
  validatePermissions,
  type ApplicationCommand,
  type Issue,
  type Rule,
  type ValidationContext,
} from 'commandry'
import { command, commandSet, permissions, slashCommand } from 'commandry/arbitraries'
import type { Scenario } from '../../src/examples/registry.ts'
import {
  type AnyInteraction,
  type CallbackContext,
  createInteraction,
  type InteractionRequest,
  type UsableCommand,
  validateCallback,
} from 'commandry/interactions'
import { readSnapshot } from '../../src/registry/read-snapshot.ts'
import { attempt } from '../support/attempt.ts'
import { clauses } from '../support/clauses.ts'
import { root } from '../support/markdown.ts'

const scope = globalScope('1001')
const context = (rule: Rule): ValidationContext => (rule.context ?? {}) as ValidationContext

/** A place for a rule to break, chosen by fast-check so that a failure can be shrunk and replayed. */
const pickFrom = (choices: readonly number[]) => {
  let turn = 0
  return (count: number) => choices[turn++ % choices.length]! % count
}

interface Found {
  readonly issues: readonly Issue[]
  readonly warnings: readonly Issue[]
}

const validators: { [Subject in Rule['on']]: (body: unknown, rule: Rule) => Found | Promise<Found> } = {
  command: (body, rule) => withIssues(validateCommand(body, context(rule))),
  commands: (body, rule) => withIssues(validateCommands(body, context(rule))),
  permissions: (body, rule) => withIssues(validatePermissions(body, context(rule))),
  patch: (body, rule) => withIssues(validatePatch(body, current, context(rule))),
  scope: async (body) => ({ issues: await play(body as Scenario), warnings: [] }),
  snapshot: (body) => withIssues(readSnapshot(body)),
  interaction: (body) => {
    const { command, request } = body as { command: UsableCommand; request: InteractionRequest }
    expect(withIssues(validateCommand(command)).issues).toEqual([])
    return withIssues(createInteraction(command, request))
  },
  callback: (body, { context }) => {
    const { interaction, callback, now } = body as {
      interaction: AnyInteraction
      callback: unknown
      now?: number
    }
    return withIssues(
      validateCallback(interaction, callback, {
        ...context,
        ...(now !== undefined && { now }),
      } as CallbackContext),
    )
  },
}

const current = {
  id: '1',
  application_id: '1001',
  version: '2',
  type: 1,
  name: 'current',
  name_localizations: null,
  description: 'b',
  description_localizations: null,
  default_member_permissions: null,
  nsfw: false,
} as ApplicationCommand

function withIssues(found: { ok: boolean; issues?: readonly Issue[]; warnings: readonly Issue[] }): Found {
  return { issues: found.issues ?? [], warnings: found.warnings }
}

async function play({ before, churn, change }: Scenario): Promise<readonly Issue[]> {
  const registry = new CommandRegistry({ clock: { now: () => Date.UTC(2026, 0, 1) } })
  await registry.overwrite(scope, before)
  for (let i = 0; i < churn; i++) {
    const { command: made } = await registry.upsert(scope, { name: 'churn', description: 'b' })
    await registry.delete(scope, made.id)
  }
  const error = await attempt(async () => {
    if (change.kind === 'upsert') await registry.upsert(scope, change.body)
    else if (change.kind === 'overwrite') await registry.overwrite(scope, change.bodies)
    else {
      const { id } = (await registry.list(scope)).find(({ name }) => name === change.name)!
      await registry.edit(scope, id, change.patch)
    }
  })
  return error?.issues ?? []
}

const registry = new CommandRegistry()
await registry.upsert(globalScope('1001'), { type: 2, name: 'A' })
const snapshot = await registry.snapshot('1001')

const samples: { [Subject in Rule['on']]: (rule: Rule) => fc.Arbitrary<unknown> } = {
  command: (rule) => command(rule.context?.scope && { scope: rule.context.scope }),
  commands: () => commandSet(),
  permissions: () => permissions(),
  patch: () => slashCommand(),
  scope: () => fc.constant({}),
  snapshot: () => fc.constant(snapshot),
  interaction: () => fc.constant({}),
  callback: () => fc.constant({}),
}

describe('the catalogue', () => {
  it('contains every rule once', () => {
    const codes = rules.map(({ code }) => code)
    expect(new Set(codes).size).toBe(codes.length)
    for (const code of codes) expect(code).toMatch(/^[a-z_]+\.[a-z_]+$/)
  })

  it('refers every rule to an existing clause or decision', () => {
    const decisions = readdirSync(new URL('docs/decisions/', root)).map(
      (file) => `decision ${file.slice(0, 2)}`,
    )
    for (const { code, clause } of rules) {
      const known = clauses.includes(clause) || decisions.includes(clause)
      expect(known, `${code} points at ${clause}`).toBe(true)
    }
  })

  it('has no module but examples that names the code of a rule of another file', () => {
    const source = new URL('src/', root)
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.startsWith('examples'))
      .map((file) => ({ file, text: readFileSync(new URL(file, source), 'utf8').replace(/^ *\*.*$/gm, '') }))
    const places = rules.map(({ code }) => ({
      code,
      files: files.filter(({ text }) => text.includes(`'${code}'`)).map(({ file }) => file),
    }))
    // The codes of lists of enumerated numbers are composed: `${field}.known`.
    expect(places.filter(({ files }) => files.length > 1)).toEqual([])
    expect(places.filter(({ files }) => files.length === 1).length).toBeGreaterThan(100)
  })

  it.each(rules.map((rule) => [rule.code, rule] as const))(
    'has for %s an example that breaks this rule and no other',
    async (_, rule) => {
      await fc.assert(
        fc.asyncProperty(
          samples[rule.on](rule),
          fc.array(fc.nat(1000), { minLength: 1, maxLength: 6 }),
          async (sample, choices) => {
            const before = structuredClone(sample)
            const { body, path } = rule.breaks(sample, pickFrom(choices))
            expect(sample).toEqual(before)
            const { issues, warnings } = await validators[rule.on](body, rule)
            const expected = { code: rule.code, path, clause: rule.clause }
            if (rule.level === 'error') {
              expect(issues.map(({ code, path, clause }) => ({ code, path, clause }))).toEqual([expected])
            } else {
              expect(issues).toEqual([])
              expect(warnings.map(({ code, path, clause }) => ({ code, path, clause }))).toContainEqual(
                expected,
              )
            }
          },
        ),
        { numRuns: rule.on === 'scope' ? 1 : rule.code === 'commands.count' ? 5 : 60 },
      )
    },
  )

  it.each(rules.map((rule) => [rule.code, rule] as const))(
    'has for %s a message, and a wire form of an error code and a sentence',
    async (_, rule) => {
      const [sample] = fc.sample(samples[rule.on](rule), 1)
      const { body } = rule.breaks(sample, () => 0)
      const { issues, warnings } = await validators[rule.on](body, rule)
      const issue = [...issues, ...warnings].find(({ code }) => code === rule.code)!
      expect(issue.message.length).toBeGreaterThan(10)
      expect(issue.message).not.toMatch(/undefined|\[object|NaN/)
      expect(JSON.parse(JSON.stringify(issue))).toEqual(issue)
      if (rule.level === 'warning') return expect(rule.wire).toBeNull()
      expect(toErrorBody([issue])).toMatchObject({ code: 50035, message: 'Invalid Form Body' })
      if (rule.wire === null) return
      const { code, message } = rule.wire(issue.params)
      expect(code).toMatch(/^[A-Z][A-Z0-9_]+$/)
      expect(message.length).toBeGreaterThan(5)
    },
  )

  it('accepts valid bodies', () => {
    fc.assert(
      fc.property(command(), (body) => {
        expect(withIssues(validateCommand(body)).issues).toEqual([])
      }),
    )
  })
})
