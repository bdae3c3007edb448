/** How to break the rules about the use of a command: a command that is valid, and an invalid request. */
import { optionTraits, CommandType, OptionType } from '../../model/command-types.ts'
import type { interactionRules } from '../../interactions/usage/match.ts'
import {
  constant,
  either,
  eitherOf,
  smallestSlash,
  type Breaks,
  type CodesOf,
  type Examples,
} from './breaking.ts'

const { USER, MESSAGE } = CommandType
const {
  SUB_COMMAND,
  SUB_COMMAND_GROUP,
  STRING,
  INTEGER,
  NUMBER,
  BOOLEAN,
  CHANNEL,
  ROLE,
  MENTIONABLE,
  ATTACHMENT,
} = OptionType

function used(command: object, request: object, ...path: string[]): Breaks {
  return constant({ command, request }, path)
}

const withOption = (option: object) => ({
  ...smallestSlash,
  options: [{ name: 'o', description: 'b', ...option }],
})

/** An invalid value for an option. */
function value(option: object, o?: unknown, rest: object = {}): Breaks {
  return used(withOption(option), { options: { o }, ...rest }, 'options', 'o')
}

const subcommand = { type: SUB_COMMAND, name: 's', description: 'b' }
const group = { type: SUB_COMMAND_GROUP, name: 'g', description: 'b', options: [subcommand] }
const grouped = { ...smallestSlash, options: [subcommand, group] }
const voiceChannel = { resolved: { channels: { '7': { id: '7', type: 2 } } } }

function wrongValue(type: OptionType): unknown {
  return type === STRING ? 5 : type === BOOLEAN ? 'yes' : type === NUMBER ? '1' : 1.5
}

export const interactionExamples = {
  'subcommand.missing': used(grouped, {}, 'subcommand'),
  'subcommand.unknown': eitherOf(['g', 'x', 's s', 'g x'], (subcommand) =>
    used(grouped, { subcommand }, 'subcommand'),
  ),
  'arguments.none': used({ type: USER, name: 'A' }, { target: '1', options: { o: 'x' } }, 'options'),
  'target.required': eitherOf([USER, MESSAGE], (type) => used({ type, name: 'A' }, {}, 'target')),
  'target.none': used(smallestSlash, { target: '1' }, 'target'),
  'argument.unknown': used(withOption({ type: STRING }), { options: { x: 'v' } }, 'options', 'x'),
  'argument.required': value({ type: STRING, required: true }),
  'argument.type': eitherOf(
    Object.values(OptionType).filter((type) => optionTraits[type]!.value),
    (type) => value({ type }, wrongValue(type)),
  ),
  'argument.range': eitherOf([INTEGER, NUMBER], (type) =>
    either(value({ type, min_value: 2 }, 1), value({ type, max_value: 2 }, 3), value({ type }, 2 ** 53 + 2)),
  ),
  'argument.length': either(
    value({ type: STRING, min_length: 2 }, 'x'),
    value({ type: STRING, max_length: 2 }, 'xyz'),
  ),
  'argument.choice': value({ type: STRING, choices: [{ name: 'x', value: 'v' }] }, 'x'),
  'argument.channel_type': value({ type: CHANNEL, channel_types: [0] }, '7', voiceChannel),
  'argument.file_type': value({ type: ATTACHMENT, file_types: ['image', '.pdf'] }, '7', {
    resolved: { attachments: { '7': { id: '7', filename: 'x.exe' } } },
  }),
  'argument.place': either(
    value({ type: CHANNEL }, '7', voiceChannel),
    value({ type: ROLE }, '7', { resolved: { roles: { '7': { id: '7' } } } }),
  ),
  'argument.kind': value({ type: MENTIONABLE }, '7', voiceChannel),
  'focused.option': eitherOf(['o', 'x'], (focused) =>
    used(withOption({ type: STRING }), { options: {}, focused }, 'focused'),
  ),
  'focused.value': eitherOf([INTEGER, NUMBER], (type) =>
    eitherOf(['-', '1a', ' ', '1e999'], (o) => value({ type, autocomplete: true }, o, { focused: 'o' })),
  ),
} satisfies Examples<CodesOf<typeof interactionRules>>
