/**
 * Readers of the availability fields: member permissions, contexts, installation, age restriction, handler (clauses 2.1-12
 * to 2.1-19, 2.8), and the deprecated fields.
 */
import type { Rule } from '../core/rule.ts'
import { isEmbedded } from './application.ts'
import * as rules from './availability-rules.ts'
import type { CommandDefinition, Fields, Writable } from './definition.ts'
import type { NumberRules, Reading } from './reading.ts'
import { CommandType, HandlerType, InteractionContext, type IntegrationType } from './types.ts'

export function readMemberPermissions(reading: Reading, value: unknown): string | null {
  return value === undefined || value === null ? null : readBits(reading, value)
}

function readBits(reading: Reading, value: unknown): string | null {
  const bits = rules.canonicalBits(value)
  if (bits === undefined) reading.run(rules.memberPermissions, value, 'default_member_permissions')
  else reading.run(rules.memberPermissionsUnknown, bits, 'default_member_permissions')
  return bits ?? null
}

interface ListRules extends NumberRules {
  readonly filled: Rule<string, any, [items: readonly unknown[]]>
}

// There are two or three contexts: an item after so many is a repetition.
const READ_ITEMS = 10

/** Reads a list of enumerated numbers, in its order; `undefined` when it is null. */
function readList<Member extends number>(
  reading: Reading,
  value: unknown,
  field: 'contexts' | 'integration_types',
  listRules: ListRules,
): readonly Member[] | undefined {
  const list = reading.list(value, field)
  if (list === undefined) return undefined
  reading.run(listRules.filled, list, field)
  return reading.numbers<Member>(list, READ_ITEMS, listRules, field)
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
  return readList<InteractionContext>(reading, value, 'contexts', rules.contextRules) ?? null
}

function readInstallations(reading: Reading, value: unknown): readonly IntegrationType[] {
  const given = readList<IntegrationType>(reading, value, 'integration_types', rules.installationRules)
  return given ?? reading.installations
}

function checkPrivateChannel(
  reading: Reading,
  contexts: readonly InteractionContext[],
  installations: readonly IntegrationType[],
): void {
  const at = contexts.indexOf(InteractionContext.PRIVATE_CHANNEL)
  if (at >= 0) reading.run(rules.contextPrivate, installations, 'contexts', at)
}

/** Reports what a command of a guild does not choose: it is used in its guild only. */
export function checkGuildPlaces(
  reading: Reading,
  type: CommandType | undefined,
  { dm_permission, contexts, integration_types }: Fields<CommandDefinition>,
): void {
  if (type !== undefined) reading.run(rules.entryPointGlobal, true, type, 'type')
  reading.run(rules.scopeIdle, dm_permission, 'dm_permission')
  reading.run(rules.scopeIdle, contexts, 'contexts')
  reading.run(rules.scopeIdle, integration_types, 'integration_types')
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
  reading.run(rules.deprecated, key, reading.guild, key)
  return reading.flag(value, key)
}

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
  if (type === undefined || !reading.run(rules.handlerType, type, 'handler')) return
  reading.run(rules.handlerKnown, value, 'handler')
  reading.run(rules.handlerEmbedded, reading.application, 'handler')
  definition.handler = value as HandlerType
}

export function readNsfw(reading: Reading, value: unknown): boolean {
  const nsfw = reading.flag(value, 'nsfw') ?? false
  if (nsfw) reading.run(rules.nsfwDiscoverable, nsfw, reading.application, 'nsfw')
  return nsfw
}
