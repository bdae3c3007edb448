/** Parses bodies: each function takes an unknown body and returns a definition, or every issue. */
import { isObject, jsonValue, ownField } from '../../core/json.ts'
import { readJson } from '../../core/rules/readable.ts'
import type { ReportedRule } from '../../core/rules/report.ts'
import { validation, type Validation } from '../../core/rules/validation.ts'
import { isEmbedded } from '../../model/application.ts'
import { CommandType } from '../../model/command-types.ts'
import {
  commandKey,
  type ApplicationCommand,
  type CommandDefinition,
} from '../../model/command-definition.ts'
import { patchRules } from './rules/command-rules.ts'
import { commandKeys, readCommand } from './fields/command.ts'
import { Reading, type ValidationContext } from './rules/reading.ts'
import { freezeDefinition, freezeDefinitions } from './frozen-definition.ts'
import {
  commandCount,
  commandIdUnique,
  commandUnique,
  COMMANDS_MAX,
  countRules,
  listMax,
  surplus,
} from './rules/command-list-rules.ts'
import * as shape from '../../core/rules/shape-rules.ts'

export function parseCommand(body: unknown, context?: ValidationContext): Validation<CommandDefinition> {
  return readJson(body, readOne, context)
}

function readOne(source: unknown, context: ValidationContext | undefined): Validation<CommandDefinition> {
  const reading = new Reading(context)
  return validation(readCommand(reading, source), reading, source, freezeDefinition)
}

interface CommandListOptions {
  /** Where the limits of each type are checked: the registry checks them by its plan, on the whole scope. */
  readonly counts: 'here' | 'by the plan'
}

/** Reads the body of a bulk overwrite. Items beyond the limit are counted but not read. */
export function parseCommands(
  bodies: unknown,
  context: ValidationContext | undefined,
  { counts }: CommandListOptions,
): Validation<readonly CommandDefinition[]> {
  return readJson(bodies, (source) => readCommands(new Reading(context, true), source, counts === 'here'))
}

function readCommands(
  reading: Reading,
  source: unknown,
  checksCounts: boolean,
): Validation<readonly CommandDefinition[]> {
  if (!reading.check(shape.list, source))
    return validation<readonly CommandDefinition[]>(undefined, reading, source)
  const isShort = reading.check(commandCount, source.length, reading.guild)
  const definitions = reading.items(source, listMax(reading.guild), readCommand)
  checkDistinct(reading, definitions)
  if (checksCounts && isShort) checkCounts(reading, definitions)
  return validation<readonly CommandDefinition[]>(definitions, reading, source, freezeDefinitions)
}

/** Checks that a scope has not too many commands of a type, in a list at the current path. */
export function checkCounts(reading: Reading, definitions: readonly CommandDefinition[]): void {
  for (const { index, type } of surplus(definitions))
    reading.at(index, () => reading.check(countRules[type], COMMANDS_MAX[type] + 1))
}

/** Checks that the names within a type and the ids differ, in a list at the current path. */
export function checkDistinct(reading: Reading, definitions: readonly CommandDefinition[]): void {
  const byName = new Map<string, number>()
  const byId = new Map<string, number>()
  definitions.forEach((definition, index) => {
    const { id, type, name } = definition
    reading.at(index, () => {
      if (type !== undefined && name !== '') {
        const key = commandKey(definition)
        if (reading.check(commandUnique, byName.get(key), definition)) byName.set(key, index)
      }
      if (id !== undefined && reading.at('id', () => reading.check(commandIdUnique, byId.get(id), id)))
        byId.set(id, index)
    })
  })
}

/** Reads an edit: a given field replaces the whole value, and the result is checked as a whole (clause 4.1-04). */
export function parsePatch(
  body: unknown,
  current: ApplicationCommand,
  context?: ValidationContext,
): Validation<CommandDefinition> {
  return readJson(body, (source) => {
    const reading = new PatchReading(source, current, context)
    if (!reading.check(shape.object, source)) return validation<CommandDefinition>(undefined, reading, source)
    const { type: _, ...rest } = source
    const fields: Record<string, unknown> = rest
    const type = jsonValue(ownField(source, 'type'), 'type')
    if (type === CommandType.PRIMARY_ENTRY_POINT && reading.canBeEntryPoint(current)) fields.type = type
    else reading.at('type', () => reading.check(patchRules.patchType, type, current.type))
    for (const key of commandKeys) if (jsonValue(fields[key], key) === undefined) fields[key] = current[key]
    return validation(readCommand(reading, fields), reading, source, freezeDefinition)
  })
}

/** The app's settings may have changed since the command was stored: their rules apply to given fields (2.1-25). */
class PatchReading extends Reading {
  readonly #source: unknown

  constructor(source: unknown, { guild_id }: ApplicationCommand, context: ValidationContext | undefined) {
    super({ ...context, scope: guild_id === undefined ? 'global' : 'guild' })
    this.#source = source
  }

  /** Whether an edit may make a command the entry point (clause 2.1-02). */
  canBeEntryPoint({ options }: ApplicationCommand): boolean {
    return !this.guild && options === undefined && isEmbedded(this.application)
  }

  protected override add(rule: ReportedRule, params: object): void {
    const [field] = this.path
    const isGiven = field === undefined || (isObject(this.#source) && Object.hasOwn(this.#source, field))
    if (isGiven || (rule.level === 'error' && rule.context?.application === undefined))
      super.add(rule, params)
  }
}
