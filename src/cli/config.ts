/** The configuration of `commandry serve`: JSON in, applications and tokens out, every problem at its path. */
import type { ApplicationSettings } from '../command/application.ts'
import { canonicalBits } from '../core/bits.ts'
import { Reading } from '../command/reading.ts'
import * as shape from '../command/shape.ts'
import { IntegrationType } from '../command/types.ts'
import { valueAt } from '../core/fixes.ts'
import { isObject, type JsonObject } from '../core/json.ts'
import { editDistance } from '../core/nearest.ts'
import type { ReportedRule } from '../core/report.ts'
import { NO_PARAMS, type Path } from '../core/rule.ts'
import { isSnowflake } from '../core/snowflake.ts'
import { describeValue, listed } from '../core/text.ts'
import { validation, type Validation } from '../core/validation.ts'
import { isToken, scopes, TOKEN_SHAPE, type TokenEntry } from '../http/principal.ts'
import { isLocale } from '../locale/locales.ts'
import type { ServerInput } from '../world/demo-server.ts'
import { pathText } from '../authoring/words.ts'

export interface Configuration {
  readonly applications: readonly (ApplicationSettings & { readonly id: string })[]
  readonly tokens: readonly TokenEntry[]
  /** Servers with the names of their roles, channels and members, for the page and for gateway clients. */
  readonly servers?: readonly ServerInput[]
}

/** Reads a configuration. */
export function readConfiguration(value: unknown): Validation<Configuration> {
  const reading = new Reading(undefined)
  checkConfiguration(reading, value)
  return validation(value as Configuration, reading, value)
}

// --- The form -------------------------------------------------------------------------------------------------

/** Checks a value at the current path of a reading. */
type Check = (reading: Reading, value: unknown) => unknown

type Predicate = (value: unknown) => boolean

/** A rule of this file. Problems of a configuration are printed by their place, so it needs no code. */
function setting<Params extends object, Subject extends any[]>(
  check: (...subject: Subject) => Params | undefined,
  message: (params: Params) => string,
): ReportedRule<Params, Subject> {
  return {
    code: 'configuration',
    level: 'error',
    clause: '',
    context: null,
    about: 'value',
    check,
    message,
  }
}

/** @param isSecret leaves the value out of the message: in place of a token there may be a token, even if it is wrong */
function is(expected: string, holds: Predicate, isSecret = false): Check {
  const rule = setting(
    (value: unknown) => (holds(value) ? undefined : { actual: isSecret ? null : describeValue(value) }),
    ({ actual }: { actual: string | null }) =>
      actual === null ? `is not ${expected}` : `is ${actual}; expected ${expected}`,
  )
  return (reading, value) => reading.check(rule, value)
}

const repeatedSetting = setting(
  (first: Path | undefined) => (first === undefined ? undefined : { first: pathText(first) }),
  ({ first }: { first: string }) => `is the same as ${first}`,
)

function listOf(item: Check): Check {
  return (reading, value) => reading.check(shape.list, value) && reading.items(value, value.length, item)
}

/**
 * A list of items with different values at a path, such as their ids.
 *
 * @param holds whether a value is valid; other values are not compared
 */
function listOfDistinct(item: Check, path: Path, holds: Predicate): Check {
  return (reading, value) => {
    const first = new Map<unknown, Path>()
    const itemOnce: Check = (_, entry) => {
      item(reading, entry)
      const key = valueAt(entry, path)
      if (!holds(key)) return
      reading.at(path, () => {
        if (reading.check(repeatedSetting, first.get(key))) first.set(key, reading.path)
      })
    }
    listOf(itemOnce)(reading, value)
  }
}

const listWithIds = (item: Check) => listOfDistinct(item, ['id'], isSnowflake)

function record(key: Check, item: Check): Check {
  return (reading, value) => {
    if (!reading.check(shape.object, value)) return
    for (const [name, entry] of Object.entries(value)) {
      reading.at(name, () => {
        key(reading, name)
        item(reading, entry)
      })
    }
  }
}

const unknownSetting = setting(
  (name: string, names: readonly string[]) => (names.includes(name) ? undefined : { names }),
  ({ names }: { names: readonly string[] }) => `is not a known field; the fields are ${listed(names)}`,
)

function object(
  required: Readonly<Record<string, Check>>,
  optional: Readonly<Record<string, Check>> = {},
): Check {
  const known = new Map(Object.entries({ ...required, ...optional }))
  const names = [...known.keys()]
  return (reading, value) => {
    if (!reading.check(shape.object, value)) return
    for (const name of Object.keys(required))
      if (!Object.hasOwn(value, name)) reading.at(name, () => reading.check(shape.present, undefined))
    for (const [name, entry] of Object.entries(value))
      reading.at(name, () => {
        if (reading.check(unknownSetting, name, names)) known.get(name)!(reading, entry)
      })
  }
}

const snowflake: Check = (reading, value) => reading.check(shape.snowflake, value)
const name: Check = (reading, value) => reading.check(shape.string, value)
const flag: Check = (reading, value) => reading.check(shape.boolean, value)
const flags = is('a whole number from 0', (value) => Number.isSafeInteger(value) && (value as number) >= 0)
const token = is(TOKEN_SHAPE, isTokenText, true)
const bits = is(
  'a bit set below 2^64, a string of digits such as "268435488"',
  (value) => typeof value === 'string' && value.length <= 20 && canonicalBits(value) !== undefined,
)
const snowflakes = listOfDistinct(snowflake, [], isSnowflake)
const isInstallation = (value: unknown) => Object.values(IntegrationType).includes(value as IntegrationType)
const installation = is('0 (guild install) or 1 (user install)', isInstallation)

