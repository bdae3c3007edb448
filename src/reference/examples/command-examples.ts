/** How to break the rules about one command, about its options, and about a list of commands. */
import { choiceRules } from '../../commands/definition/rules/choice-rules.ts'
import { descriptionRules, type patchRules } from '../../commands/definition/rules/command-rules.ts'
import { COMMANDS_MAX, type commandListRules } from '../../commands/definition/rules/command-list-rules.ts'
import type { CommandRuleCode } from '../../commands/definition/rules/definition-rules.ts'
import { FILE_TYPES_MAX } from '../../commands/definition/rules/file-type-rules.ts'
import { nameRules } from '../../commands/definition/rules/name-rules.ts'
import { OPTIONS_MAX, optionListRules, optionRules } from '../../commands/definition/rules/option-rules.ts'
import { SIZE_MAX, sizeOf } from '../../commands/definition/rules/size-rules.ts'
import {
  optionTraits,
  CommandType,
  integerRange,
  isNesting,
  OptionType,
  type OptionTraits,
} from '../../model/command-types.ts'
import { valueAt } from '../../core/json.ts'
import type { Path } from '../../core/rules/rule.ts'
import {
  anyBody,
  beyond,
  constant,
  either,
  eitherOf,
  replacedAt,
  set,
  several,
  smallestSlash,
  type Body,
  type Breaks,
  type CodesOf,
  type Examples,
  type BodyPart,
  type Placed,
} from './breaking.ts'
import type { permissionExamples } from './registry-examples.ts'

const { SUB_COMMAND, SUB_COMMAND_GROUP, STRING, INTEGER, BOOLEAN, CHANNEL, NUMBER, ATTACHMENT } = OptionType
const { CHAT_INPUT, USER, MESSAGE, PRIMARY_ENTRY_POINT } = CommandType

const plain = { type: STRING, name: 'a', description: 'b' }
const oneChoice = { name: 'a', value: 'a' }

// --- Places ---------------------------------------------------------------------------------------------------

/** The body if it is a slash command, otherwise the smallest slash command. */
function slash(body: Body): Body {
  return (body.type ?? CHAT_INPUT) === CHAT_INPUT ? body : smallestSlash
}

const slashCommand = commandOf(smallestSlash)
const contextMenu = commandOf({ type: USER, name: 'A' }, MESSAGE)
const entryPoint = commandOf({ type: PRIMARY_ENTRY_POINT, name: 'Launch' })

/** The command if it has the type of the sample or one of the others; otherwise the sample. */
function commandOf(sample: Body, ...others: readonly CommandType[]): BodyPart {
  const types = [sample.type ?? CHAT_INPUT, ...others]
  return (body) => ({ body: types.includes(body.type ?? CHAT_INPUT) ? body : sample, path: [] })
}

/** The paths of a body and of all its options. */
function holders(body: Body, at: Path = []): Path[] {
  const options: Body[] = body.options ?? []
  return [at, ...options.flatMap((option, i) => holders(option, [...at, 'options', i]))]
}

function choicesIn(body: Body): Path[] {
  return holders(body).flatMap((path) => {
    const choices = (valueAt(body, [...path, 'choices']) ?? []) as Body[]
    return choices.map((_, i) => [...path, 'choices', i])
  })
}

/** One of the places that `find` lists in a slash command, or else the place that `add` makes. */
function somewhere(find: (body: Body) => Path[], add: BodyPart): BodyPart {
  return (body, pick) => {
    const paths = find(slash(body))
    return paths.length === 0 ? add(body, pick) : { body: slash(body), path: paths[pick(paths.length)]! }
  }
}

const someHolder = somewhere(holders, slashCommand)
const someOption = somewhere((body) => holders(body).slice(1), option({ type: STRING }))
const newChoice = set(option({ type: STRING, choices: [] }), 'choices.0', oneChoice)
const someChoice = somewhere(choicesIn, newChoice)

