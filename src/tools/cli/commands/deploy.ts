import { assignToFiles, allErrors, type DefinitionSet } from '../../authoring/findings.ts'
import { isObject, sameJson } from '../../../core/json.ts'
import type { Issue } from '../../../core/rules/report.ts'
import { counted } from '../../../core/text.ts'
import { gapsWithCommands, refusalText, isIncomplete, type NotSeen } from '../../../model/not-seen.ts'
import { errorsInResponse } from '../../../reference/response-errors.ts'
import { changesBetween } from '../../../commands/registry/changes.ts'
import { scopeOf } from '../../../commands/registry/scope.ts'
import { baselineAfter, fetchBaseline, type Baseline } from '../deployed/baseline.ts'
import { carryOut, type WriteStep } from '../deployed/carry-out.ts'
import { color, command, count, flag, option, required, requireFiles, timeout } from '../base/cli-command.ts'
import { CommandError, usageError } from '../base/errors.ts'
import { print, terminalOf, warn, type Io, type Terminal } from '../base/io.ts'
import {
  countsText,
  definitionOptions,
  formerDefinitionOptions,
  differenceRows,
  hasChanges,
  planDeploy,
  planExitCode,
  planReport,
  readDefinitions,
  type Preview,
} from '../deployed/deploy-plan.ts'
import { isAddress, serviceOf, type Remote } from '../deployed/remote.ts'
import { prettyReport } from '../base/format-findings.ts'

export default command({
  help: [
    `Examples
  COMMANDRY_TOKEN=… commandry deploy commands/ --to discord --application 112233445566778899
  commandry deploy commands.json --to http://127.0.0.1:8787 --application 112233445566778899 --yes

commandry deploy FILE|FOLDER|-... --to URL|discord --application ID

Replaces the deployed commands by the definitions that "commandry check" takes. It shows the plan, asks for confirmation,
and saves the deployed commands to a file first. The bot's token is read from the environment variable COMMANDRY_TOKEN.`,
    `Exit codes: 0 deployed or nothing to do, 1 invalid, not all seen, refused, not confirmed, or not deployed as defined, 2 wrong
usage, permissions would be lost, --delete is missing or another number, or a limit exceeded.`,
  ],
  options: {
    to: option('URL|discord', 'where to deploy; there is no default'),
    ...definitionOptions,
    yes: flag('do not ask; required without a terminal'),
    delete: option(
      'N',
      'delete N commands; required when more are deleted than stay, or not all was seen',
      count,
    ),
    'allow-loss': flag('with --yes: deploy even if permissions are lost'),
    timeout: timeout('30'),
    color,
  },
  formerly: formerDefinitionOptions,
  takesProgram: 'run',
  async run(io, values, positionals) {
    const { to, guild, run } = values
    const args = run === undefined ? positionals : [run]
    requireFiles(positionals, run)
    if (to === undefined || !isAddress(to))
      throw usageError('--to URL or --to discord is required; an address begins with http://')
    const application = required(values.application, '--application is required')
    const service = serviceOf(io, 'to', to, application, values.timeout)
    const scope = scopeOf(application, guild)
    const terminal = terminalOf(io, values.color)
    const { set, notSeen } = await readDefinitions(io, values, positionals)
    const permissionsIn = [...new Set(values['permissions-in'])]
    const planned = await planDeploy(set, scope.kind, () => fetchBaseline(service, scope, permissionsIn))
    print(io, planReport(planned, terminal, args, values['all-differences'], notSeen))
    const { preview, files } = planned
    const refuse = (exitCode: number, why = '') => {
      warn(io, `Nothing was written${why}.`)
      return exitCode
    }
    if (preview === null || allErrors(files).length > 0) return refuse(planExitCode(planned, notSeen))
    if (isIncomplete(notSeen)) return refuse(1, ': not all was seen of what it deploys')
    if (!hasChanges(preview)) return 0
    const risk = riskOf(preview, values, notSeen)
    if (risk !== null) return refuse(2, `: ${risk}`)
    const refusal = values.yes ? null : await askUser(io, to, application, preview.changes.lost)
    if (refusal !== null) return refuse(1, refusal)

    const { bodies: known } = preview.baseline.service!
    let after: readonly unknown[] = []
    let differences: readonly string[] = []
    let started = 0
    const step: WriteStep = {
      scope,
      before: known,
      what: 'the commands',
      verb: 'written',
      losses: '',
      async check() {
        // The plan is only right for the commands and permissions it compared with.
        const now = await fetchBaseline(service, scope, permissionsIn)
        const has = sameJson(now.snapshot.permissions, preview.baseline.snapshot.permissions)
        return has && sameJson(now.service!.bodies, known)
          ? null
          : `the deployed ${has ? 'commands' : 'permissions'} have changed since the plan was made`
      },
      async write() {
        started = performance.now()
        after = await service.overwrite(scope, set.bodies)
        differences = await differencesIn(set, preview.baseline, service, after, terminal)
      },
      done() {
        const seconds = ((performance.now() - started) / 1_000).toFixed(1)
        const what = `Deployed in ${seconds} s: ${changesText(known, after) || 'no command is there'}`
        if (differences.length === 0) return `${terminal.style.green('✓')} ${what}`
        const heading = terminal.style.red('✗ The deployed commands are not as defined:')
        return [what, heading, ...differences.map((line) => `  ${line}`)].join('\n')
      },
      explain(body) {
        const issues = issuesIn(service, body)
        if (issues.length > 0) print(io, prettyReport(assignToFiles(set, issues, []), terminal, args))
      },
    }
    const file = (await carryOut(io, 'deploy', [step], 'run the plan again'))?.get(scope)
    if (file === undefined) return 1
    const inGuild = guild === undefined ? '' : ` --guild ${guild}`
    const undo = `commandry deploy ${file} --to ${to} --application ${application}${inGuild}${deletedByUndo(known, after)}`
    const note = preview.changes.lost > 0 ? terminal.style.dim(' (it does not restore permissions)') : ''
    print(io, `  Undo: ${terminal.style.bold(undo)}${note}`)
    return differences.length === 0 ? 0 : 1
  },
})

