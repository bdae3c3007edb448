import { printable } from '../core/text.ts'
import {
  color,
  command,
  flag,
  list,
  oneOf,
  option,
  optionWith,
  requireFiles,
  type Values,
} from './command.ts'
import { usageError } from './errors.ts'
import { findProblems, type FileFindings, type Source } from '../authoring/findings.ts'
import { applyFixes, suggestFixes, writeSources } from './fix.ts'
import { print, terminalOf, warn, type Io } from './io.ts'
import { countsOf, format, githubLines, JSON_VERSION, jsonFiles, prettyReport } from './report.ts'
import { onEachState, readFiles, skippedText, type Reading } from './sources.ts'

const options = {
  run: option(
    'COMMAND',
    'instead of files: run a program that deploys, such as your bot, and check what it sends to a\nservice on this machine',
  ),
  fix: flag('repair JSON files where that is safe, and keep their formatting; with "-" print the JSON'),
  watch: flag('check again whenever a file changes'),
  each: flag('every file is a set of its own'),
  scope: optionWith('global|guild', 'where the commands go (global)', 'global', oneOf('global', 'guild')),
  'warnings-as-errors': flag('exit with 1 for warnings too'),
  format,
  color,
  quiet: flag('print nothing when there are no problems'),
  say: list('TEXT', 'what the owner writes to the bot of --run, such as "!sync"; may be repeated'),
  verbose: flag('print the stack trace of a module that fails to load, and what the program of --run writes'),
}

export default command({
  help: [
    `Examples
  commandry check commands.json
  commandry check commands/ --fix
  node build-commands.js | commandry check -
  commandry check --run "node deploy.js"

commandry check FILE|FOLDER|-...

Finds every mistake in command definitions: JSON, or modules that export commands, builders, lists or maps of them, or
"data" and "execute". All files are checked as one set, as a deploy sends it. "-" reads JSON from stdin.`,
    'Exit codes: 0 no problems, 1 problems, 2 wrong usage.',
  ],
  options,
  async run(io, values, args) {
    requireFiles(args, values.run)
    if (values.run !== undefined && (values.fix || values.watch || values.each))
      throw usageError('--run goes with neither --fix, --watch nor --each')
    if (!values.watch) return check(io, values, args)
    if (values.fix || args.includes('-')) throw usageError('--watch goes with neither --fix nor "-"')
    await onEachState(io, args, io.interrupted(), async () => {
      await check(io, values, args)
      warn(io, 'Watching for changes; press Ctrl+C to end.')
    })
    return 0
  },
})

type CheckValues = Values<typeof options>

async function check(io: Io, values: CheckValues, args: readonly string[]): Promise<number> {
  const { run, scope, each } = values
  const started = performance.now()
  if (run !== undefined) {
    const { deployedBy } = await import('./run.ts')
    const deployed = await deployedBy(io, run, values.verbose, values.say)
    const files = deployed.flatMap(({ scope: { kind }, source }) => findProblems([source], kind))
    return report(io, values, [run], files, started, { skipped: [], advice: null })
  }
  const reading = await readFiles(io, args)
  const { sources: before } = reading
  if (values.verbose) printTraces(io, before)
  if (!values.fix) return report(io, values, args, findProblems(before, scope, each), started, reading)
  const { sources, applied, files } = applyFixes(before, scope, each)
  for (const { file, finding } of applied) {
    const { line, column } = finding.position!
    warn(io, printable(`fixing ${file}:${line}:${column}: ${finding.text} (${finding.code})`))
  }
  for (const line of suggestFixes(files)) warn(io, printable(line))
  await writeSources(io, before, sources)
  // The repaired text of stdin goes to stdout, so the report goes beside it.
  const reportIo = args.includes('-') ? { ...io, stdout: io.stderr } : io
  return report(reportIo, values, args, files, started, reading)
}

function report(
  io: Io,
  values: CheckValues,
  args: readonly string[],
  files: readonly FileFindings[],
  started: number,
  { skipped, advice }: Omit<Reading, 'sources'>,
): number {
  const { format = 'pretty', quiet } = values
  const annotates = values.format === undefined && io.env.GITHUB_ACTIONS === 'true'
  const terminal = terminalOf(io, values.color)
  const counts = countsOf(files)
  const ok = counts.errors === 0 && !(values['warnings-as-errors'] && counts.warnings > 0)
  const isClean = counts.errors + counts.warnings === 0
  if (format === 'json')
    print(
      io,
      JSON.stringify({ version: JSON_VERSION, ok, counts, files: jsonFiles(files), skipped }, null, 2),
    )
  if (format === 'github' || annotates) for (const line of githubLines(files)) print(io, line)
  if (format === 'pretty' && !(quiet && isClean))
    print(io, prettyReport(files, terminal, args, (performance.now() - started) / 1_000))
  if (format === 'pretty' && !quiet) {
    for (const line of notesOf(files, skipped)) print(io, terminal.style.dim(line))
    if (advice !== null) warn(io, advice)
  }
  return ok ? 0 : 1
}

/** What is no problem, but may surprise the author. */
function notesOf(files: readonly FileFindings[], skipped: Reading['skipped']): readonly string[] {
  const notes = files.flatMap(({ source: { file, notes = [] } }) =>
    notes.map((note) => `note: ${file} ${note}`),
  )
  return skipped.length > 0 ? [...notes, skippedText(skipped)] : notes
}

function printTraces(io: Io, sources: readonly Source[]): void {
  for (const { file, fault } of sources) {
    for (const line of fault?.stack?.split('\n') ?? []) warn(io, printable(`${file}: ${line}`))
  }
}