/** The paths of the lists that contain, or can contain, value options. */
function valueLists(body: Body): Path[] {
  const takesValues = (path: Path) => {
    const { type, options = [] } = valueAt(body, path) as Body
    return path.length > 0 ? type === SUB_COMMAND : !options.some((one: Body) => isNesting(one.type))
  }
  return holders(body)
    .filter(takesValues)
    .map((path) => [...path, 'options'])
}

/** Adds options to one of the lists of value options of a slash command. */
function option(...added: readonly Body[]): BodyPart {
  return (body, pick) => {
    // Where every group is empty, no list can take an option.
    const whole = valueLists(slash(body)).length > 0 ? slash(body) : smallestSlash
    const lists = valueLists(whole)
    const list = lists[pick(lists.length)]!
    return appended(whole, list, (valueAt(whole, list) ?? []) as Body[], added)
  }
}

/** Adds subcommands and groups to a slash command, which keeps no other options. */
function subcommand(...added: readonly Body[]): BodyPart {
  return (body) => {
    const options: Body[] = slash(body).options ?? []
    const kept = options.filter(({ type }) => isNesting(type))
    return appended(slash(body), ['options'], kept, added)
  }
}

/** Appends options to as many of a list as there is room for; the place is that of the last one. */
function appended(body: Body, list: Path, options: readonly Body[], added: readonly Body[]): Placed {
  const kept = options.slice(0, OPTIONS_MAX - added.length)
  const all = [...kept, ...added.map((one, i) => ({ name: freshName(kept, i), description: 'b', ...one }))]
  return { body: replacedAt(body, list, all), path: [...list, all.length - 1] }
}

/** A name that no option of a list has, by default or in any locale. */
function freshName(options: readonly Body[], index: number): string {
  const taken = options.flatMap((option) => [option.name, ...Object.values(option.name_localizations ?? {})])
  let name = `x${index}`
  while (taken.includes(name)) name += 'x'
  return name
}

/** The body with other values of these fields. */
function having(fields: Body): BodyPart {
  return (body) => ({ body: { ...body, ...fields }, path: [] })
}

/** Sets a text: the default, or the translation into German, which is added. */
function texts(place: BodyPart, field: string, ...values: readonly unknown[]): Breaks {
  return either(set(place, field, ...values), set(place, `${field}_localizations.de`, ...values))
}

/** Adds a field to an option of a type that does not allow it. */
function misplaced(column: Exclude<keyof OptionTraits, 'name'>, field: string, value: unknown): Breaks {
  const others = Object.values(OptionType).filter((type) => !optionTraits[type]![column])
  return eitherOf(others, (type) => set((isNesting(type) ? subcommand : option)({ type }), field, value))
}

function nested(outer: OptionType, inner: OptionType): Breaks {
  return set(subcommand({ type: outer, options: [] }), 'options.0', { ...plain, type: inner })
}

/** Two options; the place is the second one. */
function pair(first: Body = {}): BodyPart {
  return option({ type: STRING, ...first }, { type: STRING })
}

/** The name of the option before the one at a place. */
function nameBefore(_: Body, { body, path }: Placed): unknown {
  return valueAt(body, [...path.slice(0, -1), Number(path.at(-1)) - 1, 'name'])
}

function choiceValue(type: OptionType, ...values: readonly unknown[]): Breaks {
  return set(option({ type, choices: [{ name: 'a' }] }), 'choices.0.value', ...values)
}

const subcommandWith = (name: string) => ({ type: SUB_COMMAND, options: [{ ...plain, name }] })
const manyOptions = beyond(optionListRules.optionCount, (i) => ({ ...plain, type: BOOLEAN, name: `o${i}` }))
const manyChoices = beyond(choiceRules.choiceCount, (i) => ({ name: `c${i}`, value: i }))

// --- One command ----------------------------------------------------------------------------------------------

/** Of the shapes, one is about permissions only. */
type CommandCode = Exclude<
  CommandRuleCode,
  keyof typeof patchExamples | keyof typeof commandListExamples | keyof typeof permissionExamples
