/**
 * Rules about availability: member permissions, contexts, installation, age restriction, handler (clauses 2.1-12 to
 * 2.1-19, 2.8), and the deprecated fields.
 */
import {
  allPermissions,
  canonicalBits,
  LARGEST_BITS,
  namedPermissions,
  permissionBit,
} from '../../../model/permission-bits.ts'
import { found, memberRule, numbersIn } from '../../../core/rules/rule-kinds.ts'
import { NO_PARAMS, rule, warning } from '../../../core/rules/rule.ts'
import { listed } from '../../../core/text.ts'
import { minLength, notNumber, numberMax, numberMin, mustBeOneOf } from '../../../core/rules/wire-errors.ts'
import {
  EMBEDDED,
  isEmbedded,
  supportedInstallations,
  type ApplicationSettings,
} from '../../../model/application.ts'
import {
  CommandType,
  HandlerType,
  IntegrationType,
  InteractionContext,
} from '../../../model/command-types.ts'

/** The lowest bit that is not a permission: a bit set with fewer digits has none that is unknown. */
const firstUnknownFlag = String(~allPermissions & (allPermissions + 1n))

/* @__NO_SIDE_EFFECTS__ */
function filled<const Field extends string>(field: Field, clause: string) {
  return rule({
    code: `${field}.empty` as const,
    clause,
    limit: { min: 1 },
    summary: `\`${field}\` has at least one entry, or is left out.`,
    check: (items: readonly unknown[]) => (items.length > 0 ? undefined : NO_PARAMS),
    message: () => 'is empty; leave it out for the default',
    wire: minLength(1),
  })
}

const installationSupported = rule({
  code: 'integration_types.supported',
  clause: '2.1-16',
  summary: 'A command is installed only in ways its app supports.',
  context: { application: { flags: EMBEDDED, integration_types: [0] } },
  check(value: number, application: ApplicationSettings) {
    const supported: readonly number[] = supportedInstallations(application)
    return supported.includes(value) ? undefined : { value, supported }
  },
  message: ({ value, supported }) =>
    `is ${value}, which the app does not support (it supports ${listed(supported.map(String))}); change the app's installation contexts or leave it out`,
  wire: ({ supported }) => mustBeOneOf(supported),
})

export const contextRules = {
  filled: filled('contexts', '2.1-17'),
  ...numbersIn({ members: InteractionContext, field: 'contexts', clause: '2.1-17' }),
}
export const installationRules = {
  filled: filled('integration_types', '2.1-16'),
  ...numbersIn({ members: IntegrationType, field: 'integration_types', clause: '2.1-16' }),
  supported: installationSupported,
}

const HANDLER_INVALID = 'APPLICATION_COMMAND_HANDLER_INVALID'

