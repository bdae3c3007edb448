/** `commandry plan`: what a deploy would change and what it would lose, for people and for programs. */
import { isIncomplete, skippedAndOthers, type NotSeen } from '../../../model/not-seen.ts'
import { DEFAULT_BASE_PATH } from '../../../service/http/base-path.ts'
import { differencesOf } from '../../authoring/differences.ts'
import { renamesOf } from '../../authoring/renames.ts'
import { scopeOf } from '../../../commands/registry/scope.ts'
import {
  color,
  command,
  flag,
  asId,
  wordOf,
  option,
  optionWith,
  required,
  requireFiles,
  timeout,
} from '../base/cli-command.ts'
import { usageError } from '../base/errors.ts'
import { countsOf, JSON_VERSION, jsonFiles } from '../base/format-findings.ts'
import { print, terminalOf } from '../base/io.ts'
import { fetchBaseline, readBaselineFile } from '../deployed/baseline.ts'
import {
  definitionOptions,
  formerDefinitionOptions,
  hasChanges,
  planDeploy,
  planExitCode,
  planReport,
  readDefinitions,
  type PlannedDeploy,
  type Preview,
} from '../deployed/deploy-plan.ts'
import { isAddress, serviceOf } from '../deployed/remote.ts'

export default command({
  help: [
    `Examples
  COMMANDRY_TOKEN=… commandry plan commands/ --against discord --application 112233445566778899
  commandry plan commands/ --against http://127.0.0.1:8787 --application 112233445566778899
  commandry plan commands/ --against snapshot.json
  commandry plan --run "node deploy.js" --against snapshot.json

commandry plan FILE|FOLDER|-... --against SNAPSHOT|URL|discord

Shows what a deploy would change, without deploying. It takes the definitions that "commandry check" takes, and compares
them with Discord, with another service (its base path ${DEFAULT_BASE_PATH} is optional), or with a file: a snapshot of
"commandry export", or a list of commands, such as "commandry deploy" saves. The token, of a bot or "Bearer TOKEN", is read from the environment variable COMMANDRY_TOKEN.`,
    'Exit codes: 0 safe, 1 invalid or not all seen, 2 wrong usage, permissions would be lost, or a limit exceeded.',
  ],
  options: {
    against: option('SNAPSHOT|URL|discord', 'the deployed commands'),
    ...definitionOptions,
    application: option('ID', 'the id of your application; not needed for a snapshot', asId),
    timeout: timeout('10'),
    'expect-no-changes': flag('exit with 2 on any difference'),
    format: optionWith('pretty|json', '(pretty)', 'pretty', wordOf('pretty', 'json')),
    color,
  },
  formerly: formerDefinitionOptions,
  takesProgram: 'run',
  async run(io, values, args) {
    const { application, guild, run, format } = values
    requireFiles(args, run)
    const against = required(values.against, '--against SNAPSHOT, URL or discord is required')
    const permissionsIn = [...new Set(values['permissions-in'])]
    if (guild !== undefined && permissionsIn.length > 0)
      throw usageError(
        '--permissions-in is for global commands; --guild always includes the permissions of its server',
      )
    let loadBaseline = () => readBaselineFile(io, against, application, guild)
    if (isAddress(against)) {
      const applicationId = required(application, '--application is required for a URL')
      const service = serviceOf(io, 'against', against, applicationId, values.timeout)
      loadBaseline = () => fetchBaseline(service, scopeOf(applicationId, guild), permissionsIn)
    }
    const { set, notSeen } = await readDefinitions(io, values, args)
    const planned = await planDeploy(set, guild === undefined ? 'global' : 'guild', loadBaseline)
    if (format === 'json') print(io, planJson(planned, notSeen))
    else
      print(
        io,
        planReport(
          planned,
          terminalOf(io, values.color),
          run ? [run] : args,
          values['all-differences'],
          notSeen,
        ),
      )
    const { preview } = planned
    const isUnexpected = values['expect-no-changes'] && preview !== null && hasChanges(preview)
    return planExitCode(planned, notSeen) || (isUnexpected ? 2 : 0)
  },
})

// --- For programs ---------------------------------------------------------------------------------------------

function planJson({ files, preview }: PlannedDeploy, notSeen: readonly NotSeen[]): string {
  const counts = countsOf(files)
  const { skipped, others } = skippedAndOthers(notSeen)
  const ok = counts.errors === 0 && !isIncomplete(notSeen)
  const head = { version: JSON_VERSION, ok, counts, files: jsonFiles(files), skipped, not_seen: others }
  return JSON.stringify({ ...head, plan: preview && previewJson(preview) }, null, 2)
}

function previewJson({ baseline: { name, scope }, plan, createsLeft, unseen }: Preview): object {
  return {
    against: name,
    applicationId: scope.applicationId,
    guildId: scope.kind === 'guild' ? scope.guildId : null,
    creates: plan.creates.map(({ id, version, ...command }) => command),
    updates: plan.updates.map((update) => {
      const { version, ...after } = update.after
      return { before: update.before, after, fields: update.fields, differences: differencesOf(update) }
    }),
    deletes: plan.deletes,
    unchanged: plan.unchanged,
    createsLeft,
    permissionsLost: plan.permissionsLost,
    renames: renamesOf(plan).map(({ from, to }) => {
      return { id: from.id, type: from.type, from: from.name, to: to.name }
    }),
    unseen,
  }
}
