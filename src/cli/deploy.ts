import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { isObject, sameJson, type JsonObject } from '../core/json.ts'
import type { Issue } from '../core/report.ts'
import { counted } from '../core/text.ts'
import { errorsInResponse } from '../reference/response-errors.ts'
import { scopeOf, type Scope } from '../registry/scope.ts'
import { color, command, count, flag, option, required, requireFiles, timeout } from './command.ts'
import { fetchBaseline } from './baseline.ts'
import { CommandError, usageError, type Refusal } from './errors.ts'
import { allFindings, assignToFiles, type DefinitionSet } from '../authoring/findings.ts'
import { print, warn, type Io } from './io.ts'
import { countsText, planReport } from './plan-text.ts'
import {
  definitionOptions,
  hasChanges,
  planDeploy,
  planExitCode,
  readDefinitions,
  type Preview,
} from './planning.ts'
import { isAddress, serviceOf, type Service } from './remote.ts'
import { prettyReport } from './report.ts'
import { terminalOf, type Terminal } from './style.ts'

export const deployCommand = command({
  name: 'deploy',
  summary: 'replace the deployed commands, after showing the plan',
  help: [
    `Examples
  COMMANDRY_TOKEN=… commandry deploy commands/ --to discord --application 112233445566778899
  commandry deploy commands.json --to http://127.0.0.1:8787 --application 112233445566778899 --yes

commandry deploy FILE|FOLDER|-... --to URL|discord --application ID

Replaces the deployed commands by the definitions that "commandry check" takes. It shows the plan, asks for confirmation,
and saves the deployed commands to a file first. The bot's token is read from the environment variable COMMANDRY_TOKEN.`,
    `Exit codes: 0 deployed or nothing to do, 1 invalid, refused or not confirmed, 2 wrong usage, permissions would be lost,
--delete is missing or another number, or a limit exceeded.`,
  ],
  options: {
    to: option('URL|discord', 'where to deploy; there is no default'),
    ...definitionOptions,
    yes: flag('do not ask; required without a terminal'),
    delete: option('N', 'delete N commands; required when more are deleted than stay', count),
    'allow-loss': flag('with --yes: deploy even if permissions are lost'),
    timeout: timeout('30'),
    color,
  },
  async run(io, values, positionals) {
    const { to, guild, run } = values
    const args = run === undefined ? positionals : [run]
    requireFiles(positionals, run)
    if (to === undefined || !isAddress(to)) throw usageError('--to URL or --to discord is required')
    const application = required(values.application, '--application is required')
    const permissionsIn = [...new Set(values['permissions-in'])]
    const service = serviceOf(io, 'to', to, application, values.timeout)
    const scope = scopeOf(application, guild)
    const terminal = terminalOf(io, values.color)
    const set = await readDefinitions(io, values, positionals)

    const planned = await planDeploy(set, scope.kind, () => fetchBaseline(service, scope, permissionsIn))
    print(io, planReport(planned, terminal, { args, count: set.bodies.length, isWhole: values.all }))
    const { preview, files } = planned
    if (preview === null || allFindings(files).some(({ level }) => level === 'error')) {
      warn(io, 'Nothing was written.')
      return planExitCode(planned)
    }
    if (!hasChanges(preview)) return 0
    const ready: Deploy = { service, scope, set, args, to, terminal, preview }
    const risk = deletionRisk(preview.plan, values.delete)
    if (risk !== null) {
      warn(io, `Nothing was written: ${risk}.`)
      return 2
    }
    return (await confirm(io, ready, values.yes, values['allow-loss'])) ?? write(io, ready)
  },
})

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
): Promise<number | null> {
  const refuse = (exitCode: number, why = '') => {
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

async function write(io: Io, ready: Deploy): Promise<number> {
  const { service, scope, set, terminal, preview } = ready
  const { style } = terminal
  const known = preview.baseline.service!.bodies
  // The plan is only right for the commands it compared with.
  if (!sameJson(await service.commands(scope), known))
    throw new CommandError('the deployed commands have changed since the plan was made; nothing was written')
  const file = await save(io, scope, known)
  print(io, `Saved the ${counted(known.length, 'deployed command')}: ${file}`)
  const started = performance.now()
  let after: readonly unknown[]
  try {
    const interruption = io.interrupted().then((): never => {
      throw service.failure('interrupted before the response')
    })
    after = await Promise.race([service.overwrite(scope, set.bodies), interruption])
  } catch (error) {
    if (!(error instanceof CommandError && error.refusal)) throw error
    warnIssues(io, ready, error.refusal)
    warn(io, `commandry deploy: ${error.message}`)
    const { status } = error.refusal
    const isRefused = status >= 400 && status < 500 && !UNCERTAIN.includes(status)
    const advice = `run the plan again; the commands from before are in ${file}`
    warn(io, isRefused ? 'Nothing was written.' : `The commands may have been written; ${advice}.`)
    return 1
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

/** Shows the errors of a response at the definitions. */
function warnIssues(io: Io, { service, set, terminal, args }: Deploy, { body }: Refusal): void {
  const issues = errorsInResponse(body).map(({ path, ...error }): Issue => {
    const code = service.printable(error.code, 100)
    return { path, code, message: service.printable(error.message), about: 'text', params: {}, clause: '' }
  })
  if (issues.length > 0) print(io, prettyReport(assignToFiles(set, issues, []), terminal, args))
}
