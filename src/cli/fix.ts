/** Applies the safe fixes of rules to JSON files. */
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { applyEdits } from '../core/edits.ts'
import { jsonValue } from '../core/json.ts'
import type { Edit, Path } from '../core/rule.ts'
import { ruleOf } from '../reference/catalogue.ts'
import { findProblems, type FileFindings, type Finding } from './findings.ts'
import type { Io } from './io.ts'
import { jsonSource, type Source } from './sources.ts'

// A round skips edits that overlap; the next round makes them.
const MOST_ROUNDS = 10

/** A fix that was applied, and the file it changed. */
interface AppliedFix {
  readonly file: string
  readonly finding: Finding
}

/** Edits of a file that repair a finding, with paths from the file. */
export function fixesOf({ issue, path, position, body }: Finding): readonly Edit[] {
  // A module has no text to change.
  if (issue === null || position === null || body === undefined) return []
  const fix = ruleOf(issue.code)?.fix
  if (!fix) return []
  // The path of the rule starts at the command, that of the finding at the file.
  const inner = issue.path.slice(1)
  const outer = path.slice(0, path.length - inner.length)
  const edits = fix(jsonValue(body), { path: inner, params: issue.params })
  return edits.map((edit) => ({ ...edit, path: [...outer, ...edit.path] as Path }))
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

/** Writes the sources whose text changed. */
export async function writeSources(
  io: Io,
  before: readonly Source[],
  after: readonly Source[],
): Promise<void> {
  for (const [index, { file, text }] of after.entries()) {
    if (text !== null && text !== before[index]!.text) await writeFile(resolve(io.cwd, file), text)
  }
}
