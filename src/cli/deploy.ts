import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { isObject, sameJson, type JsonObject } from '../core/json.ts'
import type { Issue } from '../core/report.ts'
import { counted } from '../core/text.ts'
import { errorsInResponse } from '../reference/response-errors.ts'
import { scopeOf, type Scope } from '../registry/scope.ts'
import { readArguments, readCount, readTimeout, requireFiles } from './arguments.ts'
import { fetchBaseline } from './baseline.ts'
import { CommandError, UsageError } from './errors.ts'
import { allFindings, assignToFiles, type DefinitionSet } from '../authoring/findings.ts'
import { print, warn, type Io } from './io.ts'
import { countsText, planReport } from './plan-text.ts'
import { hasChanges, planDeploy, planExitCode, readDefinitions, type Preview } from './planning.ts'
import { fromService, ServiceError, type Service } from './remote.ts'
import { prettyReport } from './report.ts'
import { checkIds, isAddress, serviceOf } from './service-options.ts'
import { terminalOf, type Terminal } from './style.ts'
import type { DeployedBy, ExitCode, Subcommand } from './subcommand.ts'

const usage = `Examples
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
  --delete N              delete N commands; required when more are deleted than stay
  --allow-loss            with --yes: deploy even if permissions are lost
  --timeout SECONDS       the longest time for a response (30)
  --all                   show every difference of a command
  --run COMMAND           instead of files: take the definitions that this program deploys
  --verbose               with --run: print what the program writes
  --color auto|always|never   (auto)

Exit codes: 0 deployed or nothing to do, 1 invalid, refused or not confirmed, 2 wrong usage, permissions would be lost,
--delete is missing or another number, or a limit exceeded.`

export const deployCommand: Subcommand = {
  summary: 'replace the deployed commands, after showing the plan',
  usage,
  run: deploy,
}

/** A deploy that waits for confirmation. */
interface Deploy {
  readonly service: Service
  readonly scope: Scope
  readonly set: DefinitionSet
  readonly args: readonly string[]
  readonly to: string
  readonly terminal: Terminal
  readonly preview: Preview
}

async function deploy(argv: readonly string[], io: Io, deployedBy: DeployedBy): Promise<ExitCode> {
  const { values, positionals } = readArguments(argv, {
    to: { type: 'string' },
    application: { type: 'string' },
    guild: { type: 'string' },
    'permissions-in': { type: 'string', multiple: true, default: [] },
    yes: { type: 'boolean', default: false },
    delete: { type: 'string' },
    'allow-loss': { type: 'boolean', default: false },
    timeout: { type: 'string', default: '30' },
    all: { type: 'boolean', default: false },
    run: { type: 'string' },
    verbose: { type: 'boolean', default: false },
    color: { type: 'string', default: 'auto' },
  })
  const { to, application, guild, run, verbose } = values
  const args = run === undefined ? positionals : [run]
  requireFiles(positionals, run)
  if (to === undefined || !isAddress(to)) throw new UsageError('--to URL or --to discord is required')
  if (application === undefined) throw new UsageError('--application is required')
  const permissionsIn = [...new Set(values['permissions-in'])]
  checkIds(application, guild, ...permissionsIn)
  const timeout = readTimeout(values.timeout)
  const deletes = values.delete === undefined ? undefined : readCount('delete', values.delete)
  const service = serviceOf(io, { option: 'to', address: to, application, timeout })
  const scope = scopeOf(application, guild)
  const terminal = terminalOf(io, values.color)
  const set = await readDefinitions(io, deployedBy, { args: positionals, run, verbose, guild })

  const planned = await planDeploy(set, scope.kind, () => fetchBaseline(service, scope, permissionsIn))
  print(io, planReport(planned, terminal, { args, count: set.bodies.length, isWhole: values.all }))
  const { preview, files } = planned
  if (preview === null || allFindings(files).some(({ level }) => level === 'error')) {
    warn(io, 'Nothing was written.')
    return planExitCode(planned)
  }
  if (!hasChanges(preview)) return 0
  const ready: Deploy = { service, scope, set, args, to, terminal, preview }
  const risk = deletionRisk(preview.plan, deletes)
  if (risk !== null) {
    warn(io, `Nothing was written: ${risk}.`)
    return 2
  }
  return (await confirm(io, ready, values.yes, values['allow-loss'])) ?? write(io, ready)
}

