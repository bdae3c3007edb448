/**
 * Prints the table of docs/performance.md: `DATABASE_URL=… REDIS_URL=… node test/bench/run.mjs`. `--record` writes the
 * table into the docs; `--resume` goes on where the last run ended; `--built` takes `dist` as it is; `--only REGEXP` runs some rows; `--together` uses one process.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { format, resolveConfig } from 'prettier'
import { contestRows } from './contests.ts'
import { rows, type Figures, type Row } from './rows.ts'

const RUNS = 2
const PAGE = '../docs/performance.md'
const BEGIN = '<!-- recorded: node test/bench/run.mjs --record -->'
/** The figures of a run by row, which may have ended before its last one. */
const MEASURED = 'node_modules/.cache/commandry/measured.json'
const END = '<!-- end of the record -->'

const { values: options } = parseArgs({
  options: {
    record: { type: 'boolean' },
    resume: { type: 'boolean' },
    built: { type: 'boolean' },
    together: { type: 'boolean' },
    only: { type: 'string' },
    runs: { type: 'string' },
  },
  allowPositionals: true,
})
const programs = dirname(process.argv[1]!)

function output(program: string, ...args: string[]): string {
  const stdio = ['ignore', 'pipe', 'inherit'] as const
  return execFileSync(program, args, { encoding: 'utf8', stdio: [...stdio], maxBuffer: 1e8 }).trim()
}

/** The programs of the versions of Node that are measured; npm fetches those that do not run this. */
const nodes = ['20', '24'].map((version) =>
  process.version.startsWith(`v${version}.`)
    ? process.execPath
    : output('npm', 'exec', '--yes', `--package=node@${version}`, '--', 'node', '-p', 'process.execPath'),
)

/** Two significant digits: the last one is already noise. */
function figure(value: number | undefined): string {
  if (value === undefined) return ''
  return Number(value.toPrecision(2)).toLocaleString('en', { maximumSignificantDigits: 2 })
}

/** Each number is the worse of the runs, the peer's too. */
async function measure(row: Row, node: string, beside?: readonly string[]): Promise<Figures> {
  const runs: Figures[] = []
  for (let run = 0; run < Number(options.runs ?? RUNS); run++)
    runs.push(await row.measure(node, programs, beside))
  const peers = runs.flatMap(({ peer }) => peer ?? [])
  return {
    ours: Math.max(...runs.map(({ ours }) => ours)),
    ...(peers.length > 0 && { peer: Math.max(...peers) }),
  }
}

function cells(
  { figure: name, floor, goal, peer = '' }: Row,
  figures: readonly Figures[],
): readonly string[] {
  const ours = figures.map(({ ours }) => {
    const isMissed = goal !== undefined && Number(ours.toPrecision(2)) > goal
    return isMissed ? `**${figure(ours)}**` : figure(ours)
  })
  return [name, floor, String(goal ?? ''), ...ours, peer, ...figures.map((one) => figure(one.peer))]
}

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`

async function measureTable(): Promise<string> {
  const only = new RegExp(options.only ?? '')
  const lines = [
    line(['figure', 'times', 'goal', 'Node 20', '24', 'peer', '20', '24']),
    line(['---', '---', '--:', '--:', '--:', '---', '--:', '--:']),
  ]
  const chosen = rows.filter(({ figure, floor }) => only.test(`${figure}, x ${floor}`))
  const isContest = ({ figure }: Row) => contestRows.some((row) => row.figure === figure)
  const beside = options.together ? chosen.filter(isContest).map(({ figure }) => figure) : undefined
  const isResumed = options.resume === true && existsSync(MEASURED)
  const measured = (isResumed ? JSON.parse(readFileSync(MEASURED, 'utf8')) : {}) as Record<string, Figures[]>
  for (const row of chosen) {
    const figures = measured[row.figure] ?? []
    for (const node of nodes.slice(figures.length)) figures.push(await measure(row, node, beside))
    measured[row.figure] = figures
    mkdirSync(dirname(MEASURED), { recursive: true })
    writeFileSync(MEASURED, JSON.stringify(measured))
    lines.push(line(cells(row, figures)))
    console.error(lines.at(-1))
  }
  const versions = nodes.map((node) => output(node, '-p', 'process.versions.node'))
  const runs = options.runs === '1' ? 'one run' : `the worse of ${options.runs ?? RUNS} runs`
  const taken = `Node ${versions.join(' and ')}, ${new Date().toISOString().slice(0, 10)}, ${runs}.`
  return format(`${lines.join('\n')}\n\n${taken}`, { ...(await resolveConfig(PAGE)), parser: 'markdown' })
}

function writeTable(table: string): void {
  const [before, rest] = readFileSync(PAGE, 'utf8').split(BEGIN)
  const after = rest?.split(END)[1]
  if (after === undefined) throw new Error(`${PAGE} has no place for the record`)
  writeFileSync(PAGE, `${before}${BEGIN}\n\n${table}\n${END}${after}`)
}

const table = await measureTable()
console.log(table)
if (options.record === true && options.together !== true) writeTable(table)
