/**
 * Availability fields: member permissions, contexts, installation, age restriction, handler (clauses 2.1-12 to 2.1-19,
 * 2.8), and the deprecated fields.
 */
import { NO_PARAMS, rule, warning, type Rule } from '../core/rule.ts'
import { listed } from '../core/text.ts'
import { minLength, notNumber, numberMax, numberMin, oneOf, oneOfNumbers } from '../core/wire.ts'
import { EMBEDDED, isEmbedded, supportedInstallations, type ApplicationSettings } from './application.ts'
import { broken, entryPoint, put, type Body } from './breaking.ts'
import { CommandType, HandlerType, IntegrationType, InteractionContext } from './types.ts'
import type { NumberRules, Reading } from './reading.ts'
import { distinctItems, found, type Found } from './shape.ts'
import type { CommandDefinition, Fields, Writable } from './definition.ts'
import { PermissionFlag } from './permission-flags.ts'

// --- Member permissions ---------------------------------------------------------------------------------------

const LARGEST_BITS = '18446744073709551615'

export interface WrongBits extends Found {
  /** The bit set of the permissions that the value names; null when it names none. */
  readonly value: string | null
  /** The names of permissions in the value. */
  readonly names: readonly string[]
}

export const memberPermissions = rule({
  code: 'default_member_permissions.value',
  clause: '2.1-12',
  limit: { min: 0, max: LARGEST_BITS },
  summary:
    'Member permissions are a bit set below 2^64, as a string of digits, a safe whole number, or null.',
  check(value: unknown): WrongBits | undefined {
    if (value === null || canonicalBits(value) !== undefined) return undefined
    const names = namesOf(value)
    const bits = names.reduce((sum, name) => sum | (flags.get(name) ?? 0n), 0n)
    return { value: names.length > 0 ? String(bits) : null, names, ...found(value) }
  },
  message: ({ value, names, actual }: WrongBits) =>
    value === null
      ? `is ${actual}; write the bit set, which is below 2^64, as a string of digits such as "8192"`
      : `is ${actual}; write the bit set as a string: ${listed(names)} ${names.length === 1 ? 'is' : 'are'} "${value}"`,
  wire: ({ given }: Found) => {
    const [whole, minus] = /^(-?)[0-9]+$/.exec(String(given)) ?? []
    if (whole === undefined) return notNumber(given, 'int')
    if (minus !== '') return numberMin('int', 0)
    return numberMax('int', typeof given === 'number' ? Number.MAX_SAFE_INTEGER : LARGEST_BITS)
  },
  breaks: (body: Body, pick) =>
    broken(body, ['default_member_permissions'], ['0x8', '-1', 1.5, '18446744073709551616'][pick(4)]),
})

const flags: ReadonlyMap<string, bigint> = new Map(Object.entries(PermissionFlag))
const allFlags = [...flags.values()].reduce((sum, bit) => sum | bit, 0n)
/** The lowest bit that is not a permission: a bit set with fewer digits has none that is unknown. */
const firstUnknownFlag = String(~allFlags & (allFlags + 1n))

/** The permissions that a text or a list of texts names, in the specification's or a library's spelling. */
function namesOf(value: unknown): readonly string[] {
  // `Array.from` makes holes undefined (clause 1-05).
  const texts: unknown[] = Array.isArray(value) ? Array.from(value.slice(0, flags.size)) : [value]
  const names = texts.map((text) =>
    typeof text === 'string' && text.length < 100
      ? text.replace(/([a-z])([A-Z])/g, '$1_$2').toUpperCase()
      : '',
  )
  return names.every((name) => flags.has(name)) ? names : []
}

export const memberPermissionsUnknown = warning({
  code: 'default_member_permissions.unknown_bits',
  clause: '2.1-12',
  summary: 'Every bit of the member permissions is a permission.',
  check(bits: string) {
    if (bits.length < firstUnknownFlag.length) return undefined
    let unknown = BigInt(bits) & ~allFlags
    if (unknown === 0n) return undefined
    const places: number[] = []
    for (let place = 0; unknown > 0n; place++, unknown >>= 1n) if (unknown & 1n) places.push(place)
    return { places }
  },
  message: ({ places }: { places: readonly number[] }) =>
    places.length === 1
      ? `has bit ${places[0]}, which is not a permission`
      : `has the bits ${listed(places.map(String))}, which are not permissions`,
  breaks: (body: Body) => broken(body, ['default_member_permissions'], String(1n << 60n)),
})

/**
 * A bit set as the service answers it: digits without leading zeros; `undefined` if the value is not a bit set. Numbers
 * are allowed because real clients send them, and a `bigint` because that is what `PermissionFlag` holds.
 */