/** Why a plan needs another option; null when it needs none. A build that lost its commands must not delete a bot. */
function riskOf(
  { plan: { deletes, updates, unchanged }, changes: { lost } }: Preview,
  options: { readonly yes: boolean; readonly delete: number | undefined; readonly 'allow-loss': boolean },
  notSeen: readonly NotSeen[],
): string | null {
  const kept = updates.length + unchanged.length
  const accepted = options.delete
  const would = `${deletes.length} of ${counted(deletes.length + kept, 'deployed command')} would be deleted`
  const hiding = gapsWithCommands(notSeen)
  if (accepted === undefined && deletes.length > 0 && hiding.length > 0)
    return `${would}, and ${refusalText(hiding)}, or add --delete ${deletes.length} to accept that`
  if (accepted === undefined && deletes.length > kept)
    return `${would}; add --delete ${deletes.length} to accept that`
  if (accepted !== undefined && accepted !== deletes.length) return `${would}, not ${accepted}`
  return options.yes && lost > 0 && !options['allow-loss']
    ? `${counted(lost, 'permission')} would be lost; add --allow-loss to accept that`
    : null
}

/** The differences between the definitions and the response of the service, as rows. */
async function differencesIn(
  set: DefinitionSet,
  before: Baseline,
  service: Remote,
  after: readonly unknown[],
  terminal: Terminal,
): Promise<readonly string[]> {
  try {
    return await differenceRows(set, baselineAfter(service, before, after), terminal)
  } catch (error) {
    if (error instanceof CommandError) return [error.message]
    throw error
  }
}

/** Asks for confirmation; null when it is given, else the reason, which may be empty. */
async function askUser(io: Io, to: string, application: string, lost: number): Promise<string | null> {
  const place = to === 'discord' ? 'Discord' : to
  const question =
    lost === 0
      ? `Deploy to ${place}? [y/N] `
      : `Deploy to ${place}, and lose ${counted(lost, 'permission')}? Type the application id to continue: `
  const answer = (await io.ask(question))?.trim()
  if (answer === undefined)
    return `: there is no terminal to ask in; add --yes${lost > 0 ? ' --allow-loss' : ''}`
  const isConfirmed = lost === 0 ? /^y(?:es)?$/i.test(answer) : answer === application
  return isConfirmed ? null : ''
}

/** A summary of the changes, from the response of the service. */
function changesText(before: readonly unknown[], response: readonly unknown[]): string {
  return countsText(changeCounts(before, response).map(([kind, count]) => [count, kind]))
}

const KINDS = ['created', 'updated', 'deleted', 'unchanged'] as const

function changeCounts(before: readonly unknown[], response: readonly unknown[]) {
  const changes = changesBetween(before as never, response.filter(isObject) as never)
  return KINDS.map((kind) => [kind, changes.filter((change) => change.kind === kind).length] as const)
}

/** The option with which the undo may delete what a deploy created, if it needs that. */
function deletedByUndo(before: readonly unknown[], response: readonly unknown[]): string {
  const { created = 0, updated = 0, unchanged = 0 } = Object.fromEntries(changeCounts(before, response))
  return created > updated + unchanged ? ` --delete ${created}` : ''
}

/** The errors in a response, which may repeat the token. */
function issuesIn(service: Remote, body: unknown): readonly Issue[] {
  return errorsInResponse(body).map(({ path, code, message }) => ({
    path,
    code: service.printable(code, 100),
    message: service.printable(message),
    about: 'text',
    params: {},
    clause: '',
  }))
}
