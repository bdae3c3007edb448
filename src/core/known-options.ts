import { MAX_TIMER_DELAY } from './clock.ts'
import { isObject } from './json.ts'
import { suggestion } from './nearest.ts'
import { describeValue, quoted } from './text.ts'

/** Throws a TypeError for an unknown option, because a misspelt one would be ignored. */
export function knownOptions<Options extends object>(
  caller: string,
  options: Options,
  names: readonly (keyof Options & string)[],
): void {
  if (!isObject(options))
    throw new TypeError(`${caller}: expected an object with options, got ${describeValue(options)}`)
  for (const name of Object.keys(options)) {
    if ((names as readonly string[]).includes(name)) continue
    const all = names.length === 0 ? 'it takes none' : `expected ${names.join(', ')}`
    throw new TypeError(`${caller}: unknown option ${quoted(name)}${suggestion(name, names, all)}`)
  }
}

/** A value of a host in words. It may be what JSON has no word for: `a Set`. */
function describeGiven(value: unknown): string {
  return isObject(value) && Symbol.iterator in value
    ? `a ${Object.prototype.toString.call(value).slice(8, -1)}`
    : describeValue(value)
}

/** Throws a TypeError when a value is not valid for the option of a name. */
export type OptionCheck = (value: unknown, name: string) => void

/* @__NO_SIDE_EFFECTS__ */
export function expected(
  description: string,
  isValid: (value: any) => boolean,
  remedy?: string,
): OptionCheck {
  return (value, name) => {
    if (isValid(value)) return
    const end = remedy === undefined ? `, got ${describeGiven(value)}` : `; ${remedy}`
    throw new TypeError(`${name}: expected ${description}${end}`)
  }
}

/** A time for a timer; `Infinity` stands for no timer. */
export const checkMilliseconds = /* @__PURE__ */ expected(
  `an integer of milliseconds from 1 to ${MAX_TIMER_DELAY}, or Infinity for no limit`,
  (value) => value === Infinity || (Number.isInteger(value) && value > 0 && value <= MAX_TIMER_DELAY),
)
