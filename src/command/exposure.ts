/**
 * Who is offered a command, and where: member permissions, contexts, installation, age restriction, handler
 * (clauses 2.1-12 to 2.1-19, 2.8), and the deprecated fields.
 */
import { withoutNegativeZero } from '../core/json.ts'
import { rule, warning, type Rule } from '../core/rule.ts'
import { listed } from '../core/text.ts'
import { minLength, notNumber, numberMax, numberMin, oneOf, oneOfNumbers, unique } from '../core/wire.ts'
import { isEmbedded, isShared, supportedInstallations, type ApplicationSettings } from './application.ts'
import { broken, entryPoint, put, type Body } from './breaking.ts'
import { ApplicationFlag, CommandType, HandlerType, IntegrationType, InteractionContext } from './kinds.ts'
import type { Reading } from './reading.ts'
import { found, type Found } from './shape.ts'

// --- Member permissions ---------------------------------------------------------------------------------------

const LARGEST_BITS = '18446744073709551615'

export const memberPermissions = rule({
  code: 'default_member_permissions.value',
  clause: '2.1-12',
  limit: { min: 0, max: 2 ** 64 },
  summary:
    'Member permissions are a bit set below 2^64, as a string of digits, a safe whole number, or null.',
  check: (value: unknown) => canonicalBits(value) !== undefined,
  message: ({ value, actual }: Found & { value: string | null }) =>
    value === null
      ? `is ${actual}; write the bit set, which is below 2^64, as a string of digits such as "8192"`
      : `is ${actual}; write its digits as a string: "${value}"`,
  wire: ({ given }: Found) => {
    const [whole, minus] = /^(-?)[0-9]+$/.exec(String(given)) ?? []
    if (whole === undefined) return notNumber(given, 'int')
    if (minus !== '') return numberMin('int', 0)
    return numberMax('int', typeof given === 'number' ? Number.MAX_SAFE_INTEGER : LARGEST_BITS)
  },
  breaks: (body: Body, pick) =>
    broken(body, ['default_member_permissions'], ['0x8', '-1', 1.5, '18446744073709551616'][pick(4)]),
})

/**
 * A bit set as the service answers it: digits without leading zeros. `undefined` when the value is none.
 * Numbers are taken because real clients send them.
 */
export function canonicalBits(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? String(value) : undefined
  if (typeof value !== 'string' || value.length > 100 || !/^[0-9]+$/.test(value)) return undefined
  const digits = value.replace(/^0+(?=[0-9])/, '')
  const fits =
    digits.length < LARGEST_BITS.length || (digits.length === LARGEST_BITS.length && digits <= LARGEST_BITS)
  return fits ? digits : undefined
}

export function readMemberPermissions(reading: Reading, value: unknown): string | null {
  if (value === undefined || value === null) return null
  const bits = canonicalBits(value)
  if (bits === undefined) {
    const digits = typeof value === 'bigint' ? (canonicalBits(String(value)) ?? null) : null
    reading.add(memberPermissions, { value: digits, ...found(value) }, 'default_member_permissions')
  }
  return bits ?? null
}

// --- Lists of enumerated numbers ------------------------------------------------------------------------------

type ListField = 'contexts' | 'integration_types'

export interface ListRules {
  readonly filled: Rule<string, object, [count: number]>
  readonly known: Rule<string, Found, [value: unknown]>
  readonly repeated: Rule<string, { value: unknown }, [values: readonly unknown[], index: number]>
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
      check: (count: number) => count > 0,
      message: () => `is empty; leave it out for the default`,
      wire: minLength(1),
      breaks: (body: Body) => broken(body, [field], []),
    }),
    known: rule({
      code: `${field}.known`,
      clause,
      summary: `The entries of \`${field}\` are ${listed(words)}.`,
      check: (value: unknown) => values.includes(value as number),
      message: ({ actual }: Found) => `is ${actual}; it has to be ${listed(words, 'or')}`,
      wire: oneOfNumbers(values),
      breaks: (body: Body) => at(broken(body, [field], [0, 9]), 1),
    }),
    repeated: rule({
      code: `${field}.repeated`,
      clause,
      summary: `The entries of \`${field}\` differ from one another.`,
      check: (list: readonly unknown[], index: number) => list.indexOf(list[index]) === index,
      message: ({ value }: { value: unknown }) => `is ${String(value)} a second time`,
      wire: unique,
      breaks: (body: Body) => at(broken(body, [field], [0, 0]), 1),
    }),
  } as const
}

