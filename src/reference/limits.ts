import {
  CHOICE_NAME_MAX,
  CHOICE_NAME_MIN,
  CHOICE_VALUE_MAX,
  CHOICES_MAX,
} from '../commands/definition/rules/choice-rules.ts'
import { DESCRIPTION_MAX, DESCRIPTION_MIN } from '../commands/definition/rules/command-rules.ts'
import { CommandType, integerRange, numberRange } from '../model/command-types.ts'
import { NAME_MAX, NAME_MIN } from '../commands/definition/rules/name-rules.ts'
import { FILE_TYPES_MAX } from '../commands/definition/rules/file-type-rules.ts'
import { LENGTH_MAX, OPTIONS_MAX, optionRules } from '../commands/definition/rules/option-rules.ts'
import { COMMANDS_MAX } from '../commands/definition/rules/command-list-rules.ts'
import { SIZE_MAX } from '../commands/definition/rules/size-rules.ts'
import { PERMISSIONS_MAX } from '../commands/access/entry-list.ts'
import { DAILY_CREATES_MAX } from '../commands/registry/scope-rules.ts'

/** Every number of section 8 of the specification, read from the rules that own it. */
export const Limits = /* @__PURE__ */ Object.freeze({
  CHAT_INPUT_COMMANDS: COMMANDS_MAX[CommandType.CHAT_INPUT],
  USER_COMMANDS: COMMANDS_MAX[CommandType.USER],
  MESSAGE_COMMANDS: COMMANDS_MAX[CommandType.MESSAGE],
  PRIMARY_ENTRY_POINT_COMMANDS: COMMANDS_MAX[CommandType.PRIMARY_ENTRY_POINT],
  /** The largest number of creates in a scope on one UTC day. */
  DAILY_CREATES: DAILY_CREATES_MAX,
  /** The smallest length of a name of a command or option, in characters. */
  NAME_MIN,
  /** The largest length of a name of a command or option, in characters. */
  NAME_MAX,
  DESCRIPTION_MIN,
  DESCRIPTION_MAX,
  /** The largest number of options in one list. */
  OPTIONS: OPTIONS_MAX,
  CHOICES: CHOICES_MAX,
  CHOICE_NAME_MIN,
  CHOICE_NAME_MAX,
  CHOICE_VALUE_MAX,
  /** The largest number of file types of an ATTACHMENT option. */
  FILE_TYPES: FILE_TYPES_MAX,
  MIN_LENGTH_MIN: optionRules.minLengthBound.limit!.min!,
  MIN_LENGTH_MAX: LENGTH_MAX,
  MAX_LENGTH_MIN: optionRules.maxLengthBound.limit!.min!,
  MAX_LENGTH_MAX: LENGTH_MAX,
  INTEGER_MIN: integerRange.min,
  INTEGER_MAX: integerRange.max,
  NUMBER_MIN: numberRange.min,
  NUMBER_MAX: numberRange.max,
  /** The largest combined length of the texts of a slash command, in characters. */
  COMBINED_CHARACTERS: SIZE_MAX,
  PERMISSIONS: PERMISSIONS_MAX,
})
