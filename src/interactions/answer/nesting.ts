/** Whether a JSON text is nested deeper than `most`. Does not recurse, so that it can refuse a hostile text. */
export function isNestedDeeper(text: string, most: number): boolean {
  let depth = 0
  let isInString = false
  for (let i = 0; i < text.length; i++) {
    const character = text[i]
    if (character === '"') isInString = !isInString
    else if (isInString) {
      if (character === '\\') i++
    } else if (character === '[' || character === '{') {
      if (++depth > most) return true
    } else if (character === ']' || character === '}') depth--
  }
  return false
}
