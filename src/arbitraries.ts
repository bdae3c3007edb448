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
} from './testing/arbitraries/command-arbitrary.ts'
export { brokenCommand, type BrokenCommand } from './testing/arbitraries/broken.ts'
export { choice, nestedOptions, valueOptions } from './testing/arbitraries/option-arbitrary.ts'
export { localizations, snowflake, text } from './testing/arbitraries/text-arbitrary.ts'
export { commandUse, optionValue, type CommandUse } from './testing/arbitraries/use-arbitrary.ts'
