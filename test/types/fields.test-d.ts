/**
 * The tables of fields that are read, and the types that authors write, in both directions: a field that only one of the
 * two has is a compile error with its name. The schemas, generators and examples have types of their own in `src`.
 */
import type { ChoiceBody, CommandBody, OptionBody } from 'commandry'
import type { OptionField } from '../../src/commands/definition/define.ts'
import type { choiceFields } from '../../src/commands/definition/fields/choice.ts'
import type { commandFields } from '../../src/commands/definition/fields/command.ts'
import type { optionFields } from '../../src/commands/definition/fields/option.ts'
import type { known } from '../../src/core/rules/readers.ts'

/** The fields that authors give; the others stand in responses only. */
type Given<Table> = { [Key in keyof Table]: Table[Key] extends typeof known ? never : Key }[keyof Table]

/** An object with these fields, if the two have the same; else the fields of one of them. */
type Difference<One extends string, Other extends string> = Record<
  Exclude<One, Other> | Exclude<Other, One>,
  never
>

/** Only in items of a bulk overwrite. */
type ItemField = 'id'

export const ofCommands: Difference<Exclude<Given<typeof commandFields>, ItemField>, keyof CommandBody> = {}
export const ofOptions: Difference<Given<typeof optionFields>, keyof OptionBody> = {}
export const ofDefinedOptions: Difference<Given<typeof optionFields>, OptionField> = {}
export const ofChoices: Difference<Given<typeof choiceFields>, keyof ChoiceBody> = {}
