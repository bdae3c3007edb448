/** Fixes that several rules share. Each proposes edits, or none if it does not apply. */
import type { Edit, Fault, Path } from './rule.ts'

/** The value at a path; `undefined` when the path does not exist. */
export function valueAt(body: unknown, path: Path): unknown {
  let value = body
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = (value as Readonly<Record<string | number, unknown>>)[step]
  }
  return value
}

/** Removes the value at the path of the issue. */
export function removeValue(_: unknown, { path }: Fault<unknown>): readonly Edit[] {
  return [{ op: 'remove', path }]
}

/** Removes another field of the object that holds the value of the issue. */
/* @__NO_SIDE_EFFECTS__ */
export function removeField(field: string): (body: unknown, fault: Fault<unknown>) => readonly Edit[] {
  return (_, { path }) => [{ op: 'remove', path: [...path.slice(0, -1), field] }]
}

/** Renames the key of the issue to the suggested name, if the object does not have it. */
export function renameToSuggestion(
  body: unknown,
  { path, params: { suggestion } }: Fault<{ readonly suggestion: string | null }>,
): readonly Edit[] {
  const parent = valueAt(body, path.slice(0, -1))
  if (suggestion === null || typeof parent !== 'object' || parent === null) return []
  if (Object.hasOwn(parent, suggestion)) return []
  return [{ op: 'rename', path, to: suggestion }]
}

/**
 * Replaces the value at the path of the issue.
 *
 * @param replace returns the new value; `undefined` if only the author can choose it
 */
/* @__NO_SIDE_EFFECTS__ */
export function replaceValue(
  replace: (value: unknown) => string | number | undefined,
): (body: unknown, fault: Fault<unknown>) => readonly Edit[] {
  return (body, { path }) => {
    const value = replace(valueAt(body, path))
    return value === undefined ? [] : [{ op: 'set', path, value }]
  }
}

/** The number in a text; `undefined` for other values and other texts. */
export function numberIn(value: unknown): number | undefined {
  if (typeof value !== 'string' || !/^-?(?:0|[1-9][0-9]{0,15})(?:\.[0-9]{1,15})?$/.test(value))
    return undefined
  const number = Number(value)
  return Number.isInteger(number) && !Number.isSafeInteger(number) ? undefined : number
}
