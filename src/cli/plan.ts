import { DEFAULT_BASE_PATH } from '../http/base-path.ts'
import { BaselineError, fetchBaseline, readBaselineFile } from './baseline.ts'
import { oneOfWords, readArguments, seconds } from './arguments.ts'
import { UsageError, type ExitCode } from './errors.ts'
import { definitionSet } from './findings.ts'
import { print, warn, type Io } from './io.ts'
import { planDeploy, planExitCode, type Planned } from './planning.ts'
import { planJson, planReport } from './plan-text.ts'
import { checkIds, isAddress, scopeOf, serviceOf } from './service-options.ts'
import { readSources } from './sources.ts'
import { colorModes, columnsOf, styleFor } from './style.ts'

export const planUsage = `Examples
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

export async function planCommand(argv: readonly string[], io: Io): Promise<ExitCode> {
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
  if (positionals.length === 0) throw new UsageError('FILE is required: a file, a folder, or "-" for stdin')
  if (against === undefined) throw new UsageError('--against SNAPSHOT, URL or discord is required')
  const format = oneOfWords('format', values.format, ['pretty', 'json'])
  const color = oneOfWords('color', values.color, colorModes)
  const permissionsIn = [...new Set(values['permissions-in'])]
  checkIds(application, guild, ...permissionsIn)
  if (guild !== undefined && permissionsIn.length > 0)
    throw new UsageError(
      '--permissions-in is for global commands; --guild always includes the permissions of its server',
    )

  seconds('timeout', values.timeout, 3_600)
  let loadBaseline = () => readBaselineFile(io, against, application)
  if (isAddress(against)) {
    if (application === undefined) throw new UsageError('--application is required for a URL')
    const { timeout } = values
    const service = serviceOf(io, { option: 'against', address: against, application, timeout })
    loadBaseline = () => fetchBaseline(service, scopeOf(application, guild), permissionsIn)
  }

  const set = definitionSet(await readSources(io, positionals))
  let planned: Planned
  try {
    planned = await planDeploy(set, guild === undefined ? 'global' : 'guild', async () => {
      const baseline = await loadBaseline()
      return { baseline, scope: scopeOf(baseline.snapshot.application_id, guild) }
    })
  } catch (error) {
    if (!(error instanceof BaselineError)) throw error
    warn(io, `commandry plan: ${error.message}`)
    return 1
  }
  const terminal = { style: styleFor(io, color), columns: columnsOf(io) }
  const text =
    format === 'json'
      ? planJson(planned)
      : planReport(planned, terminal, { args: positionals, count: set.bodies.length, isWhole: values.all })
  print(io, text)
  const code = planExitCode(planned)
  return code === 0 && values['expect-no-changes'] && hasChanges(planned) ? 2 : code
}

function hasChanges({ preview }: Planned): boolean {
  if (preview === null) return false
  const { creates, updates, deletes } = preview.plan
  return creates.length + updates.length + deletes.length > 0
}
