/** The configuration of `commandry serve`: JSON in, applications and tokens out, every problem at its path. */
import type { ApplicationSettings } from '../../../model/application.ts'
import { canonicalBits } from '../../../model/permission-bits.ts'
import {
  listOf,
  objectOf,
  optional,
  orNull,
  partial,
  valueOf,
  type Reader,
  type Readers,
} from '../../../core/rules/readers.ts'
import * as shape from '../../../core/rules/shape-rules.ts'
import { isObject, valueAt } from '../../../core/json.ts'
import { editDistance } from '../../../core/nearest.ts'
import { Report, type ReportedRule } from '../../../core/rules/report.ts'
import { NO_PARAMS, type Path } from '../../../core/rules/rule.ts'
import { describeValue, listed } from '../../../core/text.ts'
import { validation, type Validation } from '../../../core/rules/validation.ts'
import { isToken, scopes, TOKEN_SHAPE, type TokenEntry } from '../../../service/http/principal.ts'
import { isLocale } from '../../../model/locales.ts'
import type { ServerInput } from '../../../model/demo-server.ts'
import type { ServerChannel, ServerMember, ServerRole, ServerUser } from '../../../model/server.ts'
import { pathText } from '../../authoring/words.ts'

export interface Configuration {
  /** Default: every application. */
  readonly applications?: readonly (ApplicationSettings & { readonly id: string })[]
  /** Default: any token, from this machine only. */
  readonly tokens?: readonly TokenEntry[]
  /** Servers with the names of their roles, channels and members, for the page and for gateway clients. */
  readonly servers?: readonly ServerInput[]
}

export function readConfiguration(value: unknown): Validation<Configuration> {
  const report = new Report()
  checkConfiguration(report, value)
  return validation(value as Configuration, report, value)
}

// --- The form -------------------------------------------------------------------------------------------------

type Predicate = (value: unknown) => boolean

// Problems of a configuration are printed by their place, so its rules need no codes.
const everyRule = {
  code: 'configuration',
  level: 'error',
  clause: '',
  context: null,
  about: 'value',
} as const

function setting<Params extends object, Subject extends any[]>(
  check: (...subject: Subject) => Params | undefined,
  message: (params: Params) => string,
): ReportedRule<Params, Subject> {
  return { ...everyRule, check, message }
}

/** @param isSecret leaves the value out of the message: in place of a token there may be a token, even if it is wrong */
function is(expected: string, holds: Predicate, isSecret = false): Reader {
  const rule = setting(
    (value: unknown) => (holds(value) ? undefined : { actual: isSecret ? null : describeValue(value) }),
    ({ actual }: { actual: string | null }) =>
      actual === null ? `is not ${expected}` : `is ${actual}; expected ${expected}`,
  )
  return (report, value) => (report.check(rule, value) ? value : undefined)
}

const repeatedSetting = setting(
  (first: Path | undefined) => (first === undefined ? undefined : { first: pathText(first) }),
  ({ first }: { first: string }) => `is the same as ${first}`,
)

/** A list of items with different values at a path, such as their ids. Invalid values are not compared. */
function listOfDistinct<T>(item: Reader<T>, ...path: Path): Reader<readonly (T | undefined)[]> {
  return (report, value) => {
    const first = new Map<unknown, Path>()
    const itemOnce: Reader<T> = (_, entry) => {
      const read = item(report, entry)
      const key = valueAt(read, path)
      if (key === undefined) return read
      report.at(path, () => {
        if (report.check(repeatedSetting, first.get(key))) first.set(key, report.path)
      })
      return read
    }
    return listOf(itemOnce)(report, value)
  }
}

function record(key: Reader, item: Reader): Reader {
  return (report, value) => {
    if (!report.check(shape.object, value)) return
    for (const [name, entry] of Object.entries(value)) {
      report.at(name, () => {
        key(report, name)
        item(report, entry)
      })
    }
  }
}

const unknownSetting = setting(
  (name: string, names: readonly string[]) => (names.includes(name) ? undefined : { names }),
  ({ names }: { names: readonly string[] }) => `is not a known field; the fields are ${listed(names)}`,
)

function object<Required extends Readers, Optional extends Readers>(
  required: Required,
  further = {} as Optional,
) {
  return objectOf({ ...required, ...partial(optional, further) }, { unknownKey: unknownSetting })
}

const snowflake = valueOf(shape.snowflake)
const name = valueOf(shape.string)
const flag = valueOf(shape.boolean)
const flags = is('a whole number from 0', (value) => Number.isSafeInteger(value) && (value as number) >= 0)
const token = is(TOKEN_SHAPE, (value) => typeof value === 'string' && isToken(value), true)
const bits = is(
  'a bit set below 2^64, a string of digits such as "268435488"',
  (value) => typeof value === 'string' && value.length <= 20 && canonicalBits(value) !== undefined,
)
const snowflakes = listOfDistinct(snowflake)
const installation = is('0 (guild install) or 1 (user install)', (value) => value === 0 || value === 1)

const noInstallation = setting(
  (value: readonly unknown[]) => (value.length > 0 ? undefined : NO_PARAMS),
  () => 'is empty; expected 0 (guild install), 1 (user install) or both',
)

