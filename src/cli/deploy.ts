import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { isObject, sameJson, type JsonObject } from '../core/json.ts'
import type { Issue } from '../core/report.ts'
import { counted } from '../core/text.ts'
import type { Scope } from '../registry/scope.ts'
import { errorsInResponse } from './response-errors.ts'
import { BaselineError, fetchBaseline, type Baseline } from './baseline.ts'
import { oneOfWords, readArguments } from './arguments.ts'
import { CommandError, UsageError, type ExitCode } from './errors.ts'
import { assignToFiles, definitionSet, type DefinitionSet } from './findings.ts'
import { print, warn, type Io } from './io.ts'
import { planDeploy, planExitCode, type Planned, type Preview } from './planning.ts'
import { lostPermissions, planReport } from './plan-text.ts'
import { ServiceError, type Service } from './remote.ts'
import { prettyReport, type Terminal } from './report.ts'
import { checkIds, isAddress, scopeOf, serviceOf } from './service-options.ts'
import { readSources } from './sources.ts'
import { colorModes, columnsOf, styleFor } from './style.ts'

export const deployUsage = `Examples
  COMMANDRY_TOKEN=… commandry deploy commands/ --to discord --application 112233445566778899
  commandry deploy commands.json --to http://127.0.0.1:8787 --application 112233445566778899 --yes

commandry deploy FILE|FOLDER|-... --to URL|discord --application ID

Replaces the deployed commands by the definitions that "commandry check" takes. It shows the plan, asks for confirmation,
and saves the deployed commands to a file first. The bot's token is read from the environment variable COMMANDRY_TOKEN.

  --to URL|discord        where to deploy; there is no default
  --application ID        the id of your application
  --guild ID              the commands of one server (the global ones)
  --permissions-in GUILD  list the permissions of this server that would be lost; may be repeated
  --yes                   do not ask; required without a terminal
  --allow-loss            with --yes: deploy even if permissions are lost
  --timeout SECONDS       the longest time for a response (30)
  --all                   show every difference of a command
  --color auto|always|never   (auto)

Exit codes: 0 deployed or nothing to do, 1 invalid, refused or not confirmed, 2 permissions would be lost or a limit exceeded.`

/** A deploy that waits for confirmation. */
interface Deploy {
  readonly service: Service
  readonly scope: Scope
  readonly set: DefinitionSet
  readonly args: readonly string[]
  readonly to: string
  readonly terminal: Terminal
}

export async function deploy(argv: readonly string[], io: Io): Promise<ExitCode> {
  const { values, positionals } = readArguments(argv, {
    to: { type: 'string' },
    application: { type: 'string' },
    guild: { type: 'string' },
    'permissions-in': { type: 'string', multiple: true, default: [] },
    yes: { type: 'boolean', default: false },
    'allow-loss': { type: 'boolean', default: false },
    timeout: { type: 'string', default: '30' },
    all: { type: 'boolean', default: false },
    color: { type: 'string', default: 'auto' },
  })
  const { to, application, guild } = values
  if (positionals.length === 0) throw new UsageError('FILE is required: a file, a folder, or "-" for stdin')
  if (to === undefined || !isAddress(to)) throw new UsageError('--to URL or --to discord is required')
  if (application === undefined) throw new UsageError('--application is required')
  checkIds(application, guild, ...values['permissions-in'])
  const service = serviceOf(io, {
    option: 'to',
    address: to,
    application,
    timeout: values.timeout,
  })
  const scope = scopeOf(application, guild)
  const terminal = {
    style: styleFor(io, oneOfWords('color', values.color, colorModes)),
    columns: columnsOf(io),
  }
  const set = definitionSet(await readSources(io, positionals))
  const ready: Deploy = { service, scope, set, args: positionals, to, terminal }
  try {
    let before: Baseline | undefined
    const planned = await planDeploy(set, scope.kind, async () => {
      before = await fetchBaseline(service, scope, [...new Set(values['permissions-in'])])
      return { baseline: before, scope }
    })
    const view = { args: positionals, count: set.bodies.length, isWhole: values.all }
    print(io, planReport(planned, terminal, view))
    if (planned.preview === null || before === undefined || hasErrors(planned)) {
      warn(io, 'Nothing was written.')
      return planExitCode(planned)
    }
    if (!hasChanges(planned.preview)) return 0
    const refusal = await confirm(io, ready, planned.preview, values.yes, values['allow-loss'])
    if (refusal !== null) return refusal
    return await write(io, ready, before, planned.preview)
  } catch (error) {
    if (!(error instanceof BaselineError)) throw error
    throw new CommandError(error.message)
  }
}

function hasErrors({ files }: Planned): boolean {
  return files.some(({ findings }) => findings.some(({ level }) => level === 'error'))
}

