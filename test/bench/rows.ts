/** The rows of the table: what is measured, times which floor, the goal, and the peer. */
import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundledSize } from '../package/bundled-size.mjs'
import { seeded } from '../support/random.ts'
import { hold, median, shuffled } from './contest.ts'

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
  /** Measures on a version of Node, with the programs in a folder. */
  measure(node: string, programs: string): Promise<Figures>
}

/** A contest of `contests.ts`; its first contender is the floor. */
function contest(name: string, figure: string, floor: string, goal?: number, peer?: string): Row {
  return {
    figure,
    floor,
    ...(goal !== undefined && { goal }),
    ...(peer !== undefined && { peer }),
    async measure(node, programs) {
      const { times } = await hold(node, `${programs}/contender.mjs`, name)
      const against = peer === undefined ? undefined : times.get(peer)
      return { ours: times.get('commandry')!, ...(against !== undefined && { peer: against }) }
    },
  }
}

/** A contest as a share of the time of ajv, which the floor only steadies. */
function share(name: string, figure: string, goal: number): Row {
  return {
    figure,
    floor: 'ajv',
    goal,
    async measure(node, programs) {
      const { times } = await hold(node, `${programs}/contender.mjs`, name)
      return { ours: times.get('commandry')! / times.get('ajv')! }
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

const goals = { S: 1, M: 0.7, L1: 0.8, L2: 0.8, clash: 0.8, X: 0.8, APP: 0.5 }
const payloads = Object.keys(goals) as (keyof typeof goals)[]

export const rows: readonly Row[] = [
  ...payloads.map((name) => share(`validate ${name}`, `validate ${name}`, goals[name])),
  ...payloads.map((name) => contest(`fresh ${name}`, `parse, validate ${name}`, 'parse', 1.35, 'ajv')),
  contest('errors, ok alone', '349 faults, `ok`', 'parse', 6),
  contest('errors, issues read', '349 faults, `issues`', 'parse', 7, 'ajv'),
  contest('long name', 'name of 4 MB', 'parse', 0.05, 'ajv'),
  contest('unknown keys', '100,000 unknown keys', 'parse', 1, 'ajv'),
  contest('unknown locales', '100,000 unknown locales', 'parse', 1, 'ajv'),
  contest('8 MB of unknown keys', 'POST 8 MB unknown keys', 'parse', 2),
  contest('get', '`get`', 'Map.get', 17, 'keyv'),
  contest('upsert in 1', '`upsert`, scope of 1', 'Map.get', 200, 'keyv'),
  contest('upsert in 100', '`upsert`, scope of 100', 'Map.get', 300, 'keyv'),
  contest('upsert in 131 full', '`upsert`, 131 full', 'parse'),
  contest('overwrite', '`overwrite` of 130', 'parse', 1.2),
  contest('list', '`list` of 130', 'stringify', 0.01),
  contest('list localized', '`list` localized', 'stringify', 0.5),
  contest('commandsFor', '`commandsFor` 130', 'visit'),
  memory('S', 'memory, 1,000,000 S', 1.9),
  memory('M', 'memory, 10,000 M', 1.7),
  ...['plan', 'snapshot', 'restore', 'keys'].map((name) =>
    contest(`${name} beside others`, `\`${name}\` beside 1,000,000`, 'alone', 1.2),
  ),
  contest('POST S', 'fetch POST S', 'bare', 1.8, 'hono'),
  contest('POST M', 'fetch POST M', 'bare', 1.7, 'hono'),
  contest('GET localized', 'fetch GET localized', 'bare', 0.5, 'hono'),
  contest('GET again', 'fetch GET again', 'bare', 0.15, 'hono'),
  contest('node:http POST S', 'server POST S', 'node:http', 1.4, 'hono'),
  contest('node:http POST M', 'server POST M', 'node:http', 1.4, 'hono'),
  ...['PostgreSQL', 'Redis'].flatMap((name) => [
    contest(`${name} list`, `${name} \`list\``, 'driver', 1.3),
    contest(`${name} upsert`, `${name} \`upsert\``, 'driver', 1.3),
  ]),
  importing,
  bundle('bundle: a constant', '{ OptionType }', 1),
  bundle('bundle: `validateCommand`', '{ validateCommand }', 16, ajv),
  bundle('bundle: `CommandRegistry`', '{ CommandRegistry }', 36),
  bundle('bundle: all', '*', 60, builders),
]
