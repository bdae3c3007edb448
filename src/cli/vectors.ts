import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Path, Pick, Rule, RuleContext } from '../core/rule.ts'
import { ruleOf, rules } from '../reference/catalogue.ts'
import { toErrorBody } from '../reference/error-body.ts'
import { validateCommands } from '../reference/validate.ts'
import { violating } from '../testing/violations.ts'
import { errorsInResponse, type ResponseError } from './response-errors.ts'
import { readArguments } from './arguments.ts'
import { UsageError, type ExitCode } from './errors.ts'
import { print, warn, type Io } from './io.ts'
import { ServiceError, type Service } from './remote.ts'
import { checkIds, isAddress, scopeOf, serviceOf } from './service-options.ts'

export const vectorsUsage = `Examples
  commandry vectors --out vectors.json
  commandry vectors --run http://127.0.0.1:8787 --application 112233445566778899

commandry vectors

Writes the rules as test cases for any language: a valid body, the smallest bodies that break each rule, and the errors
of the service (docs/vectors.md). With --run it sends the cases to a service and scores its responses. That replaces
the commands of the application, so use one that is only for tests.

  --out FILE              where to write the cases (the terminal)
  --run URL               score a service
  --application ID        with --run: the application whose commands are replaced
  --guild ID              with --run: a server for the cases about guild commands
  --timeout SECONDS       the longest time for a response (10)

Exit codes: 0 written, or every case passes; 1 a case fails or the service cannot be reached; 2 wrong usage.`

/** The version of the format. Adding a field does not change it. */
const VECTORS_VERSION = 1

/** One way to break a rule. */
interface Case {
  /** The code of the rule. */
  readonly rule: string
  readonly level: Rule['level']
  /** What the body is: `command`, `commands`, `permissions`, `patch`, `scope`, `snapshot`, `interaction` or `callback`. */
  readonly on: Rule['on']
  readonly summary: string
  /** The context in which the rule applies; null when it always applies. */
  readonly context: RuleContext | null
  readonly body: unknown
  /** The path at which the body breaks the rule. */
  readonly path: Path
  /** The errors of a bulk overwrite with this body. Empty for a refusal without errors at paths; null for no refusal. */
  readonly errors: readonly ResponseError[] | null
}

interface Vectors {
  readonly format: 'commandry-vectors'
  readonly version: number
  /** A command that breaks no rule. */
  readonly valid: unknown
  readonly cases: readonly Case[]
}

const valid = { name: 'a', description: 'b' }

function createVectors(): Vectors {
  return { format: 'commandry-vectors', version: VECTORS_VERSION, valid, cases: rules.flatMap(casesOf) }
}

// The first and the last way to break a rule.
const picks: readonly Pick[] = [() => 0, (count) => count - 1]

function casesOf(rule: (typeof rules)[number]): readonly Case[] {
  const first = violating(rule.code)
  const ways =
    rule.on === 'command' || rule.on === 'commands'
      ? picks.map((pick) => rule.breaks(rule.on === 'command' ? valid : [], pick))
      : [{ body: first.body as unknown, path: first.path }]
  const distinct = new Map(ways.map((way) => [textOf(way.body), way]))
  return [...distinct].map(([text, { path }]): Case => {
    // Other languages read the JSON, without values that JSON cannot hold.
    const body: unknown = JSON.parse(text)
    const { code, level, on, summary, context } = rule
    return { rule: code, level, on, summary, context, body, path, errors: errorsOf(rule, body) }
  })
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) => (typeof item === 'bigint' ? String(item) : item))
}

function listOf(on: Rule['on'], body: unknown): unknown {
  return on === 'commands' ? body : [body]
}

function errorsOf({ level, on, context }: Rule, body: unknown): readonly ResponseError[] | null {
  if (level === 'warning' || (on !== 'command' && on !== 'commands')) return null
  const result = validateCommands(listOf(on, body), (context ?? {}) as object)
  // Values such as infinite numbers are lost in JSON, and then the body is valid.
  if (result.ok) return null
  // The service refuses some lists as a whole, without an error at a path.
  return errorsInResponse(toErrorBody(result.issues.filter(({ code }) => ruleOf(code)?.wire)))
}

export async function vectorsCommand(argv: readonly string[], io: Io): Promise<ExitCode> {
  const { values, positionals } = readArguments(argv, {
    out: { type: 'string' },
    run: { type: 'string' },
    application: { type: 'string' },
    guild: { type: 'string' },
    timeout: { type: 'string', default: '10' },
  })
  if (positionals.length > 0) throw new UsageError(`unexpected argument "${positionals[0]}"`)
  const vectors = createVectors()
  const { run, application, guild, timeout } = values
  if (run === undefined) {
    const text = `${JSON.stringify(vectors, null, 2)}\n`
    if (values.out === undefined) io.stdout.write(text)
    else await writeFile(resolve(io.cwd, values.out), text)
    return 0
  }
  if (!isAddress(run) || run === 'discord') throw new UsageError('--run takes the URL of a service for tests')
  if (application === undefined) throw new UsageError('--application is required')
  checkIds(application, guild)
  const service = serviceOf(io, { option: 'run', address: run, application, timeout })
  return score(io, service, vectors, application, guild)
}

async function score(
  io: Io,
  service: Service,
  { cases }: Vectors,
  application: string,
  guild: string | undefined,
): Promise<ExitCode> {
  const counts = { passed: 0, otherErrors: 0, accepted: 0, skipped: 0 }
  const global = scopeOf(application, undefined)
  try {
    // A service that refuses a valid command cannot be scored.
    await service.overwrite(global, [valid])
    for (const each of cases) {
      const { errors, context } = each
      const needsGuild = context?.scope === 'guild'
      if (errors === null || context?.application !== undefined || (needsGuild && guild === undefined)) {
        counts.skipped++
        continue
      }
      const scope = needsGuild ? scopeOf(application, guild) : global
      const outcome = await outcomeOf(service, scope, each)
      if (outcome === 'passed') counts.passed++
      else if (outcome === 'accepted') counts.accepted++
      else counts.otherErrors++
      if (outcome !== 'passed') print(io, `${each.rule}: ${outcome}`)
    }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    warn(io, `commandry vectors: ${service.base}: ${error.message}`)
    return 1
  }
  const total = counts.passed + counts.otherErrors + counts.accepted
  print(
    io,
    `${counts.passed} of ${total} cases pass; ${counts.accepted} accepted, ${counts.otherErrors} refused without the expected errors; ${counts.skipped} skipped, because a bulk overwrite cannot show them`,
  )
  return counts.passed === total ? 0 : 1
}

async function outcomeOf(
  service: Service,
  scope: Parameters<Service['overwrite']>[0],
  each: Case,
): Promise<string> {
  try {
    await service.overwrite(scope, listOf(each.on, each.body) as readonly unknown[])
    return 'accepted'
  } catch (error) {
    // 429 says nothing about the body.
    if (!(error instanceof ServiceError) || error.status < 400 || error.status === 429) throw error
    if (error.status >= 500) return `responds with ${error.status}`
    const found = errorsInResponse(error.body).map(({ path, code }) => `${path.join('.')} ${code}`)
    const missing = each.errors!.filter(({ path, code }) => !found.includes(`${path.join('.')} ${code}`))
    if (missing.length === 0) return 'passed'
    const wanted = missing.map(({ path, code }) => `${code} at ${path.join('.') || 'the body'}`).join(', ')
    return `refused, without ${wanted}`
  }
}
