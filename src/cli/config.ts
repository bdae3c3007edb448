/** The configuration of `commandry serve`: JSON in, applications and tokens out, every problem at its path. */
import type { ApplicationSettings } from '../command/application.ts'
import { canonicalBits } from '../command/availability-fields.ts'
import { IntegrationType } from '../command/types.ts'
import { documentOrder } from '../core/document-order.ts'
import { isObject, type JsonObject } from '../core/json.ts'
import type { Path } from '../core/rule.ts'
import { isSnowflake } from '../core/snowflake.ts'
import { describeValue, listed } from '../core/text.ts'
import { isToken, scopes, TOKEN_SHAPE, type TokenEntry } from '../http/principal.ts'
import { isLocale } from '../locale/locales.ts'
import type { ServerInput } from '../permission/server.ts'
import { placeOf } from './load.ts'
import { editDistance } from '../core/nearest.ts'

export interface Configuration {
  readonly applications: readonly (ApplicationSettings & { readonly id: string })[]
  readonly tokens: readonly TokenEntry[]
  /** Servers with the names of their roles, channels and members, for the page and for gateway clients. */
  readonly servers?: readonly ServerInput[]
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
  checkTogether(value, report)
  return report.found.length === 0
    ? { ok: true, configuration: value as Configuration }
    : { ok: false, problems: report.inOrder(value) }
}

class Problems {
  readonly found: { readonly path: Path; readonly message: string }[] = []

  add(path: Path, message: string): void {
    this.found.push({ path, message })
  }

  /** All of them, top to bottom as the file has them. */
  inOrder(value: unknown): readonly Problem[] {
    return documentOrder(this.found, value).map(({ path, message }) => ({ place: placeOf(path), message }))
  }
}

// --- The form -------------------------------------------------------------------------------------------------

/** Looks at a value at its path and tells what is wrong with it. */
type Check = (value: unknown, path: Path, report: Problems) => void

function is(expected: string, holds: (value: unknown) => boolean, secret = false): Check {
  return (value, path, report) => {
    // Where a token belongs, a token may stand even if it is wrong.
    if (!holds(value))
      report.add(path, secret ? `is not ${expected}` : `is ${describeValue(value)}; expected ${expected}`)
  }
}

function listOf(item: Check): Check {
  return (value, path, report) => {
    if (!Array.isArray(value)) report.add(path, `is ${describeValue(value)}; expected a list`)
    else value.forEach((entry, index) => item(entry, [...path, index], report))
  }
}

/** A list in which nothing stands twice. What is wrong by itself is not compared. */
function setOf(item: Check): Check {
  return (value, path, report) => {
    const sound: Located[] = []
    const each = listOf((entry, at) => {
      const before = report.found.length
      item(entry, at, report)
      if (report.found.length === before) sound.push({ value: entry, path: at })
    })
    each(value, path, report)
    checkRepeated(sound, report)
  }
}

