import { resolve } from 'node:path'
import type { PickIndex } from '../../../reference/examples/breaking.ts'
import { ruleOf } from '../../../reference/catalogue.ts'
import { toErrorBody } from '../../../reference/error-body.ts'
import { errorsInResponse, type ResponseError } from '../../../reference/response-errors.ts'
import { rules, type CatalogueRule } from '../../../reference/rules.ts'
import { validateCommands } from '../../../commands/validate.ts'
import { counted } from '../../../core/text.ts'
import { globalScope, scopeOf, type Scope } from '../../../commands/registry/scope.ts'
import { violating } from '../../../testing/samples/violations.ts'
import { command, id, noMoreArguments, option, required, timeout } from '../base/cli-command.ts'
import { CommandError, usageError } from '../base/errors.ts'
import { print, withProgress, type Io } from '../base/io.ts'
import { bigintsAsText } from '../base/text-file.ts'
import { writeWhole } from '../base/whole-file.ts'
import { isAddress, serviceOf, type Service } from '../deployed/remote.ts'

export default command({
  help: [
    `Examples
  commandry vectors --out vectors.json
  commandry vectors --run http://127.0.0.1:8787 --application 112233445566778899

commandry vectors

Writes the rules as test cases for any language: a valid body, the smallest bodies that break each rule, and the errors
of the service (docs/cli.md#test-another-implementation). With --run it sends the cases to a service and scores its responses. That replaces
the commands of the application, so use one that is only for tests.`,
    'Exit codes: 0 written, or every case passes; 1 a case fails or the service cannot be reached; 2 wrong usage.',
  ],
  options: {
    out: option('FILE', 'where to write the cases (the terminal)'),
    run: option('URL', 'score a service'),
    application: option('ID', 'with --run: the application whose commands are replaced', id),
    guild: option('ID', 'with --run: a server for the cases about guild commands', id),
    timeout: timeout('10'),
  },
  async run(io, { out, run: address, application, guild, timeout }, args) {
    noMoreArguments(args)
    const cases = rules.flatMap(casesOf)
    if (address === undefined) {
      const vectors = { format: 'commandry-vectors', version: VECTORS_VERSION, valid, cases }
      const text = `${JSON.stringify(vectors, null, 2)}\n`
      if (out === undefined) io.stdout.write(text)
      else await writeWhole(resolve(io.cwd, out), text)
      return 0
    }
    if (!isAddress(address) || address === 'discord')
      throw usageError('--run takes the URL of a service for tests')
    const target = required(application, '--application is required')
    return score(io, serviceOf(io, 'run', address, target, timeout), cases, target, guild)
  },
})

/** The version of the format. Adding a field does not change it. */
const VECTORS_VERSION = 1

/** One way to break a rule. */
type Case = ReturnType<typeof casesOf>[number]

/** A command that breaks no rule. */
const valid = { name: 'a', description: 'b' }

// The first and the last way to break a rule.
const picks: readonly PickIndex[] = [() => 0, (count) => count - 1]

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

function listOf(on: CatalogueRule['on'], body: unknown): unknown {
  return on === 'commands' ? body : [body]
}

/** The errors of a bulk overwrite with a body. Empty for a refusal without errors at paths; null for no refusal. */
function errorsOf({ level, on, context }: CatalogueRule, body: unknown): readonly ResponseError[] | null {
  if (level === 'warning' || (on !== 'command' && on !== 'commands')) return null
  const result = validateCommands(listOf(on, body), (context ?? {}) as object)
  // Values such as infinite numbers are lost in JSON, and then the body is valid.
  if (result.ok) return null
  // The service refuses some lists as a whole, without an error at a path.
  return errorsInResponse(toErrorBody(result.issues.filter(({ code }) => ruleOf(code)?.wire)))
}

async function score(
  io: Io,
  service: Service,
  cases: readonly Case[],
  application: string,
  guild: string | undefined,
): Promise<number> {
  const global = globalScope(application)
  const outcomes: string[] = []
  const scoring = (async () => {
    // A service that refuses a valid command cannot be scored.
    await service.overwrite(global, [valid])
    for (const each of cases) {
      const { rule, errors, context } = each
      const needsGuild = context?.scope === 'guild'
      if (errors === null || context?.application !== undefined || (needsGuild && guild === undefined))
        continue
      const outcome = await outcomeOf(service, needsGuild ? scopeOf(application, guild) : global, each)
      outcomes.push(outcome)
      if (outcome !== 'passed') print(io, `${rule}: ${outcome}`)
    }
  })()
  await withProgress(io, () => counted(outcomes.length, 'case'), scoring)
  const total = outcomes.length
  const passed = outcomes.filter((outcome) => outcome === 'passed').length
  const accepted = outcomes.filter((outcome) => outcome === 'accepted').length
  const refused = `${total - passed - accepted} refused without the expected errors`
  const skipped = `${cases.length - total} skipped, because a bulk overwrite cannot show them`
  print(io, `${passed} of ${total} cases pass; ${accepted} accepted, ${refused}; ${skipped}`)
  return passed === total ? 0 : 1
}

async function outcomeOf(service: Service, scope: Scope, { on, body, errors }: Case): Promise<string> {
  try {
    await service.overwrite(scope, listOf(on, body) as readonly unknown[])
    return 'accepted'
  } catch (error) {
    // 429 says nothing about the body.
    const { status = 0, body: response } = (error instanceof CommandError && error.refusal) || {}
    if (status < 400 || status === 429) throw error
    if (status >= 500) return `responds with ${status}`
    const found = errorsInResponse(response).map(({ path, code }) => `${path.join('.')} ${code}`)
    const missing = errors!.filter(({ path, code }) => !found.includes(`${path.join('.')} ${code}`))
    if (missing.length === 0) return 'passed'
    const wanted = missing.map(({ path, code }) => `${code} at ${path.join('.') || 'the body'}`).join(', ')
    return `refused, without ${wanted}`
  }
}