/** Clause 2.1-16: an application that supports no installation could not have a command. */
const installations: Reader = (report, value) => {
  if (Array.isArray(value)) report.check(noInstallation, value)
  return listOfDistinct(installation)(report, value)
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
const scope: Reader = (report, value) =>
  scopeText(report, value) !== undefined && report.check(scopeTypo, value as string)

const MAX_SLIPS = 3

/** Whether a scope starts with another one and a dot, or differs from it in a few letters. */
function looksLike(given: string, own: string): boolean {
  const text = given.toLowerCase()
  if (text.startsWith(`${own}.`)) return true
  return Math.abs(text.length - own.length) <= MAX_SLIPS && editDistance(text, own) <= MAX_SLIPS
}

const application = object(
  { id: snowflake },
  { name, flags, discoverable: flag, integration_types: installations, guilds: snowflakes, bot: flag },
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
const tokenEntry: typeof botToken = (report, value) =>
  (isObject(value) && value.type === 'Bot' ? botToken : bearerToken)(report, value)

/** A row for each field of a server's parts in the model, so that files and programs describe the same. */
type FieldsOf<Part, Others extends keyof Part = never> = Readonly<Record<Exclude<keyof Part, Others>, Reader>>

const namedOrNone = orNull(name)
const idOrNone = orNull(snowflake)
const time = is('a time such as "2026-01-31T12:00:00Z"', (value) => !Number.isNaN(Date.parse(String(value))))

const role = object({ id: snowflake, name, permissions: bits }, {
  ...{ position: flags, color: flags, hoist: flag, mentionable: flag, managed: flag },
  ...{ icon: namedOrNone, unicode_emoji: namedOrNone, tags: object({ bot_id: snowflake }) },
} satisfies FieldsOf<ServerRole, 'id' | 'name' | 'permissions'>)

const overwrite = object({
  id: snowflake,
  type: is('0 (role) or 1 (member)', (value) => value === 0 || value === 1),
  allow: bits,
  deny: bits,
})

const channel = object({ id: snowflake, name }, {
  ...{ type: flags, guild_id: snowflake, parent_id: idOrNone, position: flags, nsfw: flag },
  ...{ topic: namedOrNone, rate_limit_per_user: flags, bitrate: flags, user_limit: flags },
  ...{ permission_overwrites: listOf(overwrite), application_id: idOrNone },
} satisfies FieldsOf<ServerChannel, 'id' | 'name' | 'parent'>)

const serverUser = object({ id: snowflake, username: name }, {
  ...{ global_name: namedOrNone, discriminator: name, avatar: namedOrNone, bot: flag },
  premium_type: is('0, 1, 2 or 3', (value) => [0, 1, 2, 3].includes(value as number)),
} satisfies FieldsOf<ServerUser, 'id' | 'username'>)

const serverMember = object({ user: serverUser }, {
  ...{ roles: snowflakes, permissions: bits, nick: namedOrNone, avatar: namedOrNone, banner: namedOrNone },
  ...{ joined_at: time, premium_since: orNull(time), communication_disabled_until: orNull(time) },
  ...{ pending: flag, flags, mute: flag, deaf: flag, voice_channel_id: idOrNone },
} satisfies FieldsOf<ServerMember, 'user'>)

const sticker = object({ id: snowflake, name }, { format_type: flags })

const serverFields = object({ id: snowflake, name }, {
  ...{ owner_id: snowflake, bot: flag },
  roles: listOfDistinct(role, 'id'),
  channels: listOfDistinct(channel, 'id'),
  members: listOfDistinct(serverMember, 'user', 'id'),
  stickers: listOfDistinct(sticker, 'id'),
} satisfies FieldsOf<ServerInput, 'id' | 'name'>)

const knownId = (message: string) =>
  setting(
    (id: unknown, known: ReadonlySet<unknown>) => (known.has(id) ? undefined : NO_PARAMS),
    () => message,
  )
const knownApplication = knownId('is not the id of an application of this file')
const knownRole = knownId('is not the id of a role of this server')

const server: typeof serverFields = (report, value) => {
  const read = serverFields(report, value)
  const known = new Set(read?.roles?.flatMap((role) => role?.id ?? []))
  for (const [index, member] of (read?.members ?? []).entries())
    for (const [step, id] of (member?.roles ?? []).entries())
      report.at(['members', index, 'roles', step], () => report.check(knownRole, id, known))
  return read
}

const configurationFields = object({}, {
  applications: listOfDistinct(application, 'id'),
  tokens: listOfDistinct(tokenEntry, 'token'),
  servers: listOfDistinct(server, 'id'),
} satisfies FieldsOf<Configuration>)

function checkConfiguration(report: Report, value: unknown): void {
  const read = configurationFields(report, value) ?? {}
  const { applications = valueAt(value, ['applications']) === undefined ? [] : undefined, tokens = [] } = read
  const known = new Set(applications?.map((application) => application?.id))
  // A token may refer to an application whose id is invalid.
  if (applications === undefined || known.has(undefined)) return
  for (const [index, token] of tokens.entries()) {
    const id = token?.application_id
    if (id === undefined) continue
    report.at(['tokens', index, 'application_id'], () => report.check(knownApplication, id, known))
  }
}