function hasChanges({ plan: { creates, updates, deletes } }: Preview): boolean {
  return creates.length + updates.length + deletes.length > 0
}

/** Asks for confirmation; null when it is given, else the exit code. */
async function confirm(
  io: Io,
  { scope, to }: Deploy,
  preview: Preview,
  isYes: boolean,
  allowsLoss: boolean,
): Promise<ExitCode | null> {
  const lost = lostPermissions(preview)
  const place = to === 'discord' ? 'Discord' : to
  if (isYes) {
    if (lost === 0 || allowsLoss) return null
    warn(
      io,
      `Nothing was written: ${counted(lost, 'permission')} would be lost; add --allow-loss to accept that.`,
    )
    return 2
  }
  const { applicationId } = scope
  const question =
    lost === 0
      ? `Deploy to ${place}? [y/N] `
      : `Deploy to ${place}, and lose ${counted(lost, 'permission')}? Type the application id to continue: `
  const answer = await io.ask(question)
  if (answer === null) {
    warn(
      io,
      `Nothing was written: there is no terminal to ask in; add --yes${lost > 0 ? ' --allow-loss' : ''}.`,
    )
    return 1
  }
  const isConfirmed = lost === 0 ? /^y(?:es)?$/i.test(answer.trim()) : answer.trim() === applicationId
  if (isConfirmed) return null
  warn(io, 'Nothing was written.')
  return 1
}

async function write(io: Io, ready: Deploy, before: Baseline, preview: Preview): Promise<ExitCode> {
  const { service, scope, set, terminal } = ready
  const { style } = terminal
  const known = before.bodies as readonly JsonObject[]
  // The plan is only right for the commands it compared with.
  if (!sameJson(await orFail(service, () => service.commands(scope)), known))
    throw new CommandError('the deployed commands have changed since the plan was made; nothing was written')
  const file = await save(io, scope, known)
  print(io, `Saved the ${counted(known.length, 'deployed command')}: ${file}`)
  const started = performance.now()
  let after: unknown
  try {
    after = await service.overwrite(scope, set.bodies)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return printErrors(io, ready, error)
  }
  const seconds = ((performance.now() - started) / 1_000).toFixed(1)
  print(io, `${style.green('✓')} Deployed in ${seconds} s: ${changesText(known, after)}`)
  const guild = scope.kind === 'guild' ? ` --guild ${scope.guildId}` : ''
  const undo = `commandry deploy ${file} --to ${ready.to} --application ${scope.applicationId}${guild}`
  const note = lostPermissions(preview) > 0 ? style.dim(' (it does not restore permissions)') : ''
  print(io, `  Undo: ${style.bold(undo)}${note}`)
  return 0
}

async function orFail<T>(service: Service, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw new CommandError(`${service.base}: ${error.message}`)
  }
}

/** Writes the deployed commands to a new file; never overwrites one. */
async function save(io: Io, scope: Scope, commands: readonly unknown[]): Promise<string> {
  const minute = new Date().toISOString().slice(0, 16).replaceAll(/[-:]/g, '')
  const place = scope.kind === 'guild' ? scope.guildId : 'global'
  for (let count = 1; ; count++) {
    const file = `${scope.applicationId}-${place}-${minute}${count === 1 ? '' : `-${count}`}.json`
    try {
      await writeFile(resolve(io.cwd, file), `${JSON.stringify(commands, null, 2)}\n`, { flag: 'wx' })
      return file
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EEXIST') continue
      throw new CommandError(`cannot save the deployed commands to ${file} (${code}); nothing was written`)
    }
  }
}

/** A summary of the changes, from the response of the service. */
function changesText(before: readonly JsonObject[], response: unknown): string {
  const after = Array.isArray(response) ? response.filter(isObject) : []
  const old = new Map(before.map((command) => [command.id, command]))
  const now = new Set(after.map(({ id }) => id))
  const created = after.filter(({ id }) => !old.has(id)).length
  const same = after.filter((command) => sameJson(old.get(command.id), command)).length
  const parts = [
    [created, 'created'],
    [after.length - created - same, 'updated'],
    [before.filter(({ id }) => !now.has(id)).length, 'deleted'],
    [same, 'unchanged'],
  ] as const
  return parts
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${count} ${what}`)
    .join(', ')
}

function printErrors(io: Io, { service, set, terminal, args }: Deploy, error: ServiceError): ExitCode {
  const issues = errorsInResponse(error.body).map((each): Issue => ({ ...each, params: {}, clause: '' }))
  if (issues.length > 0) print(io, prettyReport(assignToFiles(set, issues, []), terminal, args))
  warn(io, `commandry deploy: ${service.base}: ${error.message}`)
  warn(
    io,
    error.status >= 400 && error.status < 500
      ? 'Nothing was written.'
      : 'The commands may have been written; run the plan again.',
  )
  return 1
}
