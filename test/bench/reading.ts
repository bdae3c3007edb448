/** Contests of the readers. The floor is ajv, or `JSON.parse`. */
import { parsing, type Contest, type ContestRow, type Operation } from './contest.ts'
import * as payloads from './payloads.ts'

type Check = (body: unknown) => boolean

/** Checks of bodies like one, or of lists, by contender. */
export function checksOf(body: unknown): Readonly<Record<'ajv' | 'commandry', () => Promise<Check>>> {
  const isList = Array.isArray(body)
  return {
    async ajv() {
      const { areValid, isValid } = await import('./peer.ts')
      return isList ? (value) => areValid(value as unknown[]) : isValid
    },
    async commandry() {
      const { validateCommand, validateCommands } = await import('commandry')
      return isList ? (value) => validateCommands(value).ok : (value) => validateCommand(value).ok
    },
  }
}

/** Gives objects other shapes than literals have. */
const fromWire = (body: unknown): unknown => JSON.parse(JSON.stringify(body))

function validation(body: unknown): Contest {
  const hot = (prepare: () => Promise<Check>) => async (): Promise<Operation> => {
    const check = await prepare()
    const value = fromWire(body)
    if (!check(value)) throw new Error(`refused: ${JSON.stringify(body).slice(0, 200)}`)
    return () => check(value)
  }
  const { ajv, commandry } = checksOf(body)
  return { ajv: hot(ajv), commandry: hot(commandry) }
}

function parseAndValidation(body: unknown): Contest {
  const fresh = (prepare: () => Promise<Check>) => async (): Promise<Operation> => {
    const check = await prepare()
    const text = JSON.stringify(body)
    return () => check(JSON.parse(text))
  }
  const { ajv, commandry } = checksOf(body)
  return { parse: parsing(body), commandry: fresh(commandry), ajv: fresh(ajv) }
}

/** Only what reading adds to a parse, of a body that is refused or warned of. */
function afterParse(body: unknown, readsIssues = false): Contest {
  const value = fromWire(body)
  return {
    parse: parsing(body),
    commandry: async () => {
      const { validateCommand } = await import('commandry')
      if (!readsIssues) return () => validateCommand(value).ok
      return () => {
        const found = validateCommand(value)
        return found.ok ? found.warnings.length : found.issues.length
      }
    },
    ajv: async () => {
      const { faultsOf, isValid } = await import('./peer.ts')
      return () => (readsIssues ? faultsOf(value) : isValid(value))
    },
  }
}

const bodies: readonly (readonly [name: string, body: unknown, goal: number])[] = [
  ['S', payloads.small, 1],
  ['M', payloads.middle, 0.7],
  ['L1', payloads.large, 0.8],
  ['L2', payloads.nested, 0.8],
  ['clash', payloads.clashing, 0.8],
  ['X', payloads.widest, 0.8],
  ['APP', payloads.app(), 0.5],
]

export const readingRows: readonly ContestRow[] = [
  ...bodies.map(([name, body, goal]) => ({
    figure: `validate ${name}`,
    goal,
    contest: () => validation(body),
  })),
  ...bodies.map(([name, body]) => ({
    figure: `parse, validate ${name}`,
    goal: 1.35,
    contest: () => parseAndValidation(body),
  })),
  { figure: '349 faults, `ok`', goal: 6, contest: () => afterParse(payloads.wrong) },
  { figure: '349 faults, `issues`', goal: 7, contest: () => afterParse(payloads.wrong, true) },
  { figure: 'name of 4 MB', goal: 0.05, contest: () => afterParse(payloads.longName) },
  { figure: '100,000 unknown keys', goal: 1, contest: () => afterParse(payloads.unknownKeys) },
  { figure: '100,000 unknown locales', goal: 1, contest: () => afterParse(payloads.unknownLocales) },
]
