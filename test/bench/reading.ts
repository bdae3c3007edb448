/** Contests of the readers. The floor is ajv, or `JSON.parse`. */
import { parsing, type Contest, type ContestRow, type Operation } from './contest.ts'
import * as payloads from './payloads.ts'
import type { Library } from './peer.ts'

type Check = (body: unknown) => boolean

/** Checks of bodies like one, or of lists, by contender. */
export function checksOf(body: unknown): Readonly<Record<Library | 'commandry', () => Promise<Check>>> {
  const isList = Array.isArray(body)
  const peer = (library: Library) => async () => (await import('./peer.ts')).peerOf(library, isList)
  return {
    ...{ ajv: peer('ajv'), ata: peer('ata'), typebox: peer('typebox'), zod: peer('zod') },
    async commandry() {
      const { validateCommand, validateCommands } = await import('commandry')
      return isList ? (value) => validateCommands(value).ok : (value) => validateCommand(value).ok
    },
  }
}

/** Gives objects other shapes than literals have. */
const fromWire = (body: unknown): unknown => JSON.parse(JSON.stringify(body))

/** A check of a body that is valid, against the check of a peer. */
function validation(body: unknown, library: Library): Contest {
  const hot = (prepare: () => Promise<Check>) => async (): Promise<Operation> => {
    const check = await prepare()
    const value = fromWire(body)
    if (!check(value)) throw new Error(`refused: ${JSON.stringify(body).slice(0, 200)}`)
    return () => check(value)
  }
  const checks = checksOf(body)
  return { [library]: hot(checks[library]), commandry: hot(checks.commandry) }
}

/** The value of a valid body, which no peer builds. */
function taken(body: unknown): Contest {
  return {
    parse: parsing(body),
    commandry: async () => {
      const { validateCommand } = await import('commandry')
      const value = fromWire(body)
      return () => {
        const read = validateCommand(value)
        return read.ok && read.value
      }
    },
  }
}

/** Equal names in any locales, against as many that differ. */
function clash(): Contest {
  const contender = (body: unknown) => async (): Promise<Operation> => {
    const check = await checksOf(body).commandry()
    const value = fromWire(body)
    return () => check(value)
  }
  return { L2: contender(payloads.nested), commandry: contender(payloads.clashing) }
}

/** Only what reading adds to a parse, of a body that is warned of. */
function afterParse(body: unknown): Contest {
  const value = fromWire(body)
  return {
    parse: parsing(body),
    commandry: async () => {
      const { validateCommand } = await import('commandry')
      return () => validateCommand(value).ok
    },
    ajv: async () => {
      const { peerOf } = await import('./peer.ts')
      const isValid = await peerOf('ajv', false)
      return () => isValid(value)
    },
  }
}

interface Raced {
  readonly name: string
  readonly body: unknown
  /** Against ajv, and without code generation against the best of those that run then. */
  readonly goals: readonly [ajv: number, withoutCode?: number]
}

const raced: readonly Raced[] = [
  { name: 'S', body: payloads.small, goals: [1, 0.5] },
  { name: 'M', body: payloads.middle, goals: [0.9, 0.6] },
  { name: 'L1', body: payloads.large, goals: [1.1, 0.35] },
  { name: 'L2', body: payloads.nested, goals: [1.2, 0.55] },
  { name: 'X', body: payloads.widest, goals: [1.6] },
  { name: 'APP', body: payloads.app(), goals: [0.75, 0.75] },
]
const named = (name: string) => raced.find((one) => one.name === name)!

/** Runs as in Workers and under strict policies. */
const WITHOUT_CODE = ['--disallow-code-generation-from-strings']

export const readingRows: readonly ContestRow[] = [
  ...raced.map(({ name, body, goals: [goal] }) => ({
    figure: `validate ${name}`,
    goal,
    contest: () => validation(body, 'ajv'),
  })),
  ...(['ata', 'zod'] as const).flatMap((library) =>
    raced.flatMap(({ name, body, goals: [, goal] }) =>
      goal === undefined
        ? []
        : {
            figure: `validate ${name}, no code generation, ${library}`,
            goal,
            flags: WITHOUT_CODE,
            contest: () => validation(body, library),
          },
    ),
  ),
  ...[['M', 1.15] as const, ['APP', 0.85] as const].map(([name, goal]) => ({
    figure: `validate ${name}, typebox`,
    goal,
    contest: () => validation(named(name).body, 'typebox'),
  })),
  { figure: 'validate M, value taken', goal: 1.1, contest: () => taken(payloads.middle) },
  { figure: 'validate L1, value taken', goal: 0.6, contest: () => taken(payloads.large) },
  { figure: 'equal names in any locales', goal: 1.1, contest: clash },
  { figure: '100,000 unknown keys', goal: 1.5, contest: () => afterParse(payloads.unknownKeys) },
]
