import { resolve } from 'node:path'
import { applyEdits } from '../../authoring/edits.ts'
import { pathText } from '../../authoring/words.ts'
import { startOfGlobal } from '../../../commands/definition/fields/command.ts'
import { hasUnread, isIncomplete, notSeenLines, skippedAndOthers } from '../../../model/not-seen.ts'
import { sameJson, valueAt } from '../../../core/json.ts'
import type { Edit } from '../../../core/rules/rule.ts'
import { counted, listed, printable, quoted, wrapText } from '../../../core/text.ts'
import {
  color,
  command,
  flag,
  asId,
  list,
  wordOf,
  option,
  optionWith,
  requireFiles,
  type Values,
} from '../base/cli-command.ts'
import { usageError } from '../base/errors.ts'
import { findProblems, type FileFindings, type Finding, type Origin } from '../../authoring/findings.ts'
import { print, terminalOf, warn, type Io } from '../base/io.ts'
import {
  countsOf,
  format,
  githubLines,
  isAnnotating,
  isFixable,
  JSON_VERSION,
  jsonFiles,
  prettyReport,
} from '../base/format-findings.ts'
import {
  jsonSource,
  onEachState,
  readFiles,
  skippedText,
  STDIN,
  type SourceReading,
} from '../definitions/sources.ts'
import { bigintsAsText } from '../base/text-file.ts'
import { writeWhole } from '../base/whole-file.ts'

