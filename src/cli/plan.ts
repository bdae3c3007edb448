import { DEFAULT_BASE_PATH } from '../http/base-path.ts'
import { scopeOf } from '../registry/scope.ts'
import { oneOfWords, readArguments, readTimeout, requireFiles } from './arguments.ts'
import { fetchBaseline, readBaselineFile } from './baseline.ts'
import { UsageError } from './errors.ts'
import { print, type Io } from './io.ts'
import { planJson, planReport } from './plan-text.ts'
import { hasChanges, planDeploy, planExitCode, readDefinitions } from './planning.ts'
import { checkIds, isAddress, serviceOf } from './service-options.ts'
import { terminalOf } from './style.ts'
import type { DeployedBy, ExitCode, Subcommand } from './subcommand.ts'

const usage = `Examples
  COMMANDRY_TOKEN=… commandry plan commands/ --against discord --application 112233445566778899
  commandry plan commands/ --against http://127.0.0.1:8787 --application 112233445566778899
  commandry plan commands/ --against snapshot.json
  commandry plan --run "node deploy.js" --against snapshot.json

commandry plan FILE|FOLDER|-... --against SNAPSHOT|URL|discord

Shows what a deploy would change, without deploying. It takes the definitions that "commandry check" takes, and compares
them with Discord, with another service (its base path ${DEFAULT_BASE_PATH} is optional), or with a snapshot: a file of
"commandry export". The token, of a bot or "Bearer TOKEN", is read from the environment variable COMMANDRY_TOKEN.

  --against SNAPSHOT|URL|discord   the deployed commands
  --application ID        the id of your application; not needed for a snapshot
  --guild ID              the commands of one server (the global ones)
  --permissions-in GUILD  for a URL: list the permissions of global commands lost in this server; may be repeated
  --timeout SECONDS       for a URL: the longest time for a response (10)
  --expect-no-changes     exit with 2 on any difference
  --all                   show every difference of a command
  --run COMMAND           instead of files: take the definitions that this program deploys
  --verbose               with --run: print what the program writes
  --format pretty|json    (pretty)
  --color auto|always|never   (auto)

Exit codes: 0 safe, 1 invalid or unreadable, 2 wrong usage, permissions would be lost, or a limit exceeded.`

export const planCommand: Subcommand = { summary: 'show what a deploy would do', usage, run: plan }

async function plan(argv: readonly string[], io: Io, deployedBy: DeployedBy): Promise<ExitCode> {
  const { values, positionals } = readArguments(argv, {
    against: { type: 'string' },
    application: { type: 'string' },
    guild: { type: 'string' },
    'permissions-in': { type: 'string', multiple: true, default: [] },
    timeout: { type: 'string', default: '10' },
    'expect-no-changes': { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
    run: { type: 'string' },
    verbose: { type: 'boolean', default: false },
    format: { type: 'string', default: 'pretty' },
    color: { type: 'string', default: 'auto' },
  })
  const { against, application, guild, run, verbose } = values
  requireFiles(positionals, run)
  if (against === undefined) throw new UsageError('--against SNAPSHOT, URL or discord is required')
  const format = oneOfWords('format', values.format, ['pretty', 'json'])
  const terminal = terminalOf(io, values.color)
  const permissionsIn = [...new Set(values['permissions-in'])]
  checkIds(application, guild, ...permissionsIn)
  if (guild !== undefined && permissionsIn.length > 0)
    throw new UsageError(
      '--permissions-in is for global commands; --guild always includes the permissions of its server',
    )
  const timeout = readTimeout(values.timeout)
  let loadBaseline = () => readBaselineFile(io, against, application, guild)
  if (isAddress(against)) {
    if (application === undefined) throw new UsageError('--application is required for a URL')
    const service = serviceOf(io, { option: 'against', address: against, application, timeout })
    loadBaseline = () => fetchBaseline(service, scopeOf(application, guild), permissionsIn)
  }

  const set = await readDefinitions(io, deployedBy, { args: positionals, run, verbose, guild })
  const planned = await planDeploy(set, guild === undefined ? 'global' : 'guild', loadBaseline)
  const view = {
    args: run === undefined ? positionals : [run],
    count: set.bodies.length,
    isWhole: values.all,
  }
  print(io, format === 'json' ? planJson(planned) : planReport(planned, terminal, view))
  const code = planExitCode(planned)
  const isUnexpected = values['expect-no-changes'] && planned.preview !== null && hasChanges(planned.preview)
  return code === 0 && isUnexpected ? 2 : code
}