export function canonicalBits(value: unknown): string | undefined {
  if (typeof value === 'bigint') return value >= 0n ? canonicalBits(String(value)) : undefined
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? String(value) : undefined
  if (typeof value !== 'string' || value.length > 100 || !isDigits(value)) return undefined
  const digits = value.charCodeAt(0) === ZERO ? value.replace(/^0+(?=[0-9])/, '') : value
  const fits =
    digits.length < LARGEST_BITS.length || (digits.length === LARGEST_BITS.length && digits <= LARGEST_BITS)
  return fits ? digits : undefined
}

const ZERO = 0x30

function isDigits(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit < ZERO || unit > ZERO + 9) return false
  }
  return text.length > 0
}

export function readMemberPermissions(reading: Reading, value: unknown): string | null {
  return value === undefined || value === null ? null : readBits(reading, value)
}

function readBits(reading: Reading, value: unknown): string | null {
  const bits = canonicalBits(value)
  if (bits === undefined) reading.run(memberPermissions, value, 'default_member_permissions')
  else reading.run(memberPermissionsUnknown, bits, 'default_member_permissions')
  return bits ?? null
}

// --- Lists of enumerated numbers ------------------------------------------------------------------------------

type ListField = 'contexts' | 'integration_types'

interface ListRules extends NumberRules {
  readonly filled: Rule<string, any, [items: readonly unknown[]]>
}

/* @__NO_SIDE_EFFECTS__ */
function listRules<const Field extends ListField>(
  field: Field,
  clause: string,
  members: Readonly<Record<string, number>>,
) {
  const values = Object.values(members)
  const words = Object.entries(members).map(([name, value]) => `${value} ${name}`)
  return {
    filled: rule({
      code: `${field}.empty`,
      clause,
      limit: { min: 1 },
      summary: `\`${field}\` has at least one entry, or is left out.`,
      check: (items: readonly unknown[]) => (items.length > 0 ? undefined : NO_PARAMS),
      message: () => `is empty; leave it out for the default`,
      wire: minLength(1),
      breaks: (body: Body) => broken(body, [field], []),
    }),
    known: rule({
      code: `${field}.known`,
      clause,
      summary: `The entries of \`${field}\` are ${listed(words)}.`,
      check: (value: unknown) => (values.includes(value as number) ? undefined : found(value)),
      message: ({ actual }: Found) => `is ${actual}; expected ${listed(words, 'or')}`,
      wire: oneOfNumbers(values),
      breaks: (body: Body) => at(broken(body, [field], [0, 9]), 1),
    }),
    repeated: rule({
      code: `${field}.repeated`,
      clause,
      summary: `The entries of \`${field}\` differ from one another.`,
      ...distinctItems,
      breaks: (body: Body) => at(broken(body, [field], [0, 0]), 1),
    }),
  } as const
}

function at(fault: { body: unknown; path: readonly (string | number)[] }, index: number) {
  return { body: fault.body, path: [...fault.path, index] }
}

const contextList = listRules('contexts', '2.1-17', InteractionContext)

export const installationSupported = rule({
  code: 'integration_types.supported',
  clause: '2.1-16',
  summary: 'A command is installed only in ways its app supports.',
  context: { application: { flags: EMBEDDED, integration_types: [0] } },
  check(value: number, application: ApplicationSettings) {
    const supported: readonly number[] = supportedInstallations(application)
    return supported.includes(value) ? undefined : { value, supported }
  },
  message: ({ value, supported }: { value: number; supported: readonly number[] }) =>
    `is ${value}, which the app does not support (it supports ${listed(supported.map(String))}); change the app's installation contexts or leave it out`,
  wire: ({ supported }: { supported: readonly number[] }) => oneOf(supported),
  breaks: (body: Body) => at(broken(body, ['integration_types'], [0, 1]), 1),
})

const installationList = {
  ...listRules('integration_types', '2.1-16', IntegrationType),
  supported: installationSupported,
}

export const contextPrivate = warning({
  code: 'contexts.private_channel',
  clause: '2.8-03',
  summary: 'PRIVATE_CHANNEL has an effect only for commands that users can install.',
  check: (installations: readonly number[]) =>
    installations.includes(IntegrationType.USER_INSTALL) ? undefined : NO_PARAMS,
  message: () => 'is 2 PRIVATE_CHANNEL, which has no effect unless integration_types includes 1 USER_INSTALL',
  breaks: (body: Body) => ({
    body: put(put(body, ['integration_types'], [0]), ['contexts'], [0, 2]),
    path: ['contexts', 1],
  }),
})

// There are two or three contexts: an item after so many is a repetition.
const READ_ITEMS = 10

