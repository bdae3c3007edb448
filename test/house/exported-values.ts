/** The exported values of all entries, with the page for users and the example that has each. */
import ts from 'typescript'
import { fences, read } from '../support/markdown.ts'
import { entries, exportsOf, isValue, originalOf } from './public-program.ts'

/** A value, and where users read about it. */
export interface ExportedValue {
  readonly name: string
  readonly entry: string
  /** The page with an example that is run, or else one that names it; null for none. */
  readonly page: string | null
  /** Whether an example of that page, which the tests run, has it. */
  readonly isRun: boolean
}

/** The values of the entries, without those that are deprecated there. */
export function exportedValues(program: ts.Program, pages: readonly string[]): readonly ExportedValue[] {
  const checker = program.getTypeChecker()
  const texts = pages.map((page) => ({ page, text: read(page), examples: examplesOf(page) }))
  return Object.keys(entries).flatMap((entry) =>
    exportsOf(program, entry)
      .filter(
        (symbol) =>
          isValue(symbol, checker) &&
          !isDeprecated(originalOf(symbol, checker), checker) &&
          symbol.name !== 'default',
      )
      .map(({ name }) => {
        const word = new RegExp(`\\b${name}\\b`)
        const isFrom = (code: string) => word.test(code) && code.includes(`'${entry}'`)
        const run = texts.find(({ examples }) => examples.some(isFrom))
        const named = run ?? texts.find(({ text }) => word.test(text))
        return { name, entry, page: named?.page ?? null, isRun: run !== undefined }
      })
      .sort((one, other) => (one.name < other.name ? -1 : 1)),
  )
}

/** The blocks of a page that the tests run: those that import from the package, in `js` or `ts`. */
function examplesOf(page: string): readonly string[] {
  return fences(read(page))
    .filter(({ language, code }) => /^(js|ts)$/.test(language) && code.includes("from 'commandry"))
    .map(({ code }) => code)
}

function isDeprecated(symbol: ts.Symbol, checker: ts.TypeChecker): boolean {
  return symbol.getJsDocTags(checker).some(({ name }) => name === 'deprecated')
}

/** `docs/names.md`: every value with its entry and its page. */
export function pageOfNames(values: readonly ExportedValue[]): string {
  const rows = values.map(({ name, entry, page }) => {
    const path = page === 'README.md' ? '../README.md' : (page ?? '').replace(/^docs\//, '')
    return [`\`${name}\``, `\`${entry}\``, `[${path}](${path})`]
  })
  const cells = [['name', 'entry', 'page'], ...rows]
  const widths = [0, 1, 2].map((column) => Math.max(...cells.map((row) => row[column]!.length)))
  const lineOf = (row: readonly string[]) =>
    `| ${row.map((one, at) => one.padEnd(widths[at]!)).join(' | ')} |`
  const rule = lineOf(widths.map((width) => '-'.repeat(width)))
  const table = [lineOf(cells[0]!), rule, ...rows.map(lineOf)]
  return `# Find a name\n\nEvery value of the package, the entry that has it, and a page with an example. Generated: \`npm run docs\`.\n\n${table.join('\n')}\n`
}
