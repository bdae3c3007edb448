/** The fixes that several rules share. Each proposes edits for a fault, or none where it does not apply. */
import { isObject } from './json.ts'
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

/** Removes the value that the fault is about. */
export function removeValue(_: unknown, { path }: Fault<unknown>): readonly Edit[] {
  return [{ op: 'remove', path }]
}

/** Gives the key that the fault is about the suggested name, where that is free. */
export function renameToSuggestion(
  body: unknown,
  { path, params: { suggestion } }: Fault<{ readonly suggestion: string | null }>,
): readonly Edit[] {
  const parent = valueAt(body, path.slice(0, -1))
  if (suggestion === null || !isObject(parent) || Object.hasOwn(parent, suggestion)) return []
  return [{ op: 'rename', path, to: suggestion }]
}

/**
 * Replaces the value that the fault is about.
 *
 * @param replace the new value; `undefined` when only the author can tell
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

/** The number that a text stands for; `undefined` when it is another value or not exactly a number. */
export function numberIn(value: unknown): number | undefined {
  if (typeof value !== 'string' || !/^-?(?:0|[1-9][0-9]{0,15})(?:\.[0-9]{1,15})?$/.test(value))
    return undefined
  const number = Number(value)
  return Number.isInteger(number) && !Number.isSafeInteger(number) ? undefined : number
}