export const availabilityRules = {
  memberPermissions: rule({
    code: 'default_member_permissions.value',
    clause: '2.1-12',
    limit: { min: 0, max: LARGEST_BITS },
    summary:
      'Member permissions are a bit set below 2^64, as a string of digits, a safe whole number, or null.',
    check(value: unknown) {
      if (value === null || canonicalBits(value) !== undefined) return undefined
      const names = namedPermissions(value)
      const bits = names.reduce((sum, name) => sum | permissionBit(name)!, 0n)
      return { value: names.length > 0 ? String(bits) : null, names, ...found(value) }
    },
    message: ({ value, names, actual }) =>
      value === null
        ? `is ${actual}; write the bit set, which is below 2^64, as a string of digits such as "8192"`
        : `is ${actual}; write the bit set as a string: ${listed(names)} ${names.length === 1 ? 'is' : 'are'} "${value}"`,
    wire: ({ given }) => {
      const [whole, minus] = /^(-?)[0-9]+$/.exec(String(given)) ?? []
      if (whole === undefined) return notNumber(given, 'int')
      if (minus !== '') return numberMin('int', 0)
      return numberMax('int', typeof given === 'number' ? Number.MAX_SAFE_INTEGER : LARGEST_BITS)
    },
  }),
  memberPermissionsUnknown: warning({
    code: 'default_member_permissions.unknown_bits',
    clause: '2.1-12',
    summary: 'Every bit of the member permissions is a permission.',
    check(bits: string) {
      if (bits.length < firstUnknownFlag.length) return undefined
      let unknown = BigInt(bits) & ~allPermissions
      if (unknown === 0n) return undefined
      const places: number[] = []
      for (let place = 0; unknown > 0n; place++, unknown >>= 1n) if (unknown & 1n) places.push(place)
      return { places }
    },
    about: 'text',
    message: ({ places }) =>
      places.length === 1
        ? `has bit ${places[0]}, which is not a permission`
        : `has the bits ${listed(places.map(String))}, which are not permissions`,
  }),
  contextsFilled: contextRules.filled,
  contextsKnown: contextRules.known,
  contextsRepeated: contextRules.repeated,
  contextPrivate: warning({
    code: 'contexts.private_channel',
    clause: '2.8-03',
    summary: 'PRIVATE_CHANNEL has an effect only for commands that users can install.',
    check: (installations: readonly number[]) =>
      installations.includes(IntegrationType.USER_INSTALL) ? undefined : NO_PARAMS,
    message: () =>
      'is 2 PRIVATE_CHANNEL, which has no effect unless integration_types includes 1 USER_INSTALL',
  }),
  installationsFilled: installationRules.filled,
  installationsKnown: installationRules.known,
  installationsRepeated: installationRules.repeated,
  installationSupported,
  nsfwDiscoverable: rule({
    code: 'nsfw.discoverable',
    clause: '2.1-15',
    summary: 'An app with discovery enabled has no age-restricted commands.',
    context: { application: { discoverable: true, flags: EMBEDDED, integration_types: [0, 1] } },
    check: (nsfw: boolean, application: ApplicationSettings) =>
      nsfw && application.discoverable === true ? NO_PARAMS : undefined,
    message: () => 'is true, but the app has discovery enabled and so cannot have age-restricted commands',
    wire: {
      code: 'APPLICATION_COMMAND_NSFW_INVALID',
      message: 'Apps with discovery enabled cannot have age-restricted commands',
    },
  }),
  handlerKnown: memberRule({
    code: 'handler.known',
    clause: '2.3-01',
    subject: 'A handler',
    members: HandlerType,
  }),
  handlerType: rule({
    code: 'handler.type',
    clause: '2.1-19',
    summary: 'Only entry point commands have a handler.',
    check: (type: CommandType) => (type === CommandType.PRIMARY_ENTRY_POINT ? undefined : NO_PARAMS),
    message: () => 'is for commands of type 4 PRIMARY_ENTRY_POINT only; leave it out',
    wire: { code: HANDLER_INVALID, message: 'Handler cannot be configured for this type of command' },
  }),
  handlerEmbedded: rule({
    code: 'handler.embedded',
    clause: '2.1-19',
    summary: 'Only apps with the EMBEDDED flag, those that have an Activity, can set a handler.',
    context: { application: { flags: 0, integration_types: [0, 1] } },
    check: (application: ApplicationSettings) => (isEmbedded(application) ? undefined : NO_PARAMS),
    message: () => 'needs an app with an Activity (the EMBEDDED flag); enable Activities or leave it out',
    wire: { code: HANDLER_INVALID, message: 'Handler requires an application with the EMBEDDED flag' },
  }),
  entryPointGlobal: rule({
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
  }),
  deprecated: warning({
    code: 'field.deprecated',
    clause: '9-03',
    summary: '`dm_permission` and `default_permission` are deprecated.',
    check(field: 'dm_permission' | 'default_permission', guild: boolean) {
      const permissions = 'default_member_permissions ("0" for administrators only)'
      // On a guild command contexts have no effect.
      const both = guild ? permissions : `${permissions} or contexts`
      return { field, instead: field === 'dm_permission' ? 'contexts' : both }
    },
    message: ({ instead }) => `is deprecated; use ${instead}`,
  }),
  scopeIdle: warning({
    code: 'field.no_effect',
    clause: '2.8-04',
    summary: '`contexts`, `integration_types` and `dm_permission` have no effect on guild commands.',
    context: { scope: 'guild' },
    check: (value: unknown) => (value === undefined || value === null ? undefined : NO_PARAMS),
    message: () => 'has no effect on a guild command, which is used in its guild only; leave it out',
  }),
} as const
