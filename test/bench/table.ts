/**
 * Prints the table of docs/performance.md: `DATABASE_URL=… REDIS_URL=… node test/bench/run.mjs`. `--record` writes the
 * table into the docs; `--resume` goes on where the last run ended; `--built` takes `dist` as it is; `--only REGEXP` runs
 * some rows; `--against FOLDER` has an earlier version, built there. With `BENCH_QUICK=1` each row runs as briefly as it
 * can, to see that it does.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { format, resolveConfig } from 'prettier'
import { isQuick } from './contest.ts'
import { libraries } from './peer-libraries.ts'
import { BEFORE, rows, type Figures, type Row, type Subject } from './rows.ts'

const RUNS = isQuick ? 1 : 2
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
    only: { type: 'string' },
    runs: { type: 'string' },
    against: { type: 'string' },
  },
  allowPositionals: true,
})
const programs = dirname(process.argv[1]!)
const now: Subject = { programs, package: resolve('..') }
const before: Subject | undefined =
  options.against === undefined
    ? undefined
    : { programs: `${programs}/before`, package: resolve('..', options.against) }

function output(program: string, ...args: string[]): string {
  const stdio = ['ignore', 'pipe', 'inherit'] as const
  return execFileSync(program, args, { encoding: 'utf8', stdio: [...stdio], maxBuffer: 1e8 }).trim()
}

/** The programs of the versions of Node that are measured; npm fetches those that do not run this. */
const VERSIONS = ['24', '26', '20']
const nodes = VERSIONS.map((version) =>
  process.version.startsWith(`v${version}.`)
    ? process.execPath
    : output('npm', 'exec', '--yes', `--package=node@${version}`, '--', 'node', '-p', 'process.execPath'),
)

/** Two significant digits: the last one is already noise. */
function figure(value: number | undefined): string {
  if (value === undefined) return ''
  return Number(value.toPrecision(2)).toLocaleString('en', { maximumSignificantDigits: 2 })
}

/** Each number is the worse of the runs, the peers' too. */
async function measure(row: Row, node: string): Promise<Figures> {
  const worst: Record<string, number> = {}
  const runs = row.isOnce === true ? 1 : Number(options.runs ?? RUNS)
  for (let number = 0; number < runs; number++)
    for (const [name, value] of Object.entries(
      await row.measure({ node, ...now, before: node === nodes[0] ? before : undefined, number }),
    ))
      worst[name] = Math.max(value, worst[name] ?? 0)
  return worst
}

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
/** More than the goal; without one, more than the earlier version needs, to one decimal. */
function isMissed({ goal }: Row, { ours, times }: Figures): boolean {
  if (goal !== undefined) return Number(ours!.toPrecision(2)) > goal
  return times !== undefined && Number(times.toFixed(1)) > 1
}

const headed = (names: readonly string[]) => [
  line(names),
  line(names.map((name) => (/^\d|^goal|^Node/.test(name) ? '--:' : '---'))),
]

/** The figures of a row on each version of Node; bold where they miss the goal. */
const reached = (row: Row, figures: readonly Figures[]) =>
  figures.map((one) => (isMissed(row, one) ? `**${figure(one['ours'])}**` : figure(one['ours'])))

const [first, ...others] = VERSIONS
const versionNames = [`Node ${first}`, ...others]
const headOfRows = headed(['figure', 'times', 'goal', ...versionNames, 'peer', ...VERSIONS])
const headOfRaces = headed(['body', 'times', 'goal', ...versionNames])
const headOfPeers = headed([`body, Node ${first}`, 'commandry', ...libraries])

/** The version of the package in the folder of `--against`; empty without one. */
function versionBefore(): string {
  if (before === undefined) return ''
  const { version } = JSON.parse(readFileSync(`${before.package}/package.json`, 'utf8')) as {
    version: string
  }
  return version
}

function lineOfRow(row: Row, figures: readonly Figures[]): string {
  const { figure: name, floor, goal } = row
  const peer = row.peer === BEFORE ? versionBefore() : (row.peer ?? '')
  const ofPeer = figures.map((one) => figure(one['peer']))
  return line([name, floor, String(goal ?? ''), ...reached(row, figures), peer, ...ofPeer])
}

function lineOfRace(row: Row, figures: readonly Figures[]): string {
  const times = row.race!.of.length > 1 ? 'fastest peer' : row.floor
  return line([row.figure, times, String(row.goal), ...reached(row, figures)])
}

/** Every library in times of a parse. */
const lineOfPeers = (row: Row, [figures]: readonly Figures[]) =>
  line([row.figure, ...['commandry', ...libraries].map((name) => figure(figures![name]))])

/** A run of some rows, or a quick one, leaves what an earlier run of all has measured. */
const isRecorded = options.record === true && options.only === undefined && !isQuick

function keep(measured: Record<string, Figures[]>): void {
  mkdirSync(dirname(MEASURED), { recursive: true })
  writeFileSync(MEASURED, JSON.stringify(measured))
}

async function measureTable(): Promise<string> {
  const only = new RegExp(options.only ?? '')
  const chosen = rows.filter(({ figure, floor }) => only.test(`${figure}, x ${floor}`))
  const isResumed = options.resume === true && existsSync(MEASURED)
  const measured = (isResumed ? JSON.parse(readFileSync(MEASURED, 'utf8')) : {}) as Record<string, Figures[]>
  const ofRaces: string[] = []
  const ofPeers: string[] = []
  const ofRows: string[] = []
  for (const row of chosen) {
    const began = performance.now()
    const key = `${row.figure}, ${row.floor}`
    const figures = measured[key] ?? []
    for (const node of nodes.slice(figures.length)) figures.push(await measure(row, node))
    measured[key] = figures
    if (isRecorded) keep(measured)
    const lines = row.race === undefined ? ofRows : ofRaces
    lines.push(row.race === undefined ? lineOfRow(row, figures) : lineOfRace(row, figures))
    if (row.race !== undefined && row.race.peers.length > 1) ofPeers.push(lineOfPeers(row, figures))
    console.error(lines.at(-1), `${Math.round((performance.now() - began) / 1_000)} s`)
  }
  const versions = nodes.map((node) => output(node, '-p', 'process.versions.node'))
  const runs = options.runs === '1' || isQuick ? 'one run' : `the worse of ${options.runs ?? RUNS} runs`
  const taken = `Node ${versions.join(', ')}, ${new Date().toISOString().slice(0, 10)}, ${runs}.`
  const tables = [
    ...(ofRaces.length > 0 ? [[...headOfRaces, ...ofRaces].join('\n')] : []),
    ...(ofPeers.length > 0 ? [[...headOfPeers, ...ofPeers].join('\n')] : []),
    ...(ofRows.length > 0 ? [[...headOfRows, ...ofRows].join('\n')] : []),
    taken,
  ]
  return format(tables.join('\n\n'), { ...(await resolveConfig(PAGE)), parser: 'markdown' })
}

function writeTable(table: string): void {
  const [before, rest] = readFileSync(PAGE, 'utf8').split(BEGIN)
  const after = rest?.split(END)[1]
  if (after === undefined) throw new Error(`${PAGE} has no place for the record`)
  writeFileSync(PAGE, `${before}${BEGIN}\n\n${table}\n${END}${after}`)
}

const table = await measureTable()
console.log(table)
if (isRecorded) writeTable(table)
