/**
 * Rules about availability: member permissions, contexts, installation, age restriction, handler (clauses 2.1-12 to
 * 2.1-19, 2.8), and the deprecated fields.
 */
import { NO_PARAMS, rule, warning, type Broken } from '../core/rule.ts'
import { listed } from '../core/text.ts'
import { minLength, notNumber, numberMax, numberMin, oneOf, oneOfNumbers, unique } from '../core/wire.ts'
import { EMBEDDED, isEmbedded, supportedInstallations, type ApplicationSettings } from './application.ts'
import { broken, entryPoint, put, type Body } from './breaking.ts'
import { PermissionFlag } from './permission-flags.ts'
import { distinctItems, found, type Found } from './shape.ts'
import { CommandType, HandlerType, IntegrationType, InteractionContext, namedNumbers } from './types.ts'

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

// --- Lists of enumerated numbers ------------------------------------------------------------------------------

/** What rules about a list share when it has at least one item. */
const filled = {
  limit: { min: 1 },
  check: (items: readonly unknown[]) => (items.length > 0 ? undefined : NO_PARAMS),
  message: () => 'is empty; leave it out for the default',
}

/** What rules about a value share when it is one of an enumeration. */
/* @__NO_SIDE_EFFECTS__ */
function memberOf(members: Readonly<Record<string, number>>) {
  const values = Object.values(members)
  return {
    check: (value: unknown) => (values.includes(value as number) ? undefined : found(value)),
    message: ({ actual }: Found) => `is ${actual}; expected ${listed(namedNumbers(members), 'or')}`,
  }
}

/** A fault of a list, at one of its items. */
function at(fault: Broken, index: number): Broken {
  return { body: fault.body, path: [...fault.path, index] }
}

export const contextsFilled = rule({
  code: 'contexts.empty',
  clause: '2.1-17',
  summary: '`contexts` has at least one entry, or is left out.',
  ...filled,
  wire: minLength(1),
  breaks: (body: Body) => broken(body, ['contexts'], []),
})

export const contextsKnown = rule({
  code: 'contexts.known',
  clause: '2.1-17',
  summary: `The entries of \`contexts\` are ${listed(namedNumbers(InteractionContext))}.`,
  ...memberOf(InteractionContext),
  wire: oneOfNumbers(Object.values(InteractionContext)),
  breaks: (body: Body) => at(broken(body, ['contexts'], [0, 9]), 1),
})

export const contextsRepeated = rule({
  code: 'contexts.repeated',
  clause: '2.1-17',
  summary: 'The entries of `contexts` differ from one another.',
  ...distinctItems,
  wire: unique,
  breaks: (body: Body) => at(broken(body, ['contexts'], [0, 0]), 1),
})

export const installationsFilled = rule({
  code: 'integration_types.empty',
  clause: '2.1-16',
  summary: '`integration_types` has at least one entry, or is left out.',
  ...filled,
  wire: minLength(1),
  breaks: (body: Body) => broken(body, ['integration_types'], []),
})

export const installationsKnown = rule({
  code: 'integration_types.known',
  clause: '2.1-16',
  summary: `The entries of \`integration_types\` are ${listed(namedNumbers(IntegrationType))}.`,
  ...memberOf(IntegrationType),
  wire: oneOfNumbers(Object.values(IntegrationType)),
  breaks: (body: Body) => at(broken(body, ['integration_types'], [0, 9]), 1),
})

export const installationsRepeated = rule({
  code: 'integration_types.repeated',
  clause: '2.1-16',
  summary: 'The entries of `integration_types` differ from one another.',
  ...distinctItems,
  wire: unique,
  breaks: (body: Body) => at(broken(body, ['integration_types'], [0, 0]), 1),
})

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

/** What the readers of the two lists run. */
export const contextRules = { filled: contextsFilled, known: contextsKnown, repeated: contextsRepeated }
export const installationRules = {
  filled: installationsFilled,
  known: installationsKnown,
  repeated: installationsRepeated,
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
  ...memberOf(HandlerType),
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

export const availabilityRules = [
  memberPermissions,
  memberPermissionsUnknown,
  contextsFilled,
  contextsKnown,
  contextsRepeated,
  contextPrivate,
  installationsFilled,
  installationsKnown,
  installationsRepeated,
  installationSupported,
  nsfwDiscoverable,
  handlerKnown,
  handlerType,
  handlerEmbedded,
  entryPointGlobal,
  deprecated,
  scopeIdle,
] as const
