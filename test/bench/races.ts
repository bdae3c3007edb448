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
  readonly mode: Mode
  readonly peers: readonly Library[]
  /** The most that the check may cost, times that of the fastest of these peers. */
  readonly most: number
  readonly of: readonly Library[]
}

/**
 * Each contender first checks the commands of other apps, as the process of a service or a bot has.
 *
 * @param body is parsed anew for each turn: a library could remember those that it has seen
 */
function contestOf(body: unknown, peers: readonly Library[], isValid: boolean): Contest {
  const text = JSON.stringify(body)
  const make = (): unknown => JSON.parse(text)
  const seen = Array.isArray(body) ? payloads.others : payloads.others.flat()
  const contender = (prepare: () => Promise<Check>): Contender => {
    return async (): Promise<Reading> => {
      const read = await prepare()
      for (const other of seen)
        if (!read(JSON.parse(JSON.stringify(other)))) throw new Error(`refused: ${JSON.stringify(other)}`)
      if (read(make()) !== isValid)
        throw new Error(`${isValid ? 'refused' : 'accepted'}: ${text.slice(0, 200)}`)
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

const bodies: readonly (readonly [name: string, body: unknown])[] = [
  ['M', payloads.middle],
  ['L1', payloads.large],
  ['L2', payloads.nested],
  ['X', payloads.widest],
  ['APP', payloads.app()],
]

export const modes = ['valid', 'one fault', 'no code generation'] as const
type Mode = (typeof modes)[number]
/** ajv does not load without code generation, and typebox takes up to 89 times a parse. */
const interpreted: readonly Library[] = ['ata', 'valibot', 'zod', 'arktype']

/** Against ajv, of which all know the speed; without code generation against the fastest of the others. */
export const races: readonly Race[] = modes.flatMap((mode) =>
  bodies.map(([name, body]): Race => {
    const isInterpreted = mode === 'no code generation'
    const peers = isInterpreted ? interpreted : mode === 'valid' ? libraries : (['ajv'] as const)
    const given = mode === 'one fault' ? payloads.withFault(body) : body
    return {
      figure: `${name}, ${mode}`,
      body: name,
      mode,
      peers,
      most: 1,
      of: isInterpreted ? interpreted : ['ajv'],
      // As in Workers and under strict policies.
      ...(isInterpreted && { flags: ['--disallow-code-generation-from-strings'] }),
      contest: () => contestOf(given, peers, mode !== 'one fault'),
    }
  }),
)