const noInstallation = setting(
  (value: readonly unknown[]) => (value.length > 0 ? undefined : NO_PARAMS),
  () => 'is empty; expected 0 (guild install), 1 (user install) or both',
)

/** Clause 2.1-16: an application that supports no installation could not have a command. */
const installations: Check = (reading, value) => {
  if (Array.isArray(value)) reading.check(noInstallation, value)
  listOfDistinct(installation, [], isInstallation)(reading, value)
}

function isTokenText(value: unknown): value is string {
  return typeof value === 'string' && isToken(value)
}

// Guilds authorize `applications.commands`. No endpoint requires it, but real tokens have it.
const ownScopes = [...scopes, 'applications.commands']

const scopeText = is(
  'one scope, a text of visible ASCII characters without spaces',
  (value) => typeof value === 'string' && /^[!-~]+$/.test(value),
  true,
)

const scopeTypo = setting(
  (value: string) =>
    ownScopes.includes(value) || !ownScopes.some((own) => looksLike(value, own))
      ? undefined
      : { actual: describeValue(value) },
  ({ actual }: { actual: string }) => `is ${actual}; the scopes of this service are ${listed(ownScopes)}`,
)

/** Tokens may have scopes of other services. A scope that looks like a misspelled one of this service is refused. */
const scope: Check = (reading, value) =>
  scopeText(reading, value) && reading.check(scopeTypo, value as string)

const MOST_SLIPS = 3

/** Whether a scope starts with another one and a dot, or differs from it in a few letters. */
function looksLike(given: string, own: string): boolean {
  const text = given.toLowerCase()
  if (text.startsWith(`${own}.`)) return true
  return Math.abs(text.length - own.length) <= MOST_SLIPS && editDistance(text, own) <= MOST_SLIPS
}

const application = object(
  { id: snowflake },
  { name, flags, discoverable: flag, integration_types: installations, guilds: snowflakes },
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

/** An entry of an unknown type is read as a bearer token, which has all fields. */
const tokenEntry: Check = (reading, value) =>
  (isObject(value) && value.type === 'Bot' ? botToken : bearerToken)(reading, value)

const role = object(
  { id: snowflake, name, permissions: bits },
  { position: flags, color: flags, hoist: flag, mentionable: flag, managed: flag },
)

const overwrite = object({
  id: snowflake,
  type: is('0 (role) or 1 (member)', (value) => value === 0 || value === 1),
  allow: bits,
  deny: bits,
})

const channel = object(
  { id: snowflake, name },
  {
    type: flags,
    nsfw: flag,
    topic: name,
    parent_id: snowflake,
    bitrate: flags,
    user_limit: flags,
    permission_overwrites: listOf(overwrite),
  },
)

const time = is('a time such as "2026-01-31T12:00:00Z"', (value) => !Number.isNaN(Date.parse(String(value))))

const serverMember = object(
  { user: object({ id: snowflake, username: name }, { global_name: name, bot: flag }) },
  {
    roles: snowflakes,
    nick: name,
    joined_at: time,
    communication_disabled_until: time,
    voice_channel_id: snowflake,
  },
)

const serverFields = object(
  { id: snowflake, name },
  {
    owner_id: snowflake,
    roles: listWithIds(role),
    channels: listWithIds(channel),
    members: listOfDistinct(serverMember, ['user', 'id'], isSnowflake),
  },
)

const server: Check = (reading, value) => {
  serverFields(reading, value)
  if (isObject(value)) checkMemberRoles(reading, value)
}

const configurationFields = object(
  { applications: listWithIds(application), tokens: listOfDistinct(tokenEntry, ['token'], isTokenText) },
  { servers: listWithIds(server) },
)

const checkConfiguration: Check = (reading, value) => {
  configurationFields(reading, value)
  if (isObject(value)) checkApplicationIds(reading, value)
}

// --- References -----------------------------------------------------------------------------------------------

const knownId = (message: string) =>
  setting(
    (id: unknown, known: ReadonlySet<unknown>) => (known.has(id) ? undefined : NO_PARAMS),
    () => message,
  )
const knownApplication = knownId('is not the id of an application of this file')
const knownRole = knownId('is not the id of a role of this server')

/** The objects in a list, each with its index. */
function objectsIn(list: unknown): readonly (readonly [index: number, JsonObject])[] {
  if (!Array.isArray(list)) return []
  return list.flatMap((entry, index) => (isObject(entry) ? [[index, entry] as const] : []))
}

function idsIn(list: unknown): readonly unknown[] {
  return objectsIn(list)
    .map(([, { id }]) => id)
    .filter(isSnowflake)
}

function checkMemberRoles(reading: Reading, { roles, members }: JsonObject): void {
  const known = new Set(idsIn(roles))
  for (const [index, member] of objectsIn(members)) {
    const ids: readonly unknown[] = Array.isArray(member.roles) ? member.roles : []
    for (const [step, id] of ids.entries())
      reading.at(['members', index, 'roles', step], () => reading.check(knownRole, id, known))
  }
}

function checkApplicationIds(reading: Reading, { applications, tokens }: JsonObject): void {
  const ids = idsIn(applications)
  // A token may refer to an application whose id is invalid.
  if (!Array.isArray(applications) || ids.length < applications.length) return
  const known = new Set(ids)
  for (const [index, { application_id: id }] of objectsIn(tokens)) {
    if (isSnowflake(id))
      reading.at(['tokens', index, 'application_id'], () => reading.check(knownApplication, id, known))
  }
}
