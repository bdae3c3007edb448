/** Contests of the readers. The floor visits every value and reads the length of each string, or is `JSON.parse`. */
import type { Contest, Operation } from './contest.ts'
import * as payloads from './payloads.ts'

const app = payloads.app()

/** By the names of the table. APP is a list, the others are one command. */
const bodies: Readonly<Record<string, unknown>> = {
  S: payloads.small,
  M: payloads.middle,
  L1: payloads.large,
  L2: payloads.nested,
  X: payloads.widest,
  APP: app,
  clash: payloads.clashing,
}

function walk(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  let sum = 0
  if (Array.isArray(value)) for (let i = 0; i < value.length; i++) sum += walk(value[i])
  else for (const key in value) sum += walk((value as Record<string, unknown>)[key])
  return sum
}

type Check = (body: unknown) => boolean

async function ours(isList: boolean): Promise<Check> {
  const { validateCommand, validateCommands } = await import('commandry')
  return isList ? (body) => validateCommands(body).ok : (body) => validateCommand(body).ok
}

async function ajv(isList: boolean): Promise<Check> {
  const { areValid, isValid } = await import('./peer.ts')
  return isList ? (body) => areValid(body as unknown[]) : isValid
}

/** As it comes from the wire, which gives objects other shapes than literals have. */
const parsed = (text: string): unknown => JSON.parse(text)

async function valid(check: Promise<Check>, text: string): Promise<Check> {
  const found = await check
  if (!found(parsed(text))) throw new Error(`refused: ${text.slice(0, 200)}`)
  return found
}

function validation(body: unknown): Contest {
  const text = JSON.stringify(body)
  const isList = Array.isArray(body)
  const hot = async (check: Promise<Check>): Promise<Operation> => {
    const run = await valid(check, text)
    const value = parsed(text)
    return () => run(value)
  }
  return {
    walk: () => {
      const value = parsed(text)
      return () => walk(value)
    },
    commandry: () => hot(ours(isList)),
    ajv: () => hot(ajv(isList)),
  }
}

function fresh(body: unknown): Contest {
  const text = JSON.stringify(body)
  const isList = Array.isArray(body)
  const both = async (check: Promise<Check>): Promise<Operation> => {
    const run = await valid(check, text)
    return () => run(JSON.parse(text))
  }
  return {
    parse: () => () => JSON.parse(text),
    commandry: () => both(ours(isList)),
    ajv: () => both(ajv(isList)),
  }
}

/** Only what reading adds to a parse, of a body that is refused or warned of. */
function afterParse(body: unknown, readsIssues = false): Contest {
  const text = JSON.stringify(body)
  return {
    parse: () => () => JSON.parse(text),
    commandry: async () => {
      const { validateCommand } = await import('commandry')
      const value = parsed(text)
      if (!readsIssues) return () => validateCommand(value).ok
      return () => {
        const found = validateCommand(value)
        return found.ok ? found.warnings.length : found.issues.length
      }
    },
    ajv: async () => {
      const { faultsOf, isValid } = await import('./peer.ts')
      const value = parsed(text)
      return readsIssues ? () => faultsOf(value) : () => isValid(value)
    },
  }
}

export const readingContests: Readonly<Record<string, () => Contest>> = {
  ...Object.fromEntries(
    Object.entries(bodies).flatMap(([name, body]) => [
      [`validate ${name}`, () => validation(body)],
      [`fresh ${name}`, () => fresh(body)],
    ]),
  ),
  'errors, ok alone': () => afterParse(payloads.wrong),
  'errors, issues read': () => afterParse(payloads.wrong, true),
  'long name': () => afterParse(payloads.longName),
  'unknown keys': () => afterParse(payloads.unknownKeys),
  'unknown locales': () => afterParse(payloads.unknownLocales),
}