>

/** A slash command with other options, so that it has a number of characters near the limit. */
export function ofSize(body: Body, size: number): Body {
  const letter = (i: number) => String.fromCharCode('a'.charCodeAt(0) + i)
  const choices = several(25, (i) => ({
    name: letter(i).padEnd(100, 'n'),
    value: letter(i).padEnd(100, 'v'),
  }))
  const holder = { type: STRING, description: 'b' }
  const options = [
    { ...holder, name: 'a', choices },
    { ...holder, name: 'b', choices: choices.slice(0, 14) },
  ]
  const rest = size - sizeOf(replacedAt(body, ['options'], options))
  options[1]!.choices.push({ name: 'n'.repeat(Math.ceil(rest / 2)), value: 'v'.repeat(Math.floor(rest / 2)) })
  return { ...body, options }
}

export const commandExamples = {
  'command.type': set(anyBody, 'type', 0, 5, '1', 1.5),
  'command.options': set(either(contextMenu, entryPoint), 'options', [plain]),
  'command.size': (body) => ({ body: ofSize(slash(body), SIZE_MAX + 1), path: [] }),

  'name.length': texts(someHolder, 'name', ...beyond(nameRules.nameLength)),
  'name.characters': texts(someHolder, 'name', 'a b'),
  'name.case': texts(someHolder, 'name', 'É'),
  'name.apostrophe': texts(someHolder, 'name', "o'clock"),
  'name.decomposed': texts(someHolder, 'name', '\u1112\u1161\u11ab'),
  'name.white_space': set(contextMenu, 'name', 'A '),
  'name.invisible': set(contextMenu, 'name', 'A\u0007B', '\u200b'),
  'description.length': texts(someHolder, 'description', ...beyond(descriptionRules.descriptionLength)),
  'description.entry_point': set(
    entryPoint,
    'description',
    ...beyond(descriptionRules.entryPointDescription),
  ),
  'description.forbidden': either(
    set(contextMenu, 'description', 'b'),
    set(contextMenu, 'description_localizations', { de: 'b' }),
  ),
  'localization.locale': either(
    set(someHolder, 'name_localizations.pt_BR', 'x'),
    set(someHolder, 'description_localizations.pt_BR', 'x'),
  ),
  'localization.fallback': set(someHolder, 'description_localizations', ({ description }: Body) => ({
    'en-GB': description === 'x' ? 'y' : 'x',
  })),
  'localization.default': set(
    someHolder,
    'description_localizations.de',
    ({ description }: Body) => description,
  ),

  'default_member_permissions.value': set(
    anyBody,
    'default_member_permissions',
    '0x8',
    '-1',
    1.5,
    '18446744073709551616',
  ),
  'default_member_permissions.unknown_bits': set(anyBody, 'default_member_permissions', String(1n << 60n)),
  'contexts.empty': set(anyBody, 'contexts', []),
  'contexts.known': set(having({ contexts: [0] }), 'contexts.1', 9),
  'contexts.repeated': set(having({ contexts: [0] }), 'contexts.1', 0),
  'contexts.private_channel': set(having({ integration_types: [0], contexts: [0] }), 'contexts.1', 2),
  'integration_types.empty': set(anyBody, 'integration_types', []),
  'integration_types.known': set(having({ integration_types: [0] }), 'integration_types.1', 9),
  'integration_types.repeated': set(having({ integration_types: [0] }), 'integration_types.1', 0),
  'integration_types.supported': set(having({ integration_types: [0] }), 'integration_types.1', 1),
  'nsfw.discoverable': set(anyBody, 'nsfw', true),
  'handler.known': set(entryPoint, 'handler', 3),
  'handler.type': set(commandOf(smallestSlash, USER, MESSAGE), 'handler', 1),
  'handler.embedded': set(entryPoint, 'handler', 1),
  'entry_point.guild': set(entryPoint, 'type', PRIMARY_ENTRY_POINT),
  'field.deprecated': either(set(anyBody, 'dm_permission', true), set(anyBody, 'default_permission', true)),
  'field.no_effect': either(set(anyBody, 'contexts', [0]), set(anyBody, 'integration_types', [0])),

  'shape.required': either(
    set(anyBody, 'name', null, undefined),
    set(slashCommand, 'description', null, undefined),
  ),
  'shape.string': set(anyBody, 'name', 5),
  'shape.integer': set(option({ type: STRING }), 'max_length', 1.5),
  'shape.number': set(option({ type: NUMBER }), 'min_value', '1'),
  'shape.boolean': set(anyBody, 'nsfw', 'yes'),
  'shape.object': set(option({ type: STRING, choices: [] }), 'choices.0', 'a', ['a'], null),
  'shape.dictionary': set(either(someOption, someChoice), 'name_localizations', ['de']),
  'shape.list': set(slashCommand, 'options', { 0: { type: 3 } }),
  'keys.unknown': set(anyBody, 'defaultMemberPermissions', '8'),
  'shape.null': set(anyBody, 'nsfw', null),

  'option.type': set(option({}), 'type', 12, 0),
  'option.required': misplaced('value', 'required', true),
  'option.choices': misplaced('choices', 'choices', [oneChoice]),
  'option.options': misplaced('options', 'options', [plain]),
  'option.channel_types': misplaced('channelTypes', 'channel_types', [0]),
  'option.file_types': misplaced('fileTypes', 'file_types', ['image']),
  'file_types.count': set(
    option({ type: ATTACHMENT }),
    'file_types',
    Array.from({ length: FILE_TYPES_MAX + 1 }, (_, n) => `.x${n}`),
  ),
  'file_types.form': set(
    option({ type: ATTACHMENT, file_types: ['image'] }),
    'file_types.1',
    'pdf',
    '',
    '.',
    'text',
  ),
  'option.range': misplaced('range', 'min_value', 0),
  'option.length': misplaced('length', 'max_length', 1),
  'option.autocomplete': misplaced('choices', 'autocomplete', true),
  'option.autocomplete_choices': set(option({ type: STRING, choices: [oneChoice] }), 'autocomplete', true),
  'range.integer': set(option({ type: INTEGER }), 'min_value', 0.5),
  'range.limits': either(
    set(option({ type: INTEGER }), 'max_value', integerRange.max + 1),
    set(option({ type: NUMBER }), 'min_value', -(2 ** 53) - 2),
  ),
  'range.inverted': set(option({ type: INTEGER, max_value: 1 }), 'min_value', 2),
  'length.min': set(option({ type: STRING }), 'min_length', ...beyond(optionRules.minLengthBound)),
  'length.max': set(option({ type: STRING }), 'max_length', ...beyond(optionRules.maxLengthBound)),
  'length.inverted': set(option({ type: STRING, max_length: 1 }), 'min_length', 2),
  'channel_types.known': set(option({ type: CHANNEL, channel_types: [0] }), 'channel_types.1', 7),
  'channel_types.repeated': set(option({ type: CHANNEL, channel_types: [0, 2] }), 'channel_types.2', 0),

  'options.count': set(either(slashCommand, subcommand({ type: SUB_COMMAND })), 'options', ...manyOptions),
  'options.nesting': either(
    nested(SUB_COMMAND, SUB_COMMAND),
    nested(SUB_COMMAND_GROUP, SUB_COMMAND_GROUP),
    nested(SUB_COMMAND, SUB_COMMAND_GROUP),
  ),
  'options.group': nested(SUB_COMMAND_GROUP, STRING),
  'options.mixed'(body) {
    const { options = [] } = slash(body)
    const kept = options.length > 0 ? options : [plain]
    return appended(slash(body), ['options'], kept, [
      { type: isNesting(kept[0].type) ? STRING : SUB_COMMAND },
    ])
  },
  'options.order': option({ type: STRING }, { type: STRING, required: true }),
  'options.unique'(given, pick) {
    const { body, path } = set(pair(), 'name', nameBefore)(given, pick)
    return { body, path: path.slice(0, -1) }
  },
  'options.unique_localized': either(
    set(pair(), 'name_localizations.fr', nameBefore),
    set(pair({ name_localizations: { fr: 'jumeau' } }), 'name_localizations.fr', 'jumeau'),
  ),
  'options.localized_elsewhere': set(
    subcommand(subcommandWith('elsewhere-1'), subcommandWith('elsewhere-2')),
    'options.0.name_localizations.fr',
    'elsewhere-1',
  ),
  'options.empty_group': subcommand({ type: SUB_COMMAND_GROUP }),

  'choices.count': set(option({ type: INTEGER }), 'choices', ...manyChoices),
  'choice.name': texts(someChoice, 'name', ...beyond(choiceRules.choiceName)),
  'choice.value_string': choiceValue(STRING, 1),
  'choice.value_integer': choiceValue(INTEGER, 0.5),
  'choice.value_number': choiceValue(NUMBER, '1'),
  'choice.value_range': either(
    choiceValue(INTEGER, integerRange.max + 1),
    choiceValue(NUMBER, -(2 ** 53) - 2),
  ),
  'choice.outside': constant(
    {
      ...smallestSlash,
      options: [
        { type: INTEGER, name: 'a', description: 'b', max_value: 1, choices: [{ name: 'a', value: 2 }] },
      ],
    },
    ['options', 0, 'choices', 0, 'value'],
  ),
  'choice.value_length': choiceValue(STRING, ...beyond(choiceRules.choiceValueLength)),
  'choices.repeated'(given, pick) {
    const { body, path } = someChoice(given, pick)
    const value = typeof valueAt(body, [...path, 'value']) === 'string' ? 'v' : 1
    const list = path.slice(0, -1)
    const twins = ['a', 'b'].map((name) => ({ name, value }))
    return { body: replacedAt(body, list, twins), path: [...list, 1, 'value'] }
  },
} satisfies Examples<CommandCode>

