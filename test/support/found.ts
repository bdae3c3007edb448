import { formatIssues, type Issue, type Path, type Validation } from 'commandry'

/** What tests compare of an issue: what is wrong, where, and by which clause. */
export type Fact = readonly [code: string, path: Path, clause: string]

const fact = ({ code, path, clause }: Issue): Fact => [code, path, clause]

/** Why something was refused, in the order in which it was told; nothing when it was not. */
export function refusals(found: Validation<unknown>): readonly Fact[] {
  return found.ok ? [] : found.issues.map(fact)
}

export function warnings(found: Validation<unknown>): readonly Fact[] {
  return found.warnings.map(fact)
}

/** The sentences of what was refused, or of the warnings when nothing was. */
export function messages(found: Validation<unknown>): readonly string[] {
  return (found.ok ? found.warnings : found.issues).map(({ message }) => message)
}

/** What was read; fails, saying why, when it was refused. */
export function accepted<T>(found: Validation<T>): T {
  if (!found.ok) throw new Error(`refused:\n${formatIssues(found.issues)}`)
  return found.value
}

/** The smallest slash command, with what a test is about. */
export function slash(fields: object = {}): Record<string, unknown> {
  return { name: 'a', description: 'b', ...fields }
}

/** The smallest option of a type, with what a test is about. */
export function option(type: unknown, fields: object = {}): Record<string, unknown> {
  return { type, name: 'o', description: 'b', ...fields }
}

export function several<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index))
}
