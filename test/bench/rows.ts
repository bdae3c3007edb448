/** The rows of the table: what is measured, times which floor, the goal, and the peer. */
import { execFile, execFileSync } from 'node:child_process'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { bundledSize } from '../package/bundled-size.mjs'
import { hold, isQuick, median, quotient, type ContestRow } from './contest.ts'
import { httpRows } from './http.ts'
import { commandLines, inProcesses, processorAtExit } from './programs.ts'
import { races, type Race } from './races.ts'
import { readingRows } from './reading.ts'
import { storeRows } from './stores.ts'
import { measureUses, packageSize } from './suites.ts'

/** What a run of a row found: `ours`, `peer`, or the names of contenders. */
export type Figures = Readonly<Record<string, number>>

/** A version of the package. */
export interface Subject {
  /** The folder of the programs that import it. */
  readonly programs: string
  /** Its own folder. */
  readonly package: string
}

/** A run of the bench on a version of Node. */
export interface Run extends Subject {
  readonly node: string
  readonly number: number
  /** An earlier version, beside which is measured what people wait for. */
  readonly before?: Subject | undefined
}

export interface Row {
  readonly figure: string
  /** What the figure is a multiple of, or its unit. */
  readonly floor: string
  readonly goal?: number
  readonly peer?: string
  /** Of a race, which has a table of its own. */
  readonly race?: Race
  /** Measured in one run, because it takes long or comes out the same. */
  readonly isOnce?: boolean
  measure(run: Run): Figures | Promise<Figures>
}

const found = new Map<string, Promise<any>>()

/** What several rows of one run share. */
function once<Value>(
  { node, number, programs }: Run,
  name: string,
  measure: () => Value | Promise<Value>,
): Promise<Value> {
  const key = `${name} ${number} ${node} ${programs}`
  const value: Promise<Value> = found.get(key) ?? Promise.resolve(measure())
  found.set(key, value)
  return value
}

const execute = promisify(execFile)

const contenderOf = (programs: string) => `${programs}/contender.mjs`

function measured(row: ContestRow): Row {
  const { figure, goal, contest } = row
  const [floor, ours, peer] = Object.keys(contest()) as [string, string, string?]
  return {
    figure,
    floor,
    ...(goal !== undefined && { goal }),
    ...(peer !== undefined && { peer }),
    async measure({ node, programs }) {
      const costs = await hold(node, contenderOf(programs), row)
      const times = (name: string) => quotient(costs[name]!, costs[floor]!)
      return { ours: times(ours), ...(peer !== undefined && { peer: times(peer) }) }
    },
  }
}

/** As `ours` in times of the fastest of the peers that the goal names; each contender in times of a parse. */
function racing(race: Race): Row {
  const { figure, most, of } = race
  return {
    figure,
    floor: of.join(', '),
    goal: most,
    race,
    async measure({ node, programs }) {
      const costs = await hold(node, contenderOf(programs), race)
      const times = Object.entries(costs).map(([name, each]) => [name, quotient(each, costs['parse']!)])
      const ours = Math.max(...of.map((peer) => quotient(costs['commandry']!, costs[peer]!)))
      return { ...(Object.fromEntries(times) as Figures), ours }
    },
  }
}

function memory(what: 'S' | 'M', figure: string, goal: number): Row {
  const run = async ({ node, programs }: Run, holder: string) => {
    const flags = ['--expose-gc', '--max-old-space-size=8192']
    const { stdout } = await execute(node, [...flags, `${programs}/memory.mjs`, what, holder])
    return Number(stdout)
  }
  const measure = async (each: Run) => {
    const [ours, floor] = await Promise.all([run(each, 'registry'), run(each, 'objects')])
    return { ours: ours / floor }
  }
  return { figure, floor: 'parsed objects', goal, isOnce: true, measure }
}

/** The peer of what people wait for: an earlier version. */
export const BEFORE = 'before'

const ROUNDS = isQuick ? 1 : 3
/** The starts of a program in each. */
const STARTS = isQuick ? 1 : 5

/** What people wait for, on the first version of Node beside an earlier version, the peer; `times` is the median of the ratios. */
function waitingFor(figure: string, floor: string, measure: (run: Run) => number | Promise<number>): Row {
  return {
    figure,
    floor,
    peer: BEFORE,
    async measure(run) {
      if (run.before === undefined) return { ours: await measure(run) }
      const costs = { ours: [] as number[], peer: [] as number[] }
      for (let round = 0; round < ROUNDS; round++) {
        const number = run.number * ROUNDS + round
        costs.ours.push(await measure({ ...run, number }))
        costs.peer.push(await measure({ ...run, ...run.before, number }))
      }
      const { ours, peer } = costs
      return { ours: median(ours), peer: median(peer), times: quotient(ours, peer) }
    },
  }
}

const urlOf = (path: string): string => pathToFileURL(path).href

