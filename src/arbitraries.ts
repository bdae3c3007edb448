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
export { brokenCommand } from './arbitraries/broken.ts'
export { choice, nestedOptions, valueOptions } from './arbitraries/option.ts'
export { localizations, snowflake, text } from './arbitraries/text.ts'
export { commandUse, optionValue } from './arbitraries/use.ts'
