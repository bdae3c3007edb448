import type { Issue } from '../core/report.ts'
import { counted, listed } from '../core/text.ts'
import { formatIssues } from '../issues/format.ts'
import { validateCommand, validateCommands } from '../validate.ts'
import { oneOf, readArguments, UsageError, type ExitCode } from './arguments.ts'
import { FileError, loadDefinitions } from './load.ts'

export const checkUsage = `commandry check FILE...

Validates command definitions. A FILE is JSON, one command or a list of them, or a module whose default
export is one. A list is checked as a whole: counts and names too. Exits with 1 when there are errors.

  --scope global|guild    where the commands go (global)
  --format text|json      how to tell the problems (text)
  --warnings-as-errors    exit with 1 for warnings too`

/** What a file's definitions are worth. */
export interface Checked {
  readonly file: string
  readonly ok: boolean
  readonly errors: readonly Issue[]
  readonly warnings: readonly Issue[]
  /** What was validated; undefined when the file could not be used. */
  readonly body: unknown
}

export async function check(argv: readonly string[]): Promise<ExitCode> {
  const { values, positionals } = readArguments(argv, {
    scope: { type: 'string', default: 'global' },
    format: { type: 'string', default: 'text' },
    'warnings-as-errors': { type: 'boolean', default: false },
  })
  const scope = oneOf('scope', values.scope, ['global', 'guild'])
  const format = oneOf('format', values.format, ['text', 'json'])
  if (positionals.length === 0) throw new UsageError('name the files to check')

  const checked: Checked[] = []
  for (const file of positionals) checked.push(await checkFile(file, scope, values['warnings-as-errors']))
  console.log(format === 'json' ? asJson(checked) : asText(checked))
  return checked.every(({ ok }) => ok) ? 0 : 1
}

/** @param strict whether warnings count as errors */
export async function checkFile(file: string, scope: 'global' | 'guild', strict: boolean): Promise<Checked> {
  let body: unknown
  try {
    body = await loadDefinitions(file)
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    const issue = { code: 'file', path: [], message: error.message, params: {}, clause: '' }
    return { file, ok: false, errors: [issue], warnings: [], body: undefined }
  }
  const validation = Array.isArray(body)
    ? validateCommands(body, { scope })
    : validateCommand(body, { scope })
  const errors = validation.ok ? [] : validation.issues
  const { warnings } = validation
  return { file, ok: errors.length === 0 && !(strict && warnings.length > 0), errors, warnings, body }
}

function asJson(checked: readonly Checked[]): string {
  const files = checked.map(({ file, ok, errors, warnings }) => ({ file, ok, errors, warnings }))
  return JSON.stringify(files, null, 2)
}

/** A line for each problem of a file. */
export function linesOf({ file, errors, warnings, body }: Checked): readonly string[] {
  return [
    ...errors.map((issue) => `${file}: error: ${formatIssues([issue], body)}`),
    ...warnings.map((issue) => `${file}: warning: ${formatIssues([issue], body)}`),
  ]
}

/** Every problem of some files, and how many there are. */
export function asText(checked: readonly Checked[]): string {
  const lines = checked.flatMap(linesOf)
  const all = (level: 'errors' | 'warnings') => checked.reduce((sum, file) => sum + file[level].length, 0)
  const files = counted(checked.length, 'file')
  const found = [
    all('errors') > 0 ? counted(all('errors'), 'error') : '',
    all('warnings') > 0 ? counted(all('warnings'), 'warning') : '',
  ].filter((text) => text !== '')
  return [...lines, found.length === 0 ? `${files}: all well` : `${files}: ${listed(found)}`].join('\n')
}
