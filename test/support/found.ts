import { formatIssues, type Issue, type Path, type Validation } from 'commandry'

/** The parts of an issue that tests compare. */
export type Fact = readonly [code: string, path: Path, clause: string]

const fact = ({ code, path, clause }: Issue): Fact => [code, path, clause]

/** The issues of a refused body, in order; empty when it was accepted. */
export function refusals(found: Validation<unknown>): readonly Fact[] {
  return found.ok ? [] : found.issues.map(fact)
}

/** Facts as texts: `'choice.name options[0].choices[1] 2.6-01'`. */
export function lines(facts: readonly Fact[]): string[] {
  const step = (one: Path[number]) => (typeof one === 'number' ? `[${one}]` : `.${one}`)
  return facts.map(([code, path, clause]) =>
    [code, path.map(step).join('').replace(/^\./, ''), clause].filter(Boolean).join(' '),
  )
}

export function warnings(found: Validation<unknown>): readonly Fact[] {
  return found.warnings.map(fact)
}

/** The issues of a refused body as texts; none when it was accepted. */
export const refused = (found: Validation<unknown>) => lines(refusals(found))

export const warned = (found: Validation<unknown>) => lines(warnings(found))

/** The issues of a refused body as texts with their messages: `'choice.name name 2.6-01: is empty; …'`. */
export const reasons = (found: Validation<unknown>) => (found.ok ? [] : explained(found.issues))

/** The warnings of an accepted body as texts with their messages; throws when it was refused. */
export function advice(found: Validation<unknown>): readonly string[] {
  accepted(found)
  return explained(found.warnings)
}

const explained = (issues: readonly Issue[]) =>
  issues.map((issue) => `${lines([fact(issue)])[0]}: ${issue.message}`)

/** The messages of the issues, or of the warnings when the body was accepted. */
export function messages(found: Validation<unknown>): readonly string[] {
  return (found.ok ? found.warnings : found.issues).map(({ message }) => message)
}

/** The value that was read; throws with the issues when the body was refused. */
export function accepted<T>(found: Validation<T>): T {
  if (!found.ok) throw new Error(`refused:\n${formatIssues(found.issues)}`)
  return found.value
}

export function isDeeplyFrozen(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  return Object.isFrozen(value) && Object.values(value).every(isDeeplyFrozen)
}
