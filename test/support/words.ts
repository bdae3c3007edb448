/** The words of a text: a list of many short strings, easier to read than one a line. */
export function words(text: string): string[] {
  return text.trim().split(/\s+/)
}