export const patchExamples = {
  'patch.type': set(anyBody, 'type', (body: Body) => (slash(body) === body ? USER : CHAT_INPUT)),
} satisfies Examples<CodesOf<(typeof patchRules)[keyof typeof patchRules][]>>

// --- Lists of commands ----------------------------------------------------------------------------------------

/** One command more than a list can have, of which the first ones exceed no limit of a type. */
export function tooManyCommands(): Body[] {
  const types = Object.values(CommandType).flatMap((type) => several(COMMANDS_MAX[type], () => type))
  return [...types, PRIMARY_ENTRY_POINT].map((type, i) => ({
    type,
    name: `c${i}`,
    ...(type === CHAT_INPUT && { description: 'b' }),
  }))
}

function tooManyOf(sample: Body): Breaks {
  const max = COMMANDS_MAX[(sample.type ?? CHAT_INPUT) as CommandType]
  return constant(
    several(max + 1, (i) => ({ ...sample, name: `${sample.name}${i}` })),
    [max],
  )
}

export const commandListExamples = {
  'commands.count': constant(tooManyCommands()),
  'commands.unique'(bodies: Body[]) {
    const twin = bodies.find(({ type }) => type !== PRIMARY_ENTRY_POINT) ?? smallestSlash
    const { id, ...again } = twin
    const kept = bodies.includes(twin) ? bodies : [...bodies, twin]
    return { body: [...kept, again], path: [kept.length] }
  },
  'commands.id': constant(
    ['a', 'c'].map((name) => ({ id: '1', name, description: 'b' })),
    [1, 'id'],
  ),
  'commands.count_chat_input': tooManyOf(smallestSlash),
  'commands.count_user': tooManyOf({ type: USER, name: 'A' }),
  'commands.count_message': tooManyOf({ type: MESSAGE, name: 'A' }),
  'commands.count_entry_point': tooManyOf({ type: PRIMARY_ENTRY_POINT, name: 'Launch' }),
} satisfies Examples<CodesOf<typeof commandListRules>>
