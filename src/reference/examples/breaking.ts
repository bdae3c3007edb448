/** How to break a rule: choose a place in a valid body, and set a value there. The given body never changes. */
import { valueAt } from '../../core/json.ts'
import type { Path, Rule } from '../../core/rules/rule.ts'

export type Body = Record<string, any>

/** A body and a place in it. Of a broken rule: a body with exactly one fault, and the path of the fault. */
export interface Placed {
  readonly body: any
  readonly path: Path
}

/** Chooses one of `count` places, from 0 to `count - 1`. */
export type PickIndex = (count: number) => number

/** Chooses a place in a valid body, which may change for it. */
export type BodyPart = (body: any, pick: PickIndex) => Placed

/** The smallest way to break a rule and no other, starting from a valid body. */
export type Breaks = BodyPart

/** Examples by the codes of their rules: the compiler reports a rule without one at the table that lacks it. */
export type Examples<Code extends string> = Readonly<Record<Code, Breaks>>

/** The codes of a list of rules. */
export type CodesOf<Rules extends readonly { readonly code: string }[]> = Rules[number]['code']

export const smallestSlash: Body = { name: 'a', description: 'b' }

// --- Values ---------------------------------------------------------------------------------------------------

/** A copy of a body with one value replaced; `undefined` removes it. */
export function replacedAt(body: any, path: Path, value: unknown): any {
  const [step, ...rest] = path
  if (step === undefined) return value
  const copy = Array.isArray(body) ? [...body] : { ...body }
  const inner = replacedAt(copy[step], rest, value)
  if (inner !== undefined) copy[step] = inner
  else if (Array.isArray(copy)) copy.splice(Number(step), 1)
  else delete copy[step]
  return copy
}

export function several<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index))
}

/** Values just beyond the limits of a rule: lists of items, texts, or numbers. */
export function beyond({ limit, about }: Rule, item?: (index: number) => unknown): readonly unknown[] {
  const { min, max } = limit as { min?: number; max: number }
  const sizes = min === undefined ? [max + 1] : [min - 1, max + 1]
  if (item !== undefined) return sizes.map((size) => several(size, item))
  return about === 'text' ? sizes.map((size) => 'x'.repeat(size)) : sizes
}

// --- Ways -----------------------------------------------------------------------------------------------------

export function either(...ways: readonly BodyPart[]): BodyPart {
  return (body, pick) => ways[pick(ways.length)]!(body, pick)
}

export function eitherOf<T>(values: readonly T[], way: (value: T) => BodyPart): BodyPart {
  return either(...values.map((value) => way(value)))
}

export const anyBody: BodyPart = (body) => ({ body, path: [] })

/** The same body and place for every given body. */
export function constant(body: unknown, path: Path = []): BodyPart {
  return () => ({ body, path })
}

/**
 * Sets one of some values below a place.
 *
 * @param steps the path from the place, such as `options.0.name`
 * @param values also functions that make the value from what is at the place
 */
export function set(place: BodyPart, steps: string, ...values: readonly unknown[]): Breaks {
  const below = steps.split('.').map((step) => (/^[0-9]+$/.test(step) ? Number(step) : step))
  return (given, pick) => {
    const { body, path } = place(given, pick)
    const whole = [...path, ...below]
    const value = values[pick(values.length)]
    return {
      body: replacedAt(
        body,
        whole,
        typeof value === 'function' ? value(valueAt(body, path), { body, path }) : value,
      ),
      path: whole,
    }
  }
}