/** Reads a list of enumerated numbers, in its order; `undefined` when it is null. */
function readList<Member extends number>(
  reading: Reading,
  value: unknown,
  field: ListField,
  rules: ListRules,
): readonly Member[] | undefined {
  const list = reading.list(value, field)
  if (list === undefined) return undefined
  reading.run(rules.filled, list, field)
  return reading.numbers<Member>(list, READ_ITEMS, rules, field)
}

/** Reads where a global command is offered. */
export function readPlaces(
  reading: Reading,
  definition: Writable<CommandDefinition>,
  { contexts, integration_types, dm_permission }: Fields<CommandDefinition>,
): void {
  // Asked here, because most commands leave them out, and a call costs more than the question.
  const givenContexts = contexts === undefined ? null : readContexts(reading, contexts)
  const installations =
    integration_types === undefined ? reading.installations : readInstallations(reading, integration_types)
  definition.dm_permission = dm_permission === undefined || readDmPermission(reading, dm_permission)
  definition.contexts = givenContexts
  definition.integration_types = installations
  if (givenContexts !== null) checkPrivateChannel(reading, givenContexts, installations)
}

function readContexts(reading: Reading, value: unknown): readonly InteractionContext[] | null {
  if (value === null) return null
  return readList<InteractionContext>(reading, value, 'contexts', contextList) ?? null
}

function readInstallations(reading: Reading, value: unknown): readonly IntegrationType[] {
  const given = readList<IntegrationType>(reading, value, 'integration_types', installationList)
  return given ?? reading.installations
}

function checkPrivateChannel(
  reading: Reading,
  contexts: readonly InteractionContext[],
  installations: readonly IntegrationType[],
): void {
  const at = contexts.indexOf(InteractionContext.PRIVATE_CHANNEL)
  if (at >= 0) reading.run(contextPrivate, installations, 'contexts', at)
}

/** Reports what a command of a guild does not choose: it is used in its guild only. */
export function checkGuildPlaces(
  reading: Reading,
  type: CommandType | undefined,
  { dm_permission, contexts, integration_types }: Fields<CommandDefinition>,
): void {
  if (type !== undefined) reading.run(entryPointGlobal, true, type, 'type')
  reading.run(scopeIdle, dm_permission, 'dm_permission')
  reading.run(scopeIdle, contexts, 'contexts')
  reading.run(scopeIdle, integration_types, 'integration_types')
}

/** The deprecated way to leave a command to administrators. */
export function readDefaultPermission(
  reading: Reading,
  definition: Writable<CommandDefinition>,
  value: unknown,
): void {
  if (value === null) return
  if (readDeprecated(reading, value, 'default_permission') === false) definition.default_permission = false
}

/** The deprecated way to keep a command out of direct messages. */
function readDmPermission(reading: Reading, value: unknown): boolean {
  if (value === null) return true
  return readDeprecated(reading, value, 'dm_permission') ?? true
}

function readDeprecated(
  reading: Reading,
  value: unknown,
  key: 'default_permission' | 'dm_permission',
): boolean | undefined {
  reading.run(deprecated, key, reading.guild, key)
  return reading.flag(value, key)
}

// --- Age restriction ------------------------------------------------------------------------------------------

export const nsfwDiscoverable = rule({
  code: 'nsfw.discoverable',
  clause: '2.1-15',
  summary: 'An app with discovery enabled has no age-restricted commands.',
  context: {
    application: { discoverable: true, flags: EMBEDDED, integration_types: [0, 1] },
  },
  check: (nsfw: boolean, application: ApplicationSettings) =>
    nsfw && application.discoverable === true ? NO_PARAMS : undefined,
  message: () => 'is true, but the app has discovery enabled and so cannot have age-restricted commands',
  wire: {
    code: 'APPLICATION_COMMAND_NSFW_INVALID',
    message: 'Apps with discovery enabled cannot have age-restricted commands',
  },
  breaks: (body: Body) => broken(body, ['nsfw'], true),
})

// --- Entry points ---------------------------------------------------------------------------------------------

const HANDLER_INVALID = 'APPLICATION_COMMAND_HANDLER_INVALID'

export const handlerKnown = rule({
  code: 'handler.known',
  clause: '2.3-01',
  summary: 'A handler is 1 APP_HANDLER or 2 SERVICE_LAUNCH_ACTIVITY.',
  check: (value: unknown) =>
    Object.values(HandlerType).includes(value as HandlerType) ? undefined : found(value),
  message: ({ actual }: Found) => `is ${actual}; expected 1 APP_HANDLER or 2 SERVICE_LAUNCH_ACTIVITY`,
  wire: oneOfNumbers(Object.values(HandlerType)),
  breaks: (body: Body) => broken(entryPoint(body), ['handler'], 3),
})

