/** The doors of this folder: each takes an unknown body and answers a definition, or every issue. */
import { isObject } from '../core/json.ts'
import { rule } from '../core/rule.ts'
import { described } from '../core/text.ts'
import { validation, type Validation } from '../core/validation.ts'
import { broken, isSlash, type Body } from './breaking.ts'
import type { ApplicationCommand, CommandDefinition } from './definition.ts'
import { readCommand } from './read-command.ts'
import { plain, Reading, type ValidationContext } from './reading.ts'
import {
  commandCount,
  commandIdUnique,
  commandUnique,
  countRules,
  identity,
  listMax,
  surplus,
} from './set.ts'
import * as shape from './shape.ts'

/** Reads the body of a create. */
export function parseCommand(body: unknown, context?: ValidationContext): Validation<CommandDefinition> {
  const reading = new Reading(context)
  const source = plain(body)
  return validation(readCommand(reading, source, false), reading, source)
}

/**
 * Reads the body of a bulk overwrite. More items than the limit are counted, not read.
 *
 * @param counts whether the limits of each type are looked at too; the registry looks at them later, on the
 * whole scope
 */
export function parseCommands(
  bodies: unknown,
  context: ValidationContext | undefined,
  counts: boolean,
): Validation<readonly CommandDefinition[]> {
  const reading = new Reading(context)
  const source = plain(bodies)
  if (!Array.isArray(source)) {
    reading.add(shape.list, shape.found(source))
    return validation<readonly CommandDefinition[]>(undefined, reading, source)
  }
  const max = listMax(reading.guild)
  if (!commandCount.check(source.length, reading.guild))
    reading.add(commandCount, { actual: source.length, max })
  const items = source.slice(0, max).map(plain)
  const definitions = items.map((item, index) => {
    reading.path[0] = index
    reading.depth = 1
    return readCommand(reading, item, true)
  })
  reading.depth = 0
  checkDistinct(reading, definitions)
  if (counts && commandCount.check(source.length, reading.guild)) {
    for (const { index, type } of surplus(definitions)) {
      reading.add(countRules[type], { actual: countRules[type].limit!.max! + 1 }, index)
    }
  }
  return validation<readonly CommandDefinition[]>(definitions, reading, items)
}

function checkDistinct(reading: Reading, definitions: readonly CommandDefinition[]): void {
  const byIdentity = new Map<string, number>()
  const byId = new Map<string, number>()
  definitions.forEach((definition, index) => {
    const { id, type, name } = definition
    if (type !== undefined && name !== '') {
      const first = byIdentity.get(identity(definition))
      if (!commandUnique.check(first, index)) reading.add(commandUnique, { name, type, index: first! }, index)
      else byIdentity.set(identity(definition), index)
    }
    if (id === undefined) return
    const first = byId.get(id)
    if (!commandIdUnique.check(first)) reading.add(commandIdUnique, { id, index: first! }, index, 'id')
    else byId.set(id, index)
  })
}

export const patchType = rule({
  code: 'patch.type',
  clause: '2.1-02',
  summary: 'The type of a command cannot change.',
  on: 'patch',
  check: (type: unknown, current: unknown) => type === undefined || type === null || type === current,
  message: ({ actual, current }: { actual: string; current: number }) =>
    `is ${actual}, but the command is of type ${current} and types cannot change; delete it and create another`,
  wire: { code: 'APPLICATION_COMMAND_TYPE_IMMUTABLE', message: 'Application command types are immutable' },
  breaks: (body: Body) => broken(body, ['type'], isSlash(body) ? 2 : 1),
})

export const patchRules = [patchType] as const

/**
 * Reads the body of an edit against the command it edits: a field that is given replaces the whole value, one
 * that is absent is kept, and the result is checked as a whole (clause 4.1-04).
 */
export function parsePatch(
  body: unknown,
  current: ApplicationCommand,
  context?: ValidationContext,
): Validation<CommandDefinition> {
  const reading = new Reading({ ...context, scope: current.guild_id === undefined ? 'global' : 'guild' })
  const source = plain(body)
  if (!isObject(source)) {
    reading.add(shape.object, shape.found(source))
    return validation<CommandDefinition>(undefined, reading, source)
  }
  const { type, ...fields } = source
  if (!patchType.check(type, current.type)) {
    reading.add(patchType, { actual: described(type), current: current.type }, 'type')
  }
  // Spread and not assigned key by key: a key may be called `__proto__`.
  const given = Object.fromEntries(Object.entries(fields).filter(([, field]) => field !== undefined))
  const definition = readCommand(reading, { ...current, ...given }, false)
  // What the author did not write now, they were warned of when they did.
  reading.warnings = reading.warnings?.filter(({ path }) => Object.hasOwn(source, path[0] ?? '')) ?? null
  return validation(definition, reading, source)
}