/** Why the deletions of a plan are not accepted; null when they are. A build that lost its commands must not delete a bot. */
function deletionRisk(
  { deletes, updates, unchanged }: Preview['plan'],
  accepted: number | undefined,
): string | null {
  const count = deletes.length
  const kept = updates.length + unchanged.length
  if (accepted === count || (accepted === undefined && count <= kept)) return null
  const would = `${count} of ${counted(count + kept, 'deployed command')} would be deleted`
  return accepted === undefined
    ? `${would}; add --delete ${count} to accept that`
    : `${would}, not ${accepted}`
}

/** Asks for confirmation; null when it is given, else the exit code. */
async function confirm(
  io: Io,
  { scope, to, preview }: Deploy,
  isYes: boolean,
  allowsLoss: boolean,
): Promise<ExitCode | null> {
  const refuse = (exitCode: ExitCode, why = '') => {
    warn(io, `Nothing was written${why}.`)
    return exitCode
  }
  const lost = preview.changes.lost
  const losses = counted(lost, 'permission')
  if (isYes) {
    const isAccepted = lost === 0 || allowsLoss
    return isAccepted ? null : refuse(2, `: ${losses} would be lost; add --allow-loss to accept that`)
  }
  const place = to === 'discord' ? 'Discord' : to
  const question =
    lost === 0
      ? `Deploy to ${place}? [y/N] `
      : `Deploy to ${place}, and lose ${losses}? Type the application id to continue: `
  const answer = (await io.ask(question))?.trim()
  if (answer === undefined)
    return refuse(1, `: there is no terminal to ask in; add --yes${lost > 0 ? ' --allow-loss' : ''}`)
  const isConfirmed = lost === 0 ? /^y(?:es)?$/i.test(answer) : answer === scope.applicationId
  return isConfirmed ? null : refuse(1)
}

async function write(io: Io, ready: Deploy): Promise<ExitCode> {
  const { service, scope, set, terminal, preview } = ready
  const { style } = terminal
  const known = preview.baseline.service!.bodies
  // The plan is only right for the commands it compared with.
  if (!sameJson(await fromService(service, () => service.commands(scope)), known))
    throw new CommandError('the deployed commands have changed since the plan was made; nothing was written')
  const file = await save(io, scope, known)
  print(io, `Saved the ${counted(known.length, 'deployed command')}: ${file}`)
  const started = performance.now()
  let after: readonly unknown[]
  try {
    const interruption = io.interrupted().then((): never => {
      throw new ServiceError('interrupted before the response')
    })
    after = await Promise.race([service.overwrite(scope, set.bodies), interruption])
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return printErrors(io, ready, error, file)
  }
  const seconds = ((performance.now() - started) / 1_000).toFixed(1)
  print(io, `${style.green('✓')} Deployed in ${seconds} s: ${changesText(known, after)}`)
  const guild = scope.kind === 'guild' ? ` --guild ${scope.guildId}` : ''
  const undo = `commandry deploy ${file} --to ${ready.to} --application ${scope.applicationId}${guild}`
  const note = preview.changes.lost > 0 ? style.dim(' (it does not restore permissions)') : ''
  print(io, `  Undo: ${style.bold(undo)}${note}`)
  return 0
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
function changesText(before: readonly JsonObject[], response: readonly unknown[]): string {
  const after = response.filter(isObject)
  const old = new Map(before.map((command) => [command.id, command]))
  const now = new Set(after.map(({ id }) => id))
  const created = after.filter(({ id }) => !old.has(id)).length
  const same = after.filter((command) => sameJson(old.get(command.id), command)).length
  return countsText([
    [created, 'created'],
    [after.length - created - same, 'updated'],
    [before.filter(({ id }) => !now.has(id)).length, 'deleted'],
    [same, 'unchanged'],
  ])
}

// A proxy answers with these after it has passed a request on.
const UNCERTAIN = [408, 499]

function printErrors(
  io: Io,
  { service, set, terminal, args }: Deploy,
  { body, status, message }: ServiceError,
  saved: string,
): ExitCode {
  const issues = errorsInResponse(body).map(({ path, ...error }): Issue => {
    const code = service.printable(error.code, 100)
    return { path, code, message: service.printable(error.message), params: {}, clause: '' }
  })
  if (issues.length > 0) print(io, prettyReport(assignToFiles(set, issues, []), terminal, args))
  warn(io, `commandry deploy: ${service.base}: ${message}`)
  const isRefused = status >= 400 && status < 500 && !UNCERTAIN.includes(status)
  const advice = `run the plan again; the commands from before are in ${saved}`
  warn(io, isRefused ? 'Nothing was written.' : `The commands may have been written; ${advice}.`)
  return 1
}
