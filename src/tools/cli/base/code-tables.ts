/** What the pages of the package say of a code: their tables are the one record of causes and remedies. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Pages with tables of codes, the most specific first. */
const PAGES = ['errors.md', 'fuzz.md', 'http.md'] as const

/** A row of a table: its cells by the words above them, without those that are empty. */
export interface PageRow {
  /** `docs/http.md#errors` */
  readonly place: string
  readonly cells: readonly (readonly [head: string, text: string])[]
}

const cellsOf = (line: string): readonly string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-')
/** A page has links and code in Markdown. */
const plain = (cell: string) => cell.replaceAll(/\[([^[\]]*)\]\([^()]*\)/g, '$1').replaceAll('`', '')

/** The rows about a code: a word, or a number of Discord. @param docs the folder of the pages */
export function rowsAbout(code: string, docs: string): readonly PageRow[] {
  return PAGES.flatMap((page) => {
    const file = join(docs, page)
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
    let [heading, heads] = ['', [] as readonly string[]]
    return lines.flatMap((line, index) => {
      heading = /^#+ (.*)/.exec(line)?.[1] ?? heading
      if (!line.startsWith('|')) return []
      const cells = cellsOf(line)
      if (/^\|(?: *:?-+:? *\|)+$/.test(lines[index + 1] ?? '')) heads = cells.map(plain)
      else if (cells.some((cell) => cell === code || cell === `\`${code}\``))
        return [{ place: `${page}#${anchorOf(heading)}`, cells: filled(heads, cells) }]
      return []
    })
  })
}

const filled = (heads: readonly string[], cells: readonly string[]) =>
  cells.flatMap((cell, index) => (cell === '' ? [] : [[heads[index] ?? '', plain(cell)] as const]))

/** The codes in what libraries print of Discord's errors: in brackets, in parentheses, in a body, or in a stack. */
export const codesIn = (text: string): readonly string[] => [
  ...new Set(
    Array.from(
      text.matchAll(/Error\[(\w+)\]|\(error code: (\d+)\)|"?\bcode"?: "?(\w+)"?|\bcode (\d{5,6})\b/g),
      (found) => found.slice(1).find((one) => one !== undefined)!,
    ),
  ),
]
