/** Applies the safe fixes of rules to JSON files. */
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { applyEdits } from '../authoring/edits.ts'
import type { Edit } from '../core/rule.ts'
import { counted, quoted } from '../core/text.ts'
import { findProblems, type FileFindings, type Finding, type Source } from '../authoring/findings.ts'
import type { Io } from './io.ts'
import { pathText } from '../authoring/words.ts'
import { bigintsAsText } from './text-file.ts'
import { jsonSource, STDIN } from './sources.ts'

/** Whether `--fix` repairs a finding. A module has no text to change. */
export function isFixable({ repair, position }: Finding): boolean {
  return repair.length > 0 && position !== null
}

// A round skips edits that overlap; the next round makes them.
const MAX_ROUNDS = 10

/** The repairs of definitions in modules, which only the author can make: one line each, after a heading. */
export function suggestFixes(files: readonly FileFindings[]): readonly string[] {
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

/** Applies all safe fixes to the texts of JSON sources, without writing files. */
export function applyFixes(sources: readonly Source[], scope: 'global' | 'guild', each: boolean) {
  const applied: { file: string; finding: Finding }[] = []
  let current = sources
  for (let round = 0; ; round++) {
    const files = findProblems(current, scope, each)
    if (round === MAX_ROUNDS) return { sources: current, applied, files }
    let isChanged = false
    current = files.map(({ source, findings }) => {
      if (source.text === null) return source
      const fixable = findings.filter(isFixable)
      const text = applyEdits(
        source.text,
        fixable.flatMap(({ repair }) => repair),
      )
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
