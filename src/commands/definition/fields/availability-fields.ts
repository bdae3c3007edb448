/** Where and by whom a command is used (clauses 2.1-12 to 2.1-19, 2.8), with the deprecated fields. */
import { canonicalBits } from '../../../model/permission-bits.ts'
import { nullable, lenient, type Field, type FieldReader, type Fields } from '../../../core/rules/readers.ts'
import type { Rule } from '../../../core/rules/rule.ts'
import { isEmbedded, supportedInstallations } from '../../../model/application.ts'
import { availabilityRules as rules, contextRules, installationRules } from '../rules/availability-rules.ts'
import type { CommandDefinition, Writable } from '../../../model/command-definition.ts'
import { type NumberRules, type Reading, readNumbers } from '../rules/reading.ts'
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

/* @__NO_SIDE_EFFECTS__ */
function deprecatedFlag(
  field: 'default_permission' | 'dm_permission',
): FieldReader<boolean, Reading, CommandDefinition> {
  return (reading, value) => {
    reading.check(rules.deprecated, field, reading.guild)
    return reading.check(shape.boolean, value) ? value : undefined
  }
}

const unlessTrue = /* @__PURE__ */ deprecatedFlag('default_permission')

export const availabilityFields = {
  default_member_permissions: nullable((reading, value) => {
    const bits = canonicalBits(value)
    if (bits === undefined) reading.check(rules.memberPermissions, value)
    else reading.check(rules.memberPermissionsUnknown, bits)
    return bits
  }),
  dm_permission: nullable(deprecatedFlag('dm_permission')),
  contexts: nullable((reading, value) => readMembers<InteractionContext>(reading, value, contextRules)),
  integration_types: lenient((reading, value) =>
    readMembers<IntegrationType>(reading, value, installationRules),
  ),
  nsfw: lenient((reading, value) => {
    if (!reading.check(shape.boolean, value) || !value) return undefined
    reading.check(rules.nsfwDiscoverable, true, reading.application)
    return true
  }),
  handler: lenient((reading, value, { type }) => {
    if (type === undefined || !reading.check(rules.handlerType, type)) return undefined
    reading.check(rules.handlerKnown, value)
    reading.check(rules.handlerEmbedded, reading.application)
    return value as HandlerType
  }),
  default_permission: nullable((reading, value, whole, body) =>
    unlessTrue(reading, value, whole, body) === false ? false : undefined,
  ),
} as const satisfies Partial<Fields<CommandDefinition, Reading>>

/** A command of a guild is used in its guild only: it does not choose its place. Values must be valid all the same. */
/* @__NO_SIDE_EFFECTS__ */
function idle(isValid: (reading: Reading, value: unknown) => boolean): Field<undefined, Reading> {
  return nullable((reading, value) => {
    if (isValid(reading, value)) reading.check(rules.scopeIdle, value)
    return undefined
  })
}

/* @__NO_SIDE_EFFECTS__ */
function listOfKnown({ known }: ListRules) {
  return (reading: Reading, value: unknown) =>
    reading.check(shape.list, value) &&
    reading.items(value, READ_ITEMS, (_, item) => reading.check(known, item)).every(Boolean)
}

export const placeFields = {
  dm_permission: /* @__PURE__ */ idle((reading, value) => reading.check(shape.boolean, value)),
  contexts: /* @__PURE__ */ idle(listOfKnown(contextRules)),
  integration_types: /* @__PURE__ */ idle(listOfKnown(installationRules)),
}

export function completeAvailability(reading: Reading, definition: Writable<CommandDefinition>): void {
  const { type, contexts } = definition
  if (type === CommandType.PRIMARY_ENTRY_POINT && isEmbedded(reading.application))
    definition.handler ??= HandlerType.APP_HANDLER
  if (reading.guild) return
  const installed = (definition.integration_types ??= supportedInstallations(reading.application))
  const index = contexts?.indexOf(InteractionContext.PRIVATE_CHANNEL) ?? -1
  if (index >= 0) reading.at(['contexts', index], () => reading.check(rules.contextPrivate, installed))
}
