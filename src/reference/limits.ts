import { CHOICE_NAME_MAX, CHOICE_NAME_MIN, CHOICE_VALUE_MAX, CHOICES_MAX } from '../command/choice-rules.ts'
import { DESCRIPTION_MAX, DESCRIPTION_MIN } from '../command/description.ts'
import { CommandType, integerRange, numberRange } from '../command/types.ts'
import { NAME_MAX, NAME_MIN } from '../command/name.ts'
import { OPTIONS_MAX } from '../command/option-list-rules.ts'
import { LENGTH_MAX, maxLengthBound, minLengthBound } from '../command/option-rules.ts'
import { COMMANDS_MAX } from '../command/commands.ts'
import { SIZE_MAX } from '../command/size.ts'
import { PERMISSIONS_MAX } from '../permission/entry-list.ts'
import { DAILY_CREATES_MAX } from '../registry/scope-rules.ts'

/** Every number of section 8 of the specification, read from the rules that own it. */
export const Limits = /* @__PURE__ */ Object.freeze({
  /** The largest number of slash commands in a scope. */
  CHAT_INPUT_COMMANDS: COMMANDS_MAX[CommandType.CHAT_INPUT],
  /** The largest number of user commands in a scope. */
  USER_COMMANDS: COMMANDS_MAX[CommandType.USER],
  /** The largest number of message commands in a scope. */
  MESSAGE_COMMANDS: COMMANDS_MAX[CommandType.MESSAGE],
  /** The largest number of entry point commands in the global scope. */
  PRIMARY_ENTRY_POINT_COMMANDS: COMMANDS_MAX[CommandType.PRIMARY_ENTRY_POINT],
  /** The largest number of creates in a scope on one UTC day. */
  DAILY_CREATES: DAILY_CREATES_MAX,
  /** The smallest length of a name of a command or option, in characters. */
  NAME_MIN,
  /** The largest length of a name of a command or option, in characters. */
  NAME_MAX,
  /** The smallest length of a description, in characters. */
  DESCRIPTION_MIN,
  /** The largest length of a description, in characters. */
  DESCRIPTION_MAX,
  /** The largest number of options in one list. */
  OPTIONS: OPTIONS_MAX,
  /** The largest number of choices of an option. */
  CHOICES: CHOICES_MAX,
  /** The smallest length of the name of a choice, in characters. */
  CHOICE_NAME_MIN,
  /** The largest length of the name of a choice, in characters. */
  CHOICE_NAME_MAX,
  /** The largest length of the string value of a choice, in characters. */
  CHOICE_VALUE_MAX,
  /** The smallest value of `min_length`. */
  MIN_LENGTH_MIN: minLengthBound.limit!.min!,
  /** The largest value of `min_length`. */
  MIN_LENGTH_MAX: LENGTH_MAX,
  /** The smallest value of `max_length`. */
  MAX_LENGTH_MIN: maxLengthBound.limit!.min!,
  /** The largest value of `max_length`. */
  MAX_LENGTH_MAX: LENGTH_MAX,
  /** The smallest value of an INTEGER option. */
  INTEGER_MIN: integerRange.min,
  /** The largest value of an INTEGER option. */
  INTEGER_MAX: integerRange.max,
  /** The smallest value of a NUMBER option. */
  NUMBER_MIN: numberRange.min,
  /** The largest value of a NUMBER option. */
  NUMBER_MAX: numberRange.max,
  /** The largest combined length of the texts of a slash command, in characters. */
  COMBINED_CHARACTERS: SIZE_MAX,
  /** The largest number of permission entries of a command. */
  PERMISSIONS: PERMISSIONS_MAX,
})
