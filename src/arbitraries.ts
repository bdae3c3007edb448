/** Generators for property tests, for fast-check, which is an optional peer of this entry alone. */

export {
  command,
  commandSet,
  contextCommand,
  entryPointCommand,
  permissions,
  slashCommand,
  type CommandConstraints,
  type CommandSetConstraints,
} from './arbitraries/command.ts'
export { brokenCommand, type BrokenCommand } from './arbitraries/broken.ts'
export { choice, nestedOptions, valueOptions, type OptionConstraints } from './arbitraries/option.ts'
export {
  freeName,
  localizations,
  snowflake,
  strictName,
  text,
  type LocalizedConstraints,
  type TextConstraints,
} from './arbitraries/text.ts'
export { commandUse, optionValue, type CommandUse } from './arbitraries/use.ts'
