import { isObject } from './json.ts'
import { nearest } from './nearest.ts'
import { describeValue, quoted } from './text.ts'

/**
 * Refuses options that are not known, because a misspelt option would be ignored.
 *
 * @param caller the function or class, for the message
 * @throws TypeError that suggests the nearest known option
 */
export function knownOptions<Options extends object>(
  caller: string,
  options: Options,
  names: readonly (keyof Options & string)[],
): void {
  if (!isObject(options))
    throw new TypeError(`${caller}: expected an object with options, got ${describeValue(options)}`)
  for (const name of Object.keys(options)) {
    if ((names as readonly string[]).includes(name)) continue
    const meant = nearest(name, names)
    const remedy = meant === undefined ? `expected ${names.join(', ')}` : `did you mean ${quoted(meant)}?`
    throw new TypeError(`${caller}: unknown option ${quoted(name)}; ${remedy}`)
  }
}
