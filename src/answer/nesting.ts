const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Whether a JSON text is nested deeper than `most`. Does not recurse, so that it can refuse a hostile text. */
export function isNestedDeeper(text: string, most: number): boolean {
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > most) return true
        break
      case 0x5d: // ]
      case 0x7d: // }
        depth--
        break
      case QUOTE:
        i = endOfString(text, i)
    }
  }
  return false
}

/** The index of the quote that closes the string opened at `start`, or the end of the text. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end >= 0) {
    let before = end - 1
    while (text.charCodeAt(before) === BACKSLASH) before--
    if ((end - before) % 2 === 1) return end
    end = text.indexOf('"', end + 1)
  }
  return text.length
}
