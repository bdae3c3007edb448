/** The targets of a project: its applications at a service, with the servers that have commands of their own. */
import { listOf, objectOf, optional, valueOf, type Reader } from '../../../core/rules/readers.ts'
import { Report, type ReportedRule } from '../../../core/rules/report.ts'
import * as shape from '../../../core/rules/shape-rules.ts'
import { isObject } from '../../../core/json.ts'
import { counted, listed } from '../../../core/text.ts'
import { pathText } from '../../authoring/words.ts'
import { CommandError } from '../base/errors.ts'
import { loadJson } from '../base/text-file.ts'
import type { Io } from '../base/io.ts'
import { isAddress, serviceOf, type Remote } from './remote.ts'

export const TARGETS_FILE = 'commandry.targets.json'

/** An application at a service. */
export interface Target {
  /** Such as `production`; the service and the application where there is no file of targets. */
  readonly name: string
  readonly application: string
  /** The address of the service, or `discord`. */
  readonly url: string
  /** The servers that may have commands of their own. */
  readonly guilds: readonly string[]
  readonly service: Remote
}

/** A file of targets. It has no secrets: a token comes from the environment variable that a target names. */
interface Targets {
  /** The files and folders of the definitions. */
  readonly definitions?: readonly string[]
  readonly targets: Readonly<Record<string, Listed>>
}

type Listed = {
  readonly application: string
  readonly url?: string
  readonly guilds?: readonly string[]
  readonly token_variable?: string
}

// Problems of the file are printed by their place, so its rules need no codes.
function setting<Subject extends any[]>(
  check: (...subject: Subject) => { readonly expected: string } | undefined,
): ReportedRule<{ readonly expected: string }, Subject> {
  const shared = { code: 'targets', level: 'error', clause: '', context: null, about: 'value' } as const
  return { ...shared, check, message: ({ expected }) => expected }
}

const knownField = setting((name: string, names: readonly string[]) => {
  if (names.includes(name)) return undefined
  const isToken = /token|secret/i.test(name)
  const remedy = isToken ? 'tokens do not belong in this file; "token_variable" names their variable' : ''
  return { expected: `is not a known field; ${remedy || `the fields are ${listed(names)}`}` }
})

// A token is never printed, so the message does not have the value (clause 5-03).
const variableName = setting((text: string) =>
  /^[A-Za-z_][A-Za-z0-9_]{0,99}$/.test(text)
    ? undefined
    : { expected: 'is not the name of an environment variable, such as PRODUCTION_TOKEN' },
)

const serviceAddress = setting((text: string) =>
  isAddress(text) ? undefined : { expected: 'is not "discord" or an address that begins with http://' },
)

const target = objectOf(
  {
    application: valueOf(shape.snowflake),
    url: optional(valueOf(shape.string, serviceAddress)),
    guilds: optional(listOf(valueOf(shape.snowflake))),
    token_variable: optional(valueOf(shape.string, variableName)),
  },
  { unknownKey: knownField },
)

const named: Reader<Targets['targets']> = (report, value) => {
  if (!report.check(shape.object, value)) return undefined
  for (const [name, entry] of Object.entries(value)) report.at(name, target, entry)
  return value as Targets['targets']
}

const readFile = objectOf(
  { definitions: optional(listOf(valueOf(shape.string))), targets: named },
  { unknownKey: knownField },
)

/** @throws CommandError with every problem at its place */
export async function loadTargets(io: Io, file: string): Promise<Targets> {
  const body = await loadJson(io, file)
  const report = new Report()
  // A reference to a schema is for editors.
  const read = readFile(report, isObject(body) ? withoutSchema(body) : body)
  if (read !== undefined && report.errors.length === 0) return read as Targets
  const [first, ...others] = report.errors
  const more = others.length === 0 ? '' : ` (and ${counted(others.length, 'other problem')})`
  throw new CommandError(`${file}: ${pathText(first!.path)} ${first!.message}${more}`)
}

function withoutSchema({ $schema, ...rest }: Readonly<Record<string, unknown>>): object {
  return rest
}

/**
 * The targets with these names, or all.
 *
 * @throws CommandError for an unknown name, an invalid address or a missing token
 */
export function targetsIn(
  io: Io,
  file: string,
  { targets }: Targets,
  names: readonly string[],
  seconds: number,
): readonly Target[] {
  const known = Object.keys(targets)
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new CommandError(`${file} has no target "${unknown}"; its targets are ${listed(known)}`)
  const chosen = names.length === 0 ? known : [...new Set(names)]
  return chosen.map((name) => {
    const { application, url = 'discord', guilds = [], token_variable: variable } = targets[name]!
    const env = variable === undefined ? io.env : { ...io.env, COMMANDRY_TOKEN: io.env[variable] }
    if (variable !== undefined && (io.env[variable] ?? '').trim() === '')
      throw new CommandError(`target "${name}" needs a token in the environment variable ${variable}`)
    return {
      name,
      application,
      url,
      guilds,
      service: serviceOf({ ...io, env }, 'url', url, application, seconds),
    }
  })
}
