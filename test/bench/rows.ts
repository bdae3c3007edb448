/** The rows of the table: what is measured, times which floor, the goal, and the peer. */
import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundledSize } from '../package/bundled-size.mjs'
import { hold, median, type ContestRow } from './contest.ts'
import { contestRows } from './contests.ts'
import { commandLines, inProcesses, processorAtExit } from './programs.ts'

/** What a run of a row found. */
export interface Figures {
  readonly ours: number
  readonly peer?: number
}

export interface Row {
  readonly figure: string
  /** What the figure is a multiple of, or its unit. */
  readonly floor: string
  readonly goal?: number
  readonly peer?: string
  /**
   * Measures on a version of Node, with the programs in a folder.
   *
   * @param beside the rows whose contenders run in one process with those of this row; undefined for a process each
   */
  measure(node: string, programs: string, beside?: readonly string[]): Promise<Figures>
}

function measured(row: ContestRow): Row {
  const { figure, goal, contest } = row
  const [floor, , peer] = Object.keys(contest()) as [string, string, string?]
  return {
    figure,
    floor,
    ...(goal !== undefined && { goal }),
    ...(peer !== undefined && { peer }),
    async measure(node, programs, beside) {
      const [ours, against] = await hold(node, `${programs}/contender.mjs`, row, beside)
      return { ours: ours!, ...(against !== undefined && { peer: against }) }
    },
  }
}

function memory(what: 'S' | 'M', figure: string, goal: number): Row {
  const run = (node: string, programs: string, holder: string) => {
    const flags = ['--expose-gc', '--max-old-space-size=8192']
    return Number(
      execFileSync(node, [...flags, `${programs}/memory.mjs`, what, holder], { encoding: 'utf8' }),
    )
  }
  const measure = async (node: string, programs: string) => ({
    ours: run(node, programs, 'registry') / run(node, programs, 'objects'),
  })
  return { figure, floor: 'parsed objects', goal, measure }
}

const dist = pathToFileURL(`${resolve('../dist')}/`).href

const quotients = (ours: readonly number[], floor: readonly number[]) =>
  median(ours.map((cost, round) => cost / floor[round]!))

/** Milliseconds of the processor for importing a module, more than for importing nothing. */
function importing(module: string, figure: string, goal: number, peerModule?: string): Row {
  return {
    figure,
    floor: 'ms',
    goal,
    ...(peerModule !== undefined && { peer: 'ajv' }),
    async measure(node) {
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
  async measure(node, programs) {
    const program = (contender: string) => [`${programs}/first-call.mjs`, 'APP', contender]
    const { ours, ajv } = inProcesses(node, { ours: program('commandry'), ajv: program('ajv') })
    return { ours: quotients(ours, ajv) }
  },
})

type Line = keyof ReturnType<typeof commandLines>

/** The processor time of a command, against the least that does the same. */
function line(figure: Line, floor: string, goal: number): Row {
  return {
    figure,
    floor,
    goal,
    async measure(node, programs) {
      const lines = commandLines(programs, resolve('../dist/node/cli.js'), resolve('package.json'))
      const { ours, bare } = lines[figure]
      const costs = inProcesses(node, { ours, bare }, { stream: 'stderr' })
      return { ours: quotients(costs.ours, costs.bare) }
    },
  }
}

/** What a test of a bot waits for, by the clock on the wall; all rows of a run are measured at once. */
const waits = new Map<string, Record<string, number>>()
function testing(what: 'login' | 'use' | 'press', figure: string, goal: number): Row {
  let run = 0
  return {
    figure,
    floor: 'bare service',
    goal,
    async measure(node, programs) {
      const key = `${node} ${run++}`
      const measured =
        waits.get(key) ?? JSON.parse(execFileSync(node, [`${programs}/waiting.mjs`], { encoding: 'utf8' }))
      waits.set(key, measured)
      return { ours: measured[what]! }
    },
  }
}

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
    measure: async () => ({
      ours: await kilobytes(`export ${names} from '../dist/esm/index.js'`),
      ...(peer !== undefined && { peer: await kilobytes(peer[1]) }),
    }),
  }
}

const ajv = ['ajv', `export { Ajv2020 } from 'ajv/dist/2020.js'`] as const
const builders = ['builders', `export * from '@discordjs/builders'`] as const

export const rows: readonly Row[] = [
  ...contestRows.map(measured),
  memory('S', 'memory, 1,000,000 S', 1.2),
  memory('M', 'memory, 10,000 M', 1.25),
  importing('index', 'import of `commandry`', 15, 'ajv/dist/2020.js'),
  importing('testbed', 'import of `commandry/testbed`', 40),
  firstCall(),
  line('`commandry --version`', '`node -e 0`', 1.2),
  line('`check` of a JSON file', '`node -e 0`', 1.6),
  line('`check` of 100 builders', 'import', 1.4),
  testing('login', 'testbed: open and log in', 1.6),
  testing('use', 'testbed: one use', 1.8),
  testing('press', 'testbed: one press', 2.2),
  bundle('bundle: a constant', '{ OptionType }', 1),
  bundle('bundle: `validateCommand`', '{ validateCommand }', 17, ajv),
  bundle('bundle: `CommandRegistry`', '{ CommandRegistry }', 36),
  bundle('bundle: all', '*', 56, builders),
]
