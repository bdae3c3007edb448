import { printable } from '../core/text.ts'
import { oneOfWords, readArguments, requireFiles } from './arguments.ts'
import { UsageError } from './errors.ts'
import { findProblems, type FileFindings } from '../authoring/findings.ts'
import { applyFixes, suggestFixes, writeSources } from './fix.ts'
import { print, warn, type Io } from './io.ts'
import { countsOf, githubLines, JSON_VERSION, jsonFiles, prettyReport } from './report.ts'
import type { Source } from '../authoring/findings.ts'
import { readFiles, skippedText, type Reading } from './sources.ts'
import { terminalOf, type Terminal } from './style.ts'
import type { DeployedBy, ExitCode, Subcommand } from './subcommand.ts'
import { onEachState } from './watch.ts'

const usage = `Examples
  commandry check commands.json
  commandry check commands/ --fix
  node build-commands.js | commandry check -
  commandry check --run "node deploy.js"

commandry check FILE|FOLDER|-...

Finds every mistake in command definitions: JSON, or modules that export commands, builders, lists or maps of them, or
"data" and "execute". All files are checked as one set, as a deploy sends it. "-" reads JSON from stdin.

  --run COMMAND           instead of files: run a program that deploys, such as your bot, and check what it sends to a
                          service on this machine
  --fix                   repair JSON files where that is safe, and keep their formatting; with "-" print the JSON
  --watch                 check again whenever a file changes
  --each                  every file is a set of its own
  --scope global|guild    where the commands go (global)
  --warnings-as-errors    exit with 1 for warnings too
  --format FORMAT         pretty, json or github (pretty; in GitHub Actions also github)
  --color auto|always|never   (auto; NO_COLOR and CLICOLOR_FORCE count)
  --quiet                 print nothing when there are no problems
  --verbose               print the stack trace of a module that fails to load, and what the program of --run writes

Exit codes: 0 no problems, 1 problems, 2 wrong usage.`

export const checkCommand: Subcommand = { summary: 'find every mistake in command definitions', usage, run }

interface ReportOptions {
  readonly args: readonly string[]
  readonly format: 'pretty' | 'json' | 'github'
  /** Whether to print annotations of GitHub Actions too. */
  readonly annotates: boolean
  readonly warningsAreErrors: boolean
  readonly quiet: boolean
  readonly terminal: Terminal
}

async function run(argv: readonly string[], io: Io, deployedBy: DeployedBy): Promise<ExitCode> {
  const { values, positionals } = readArguments(argv, {
    run: { type: 'string' },
    fix: { type: 'boolean', default: false },
    watch: { type: 'boolean', default: false },
    each: { type: 'boolean', default: false },
    scope: { type: 'string', default: 'global' },
    'warnings-as-errors': { type: 'boolean', default: false },
    format: { type: 'string' },
    color: { type: 'string', default: 'auto' },
    quiet: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
  })
  requireFiles(positionals, values.run)
  const { each, quiet } = values
  const scope = oneOfWords('scope', values.scope, ['global', 'guild'])
  const options: ReportOptions = {
    args: values.run === undefined ? positionals : [values.run],
    format: oneOfWords('format', values.format ?? 'pretty', ['pretty', 'json', 'github']),
    annotates: values.format === undefined && io.env.GITHUB_ACTIONS === 'true',
    warningsAreErrors: values['warnings-as-errors'],
    quiet,
    terminal: terminalOf(io, values.color),
  }
  if (values.run !== undefined) {
    if (values.fix || values.watch || each)
      throw new UsageError('--run goes with neither --fix, --watch nor --each')
    const started = performance.now()
    const deployed = await deployedBy(io, values.run, values.verbose)
    const files = deployed.flatMap(({ scope, source }) => findProblems([source], scope.kind))
    return report(io, options, files, started, [])
  }
  if (values.watch) {
    if (values.fix || positionals.includes('-'))
      throw new UsageError('--watch goes with neither --fix nor "-"')
    const again = argv.filter((arg) => arg !== '--watch')
    await onEachState(io, positionals, io.interrupted(), async () => {
      await run(again, io, deployedBy)
      warn(io, 'Watching for changes; press Ctrl+C to end.')
    })
    return 0
  }
  const started = performance.now()
  const { sources: before, skipped } = await readFiles(io, positionals)
  if (values.verbose) printTraces(io, before)
  if (!values.fix) return report(io, options, findProblems(before, scope, each), started, skipped)
  const { sources, applied, files } = applyFixes(before, scope, each)
  for (const { file, finding } of applied) {
    const { line, column } = finding.position!
    warn(io, printable(`fixing ${file}:${line}:${column}: ${finding.text} (${finding.code})`))
  }
  for (const line of suggestFixes(files)) warn(io, printable(line))
  await writeSources(io, before, sources)
  // The repaired text of stdin goes to stdout, so the report goes beside it.
  const reportIo = positionals.includes('-') ? { ...io, stdout: io.stderr } : io
  return report(reportIo, options, files, started, skipped)
}

function report(
  io: Io,
  options: ReportOptions,
  files: readonly FileFindings[],
  started: number,
  skipped: Reading['skipped'],
): ExitCode {
  const { args, format, annotates, warningsAreErrors, quiet, terminal } = options
  const counts = countsOf(files)
  const ok = counts.errors === 0 && !(warningsAreErrors && counts.warnings > 0)
  const isClean = counts.errors + counts.warnings === 0
  if (format === 'json')
    print(
      io,
      JSON.stringify({ version: JSON_VERSION, ok, counts, files: jsonFiles(files), skipped }, null, 2),
    )
  if (format === 'github' || annotates) for (const line of githubLines(files)) print(io, line)
  if (format === 'pretty' && !(quiet && isClean))
    print(io, prettyReport(files, terminal, args, (performance.now() - started) / 1_000))
  if (format === 'pretty' && !quiet)
    for (const line of notesOf(files, skipped)) print(io, terminal.style.dim(line))
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
