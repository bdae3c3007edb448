import { oneOfWords, readArguments, requireFiles } from './arguments.ts'
import { UsageError } from './errors.ts'
import { findProblems, type FileFindings } from './findings.ts'
import { applyFixes, writeSources } from './fix.ts'
import { print, warn, type Io } from './io.ts'
import { countsOf, githubLines, JSON_VERSION, jsonFiles, prettyReport } from './report.ts'
import { readSources, type Source } from './sources.ts'
import { terminalOf, type Terminal } from './style.ts'
import type { ExitCode, Subcommand } from './subcommand.ts'
import { watchFiles } from './watch.ts'

const usage = `Examples
  commandry check commands.json
  commandry check commands/ --fix
  node build-commands.js | commandry check -

commandry check FILE|FOLDER|-...

Finds every mistake in command definitions: JSON, or modules that export commands, builders, lists or maps of them, or
"data" and "execute". All files are checked as one set, as a deploy sends it. "-" reads JSON from stdin.

  --fix                   repair JSON files where that is safe, and keep their formatting
  --watch                 check again whenever a file changes
  --each                  every file is a set of its own
  --scope global|guild    where the commands go (global)
  --warnings-as-errors    exit with 1 for warnings too
  --format FORMAT         pretty, json or github (pretty; in GitHub Actions also github)
  --color auto|always|never   (auto; NO_COLOR and CLICOLOR_FORCE count)
  --quiet                 print nothing when there are no problems
  --verbose               print the stack trace of a module that fails to load

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

async function run(argv: readonly string[], io: Io): Promise<ExitCode> {
  const { values, positionals } = readArguments(argv, {
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
  requireFiles(positionals)
  const { each, quiet } = values
  const scope = oneOfWords('scope', values.scope, ['global', 'guild'])
  const options: ReportOptions = {
    args: positionals,
    format: oneOfWords('format', values.format ?? 'pretty', ['pretty', 'json', 'github']),
    annotates: values.format === undefined && io.env.GITHUB_ACTIONS === 'true',
    warningsAreErrors: values['warnings-as-errors'],
    quiet,
    terminal: terminalOf(io, values.color),
  }
  if (values.watch) {
    if (values.fix || positionals.includes('-'))
      throw new UsageError('--watch goes with neither --fix nor "-"')
    return watchFiles(io, positionals, argv)
  }
  const started = performance.now()
  const before = await readSources(io, positionals)
  if (values.verbose) printTraces(io, before)
  if (!values.fix) return report(io, options, findProblems(before, scope, each), started)
  const { sources, applied, files } = applyFixes(before, scope, each)
  for (const { file, finding } of applied) {
    const { line, column } = finding.position!
    warn(io, `fixing ${file}:${line}:${column}: ${finding.text} (${finding.code})`)
  }
  await writeSources(io, before, sources)
  return report(io, options, files, started)
}

function report(io: Io, options: ReportOptions, files: readonly FileFindings[], started: number): ExitCode {
  const { args, format, annotates, warningsAreErrors, quiet, terminal } = options
  const counts = countsOf(files)
  const ok = counts.errors === 0 && !(warningsAreErrors && counts.warnings > 0)
  const isClean = counts.errors + counts.warnings === 0
  if (format === 'json')
    print(io, JSON.stringify({ version: JSON_VERSION, ok, counts, files: jsonFiles(files) }, null, 2))
  if (format === 'github' || annotates) for (const line of githubLines(files)) print(io, line)
  if (format === 'pretty' && !(quiet && isClean))
    print(io, prettyReport(files, terminal, args, (performance.now() - started) / 1_000))
  return ok ? 0 : 1
}

function printTraces(io: Io, sources: readonly Source[]): void {
  for (const { file, fault } of sources) {
    if (fault?.cause instanceof Error) warn(io, `${file}: ${fault.cause.stack}`)
  }
}