const options = {
  run: option(
    'COMMAND',
    'instead of files: run a program that deploys, such as your bot, and check what it sends to a\nservice on this machine',
  ),
  fix: flag('repair JSON files where that is safe, and keep their formatting; with "-" print the JSON'),
  watch: flag('check again whenever a file changes'),
  each: flag('every file is a set of its own'),
  scope: optionWith('global|guild', 'where the commands go (global)', 'global', wordOf('global', 'guild')),
  'warnings-as-errors': flag('exit with 1 for warnings too'),
  format,
  color,
  quiet: flag('print nothing when there are no problems'),
  guild: option('ID', 'the id of the only server of --run, for bots that deploy to one by its id', asId),
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
  commandry check -- npm run deploy

commandry check FILE|FOLDER|-...

Finds every mistake in command definitions: JSON, or modules that export commands, builders, lists or maps of them, or
"data" and "execute". All files are checked as one set, as a deploy sends it. "-" reads JSON from stdin.`,
    'Exit codes: 0 no problems, 1 problems, 2 wrong usage.',
  ],
  options,
  takesProgram: 'run',
  async run(io, values, args) {
    requireFiles(args, values.run)
    if (values.run !== undefined && (values.fix || values.watch || values.each))
      throw usageError('--run goes with neither --fix, --watch nor --each')
    if (!values.watch) return runCheck(io, values, args)
    if (values.fix || args.includes('-')) throw usageError('--watch goes with neither --fix nor "-"')
    await onEachState(io, args, io.interrupted(), async () => {
      await runCheck(io, values, args)
      warn(io, 'Watching for changes; press Ctrl+C to end.')
    })
    return 0
  },
})

type CheckValues = Values<typeof options>

async function runCheck(io: Io, values: CheckValues, args: readonly string[]): Promise<number> {
  const { run, scope, each } = values
  const started = performance.now()
  if (run !== undefined) {
    const { deployedBy, inServer } = await import('../bots/run.ts')
    const { deployed, notSeen } = await deployedBy(
      inServer(io, values.guild),
      run,
      values.verbose,
      values.say,
    )
    const files = deployed
      .flatMap(({ scope: { kind }, source }) => findProblems([source], kind))
      .map(({ source, findings }) => ({ source, findings: findings.filter(isOfAuthor) }))
    return report(io, values, { asked: [run], files, started, notSeen, advice: null })
  }
  const reading = await readFiles(io, args)
  const { sources } = reading
  const result = { asked: args, started, ...reading }
  if (values.verbose) printTraces(io, sources)
  if (!values.fix) return report(io, values, { ...result, files: findProblems(sources, scope, each) })
  const files = await repair(io, sources, values)
  // The repaired text of stdin goes to stdout, so the report goes beside it.
  const reportIo = args.includes('-') ? { ...io, stdout: io.stderr } : io
  return report(reportIo, values, { ...result, files })
}

/** What libraries write for fields that the author leaves out: the defaults, and py-cord all contexts. */
const FILLED: Readonly<Record<string, unknown>> = {
  ...startOfGlobal(),
  default_permission: true,
  contexts: [0, 1, 2],
}

/** False for warnings of what libraries add to each command, which the author cannot leave out. */
function isOfAuthor({ level, definition, path }: Finding): boolean {
  if (level === 'error' || definition === undefined) return true
  const end = path.findLastIndex((step) => typeof step === 'string') + 1
  const value = valueAt(definition.body, path.slice(definition.path.length, end))
  return value !== null && !sameJson(value, FILLED[path[end - 1]!])
}

interface CheckResult extends Omit<SourceReading, 'sources'> {
  /** The files, folders or program on the command line. */
  readonly asked: readonly string[]
  readonly files: readonly FileFindings[]
  readonly started: number
}

function report(io: Io, values: CheckValues, result: CheckResult): number {
  const { asked, files, started, notSeen, advice } = result
  const { format = 'pretty', quiet } = values
  const terminal = terminalOf(io, values.color)
  const seconds = (performance.now() - started) / 1_000
  const counts = countsOf(files)
  const { skipped, others } = skippedAndOthers(notSeen)
  const isWhole = !isIncomplete(notSeen)
  const ok = counts.errors === 0 && isWhole && !(values['warnings-as-errors'] && counts.warnings > 0)
  const isClean = counts.errors + counts.warnings === 0 && isWhole
  if (format === 'json')
    print(
      io,
      JSON.stringify(
        { version: JSON_VERSION, ok, counts, files: jsonFiles(files), skipped, not_seen: others },
        null,
        2,
      ),
    )
  if (isAnnotating(io, values.format)) for (const line of githubLines(files)) print(io, line)
  if (format === 'pretty' && !(quiet && isClean))
    print(io, prettyReport(files, terminal, asked, seconds, { isWhole, hasUnread: hasUnread(notSeen) }))
  if (format === 'pretty' && !(quiet && isWhole)) {
    const width = terminal.isTerminal ? terminal.columns : Infinity
    const notes = [...notesOf(files), ...(skipped.length > 0 ? [skippedText(skipped)] : [])]
    for (const note of notes) for (const line of wrapText(note, width)) print(io, terminal.style.dim(line))
    for (const line of notSeenLines(others, width)) print(io, line)
    if (advice !== null) for (const line of wrapText(advice, width)) warn(io, line)
  } else if (format !== 'json') {
    if (skipped.length > 0) warn(io, skippedText(skipped))
    if (!quiet || !isWhole) for (const line of notSeenLines(others)) warn(io, line)
  }
  return ok ? 0 : 1
}

/** What was read otherwise than it is written, in one line for all files, and what was refused. */
function notesOf(files: readonly FileFindings[]): readonly string[] {
  const sources = files.map(({ source }) => source)
  const renamed = sources.filter(({ camelCase = [] }) => camelCase.length > 0)
  const fields = new Map(renamed.flatMap(({ camelCase = [] }) => camelCase))
  const others = renamed.length > 1 ? ` and ${counted(renamed.length - 1, 'other file')} read` : ' reads'
  const note = `note: ${renamed[0]?.file}${others} ${listed([...fields.keys()])} as ${listed([...fields.values()])}, as client.application.commands.set() does; rest.put() does not`
  return [
    ...(renamed.length === 0 ? [] : [note]),
    ...sources.flatMap(({ file, notes = [] }) => notes.map((text) => `note: ${file} ${text}`)),
  ]
}

function printTraces(io: Io, sources: readonly Origin[]): void {
  for (const { file, fault } of sources) {
    for (const line of fault?.stack?.split('\n') ?? []) warn(io, printable(`${file}: ${line}`))
  }
}

// --- Repairs --------------------------------------------------------------------------------------------------

// A round skips edits that overlap; the next round makes them.
const MAX_ROUNDS = 10

/** Makes all safe repairs of JSON files, and returns what is left to report. */
async function repair(io: Io, before: readonly Origin[], { scope, each }: CheckValues) {
  let sources = before
  let files = findProblems(sources, scope, each)
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const repaired = files.map((file) => repairedSource(io, file))
    if (repaired.every((source, index) => source === sources[index])) break
    sources = repaired
    files = findProblems(sources, scope, each)
  }
  for (const line of suggestFixes(files)) warn(io, printable(line))
  for (const [index, { file, text }] of sources.entries()) {
    if (text !== null && file === STDIN) io.stdout.write(text)
    else if (text !== null && text !== before[index]!.text) await writeWhole(resolve(io.cwd, file), text)
  }
  return files
}

/** A JSON source without the problems that can be repaired at once; others stay as they are. */
function repairedSource(io: Io, { source, findings }: FileFindings): Origin {
  const { file, text } = source
  if (text === null) return source
  const fixable = findings.filter(isFixable)
  const edits = fixable.flatMap(({ repair }) => repair)
  const repaired = applyEdits(text, edits)
  if (repaired === text) return source
  for (const { position, text, code } of fixable)
    warn(io, printable(`fixing ${file}:${position!.line}:${position!.column}: ${text} (${code})`))
  return jsonSource(file, repaired)
}

/** The repairs of definitions in modules, which only the author can make: one line each, after a heading. */
function suggestFixes(files: readonly FileFindings[]): readonly string[] {
  const lines = files
    .filter(({ source }) => source.text === null)
    .flatMap(({ source, findings }) =>
      findings.flatMap(({ repair, command, definition }) =>
        repair.map((edit) => `  ${source.file}  ${command}  ${editText(edit, definition!.path.length)}`),
      ),
    )
  return lines.length === 0
    ? []
    : [`modules are not repaired; change ${counted(lines.length, 'place')} by hand:`, ...lines]
}

/** @param depth the steps of the path to the definition, which are left out */
function editText(edit: Edit, depth: number): string {
  const path = edit.path.slice(depth)
  const place = pathText(path)
  switch (edit.op) {
    case 'set':
      return `${place}: ${JSON.stringify(edit.value, bigintsAsText)}`
    case 'remove':
      return `remove ${place}`
    case 'rename':
      return `rename ${place} to ${quoted(edit.to)}`
    case 'move':
      return `move ${place} to ${pathText([...path.slice(0, -1), edit.to])}`
  }
}
