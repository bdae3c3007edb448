/** What was seen at Discord, as the pages show it: a column of `docs/conformance.md`, and notes of `docs/coverage.md`. */
import { read } from '../support/markdown.ts'

interface Errors {
  readonly errors?: readonly { readonly code: string }[] | null
}

export interface Vectors {
  readonly probes: readonly {
    readonly clause: string
    readonly holds: string
    readonly requests: readonly { readonly method: string; readonly path: string }[]
    readonly expects: Errors & { readonly code?: number }
  }[]
  readonly cases: readonly Errors[]
  readonly unobservable: Readonly<Record<string, string>>
}

export interface Seen {
  readonly day: string
  readonly clause: string
  readonly holds: string
  readonly outcome: string
}

export const seenAtDiscord = JSON.parse(read('src/reference/verified.json')).seen as readonly Seen[]

const HEADING = 'seen at Discord'
const ROW = /^\| ([0-9.]+-\d\d) *\| (.*?) *\|(?: ([^|]*?) *\|)?$/

/** What a page says of a clause. */
export function cellOf(clause: string, { probes, unobservable }: Vectors, seen: readonly Seen[]): string {
  const own = seen.filter((one) => one.clause === clause && one.outcome !== 'not observed')
  const asked = probes.filter((one) => one.clause === clause).length
  const good = own.filter(({ outcome }) => outcome === 'as decided').length
  const days = own.map(({ day }) => day).sort()
  const parts = [
    ...(own.length > 0 ? [`${days.at(-1)}: ${good} of ${own.length} as decided`] : []),
    ...(own.length === 0 && asked > 0 ? [`not yet, ${asked} ${asked === 1 ? 'probe' : 'probes'}`] : []),
    ...(unobservable[clause] === undefined ? [] : [`not observable: ${unobservable[clause]}`]),
  ]
  return parts.join('; ')
}

/** The page with the column in each table of clauses, padded as the formatter does. */
export function withColumn(page: string, vectors: Vectors, seen: readonly Seen[]): string {
  return page.replace(/(?:^\|.*\|\n)+/gm, (table) => {
    const lines = table.trimEnd().split('\n')
    if (!/^\| clause /.test(lines[0]!)) return table
    const rows = lines.slice(2).map((line) => {
      const [, clause, holds] = ROW.exec(line)!
      return [clause!, holds!, cellOf(clause!, vectors, seen)]
    })
    return `${paddedTable([['clause', 'what holds', HEADING], ...rows])}\n`
  })
}

function paddedTable(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  const lineOf = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`
  const [head, ...others] = rows
  return [lineOf(head!), lineOf(widths.map((width) => '-'.repeat(width))), ...others.map(lineOf)].join('\n')
}

/** The day on which a route answered a probe, if one did. */
export function dayOfRoute(
  route: { method: string; path: string },
  { probes }: Vectors,
  seen: readonly Seen[],
) {
  const shape = (path: string) => path.replace(/\{[^}]*\}/g, '{}').replace(/\?.*/, '')
  const asked = probes.filter(({ requests }) => {
    const { method, path } = requests.at(-1)!
    return method === route.method && shape(path) === shape(route.path)
  })
  const days = seen.flatMap((one) =>
    one.outcome !== 'not observed' &&
    asked.some(({ clause, holds }) => clause === one.clause && holds === one.holds)
      ? [one.day]
      : [],
  )
  return days.sort().at(-1)
}
