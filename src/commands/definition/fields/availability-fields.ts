/** Where and by whom a command is used (clauses 2.1-12 to 2.1-19, 2.8), with the deprecated fields. */
import { canonicalBits } from '../../../model/bits.ts'
import type { Rule } from '../../../core/rules/rule.ts'
import { isEmbedded, supportedInstallations } from '../../../model/application.ts'
import { availabilityRules as rules, contextRules, installationRules } from '../rules/availability-rules.ts'
import type { CommandDefinition, Writable } from '../../../model/command-definition.ts'
import { type Field, type NumberRules, type Reading, readNumbers, warnNull } from './reading.ts'
import * as shape from '../../../core/rules/shape-rules.ts'
import {
  CommandType,
  HandlerType,
  InteractionContext,
  type IntegrationType,
} from '../../../model/command-types.ts'

// There are two or three contexts: an item after so many is a repetition.
const READ_ITEMS = 10

type ListRules = NumberRules & { readonly filled: Rule<string, any, [items: readonly unknown[]]> }

function readMembers<Member extends number>(
  reading: Reading,
  value: unknown,
  listRules: ListRules,
): readonly Member[] | undefined {
  if (!reading.check(shape.list, value)) return undefined
  reading.check(listRules.filled, value)
  return readNumbers<Member>(reading, value, READ_ITEMS, listRules)
}

function isDeprecatedFlag(
  reading: Reading,
  value: unknown,
  field: 'default_permission' | 'dm_permission',
): value is boolean {
  reading.check(rules.deprecated, field, reading.guild)
  return reading.check(shape.boolean, value)
}

/** Whether a command chooses its place: that of a guild is used in its guild only, and the field is ignored. */
function hasPlace(reading: Reading, value: unknown): boolean {
  if (reading.guild && value !== null) reading.check(rules.scopeIdle, value)
  return !reading.guild
}

export const availabilityFields = {
  default_member_permissions: {
    read(reading, value, command) {
      const bits = canonicalBits(value)
      if (bits === undefined) reading.check(rules.memberPermissions, value)
      else reading.check(rules.memberPermissionsUnknown, bits)
      command.default_member_permissions = bits ?? null
    },
    null: 'absent',
  },
  dm_permission: {
    read(reading, value, command) {
      if (hasPlace(reading, value) && isDeprecatedFlag(reading, value, 'dm_permission'))
        command.dm_permission = value
    },
    null: 'absent',
  },
  contexts: {
    read(reading, value, command) {
      if (!hasPlace(reading, value)) return
      command.contexts = readMembers<InteractionContext>(reading, value, contextRules) ?? null
    },
    null: 'absent',
  },
  integration_types: {
    read(reading, value, command) {
      if (!hasPlace(reading, value)) return
      if (value === null) return warnNull(reading)
      const types = readMembers<IntegrationType>(reading, value, installationRules)
      if (types !== undefined) command.integration_types = types
    },
    null: 'read',
  },
  nsfw: {
    read(reading, value, command) {
      if (!reading.check(shape.boolean, value) || !value) return
      reading.check(rules.nsfwDiscoverable, true, reading.application)
      command.nsfw = true
    },
  },
  handler: {
    read(reading, value, command) {
      if (command.type === undefined || !reading.check(rules.handlerType, command.type)) return
      reading.check(rules.handlerKnown, value)
      reading.check(rules.handlerEmbedded, reading.application)
      command.handler = value as HandlerType
    },
  },
  default_permission: {
    read(reading, value, command) {
      if (isDeprecatedFlag(reading, value, 'default_permission') && !value) command.default_permission = value
    },
    null: 'absent',
  },
} as const satisfies Readonly<Record<string, Field<CommandDefinition>>>

export function completeAvailability(reading: Reading, definition: Writable<CommandDefinition>): void {
  const { type, contexts } = definition
  if (type === CommandType.PRIMARY_ENTRY_POINT && isEmbedded(reading.application))
    definition.handler ??= HandlerType.APP_HANDLER
  if (reading.guild) return
  const installed = (definition.integration_types ??= supportedInstallations(reading.application))
  const index = contexts?.indexOf(InteractionContext.PRIVATE_CHANNEL) ?? -1
  if (index >= 0) reading.at(['contexts', index], () => reading.check(rules.contextPrivate, installed))
}
