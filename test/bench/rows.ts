/** The rows of the table: what is measured, times which floor, the goal, and the peer. */
import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundledSize } from '../package/bundled-size.mjs'
import { seeded, shuffled } from '../support/random.ts'
import { hold, median, type ContestRow } from './contest.ts'
import { contestRows } from './contests.ts'

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
    ours: run(node, programs, 'registry'),
    peer: run(node, programs, 'objects'),
  })
  return { figure, floor: 'JSON', goal, peer: 'objects', measure }
}

// --- Import ---------------------------------------------------------------------------------------------------------

const ROUNDS = 15
const dist = pathToFileURL(`${resolve('../dist')}/`).href

/** Milliseconds of the processor for importing a module, more than for importing nothing. */
const importing: Row = {
  figure: 'import of `commandry`',
  floor: 'ms',
  goal: 12,
  peer: 'ajv',
  async measure(node) {
    const random = seeded(1)
    const modules = { none: 'node:process', ours: `${dist}node/index.js`, peer: 'ajv/dist/2020.js' }
    const costs: Record<keyof typeof modules, number[]> = { none: [], ours: [], peer: [] }
    for (let round = 0; round < ROUNDS; round++) {
      for (const name of shuffled(Object.keys(modules) as (keyof typeof modules)[], random)) {
        const code = `import ${JSON.stringify(modules[name])}
          const { user, system } = process.cpuUsage()
          console.log((user + system) / 1000)`
        costs[name].push(
          Number(execFileSync(node, ['--input-type=module', '-e', code], { encoding: 'utf8' })),
        )
      }
    }
    const over = (name: 'ours' | 'peer') =>
      median(costs[name].map((cost, round) => cost - costs.none[round]!))
    return { ours: over('ours'), peer: over('peer') }
  },
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
  memory('S', 'memory, 1,000,000 S', 1.9),
  memory('M', 'memory, 10,000 M', 1.7),
  importing,
  bundle('bundle: a constant', '{ OptionType }', 1),
  bundle('bundle: `validateCommand`', '{ validateCommand }', 16, ajv),
  bundle('bundle: `CommandRegistry`', '{ CommandRegistry }', 36),
  bundle('bundle: all', '*', 60, builders),
]
