/** The rows of the table: what is measured, times which floor, the goal, and the peer. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
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

const ROUNDS = 15
const dist = pathToFileURL(`${resolve('../dist')}/`).href

/** Milliseconds by contender: each starts its program in every round, in shuffled order, and prints a number. */
function inProcesses<Name extends string>(
  node: string,
  contenders: Readonly<Record<Name, readonly string[]>>,
  stream: 'stdout' | 'stderr' = 'stdout',
): Readonly<Record<Name, readonly number[]>> {
  const random = seeded(1)
  const names = Object.keys(contenders) as Name[]
  const costs = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>
  for (let round = 0; round < ROUNDS; round++)
    for (const name of shuffled(names, random)) {
      const program = spawnSync(node, ['--no-warnings', ...contenders[name]], { encoding: 'utf8' })
      if (program.status !== 0) throw new Error(`${name} ended with ${program.status}: ${program.stderr}`)
      costs[name].push(Number(program[stream]))
    }
  return costs
}

const quotients = (ours: readonly number[], floor: readonly number[]) =>
  median(ours.map((cost, round) => cost / floor[round]!))

/** Milliseconds of the processor for importing a module, more than for importing nothing. */
const importing: Row = {
  figure: 'import of `commandry`',
  floor: 'ms',
  goal: 12,
  peer: 'ajv',
  async measure(node) {
    const program = (module: string) => [
      '--input-type=module',
      '-e',
      `import ${JSON.stringify(module)}
      const { user, system } = process.cpuUsage()
      console.log((user + system) / 1_000)`,
    ]
    const { none, ours, peer } = inProcesses(node, {
      none: program('node:process'),
      ours: program(`${dist}node/index.js`),
      peer: program('ajv/dist/2020.js'),
    })
    const over = (costs: readonly number[]) => median(costs.map((cost, round) => cost - none[round]!))
    return { ours: over(ours), peer: over(peer) }
  },
}

function firstCall(what: 'S' | 'APP'): Row {
  return {
    figure: `first call, validate ${what}`,
    floor: 'ajv',
    goal: 0.2,
    async measure(node, programs) {
      const program = (contender: string) => [`${programs}/first-call.mjs`, what, contender]
      const { ours, ajv } = inProcesses(node, { ours: program('commandry'), ajv: program('ajv') })
      return { ours: quotients(ours, ajv) }
    },
  }
}

/** A module for each of many commands, written with the builders of discord.js. */
function writeBuilders(folder: string): readonly string[] {
  const library = createRequire(resolve('package.json')).resolve('@discordjs/builders')
  mkdirSync(folder, { recursive: true })
  return Array.from({ length: 100 }, (_, i) => {
    const path = `${folder}/command-${i}.mjs`
    const code = `import { SlashCommandBuilder } from ${JSON.stringify(pathToFileURL(library).href)}
      export const data = new SlashCommandBuilder()
        .setName('command-${i}')
        .setDescription('What command ${i} does')
        .addStringOption((option) => option.setName('text').setDescription('Any text').setRequired(true))`
    writeFileSync(path, code)
    return pathToFileURL(path).href
  })
}

/** The whole command, against importing the same modules. */
const checking: Row = {
  figure: '`check` of 100 builders',
  floor: 'import',
  goal: 1.3,
  async measure(node, programs) {
    const folder = `${programs}/builders`
    const modules = writeBuilders(folder)
    const atExit = `process.on('exit', () => {
      const { user, system } = process.cpuUsage()
      console.error((user + system) / 1_000)
    })`
    const clock = ['--import', `data:text/javascript,${encodeURIComponent(atExit)}`]
    const imports = modules.map((module) => `import ${JSON.stringify(module)}`).join('\n')
    const { ours, floor } = inProcesses(
      node,
      {
        ours: [...clock, resolve('../dist/node/cli.js'), 'check', folder],
        floor: [...clock, '--input-type=module', '-e', imports],
      },
      'stderr',
    )
    return { ours: quotients(ours, floor) }
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
  firstCall('S'),
  firstCall('APP'),
  checking,
  bundle('bundle: a constant', '{ OptionType }', 1),
  bundle('bundle: `validateCommand`', '{ validateCommand }', 16, ajv),
  bundle('bundle: `CommandRegistry`', '{ CommandRegistry }', 36),
  bundle('bundle: all', '*', 60, builders),
]