export const handlerType = rule({
  code: 'handler.type',
  clause: '2.1-19',
  summary: 'Only entry point commands have a handler.',
  check: (type: CommandType) => (type === CommandType.PRIMARY_ENTRY_POINT ? undefined : NO_PARAMS),
  message: () => 'is for commands of type 4 PRIMARY_ENTRY_POINT only; leave it out',
  wire: { code: HANDLER_INVALID, message: 'Handler cannot be configured for this type of command' },
  breaks: (body: Body) =>
    broken(
      body.type === CommandType.PRIMARY_ENTRY_POINT ? { name: 'a', description: 'b' } : body,
      ['handler'],
      1,
    ),
})

export const handlerEmbedded = rule({
  code: 'handler.embedded',
  clause: '2.1-19',
  summary: 'Only apps with the EMBEDDED flag, those that have an Activity, can set a handler.',
  context: { application: { flags: 0, integration_types: [0, 1] } },
  check: (application: ApplicationSettings) => (isEmbedded(application) ? undefined : NO_PARAMS),
  message: () => 'needs an app with an Activity (the EMBEDDED flag); enable Activities or leave it out',
  wire: { code: HANDLER_INVALID, message: 'Handler requires an application with the EMBEDDED flag' },
  breaks: (body: Body) => broken(entryPoint(body), ['handler'], 1),
})

export const entryPointGlobal = rule({
  code: 'entry_point.guild',
  clause: '4.4-02',
  summary: 'Entry point commands are global.',
  context: { scope: 'guild' },
  check: (guild: boolean, type: CommandType) =>
    guild && type === CommandType.PRIMARY_ENTRY_POINT ? NO_PARAMS : undefined,
  message: () => 'is 4 PRIMARY_ENTRY_POINT, which a guild cannot have; register it globally',
  wire: {
    code: 'APPLICATION_COMMAND_TYPE_INVALID',
    message: 'Primary entry point commands cannot be guild commands',
  },
  breaks: (body: Body) => ({ body: entryPoint(body), path: ['type'] }),
})

// --- Deprecated fields, and fields without effect ----------------------------------------------------

export const deprecated = warning({
  code: 'field.deprecated',
  clause: '9-03',
  summary: '`dm_permission` and `default_permission` are deprecated.',
  check(field: 'dm_permission' | 'default_permission', guild: boolean) {
    const permissions = 'default_member_permissions ("0" for administrators only)'
    // On a guild command contexts have no effect.
    const both = guild ? permissions : `${permissions} or contexts`
    return { field, instead: field === 'dm_permission' ? 'contexts' : both }
  },
  message: ({ instead }: { field: string; instead: string }) => `is deprecated; use ${instead}`,
  breaks: (body: Body, pick) => broken(body, [pick(2) === 0 ? 'dm_permission' : 'default_permission'], true),
})

export const scopeIdle = warning({
  code: 'field.no_effect',
  clause: '2.8-04',
  summary: '`contexts`, `integration_types` and `dm_permission` have no effect on guild commands.',
  context: { scope: 'guild' },
  check: (value: unknown) => (value === undefined || value === null ? undefined : NO_PARAMS),
  message: () => 'has no effect on a guild command, which is used in its guild only; leave it out',
  breaks: (body: Body, pick) =>
    pick(2) === 0 ? broken(body, ['contexts'], [0]) : broken(body, ['integration_types'], [0]),
})

/** A handler as it is stored: on entry points of apps that have an Activity only, where it defaults to APP_HANDLER. */
export function readHandler(
  reading: Reading,
  definition: Writable<CommandDefinition>,
  value: unknown,
  type: CommandType | undefined,
): void {
  if (value === undefined || value === null) {
    if (value === null) reading.nullAsAbsent('handler')
    if (type === CommandType.PRIMARY_ENTRY_POINT && isEmbedded(reading.application))
      definition.handler = HandlerType.APP_HANDLER
    return
  }
  if (type === undefined || !reading.run(handlerType, type, 'handler')) return
  reading.run(handlerKnown, value, 'handler')
  reading.run(handlerEmbedded, reading.application, 'handler')
  definition.handler = value as HandlerType
}

export function readNsfw(reading: Reading, value: unknown): boolean {
  const nsfw = reading.flag(value, 'nsfw') ?? false
  if (nsfw) reading.run(nsfwDiscoverable, nsfw, reading.application, 'nsfw')
  return nsfw
}

export const availabilityRules = [
  memberPermissions,
  memberPermissionsUnknown,
  contextList.filled,
  contextList.known,
  contextList.repeated,
  contextPrivate,
  installationList.filled,
  installationList.known,
  installationList.repeated,
  installationSupported,
  nsfwDiscoverable,
  handlerKnown,
  handlerType,
  handlerEmbedded,
  entryPointGlobal,
  deprecated,
  scopeIdle,
] as const
