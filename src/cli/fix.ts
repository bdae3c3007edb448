/** Applies the safe fixes of rules to JSON files. */
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { applyEdits } from '../core/edits.ts'
import { jsonValue } from '../core/json.ts'
import type { Edit, Path } from '../core/rule.ts'
import { counted, quoted } from '../core/text.ts'
import { ruleOf } from '../reference/catalogue.ts'
import { findProblems, type FileFindings, type Finding } from './findings.ts'
import type { Io } from './io.ts'
import { bigintsAsText, pathText } from './load.ts'
import { jsonSource, STDIN, type Source } from './sources.ts'

// A round skips edits that overlap; the next round makes them.
const MOST_ROUNDS = 10

/** A fix that was applied, and the file it changed. */
interface AppliedFix {
  readonly file: string
  readonly finding: Finding
}

/** Edits of a file that repair a finding, with paths from the file. */
export function fixesOf(finding: Finding): readonly Edit[] {
  const { issue, path, position } = finding
  // A module has no text to change.
  if (issue === null || position === null) return []
  const outer = path.slice(0, path.length - issue.path.length + 1)
  return editsOf(finding).map((edit) => ({ ...edit, path: [...outer, ...edit.path] as Path }))
}

/** Edits of a definition that repair a finding, with paths from the definition. */
function editsOf({ issue, body }: Finding): readonly Edit[] {
  const fix = issue === null || body === undefined ? undefined : ruleOf(issue.code)?.fix
  return fix ? fix(jsonValue(body), { path: issue!.path.slice(1), params: issue!.params }) : []
}

/** The repairs of definitions in modules, which only the author can make: one line each, after a heading. */
export function suggestFixes(files: readonly FileFindings[]): readonly string[] {
  const lines = files
    .filter(({ source }) => source.text === null)
    .flatMap(({ source, findings }) =>
      findings.flatMap((finding) =>
        editsOf(finding).map((edit) => `  ${source.file}  ${finding.command}  ${editText(edit)}`),
      ),
    )
  return lines.length === 0
    ? []
    : [`modules are not repaired; change ${counted(lines.length, 'place')} by hand:`, ...lines]
}

function editText(edit: Edit): string {
  const place = pathText(edit.path)
  switch (edit.op) {
    case 'set':
      return `${place}: ${JSON.stringify(edit.value, bigintsAsText)}`
    case 'remove':
      return `remove ${place}`
    case 'rename':
      return `rename ${place} to ${quoted(edit.to)}`
    case 'move':
      return `move ${place} to ${pathText([...edit.path.slice(0, -1), edit.to])}`
  }
}

/** Applies all safe fixes to the texts of JSON sources, without writing files. */
export function applyFixes(
  sources: readonly Source[],
  scope: 'global' | 'guild',
  each: boolean,
): {
  readonly sources: readonly Source[]
  readonly applied: readonly AppliedFix[]
  readonly files: readonly FileFindings[]
} {
  const applied: AppliedFix[] = []
  let current = sources
  for (let round = 0; ; round++) {
    const files = findProblems(current, scope, each)
    if (round === MOST_ROUNDS) return { sources: current, applied, files }
    let isChanged = false
    current = files.map(({ source, findings }) => {
      if (source.text === null) return source
      const fixable = findings.filter((finding) => fixesOf(finding).length > 0)
      const text = applyEdits(source.text, fixable.flatMap(fixesOf))
      if (text === source.text) return source
      isChanged = true
      applied.push(...fixable.map((finding) => ({ file: source.file, finding })))
      return jsonSource(source.file, text)
    })
    if (!isChanged) return { sources: current, applied, files }
  }
}

/** Writes the sources whose text changed; that of stdin goes to stdout, changed or not. */
export async function writeSources(
  io: Io,
  before: readonly Source[],
  after: readonly Source[],
): Promise<void> {
  for (const [index, { file, text }] of after.entries()) {
    if (text === null) continue
    if (file === STDIN) io.stdout.write(text)
    else if (text !== before[index]!.text) await writeFile(resolve(io.cwd, file), text)
  }
}