function at(fault: { body: unknown; path: readonly (string | number)[] }, index: number) {
  return { body: fault.body, path: [...fault.path, index] }
}

const contextList = listRules('contexts', '2.1-17', InteractionContext)
const installationList = listRules('integration_types', '2.1-16', IntegrationType)

export const installationSupported = rule({
  code: 'integration_types.supported',
  clause: '2.1-16',
  summary: 'A command is installed only in ways its app supports.',
  context: { application: { flags: ApplicationFlag.EMBEDDED, integration_types: [0] } },
  check: (value: number, application: ApplicationSettings) =>
    (supportedInstallations(application) as readonly number[]).includes(value),
  message: ({ value, supported }: { value: number; supported: readonly number[] }) =>
    `is ${value}, which the app does not support (it supports ${listed(supported.map(String))}); change the app's installation contexts or leave it out`,
  wire: ({ supported }: { supported: readonly number[] }) => oneOf(supported),
  breaks: (body: Body) => at(broken(body, ['integration_types'], [0, 1]), 1),
})

export const contextPrivate = warning({
  code: 'contexts.private_channel',
  clause: '2.8-03',
  summary: 'PRIVATE_CHANNEL matters only for commands that users can install.',
  check: (contexts: readonly number[], installations: readonly number[]) =>
    !contexts.includes(InteractionContext.PRIVATE_CHANNEL) ||
    installations.includes(IntegrationType.USER_INSTALL),
  message: () => 'is 2 PRIVATE_CHANNEL, which has no effect unless integration_types includes 1 USER_INSTALL',
  breaks: (body: Body) => ({
    body: put(put(body, ['integration_types'], [0]), ['contexts'], [0, 2]),
    path: ['contexts', 1],
  }),
})

/** Reads a list of enumerated numbers; `undefined` when none is given. Its order is kept. */
function readList(
  reading: Reading,
  value: unknown,
  field: ListField,
  rules: ListRules,
): readonly number[] | undefined {
  if (field === 'contexts' && value === null) return undefined
  const items = reading.items(value, field)
  if (items === undefined) return undefined
  if (!rules.filled.check(items.length)) reading.add(rules.filled, {}, field)
  // There are two or three to choose from: what follows ten is only more of the same.
  const read = items.slice(0, 10).map(withoutNegativeZero)
  read.forEach((item, index) => {
    if (!rules.known.check(item)) reading.add(rules.known, found(item), field, index)
    else if (!rules.repeated.check(items, index)) reading.add(rules.repeated, { value: item }, field, index)
  })
  return read as number[]
}

export function readContexts(reading: Reading, value: unknown): readonly InteractionContext[] | null {
  return (readList(reading, value, 'contexts', contextList) ?? null) as readonly InteractionContext[] | null
}

export function readInstallations(reading: Reading, value: unknown): readonly IntegrationType[] {
  const supported = supportedInstallations(reading.application)
  const installations = readList(reading, value, 'integration_types', installationList)
  // Our own defaults are frozen and shared by all commands; a host's list may still change.
  if (installations === undefined) return isShared(supported) ? supported : [...supported]
  installations.forEach((installation, index) => {
    if (
      !installationList.known.check(installation) ||
      installationSupported.check(installation, reading.application)
    )
      return
    reading.add(installationSupported, { value: installation, supported }, 'integration_types', index)
  })
  return installations as readonly IntegrationType[]
}

// --- Age restriction ------------------------------------------------------------------------------------------

export const nsfwDiscoverable = rule({
  code: 'nsfw.discoverable',
  clause: '2.1-15',
  summary: 'An app with discovery enabled has no age-restricted commands.',
  context: {
    application: { discoverable: true, flags: ApplicationFlag.EMBEDDED, integration_types: [0, 1] },
  },
  check: (nsfw: boolean, application: ApplicationSettings) => !(nsfw && application.discoverable === true),
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
  check: (value: unknown) => Object.values(HandlerType).includes(value as HandlerType),
  message: ({ actual }: Found) => `is ${actual}; it has to be 1 APP_HANDLER or 2 SERVICE_LAUNCH_ACTIVITY`,
  wire: oneOfNumbers(Object.values(HandlerType)),
  breaks: (body: Body) => broken(entryPoint(body), ['handler'], 3),
})

