/** The validators: every problem of a body at once, each at its place, without a registry. */
import type { RegistryRuleCode } from './registry/registry-error.ts'
import type { ApplicationCommand, CommandDefinition } from '../model/command-definition.ts'
import { parseCommand, parseCommands, parsePatch } from './definition/parse.ts'
import { argument, demandObject, optionsOf } from '../core/rules/arguments.ts'
import { optional } from '../core/rules/readers.ts'
import type { ValidationContext } from './definition/rules/reading.ts'
import { someSettings } from '../model/server-checks.ts'
import type { Validation } from '../core/rules/validation.ts'
import { parsePermissions } from './access/entry-list.ts'
import type { CommandPermission } from '../model/permission-entry.ts'

/**
 * Validates the body of one command, as a create takes it.
 *
 * @param body anything: parsed JSON, an object literal, or a builder of a client library that has `toJSON`
 */
export function validateCommand(
  body: unknown,
  context?: ValidationContext,
): Validation<CommandDefinition, RegistryRuleCode> {
  checkContextOf.validateCommand(context)
  return parseCommand(body, context) as Validation<CommandDefinition, RegistryRuleCode>
}

/**
 * Validates all commands of one scope together, as a bulk overwrite takes them: each by itself, and then counts
 * and names. Paths start with the index of the command.
 */
export function validateCommands(
  bodies: unknown,
  context?: ValidationContext,
): Validation<readonly CommandDefinition[], RegistryRuleCode> {
  checkContextOf.validateCommands(context)
  return parseCommands(bodies, context, { counts: 'here' }) as Validation<
    readonly CommandDefinition[],
    RegistryRuleCode
  >
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
): Validation<CommandDefinition, RegistryRuleCode> {
  demandObject(current, 'current')
  checkContextOf.validatePatch(context)
  return parsePatch(body, current, context) as Validation<CommandDefinition, RegistryRuleCode>
}

/**
 * Validates the permissions of a command.
 *
 * @param body a list of entries, or the wire's `{ permissions: [...] }`; paths are into whichever it is
 */
export function validatePermissions(
  body: unknown,
  context?: ValidationContext,
): Validation<readonly CommandPermission[], RegistryRuleCode> {
  checkContextOf.validatePermissions(context)
  return parsePermissions(body, context) as Validation<readonly CommandPermission[], RegistryRuleCode>
}

const scope = /* @__PURE__ */ optional(
  argument('"global" or "guild"', (value) => value === 'global' || value === 'guild'),
)

/** Checks the context of a call. @throws TypeError for an unknown option or an invalid value */
/* @__NO_SIDE_EFFECTS__ */
function contextCheck(caller: string): (context: ValidationContext | undefined) => void {
  const read = optionsOf<ValidationContext>(caller, { scope, application: someSettings })
  return (context) => {
    if (context !== undefined) read(context)
  }
}

const checkContextOf = {
  validateCommand: /* @__PURE__ */ contextCheck('validateCommand'),
  validateCommands: /* @__PURE__ */ contextCheck('validateCommands'),
  validatePatch: /* @__PURE__ */ contextCheck('validatePatch'),
  validatePermissions: /* @__PURE__ */ contextCheck('validatePermissions'),
}
