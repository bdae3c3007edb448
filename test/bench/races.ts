/** Validation of bodies by this package and by its peers, in times of parsing the same text. */
import { parsing, type Contender, type Contest, type ContestRow, type Reading } from './contest.ts'
import * as payloads from './payloads.ts'
import { libraries, type Library } from './peer-libraries.ts'

type Check = (body: unknown) => boolean

/** Checks of bodies like one, or of lists, by contender. */
export function checksOf(body: unknown): Readonly<Record<Library | 'commandry', () => Promise<Check>>> {
  const isList = Array.isArray(body)
  const peer = (library: Library) => async () => (await import('./peer.ts')).peerOf(library, isList)
  return {
    ...(Object.fromEntries(libraries.map((library) => [library, peer(library)])) as Record<
      Library,
      () => Promise<Check>
    >),
    async commandry() {
      const { validateCommand, validateCommands } = await import('commandry')
      return isList ? (value) => validateCommands(value).ok : (value) => validateCommand(value).ok
    },
  }
}

export interface Race extends ContestRow {
  readonly body: string
  readonly mode: 'alone' | 'one process' | 'no code generation'
  readonly peers: readonly Library[]
  /** The most that the check may cost, times that of the fastest of these peers. */
  readonly most: number
  readonly of: readonly Library[]
}

function contestOf(body: unknown, peers: readonly Library[]): Contest {
  const text = JSON.stringify(body)
  // Parsed anew, as each body of a service is: a library could remember those that it has seen.
  const make = (): unknown => JSON.parse(text)
  const contender = (prepare: () => Promise<Check>): Contender => {
    return async (): Promise<Reading> => {
      const read = await prepare()
      if (!read(make())) throw new Error(`refused: ${text.slice(0, 200)}`)
      return { make, read }
    }
  }
  const checks = checksOf(body)
  return {
    parse: parsing(body),
    commandry: contender(checks.commandry),
    ...Object.fromEntries(peers.map((peer) => [peer, contender(checks[peer])])),
  }
}

/** The goals: alone and in one process against ajv, without code generation against the fastest of the others. */
const bodies: readonly (readonly [name: string, body: unknown, ...goals: readonly number[]])[] = [
  ['S', payloads.small, 1, 1.2, 0.5],
  ['M', payloads.middle, 0.9, 1.3, 0.6],
  ['L1', payloads.large, 1.1, 1.1, 0.35],
  ['L2', payloads.nested, 1.2, 1.2, 0.55],
  ['X', payloads.widest, 1.6, 1, 1],
  ['APP', payloads.app(), 0.75, 1.2, 0.75],
]

const modes = ['alone', 'one process', 'no code generation'] as const
/** ajv does not load without code generation, and typebox takes up to 89 times a parse. */
const interpreted: readonly Library[] = ['ata', 'valibot', 'zod', 'arktype']

export const races: readonly Race[] = modes.flatMap((mode, i) =>
  bodies.map(([name, body, ...goals]) => {
    const peers = mode === 'no code generation' ? interpreted : libraries
    return {
      figure: `${name}, ${mode}`,
      body: name,
      mode,
      peers,
      most: goals[i]!,
      of: mode === 'no code generation' ? interpreted : ['ajv'],
      // As in Workers and under strict policies.
      ...(mode === 'no code generation' && { flags: ['--disallow-code-generation-from-strings'] }),
      contest: () => contestOf(body, peers),
    }
  }),
)