/** Processor time for importing a module, more than for importing nothing, in times of that for discord.js. */
const importing = (figure: string, module: string): Row =>
  waitingFor(figure, 'discord.js', (run) => {
    const program = (name: string) => [
      ...processorAtExit,
      '--input-type=module',
      '-e',
      `import ${JSON.stringify(name)}\nprocess.exit()`,
    ]
    const { none, ours, peer } = inProcesses(
      run.node,
      {
        none: program('node:process'),
        ours: program(urlOf(`${run.package}/dist/node/${module}.js`)),
        peer: program('discord.js'),
      },
      { stream: 'stderr', rounds: STARTS },
    )
    const over = (costs: readonly number[]) => costs.map((cost, round) => cost - none[round]!)
    return quotient(over(ours), over(peer))
  })

const firstCall = (): Row => ({
  figure: 'first call, validate APP',
  floor: 'ajv',
  goal: 0.1,
  measure({ node, programs }) {
    const program = (contender: string) => [`${programs}/first-call.mjs`, 'APP', contender]
    const { ours, ajv } = inProcesses(node, { ours: program('commandry'), ajv: program('ajv') })
    return { ours: quotient(ours, ajv) }
  },
})

type Line = keyof ReturnType<typeof commandLines>

const linesOf = ({ programs, package: folder }: Run) =>
  commandLines(programs, `${folder}/dist/node/cli.js`, resolve('package.json'))

/** The processor time of a command, against the least that does the same. */
const line = (figure: Line, floor: string): Row =>
  waitingFor(figure, floor, (run) => {
    const { ours, bare } = linesOf(run)[figure]
    const costs = inProcesses(run.node, { ours, bare }, { stream: 'stderr', rounds: STARTS })
    return quotient(costs.ours, costs.bare)
  })

/** What a program prints as JSON. */
const printedBy = (program: 'waiting' | 'page', run: Run) =>
  once(run, program, () => {
    linesOf(run)
    const { node, programs, package: folder } = run
    const args = [`${programs}/${program}.mjs`, `${folder}/dist/node/cli.js`, `${programs}/builders`]
    const stdio = ['ignore', 'pipe', 'inherit'] as const
    return JSON.parse(execFileSync(node, args, { encoding: 'utf8', stdio: [...stdio] })) as Figures
  })

const printed = (program: 'waiting' | 'page', what: string, figure: string, floor: string): Row =>
  waitingFor(figure, floor, async (run) => (await printedBy(program, run))[what]!)

/** The bytes of the page, compressed. */
const pageSize = (): Row => ({
  figure: 'page of `serve`',
  floor: 'KB',
  goal: 60,
  isOnce: true,
  measure: async (run) => ({ ours: (await printedBy('page', run))['kilobytes']! }),
})

const soak = (): Row => ({
  figure: 'testbed: heap after 3,600 uses',
  floor: 'after 2,400',
  goal: 1.05,
  isOnce: true,
  measure({ node, programs }) {
    const args = ['--expose-gc', '--no-warnings', `${programs}/soak.mjs`]
    return { ours: Number(execFileSync(node, args, { encoding: 'utf8' })) }
  },
})

function bundle(
  figure: string,
  names: string,
  goal: number,
  peer?: readonly [name: string, code: string],
): Row {
  const kilobytes = async (code: string) => (await bundledSize(code, process.cwd())).gzip / 1000
  return {
    figure,
    floor: 'KB',
    goal,
    ...(peer !== undefined && { peer: peer[0] }),
    isOnce: true,
    measure: async () => ({
      ours: await kilobytes(`export ${names} from '../dist/node/index.js'`),
      ...(peer !== undefined && { peer: await kilobytes(peer[1]) }),
    }),
  }
}

const ajv = ['ajv', `export { Ajv2020 } from 'ajv/dist/2020.js'`] as const
const builders = ['builders', `export * from '@discordjs/builders'`] as const

export const rows: readonly Row[] = [
  ...races.map(racing),
  ...[...readingRows, ...httpRows, ...storeRows].map(measured),
  memory('S', 'memory, 1,000,000 S', 1.2),
  memory('M', 'memory, 10,000 M', 1.25),
  importing('import of `commandry`', 'index'),
  importing('import of `commandry/testbed`', 'testbed'),
  firstCall(),
  line('`check` of a JSON file', '`node -e 0`'),
  line('`check` of 100 builders', 'import'),
  line('`serve` of 100 builders', 'import'),
  pageSize(),
  printed('page', 'answer', 'page, its answer', 'node:http'),
  printed('page', 'paint', 'page, 100 commands drawn', 'no script'),
  printed('waiting', 'login', 'testbed: open and log in', 'bare service'),
  printed('waiting', 'use', 'testbed: one use', 'bare service'),
  printed('waiting', 'press', 'testbed: one press', 'bare service'),
  waitingFor('testbed: 300 tests, 100 presses', 's', measureUses),
  soak(),
  bundle('bundle: a constant', '{ OptionType }', 1),
  bundle('bundle: `validateCommand`', '{ validateCommand }', 17, ajv),
  bundle('bundle: `CommandRegistry`', '{ CommandRegistry }', 36),
  bundle('bundle: all', '*', 56, builders),
  { figure: 'package', floor: 'MB', goal: 1.1, isOnce: true, measure: () => ({ ours: packageSize() }) },
]
