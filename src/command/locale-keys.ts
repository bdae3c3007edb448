import { localeIndex, locales } from '../locale/locales.ts'

// A cache, which changes no result: dictionaries of one command mostly have the same keys in the same order, so a key is
// mostly the one that stood at its place last time, and comparing two references is ten times faster than a lookup.
// Never empty: a comparison that has once seen something else than two strings stays slow.
const lastKeys: string[] = [...locales]

/**
 * Whether a key of a dictionary is a locale.
 *
 * @param position how many locales stand before it in its dictionary
 */
export function isLocaleAt(key: string, position: number): boolean {
  if (key === lastKeys[position]) return true
  if (localeIndex(key) < 0) return false
  lastKeys[position] = key
  return true
}
