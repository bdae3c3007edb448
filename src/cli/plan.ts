import { DEFAULT_BASE_PATH } from '../http/base-path.ts'
import { scopeOf } from '../registry/scope.ts'
import { oneOfWords, readArguments, requireFiles, readTimeout } from './arguments.ts'
import { fetchBaseline, readBaselineFile } from './baseline.ts'
import { UsageError } from './errors.ts'
import { definitionSet } from './findings.ts'
import { print, type Io } from './io.ts'
import { planJson, planReport } from './plan-text.ts'
import { hasChanges, planDeploy, planExitCode } from './planning.ts'
import { checkIds, isAddress, serviceOf } from './service-options.ts'
import { readSources } from './sources.ts'
import { terminalOf } from './style.ts'
import type { ExitCode, Subcommand } from './subcommand.ts'

const usage = `Examples
  COMMANDRY_TOKEN=… commandry plan commands/ --against discord --application 112233445566778899
  commandry plan commands/ --against http://127.0.0.1:8787 --application 112233445566778899
  commandry plan commands/ --against snapshot.json

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
  --format pretty|json    (pretty)
  --color auto|always|never   (auto)

Exit codes: 0 safe, 1 invalid or unreadable, 2 permissions would be lost or a limit exceeded.`

// For this command, exit code 2 means that a deploy would lose permissions.
export const planCommand: Subcommand = { summary: 'show what a deploy would do', usage, misused: 1, run }

async function run(argv: readonly string[], io: Io): Promise<ExitCode> {
  const { values, positionals } = readArguments(argv, {
    against: { type: 'string' },
    application: { type: 'string' },
    guild: { type: 'string' },
    'permissions-in': { type: 'string', multiple: true, default: [] },
    timeout: { type: 'string', default: '10' },
    'expect-no-changes': { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
    format: { type: 'string', default: 'pretty' },
    color: { type: 'string', default: 'auto' },
  })
  const { against, application, guild } = values
  requireFiles(positionals)
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

  const set = definitionSet(await readSources(io, positionals))
  const planned = await planDeploy(set, guild === undefined ? 'global' : 'guild', loadBaseline)
  const view = { args: positionals, count: set.bodies.length, isWhole: values.all }
  print(io, format === 'json' ? planJson(planned) : planReport(planned, terminal, view))
  const code = planExitCode(planned)
  const isUnexpected = values['expect-no-changes'] && planned.preview !== null && hasChanges(planned.preview)
  return code === 0 && isUnexpected ? 2 : code
}
