/** Contests of the readers beside the races. */
import { parsing, type Contest, type ContestRow, type Operation } from './contest.ts'
import * as payloads from './payloads.ts'
import { checksOf } from './races.ts'

/** Gives objects other shapes than literals have. */
const fromWire = (body: unknown): unknown => JSON.parse(JSON.stringify(body))

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

export const readingRows: readonly ContestRow[] = [
  { figure: 'equal names in any locales', goal: 1.1, contest: clash },
  { figure: '100,000 unknown keys', goal: 1.5, contest: () => afterParse(payloads.unknownKeys) },
]
