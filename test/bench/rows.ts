/** The rows of the table: what is measured, times which floor, the goal, and the peer. */
import { execFile, execFileSync } from 'node:child_process'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { bundledSize } from '../package/bundled-size.mjs'
import { hold, isQuick, median, quotient, type ContestRow, type Costs } from './contest.ts'
import { httpRows } from './http.ts'
import { commandLines, inProcesses, processorAtExit } from './programs.ts'
import { races, type Race } from './races.ts'
import { readingRows } from './reading.ts'
import { registryRows } from './registry.ts'
import { storeRows } from './stores.ts'
import { measurePackage, measureTests, measureUses } from './suites.ts'

/** What a run of a row found: `ours`, `peer`, or the names of contenders. */
export type Figures = Readonly<Record<string, number>>

/** A run of the bench on a version of Node. */
export interface Run {
  readonly node: string
  readonly programs: string
  readonly number: number
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
  { node, number }: Run,
  name: string,
  measure: () => Value | Promise<Value>,
): Promise<Value> {
  const key = `${name} ${number} ${node}`
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
      const [costs] = (await hold(node, contenderOf(programs), [row])) as [Costs]
      const times = (name: string) => quotient(costs[name]!, costs[floor]!)
      return { ours: times(ours), ...(peer !== undefined && { peer: times(peer) }) }
    },
  }
}

/** Each contender in times of a parse, and as `ours` in times of the fastest of the peers that the goal names. */
function racing(race: Race): Row {
  const { figure, mode, most, of } = race
  return {
    figure,
    floor: of.join(', '),
    goal: most,
    race,
    async measure(run) {
      const { node, programs } = run
      const together = races.filter((one) => one.mode === mode)
      const all =
        mode === 'one process'
          ? await once(run, mode, () => hold(node, contenderOf(programs), together, true))
          : await hold(node, contenderOf(programs), [race])
      const costs = mode === 'one process' ? all[together.indexOf(race)]! : all[0]!
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

const dist = pathToFileURL(`${resolve('../dist')}/`).href

/** Milliseconds of the processor for importing a module, more than for importing nothing. */
function importing(module: string, figure: string, goal: number, peerModule?: string): Row {
  return {
    figure,
    floor: 'ms',
    goal,
    ...(peerModule !== undefined && { peer: 'ajv' }),
    measure({ node }) {
      const program = (name: string) => [
        ...processorAtExit,
        '--input-type=module',
        '-e',
        `import ${JSON.stringify(name)}\nprocess.exit()`,
      ]
      const { none, ours, peer } = inProcesses(
        node,
        {
          none: program('node:process'),
          ours: program(`${dist}node/${module}.js`),
          peer: program(peerModule ?? 'node:process'),
        },
        { stream: 'stderr' },
      )
      const over = (costs: readonly number[]) => median(costs.map((cost, round) => cost - none[round]!))
      return { ours: over(ours), ...(peerModule !== undefined && { peer: over(peer) }) }
    },
  }
}

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

/** The processor time of a command, against the least that does the same. */
function line(figure: Line, floor: string, goal: number): Row {
  return {
    figure,
    floor,
    goal,
    measure({ node, programs }) {
      const lines = commandLines(programs, resolve('../dist/node/cli.js'), resolve('package.json'))
      const { ours, bare } = lines[figure]
      const costs = inProcesses(node, { ours, bare }, { stream: 'stderr' })
      return { ours: quotient(costs.ours, costs.bare) }
    },
  }
}

/** A number of a program that prints several as JSON. */
function printed(
  program: 'waiting' | 'page',
  what: string,
  row: Pick<Row, 'figure' | 'floor' | 'goal'>,
): Row {
  return {
    ...row,
    async measure(run) {
      const { node, programs } = run
      const figures = await once(run, program, () => {
        commandLines(programs, resolve('../dist/node/cli.js'), resolve('package.json'))
        const args = [`${programs}/${program}.mjs`, resolve('../dist/node/cli.js'), `${programs}/builders`]
        const stdio = ['ignore', 'pipe', 'inherit'] as const
        return JSON.parse(execFileSync(node, args, { encoding: 'utf8', stdio: [...stdio] })) as Figures
      })
      return { ours: figures[what]! }
    },
  }
}

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
      ours: await kilobytes(`export ${names} from '../dist/esm/index.js'`),
      ...(peer !== undefined && { peer: await kilobytes(peer[1]) }),
    }),
  }
}

/** A number of a suite that runs once. */
function suite(
  row: Pick<Row, 'figure' | 'floor' | 'goal'>,
  name: string,
  what: string,
  measure: (run: Run) => Figures,
): Row {
  return {
    ...row,
    isOnce: true,
    measure: async (run) => ({ ours: (await once(run, name, () => measure(run)))[what]! }),
  }
}

const ajv = ['ajv', `export { Ajv2020 } from 'ajv/dist/2020.js'`] as const
const builders = ['builders', `export * from '@discordjs/builders'`] as const

export const rows: readonly Row[] = [
  ...races.map(racing),
  ...[...readingRows, ...registryRows, ...httpRows, ...storeRows].map(measured),
  memory('S', 'memory, 1,000,000 S', 1.2),
  memory('M', 'memory, 10,000 M', 1.25),
  importing('index', 'import of `commandry`', 15, 'ajv/dist/2020.js'),
  importing('testbed', 'import of `commandry/testbed`', 40),
  firstCall(),
  line('`commandry --version`', '`node -e 0`', 1.2),
  line('`check` of a JSON file', '`node -e 0`', 1.6),
  line('`check` of 100 builders', 'import', 1.4),
  line('`serve` of 100 builders', 'import', 1.1),
  printed('page', 'kilobytes', { figure: 'page of `serve`', floor: 'KB', goal: 60 }),
  printed('page', 'answer', { figure: 'page, its answer', floor: 'node:http' }),
  printed('page', 'paint', { figure: 'page, 100 commands drawn', floor: 'no script' }),
  printed('waiting', 'login', { figure: 'testbed: open and log in', floor: 'bare service', goal: 1.6 }),
  printed('waiting', 'use', { figure: 'testbed: one use', floor: 'bare service', goal: 1.8 }),
  printed('waiting', 'press', { figure: 'testbed: one press', floor: 'bare service', goal: 2.2 }),
  suite({ figure: 'testbed: 300 tests, 100 presses', floor: 's' }, 'uses', 'seconds', measureUses),
  soak(),
  bundle('bundle: a constant', '{ OptionType }', 1),
  bundle('bundle: `validateCommand`', '{ validateCommand }', 17, ajv),
  bundle('bundle: `CommandRegistry`', '{ CommandRegistry }', 36),
  bundle('bundle: all', '*', 56, builders),
  suite({ figure: 'package', floor: 'MB', goal: 1.1 }, 'package', 'megabytes', measurePackage),
  suite({ figure: 'package', floor: 'files', goal: 450 }, 'package', 'files', measurePackage),
  ...(isQuick
    ? []
    : [
        suite({ figure: '`npm test`', floor: 's', goal: 60 }, 'tests', 'seconds', measureTests),
        suite(
          { figure: '`npm test`, its longest file', floor: '% of all', goal: 10 },
          'tests',
          'share',
          measureTests,
        ),
      ]),
]