function record(key: Check, item: Check): Check {
  return (value, path, report) => {
    if (!isObject(value)) return report.add(path, `is ${describeValue(value)}; expected an object`)
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
    if (!isObject(value)) return report.add(path, `is ${describeValue(value)}; expected an object`)
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

const snowflake = is(
  'an id, a string of digits such as "1029384756", without leading zeros and below 2^63',
  isSnowflake,
)
const name = is('a text', (value) => typeof value === 'string')
const flag = is('true or false', (value) => typeof value === 'boolean')
const flags = is('a whole number from 0', (value) => Number.isSafeInteger(value) && (value as number) >= 0)
const token = is(TOKEN_SHAPE, isSecret, true)
const bits = is(
  'a bit set below 2^64, a string of digits such as "268435488"',
  (value) => typeof value === 'string' && value.length <= 20 && canonicalBits(value) !== undefined,
)
const installation = is('0 (guild install) or 1 (user install)', (value) =>
  Object.values(IntegrationType).includes(value as IntegrationType),
)

/** Clause 2.1-16: an application that supports no installation could not have a command. */
const installations: Check = (value, path, report) => {
  if (Array.isArray(value) && value.length === 0)
    report.add(path, 'is empty; expected 0 (guild install), 1 (user install) or both')
  setOf(installation)(value, path, report)
}

function isSecret(value: unknown): value is string {
  return typeof value === 'string' && isToken(value)
}

// `applications.commands` is what a guild authorizes. No endpoint asks for it, and tokens have it all the same.
const ownScopes = [...scopes, 'applications.commands']

/** Tokens may have any scope of any service, so only what looks like one of this service's and is none is refused. */
const scope: Check = (value, path, report) => {
  if (typeof value !== 'string' || !/^[!-~]+$/.test(value))
    report.add(path, 'is not one scope, a text of visible ASCII characters without spaces')
  else if (!ownScopes.includes(value) && ownScopes.some((own) => looksLike(value, own)))
    report.add(path, `is ${describeValue(value)}; the scopes of this service are ${listed(ownScopes)}`)
}

const MOST_SLIPS = 3

/** Whether a scope begins like another, or is it but for some wrong, missing or surplus letters. */
function looksLike(given: string, own: string): boolean {
  const text = given.toLowerCase()
  if (text.startsWith(`${own}.`)) return true
  return Math.abs(text.length - own.length) <= MOST_SLIPS && editDistance(text, own) <= MOST_SLIPS
}

const application = object(
  { id: snowflake },
  {
    name,
    flags,
    discoverable: flag,
    integration_types: installations,
    guilds: setOf(snowflake),
  },
)

const user = object(
  { id: snowflake },
  {
    locale: is('a locale of the service, such as "de"', isLocale),
    guilds: record(snowflake, object({ permissions: bits })),
  },
)

const shared = {
  type: is('"Bot" or "Bearer"', (value) => value === 'Bot' || value === 'Bearer', true),
  token,
  application_id: snowflake,
}
const botToken = object(shared)
const bearerToken = object(shared, { scopes: listOf(scope), user })

/** An entry of no known type is read as a bearer token, which has every field there is. */
const tokenEntry: Check = (value, path, report) =>
  (isObject(value) && value.type === 'Bot' ? botToken : bearerToken)(value, path, report)

const role = object({ id: snowflake, name, permissions: bits }, { position: flags })

const overwrite = object({
  id: snowflake,
  type: is('0 (role) or 1 (member)', (value) => value === 0 || value === 1),
  allow: bits,
  deny: bits,
})

const channel = object(
  { id: snowflake, name },
  { type: flags, nsfw: flag, parent_id: snowflake, permission_overwrites: listOf(overwrite) },
)

const serverMember = object(
  { user: object({ id: snowflake, username: name }, { global_name: name }) },
  { roles: setOf(snowflake) },
)

const server = object(
  { id: snowflake, name },
  { owner_id: snowflake, roles: listOf(role), channels: listOf(channel), members: listOf(serverMember) },
)

const configuration = object(
  { applications: listOf(application), tokens: listOf(tokenEntry) },
  { servers: listOf(server) },
)

// --- What entries say of one another --------------------------------------------------------------------------

interface Located {
  readonly value: unknown
  readonly path: Path
}

/** Compares the entries as far as they could be read: what is wrong with one hides nothing about the others. */
function checkTogether(value: unknown, report: Problems): void {
  if (!isObject(value)) return
  const { applications, tokens, servers } = value
  checkServers(servers, report)
  const ids = readable(applications, ['applications'], 'id', isSnowflake)
  checkRepeated(ids, report)
  checkRepeated(readable(tokens, ['tokens'], 'token', isSecret), report)
  // An application that could not be read may be the one that a token names.
  if (!Array.isArray(applications) || ids.length < applications.length) return
  const known = new Set(ids.map((id) => id.value))
  for (const named of readable(tokens, ['tokens'], 'application_id', isSnowflake)) {
    if (!known.has(named.value)) report.add(named.path, 'is none of the applications of this file')
  }
}

/** Within a server ids stand for one thing each, and members have roles that it has. */
function checkServers(servers: unknown, report: Problems): void {
  checkRepeated(readable(servers, ['servers'], 'id', isSnowflake), report)
  if (!Array.isArray(servers)) return
  for (const [index, entry] of servers.entries()) {
    if (!isObject(entry)) continue
    const at = (list: string): Path => ['servers', index, list]
    const roles = readable(entry.roles, at('roles'), 'id', isSnowflake)
    checkRepeated(roles, report)
    checkRepeated(readable(entry.channels, at('channels'), 'id', isSnowflake), report)
    const users = readable(entry.members, at('members'), 'user', isObject)
    checkRepeated(
      users.map(({ value, path }) => ({ value: (value as JsonObject).id, path: [...path, 'id'] })),
      report,
    )
    const known = new Set(roles.map(({ value }) => value))
    for (const { value, path } of readable(entry.members, at('members'), 'roles', Array.isArray)) {
      for (const [place, id] of (value as unknown[]).entries()) {
        if (!known.has(id)) report.add([...path, place], 'is not the id of a role of this server')
      }
    }
  }
}

/** A field of every entry of a list, where it is as it should be. */
function readable(list: unknown, path: Path, field: string, holds: (value: unknown) => boolean): Located[] {
  if (!Array.isArray(list)) return []
  return list.flatMap((entry, index) =>
    isObject(entry) && Object.hasOwn(entry, field) && holds(entry[field])
      ? [{ value: entry[field], path: [...path, index, field] }]
      : [],
  )
}

function checkRepeated(found: readonly Located[], report: Problems): void {
  const first = new Map<unknown, Path>()
  for (const { value, path } of found) {
    const before = first.get(value)
    if (before === undefined) first.set(value, path)
    else report.add(path, `is the same as ${placeOf(before)}`)
  }
}
