/** Generators for property tests, for fast-check, which is an optional peer of this entry alone. */

export {
  command,
  commandSet,
  contextCommand,
  entryPointCommand,
  permissions,
  slashCommand,
} from './arbitraries/command.ts'
export { choice, nestedOptions, valueOptions, type Body, type TextLengths } from './arbitraries/option.ts'
export { freeName, localizations, snowflake, strictName, text } from './arbitraries/text.ts'
export { commandUse, optionValue, type CommandUse } from './arbitraries/use.ts'
