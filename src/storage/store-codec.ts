/**
 * How adapters put keys, values and revisions into an engine that stores text.
 *
 * Keys: any JavaScript string, told apart to the last UTF-16 unit. Engines differ on NUL, unpaired surrogates,
 * letter case, trailing spaces and sort order, so a key is written in printable ASCII; an ordinary key is written
 * as it is. Three facts make everything else simple: no two keys are written alike; a key starts with a prefix
 * exactly when what is written does; and bytes sort as the keys do by UTF-16 units.
 */
import { deepFreeze } from '../core/freeze.ts'
import type { Json } from '../core/json.ts'
import type { Entry } from './store.ts'

// Written as they are: `!` to `}`. What sorts below is a space and four hex digits, what sorts above a `~` and
// four, and both `~` and space themselves are written that way. No code begins another.
const ORDINARY = /^[!-}]*$/
const STRANGE = /[^!-}]/g
const CODE = /[ ~]([0-9a-f]{4})/g

/** The key as it is written. */
export function encodeKey(key: string): string {
  return ORDINARY.test(key) ? key : key.replace(STRANGE, encodeUnit)
}

function encodeUnit(character: string): string {
  const unit = character.charCodeAt(0)
  return (unit < 0x21 ? ' ' : '~') + unit.toString(16).padStart(4, '0')
}

/** The key that was written so. */
export function decodeKey(text: string): string {
  return ORDINARY.test(text)
    ? text
    : text.replace(CODE, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
}

/** The written keys that start with a prefix are those from `from` up to, without, `to`. */
export function keyRange(prefix: string): { readonly from: string; readonly to: string } {
  const from = encodeKey(prefix)
  return { from, to: `${from}\x7f` }
}

/** The least text that sorts after a written key, as far as written keys go. */
export function after(text: string): string {
  return `${text} `
}

/**
 * A new revision: a random UUID, 36 characters. It never comes back, whoever else writes, however often the
 * document was removed and made anew, and even when the database is put back to yesterday's backup, where any
 * counter would hand out again what readers still hold. It needs no second row and no turn in a queue.
 */
export function newRevision(): string {
  return crypto.randomUUID()
}

const REVISION = /^[0-9a-f-]{36}$/

/** Whether a text can be a revision at all. One that cannot is not the present one, and need not be asked about. */
export function isRevision(text: string): boolean {
  return REVISION.test(text)
}

/** JSON text with unpaired surrogates and control characters escaped, so that any engine can carry it. */
export function encodeValue(value: Json): string {
  return JSON.stringify(value)
}

/** The same JSON in ASCII alone, for an engine that cannot carry every character. */
export function asciiJson(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** The document in a text. */
export function decodeEntry(text: string, revision: string): Entry {
  return Object.freeze({ value: deepFreeze(JSON.parse(text) as Json), revision })
}
