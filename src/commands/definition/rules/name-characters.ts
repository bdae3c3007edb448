/** The alphabet and the letter case of strict names, checked in one pass (clauses 2.1-05, 2.1-06). */

/** A character outside the alphabet. */
export const INVALID = 1
/** A letter that has a lowercase form. */
export const UPPER = 2
/** An apostrophe, which is in the documented alphabet. */
export const APOSTROPHE = 4
/** A character that may be written in another form (NFC), such as a part of a Hangul syllable. */
export const DECOMPOSED = 8

const OUTSIDE = /[^-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]/gu

// A cache of what is known of each UTF-16 unit: 0 nothing yet, else its bits plus `KNOWN`. Asking the Unicode tables once
// for each unit is five times faster than a regular expression for each name.
const classes = new Uint8Array(0x10000)
const KNOWN = 16

// No name that fits is half as long. The rest of a longer one is not read: it is invalid already.
const READ_UNITS = 100
const PREFIX = new RegExp(`^[^]{0,${READ_UNITS}}`, 'u')

/** The part of a text that `classifyName` reads, without half a surrogate pair at its end. */
export function namePrefix(text: string): string {
  return text.length <= READ_UNITS ? text : PREFIX.exec(text)![0]
}

/** What is wrong with the characters of a strict name, as a union of `INVALID`, `UPPER`, `APOSTROPHE` and `DECOMPOSED`. */
export function classifyName(text: string): number {
  const units = Math.min(text.length, READ_UNITS)
  let bits = KNOWN
  for (let i = 0; i < units; i++) bits |= classes[text.charCodeAt(i)] || classifyUnit(text, i)
  return bits - KNOWN
}

function classifyUnit(text: string, index: number): number {
  const unit = text.charCodeAt(index)
  if ((unit & 0xf800) === 0xd800) {
    // The second half of a pair was classified with the first; alone it is in no alphabet.
    const before = index > 0 ? text.charCodeAt(index - 1) : 0
    if (unit >= 0xdc00 && (before & 0xfc00) === 0xd800) return KNOWN
    return KNOWN | classifyCharacter(String.fromCodePoint(text.codePointAt(index)!))
  }
  return (classes[unit] = KNOWN | classifyCharacter(String.fromCharCode(unit)))
}

function classifyCharacter(character: string): number {
  if (character === "'") return APOSTROPHE
  const isDecomposed = /[\u1100-\u11ff]/.test(character) || character.normalize('NFC') !== character
  return (
    (character.search(OUTSIDE) < 0 ? 0 : INVALID) |
    (character.toLowerCase() === character ? 0 : UPPER) |
    (isDecomposed ? DECOMPOSED : 0)
  )
}

/** The characters of a text that are outside the alphabet, each once. */
export function invalidCharacters(text: string): ReadonlySet<string> {
  return new Set(text.match(OUTSIDE))
}
