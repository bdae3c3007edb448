import { DEFAULT_BASE_PATH } from '../http/base-path.ts'
import { scopeOf } from '../registry/scope.ts'
import { fetchBaseline, readBaselineFile } from './baseline.ts'
import {
  color,
  command,
  flag,
  id,
  oneOf,
  option,
  optionWith,
  required,
  requireFiles,
  timeout,
} from './command.ts'
import { usageError } from './errors.ts'
import { print } from './io.ts'
import { planJson, planReport } from './plan-text.ts'
import { definitionOptions, hasChanges, planDeploy, planExitCode, readDefinitions } from './planning.ts'
import { isAddress, serviceOf } from './remote.ts'
import { terminalOf } from './style.ts'

export const planCommand = command({
  name: 'plan',
  summary: 'show what a deploy would do',
  help: [
    `Examples
  COMMANDRY_TOKEN=… commandry plan commands/ --against discord --application 112233445566778899
  commandry plan commands/ --against http://127.0.0.1:8787 --application 112233445566778899
  commandry plan commands/ --against snapshot.json
  commandry plan --run "node deploy.js" --against snapshot.json

commandry plan FILE|FOLDER|-... --against SNAPSHOT|URL|discord

Shows what a deploy would change, without deploying. It takes the definitions that "commandry check" takes, and compares
them with Discord, with another service (its base path ${DEFAULT_BASE_PATH} is optional), or with a snapshot: a file of
"commandry export". The token, of a bot or "Bearer TOKEN", is read from the environment variable COMMANDRY_TOKEN.`,
    'Exit codes: 0 safe, 1 invalid or unreadable, 2 wrong usage, permissions would be lost, or a limit exceeded.',
  ],
  options: {
    against: option('SNAPSHOT|URL|discord', 'the deployed commands'),
    ...definitionOptions,
    application: option('ID', 'the id of your application; not needed for a snapshot', id),
    timeout: timeout('10'),
    'expect-no-changes': flag('exit with 2 on any difference'),
    format: optionWith('pretty|json', '(pretty)', 'pretty', oneOf('pretty', 'json')),
    color,
  },
  async run(io, values, args) {
    const { application, guild, run } = values
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
    const set = await readDefinitions(io, values, args)
    const planned = await planDeploy(set, guild === undefined ? 'global' : 'guild', loadBaseline)
    const view = { args: run === undefined ? args : [run], count: set.bodies.length, isWhole: values.all }
    const report = () => planReport(planned, terminalOf(io, values.color), view)
    print(io, values.format === 'json' ? planJson(planned) : report())
    const code = planExitCode(planned)
    const isUnexpected =
      values['expect-no-changes'] && planned.preview !== null && hasChanges(planned.preview)
    return code === 0 && isUnexpected ? 2 : code
  },
})
