/** The validators: every problem of a body at once, each at its place, without a registry. */
import type { RuleCode } from './catalogue.ts'
import type { ApplicationCommand, CommandDefinition } from '../command/definition.ts'
import { parseCommand, parseCommands, parsePatch } from '../command/parse.ts'
import { knownOptions } from '../core/options.ts'
import type { ValidationContext } from '../command/reading.ts'
import type { Validation } from '../core/validation.ts'
import { parsePermissions } from '../permission/entry-list.ts'
import type { CommandPermission } from '../permission/entry.ts'

/**
 * Validates the body of one command, as a create takes it.
 *
 * @param body anything: parsed JSON, an object literal, or a builder of a client library that has `toJSON`
 */
export function validateCommand(
  body: unknown,
  context?: ValidationContext,
): Validation<CommandDefinition, RuleCode> {
  checkContext('validateCommand', context)
  return parseCommand(body, context) as Validation<CommandDefinition, RuleCode>
}

/**
 * Validates all commands of one scope together, as a bulk overwrite takes them: each by itself, and then counts
 * and names. Paths start with the index of the command.
 */
export function validateCommands(
  bodies: unknown,
  context?: ValidationContext,
): Validation<readonly CommandDefinition[], RuleCode> {
  checkContext('validateCommands', context)
  return parseCommands(bodies, context, true) as Validation<readonly CommandDefinition[], RuleCode>
}

/**
 * Validates the body of an edit against the command as it is registered. The scope is the command's own.
 *
 * @returns the definition that the command would have afterwards
 */
export function validatePatch(
  body: unknown,
  current: ApplicationCommand,
  context?: ValidationContext,
): Validation<CommandDefinition, RuleCode> {
  checkContext('validatePatch', context)
  return parsePatch(body, current, context) as Validation<CommandDefinition, RuleCode>
}

/**
 * Validates the permissions of a command.
 *
 * @param body a list of entries, or the wire's `{ permissions: [...] }`; paths are into whichever it is
 */
export function validatePermissions(
  body: unknown,
  context?: ValidationContext,
): Validation<readonly CommandPermission[], RuleCode> {
  checkContext('validatePermissions', context)
  return parsePermissions(body, context) as Validation<readonly CommandPermission[], RuleCode>
}

function checkContext(caller: string, context: ValidationContext | undefined): void {
  if (context !== undefined) knownOptions(caller, context, ['scope', 'application'])
}
