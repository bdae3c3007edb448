/** The configuration of `commandry serve`: JSON in, applications and tokens out, every problem at its path. */
import { IntegrationType } from '../command/kinds.ts'
import type { ApplicationSettings } from '../command/application.ts'
import { isObject } from '../core/json.ts'
import type { Path, PathStep } from '../core/rule.ts'
import { isSnowflake } from '../core/snowflake.ts'
import { described, listed } from '../core/text.ts'
import { isToken, TOKEN_SHAPE, type TokenEntry } from '../http/principal.ts'
import { isLocale } from '../locale/locales.ts'

export interface Configuration {
  readonly applications: readonly (ApplicationSettings & { readonly id: string })[]
  readonly tokens: readonly TokenEntry[]
}

/** What is wrong, and where: `tokens[0].application_id`. */
export interface Problem {
  readonly place: string
  readonly message: string
}

export type ReadConfiguration =
  | { readonly ok: true; readonly configuration: Configuration }
  | { readonly ok: false; readonly problems: readonly Problem[] }

/** Reads a configuration. It is used only when nothing at all is wrong with it. */
export function readConfiguration(value: unknown): ReadConfiguration {
  const report = new Problems()
  configuration(value, [], report)
  if (report.found.length === 0) checkTogether(value as Configuration, report)
  return report.found.length === 0
    ? { ok: true, configuration: value as Configuration }
    : { ok: false, problems: report.found }
}

class Problems {
  readonly found: Problem[] = []

  add(path: Path, message: string): void {
    this.found.push({ place: placeOf(path), message })
  }
}

function placeOf(path: Path): string {
  const steps = path.map((step, i) => (typeof step === 'number' ? `[${step}]` : i === 0 ? step : `.${step}`))
  return steps.length === 0 ? 'the file' : steps.join('')
}

// --- The form -------------------------------------------------------------------------------------------------

/** Looks at a value at its path and tells what is wrong with it. */
type Check = (value: unknown, path: Path, report: Problems) => void

function is(expected: string, holds: (value: unknown) => boolean, secret = false): Check {
  return (value, path, report) => {
    // Where a token belongs, a token may stand even if it is wrong.
    if (!holds(value))
      report.add(path, secret ? `is not ${expected}` : `is ${described(value)}; expected ${expected}`)
  }
}

function listOf(item: Check): Check {
  return (value, path, report) => {
    if (!Array.isArray(value)) report.add(path, `is ${described(value)}; expected a list`)
    else value.forEach((entry, index) => item(entry, [...path, index], report))
  }
}

function record(key: Check, item: Check): Check {
  return (value, path, report) => {
    if (!isObject(value)) return report.add(path, `is ${described(value)}; expected an object`)
    for (const [name, entry] of Object.entries(value)) {
      key(name, [...path, name], report)
      item(entry, [...path, name], report)
    }
  }
}

function object(
  required: Readonly<Record<string, Check>>,
  optional: Readonly<Record<string, Check>> = {},
): Check {
  const known = new Map(Object.entries({ ...required, ...optional }))
  const names = [...known.keys()]
  return (value, path, report) => {
    if (!isObject(value)) return report.add(path, `is ${described(value)}; expected an object`)
    for (const name of Object.keys(required)) {
      if (!Object.hasOwn(value, name)) report.add([...path, name], 'is missing')
    }
    for (const [name, entry] of Object.entries(value)) {
      const check = known.get(name)
      if (check === undefined) report.add([...path, name], `is not known here; there are ${listed(names)}`)
      else check(entry, [...path, name], report)
    }
  }
}

const snowflake = is('an id, a string of digits such as "1029384756"', isSnowflake)
const name = is('a text', (value) => typeof value === 'string')
const flag = is('true or false', (value) => typeof value === 'boolean')
const flags = is('a whole number from 0', (value) => Number.isSafeInteger(value) && (value as number) >= 0)
const token = is(TOKEN_SHAPE, (value) => typeof value === 'string' && isToken(value), true)
const bits = is(
  'a bit set, a string of digits such as "268435488"',
  (value) => typeof value === 'string' && /^[0-9]{1,20}$/.test(value),
)
const installation = is('0 (guild install) or 1 (user install)', (value) =>
  Object.values(IntegrationType).includes(value as IntegrationType),
)

const application = object(
  { id: snowflake },
  {
    name,
    flags,
    discoverable: flag,
    integration_types: listOf(installation),
    guilds: listOf(snowflake),
  },
)

const user = object(
  { id: snowflake },
  {
    locale: is('a locale of the service, such as "de"', isLocale),
    guilds: record(snowflake, object({ permissions: bits })),
  },
)

const shared = { type: name, token, application_id: snowflake }
const tokensOf: Readonly<Record<string, Check>> = {
  Bot: object(shared),
  Bearer: object(shared, { scopes: listOf(name), user }),
}

const tokenEntry: Check = (value, path, report) => {
  const type = isObject(value) ? value.type : undefined
  const check = typeof type === 'string' && Object.hasOwn(tokensOf, type) ? tokensOf[type] : undefined
  if (!isObject(value)) report.add(path, `is ${described(value)}; expected an object`)
  else if (check !== undefined) check(value, path, report)
  else report.add([...path, 'type'], type === undefined ? 'is missing' : `is not "Bot" or "Bearer"`)
}

const configuration = object({ applications: listOf(application), tokens: listOf(tokenEntry) })

// --- What entries say of one another --------------------------------------------------------------------------

function checkTogether({ applications, tokens }: Configuration, report: Problems): void {
  const ids = applications.map(({ id }) => id)
  repeated(ids, 'id', ['applications'], report)
  repeated(
    tokens.map((entry) => entry.token),
    'token',
    ['tokens'],
    report,
  )
  tokens.forEach(({ application_id }, index) => {
    if (application_id !== undefined && !ids.includes(application_id)) {
      report.add(['tokens', index, 'application_id'], 'is none of the applications of this file')
    }
  })
}

function repeated(values: readonly string[], key: string, path: readonly PathStep[], report: Problems): void {
  values.forEach((value, index) => {
    const first = values.indexOf(value)
    if (first !== index) report.add([...path, index, key], `is the same as ${placeOf([...path, first, key])}`)
  })
}