export const handlerType = rule({
  code: 'handler.type',
  clause: '2.1-19',
  summary: 'Only entry point commands have a handler.',
  check: (type: CommandType) => type === CommandType.PRIMARY_ENTRY_POINT,
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
  check: (application: ApplicationSettings) => isEmbedded(application),
  message: () => 'needs an app with an Activity (the EMBEDDED flag); enable Activities or leave it out',
  wire: { code: HANDLER_INVALID, message: 'Handler requires an application with the EMBEDDED flag' },
  breaks: (body: Body) => broken(entryPoint(body), ['handler'], 1),
})

export const entryPointGlobal = rule({
  code: 'entry_point.guild',
  clause: '4.4-02',
  summary: 'Entry point commands are global.',
  context: { scope: 'guild' },
  check: (guild: boolean, type: CommandType) => !(guild && type === CommandType.PRIMARY_ENTRY_POINT),
  message: () => 'is 4 PRIMARY_ENTRY_POINT, which a guild cannot have; register it globally',
  wire: {
    code: 'APPLICATION_COMMAND_TYPE_INVALID',
    message: 'Primary entry point commands cannot be guild commands',
  },
  breaks: (body: Body) => ({ body: entryPoint(body), path: ['type'] }),
})

// --- Fields that still work, and fields that do nothing here ----------------------------------------------------

export const deprecated = warning({
  code: 'field.deprecated',
  clause: '9-03',
  summary: '`dm_permission` and `default_permission` are deprecated.',
  check: (value: unknown) => value === undefined || value === null,
  message: ({ instead }: { field: string; instead: string }) => `is deprecated; use ${instead}`,
  breaks: (body: Body, pick) => broken(body, [pick(2) === 0 ? 'dm_permission' : 'default_permission'], true),
})

export function warnOfDeprecated(
  reading: Reading,
  value: unknown,
  field: 'dm_permission' | 'default_permission',
): void {
  if (deprecated.check(value)) return
  const permissions = 'default_member_permissions ("0" for administrators only)'
  // On a guild command contexts do nothing.
  const both = reading.guild ? permissions : `${permissions} or contexts`
  reading.add(deprecated, { field, instead: field === 'dm_permission' ? 'contexts' : both }, field)
}

export const scopeIdle = warning({
  code: 'field.no_effect',
  clause: '2.8-04',
  summary: '`contexts`, `integration_types` and `dm_permission` do nothing on guild commands.',
  context: { scope: 'guild' },
  check: (value: unknown) => value === undefined || value === null,
  message: () => 'has no effect on a guild command, which is used in its guild only; leave it out',
  breaks: (body: Body, pick) =>
    pick(2) === 0 ? broken(body, ['contexts'], [0]) : broken(body, ['integration_types'], [0]),
})

export function warnOfIdle(reading: Reading, value: unknown, field: string): void {
  if (!scopeIdle.check(value)) reading.add(scopeIdle, {}, field)
}

/** A handler as it is stored: on entry points of apps that have an Activity only, where it defaults to APP_HANDLER. */
export function readHandler(reading: Reading, value: unknown, type: CommandType): HandlerType | undefined {
  const fallback =
    type === CommandType.PRIMARY_ENTRY_POINT && isEmbedded(reading.application)
      ? HandlerType.APP_HANDLER
      : undefined
  if (value === undefined) return fallback
  if (value === null) {
    reading.nothing('handler')
    return fallback
  }
  if (!handlerType.check(type)) {
    reading.add(handlerType, {}, 'handler')
    return undefined
  }
  if (!handlerKnown.check(value)) reading.add(handlerKnown, found(value), 'handler')
  if (!handlerEmbedded.check(reading.application)) reading.add(handlerEmbedded, {}, 'handler')
  return value as HandlerType
}

/** A flag that the definition carries whether or not it was given. */
export function readNsfw(reading: Reading, value: unknown): boolean {
  const nsfw = reading.flag(value, 'nsfw') ?? false
  if (!nsfwDiscoverable.check(nsfw, reading.application)) reading.add(nsfwDiscoverable, {}, 'nsfw')
  return nsfw
}

export const exposureRules = [
  memberPermissions,
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
