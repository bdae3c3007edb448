/** How to break the rules about one command, about its options, and about a list of commands. */
import type { availabilityRules } from '../command/availability-rules.ts'
import { choiceRules } from '../command/choice-rules.ts'
import { type commandRules, descriptionRules, type patchRules } from '../command/command-rules.ts'
import { commandCount, COMMANDS_MAX, type commandListRules } from '../command/commands.ts'
import type { localizedRules } from '../command/localized-text-rules.ts'
import { nameRules } from '../command/name.ts'
import { optionListRules, optionRules } from '../command/option-rules.ts'
import type { shapeRules, snowflake } from '../command/shape.ts'
import type { Path } from '../core/rule.ts'
import { SIZE_MAX, sizeOf, type sizeRules } from '../command/size.ts'
import {
  optionTraits,
  CommandType,
  integerRange,
  isNesting,
  OptionType,
  type OptionTraits,
} from '../command/types.ts'
import {
  anyBody,
  beyond,
  constant,
  either,
  get,
  oneOf,
  put,
  set,
  several,
  smallestSlash,
  type Body,
  type Breaks,
  type BreaksOf,
  type Place,
  type Placed,
} from './breaking.ts'

const { SUB_COMMAND, SUB_COMMAND_GROUP, STRING, INTEGER, BOOLEAN, CHANNEL, NUMBER } = OptionType
const { CHAT_INPUT, USER, MESSAGE, PRIMARY_ENTRY_POINT } = CommandType

const plain = { type: STRING, name: 'a', description: 'b' }
const oneChoice = { name: 'a', value: 'a' }

// --- Places ---------------------------------------------------------------------------------------------------

/** The body if it is a slash command, otherwise the smallest slash command. */
function slash(body: Body): Body {
  return (body.type ?? CHAT_INPUT) === CHAT_INPUT ? body : smallestSlash
}

const slashCommand: Place = (body) => ({ body: slash(body), path: [] })
const contextMenu = commandOf({ type: USER, name: 'A' }, MESSAGE)
const entryPoint = commandOf({ type: PRIMARY_ENTRY_POINT, name: 'Launch' })

/** The command if it has the type of the sample, or the other type; otherwise the sample. */
function commandOf(sample: Body, other?: CommandType): Place {
  return (body) => ({ body: [sample.type, other].includes(body.type ?? 1) ? body : sample, path: [] })
}

/** The paths of a body and of all its options. */
function holders(body: Body, at: Path = []): Path[] {
  const options: Body[] = body.options ?? []
  return [at, ...options.flatMap((option, i) => holders(option, [...at, 'options', i]))]
}

/** The paths of all choices of a body. */
function choicesIn(body: Body): Path[] {
  return holders(body).flatMap((path) => {
    const choices: Body[] = get(body, path).choices ?? []
    return choices.map((_, i) => [...path, 'choices', i])
  })
}

/** One of the places that `find` lists in a slash command, or else the place that `add` makes. */
function somewhere(find: (body: Body) => Path[], add: Place): Place {
  return (body, pick) => {
    const paths = find(slash(body))
    return paths.length === 0 ? add(body, pick) : { body: slash(body), path: paths[pick(paths.length)]! }
  }
}

const someHolder = somewhere(holders, slashCommand)
const someOption = somewhere((body) => holders(body).slice(1), option({ type: STRING }))
const someChoice = somewhere(choicesIn, (body, pick) => {
  const added = option({ type: STRING, choices: [oneChoice] })(body, pick)
  return { ...added, path: [...added.path, 'choices', 0] }
})

/** The paths of the lists that contain, or can contain, value options. */
function valueLists(body: Body): Path[] {
  const options: Body[] = body.options ?? []
  const nested = options.flatMap((option, i): Path[] => {
    if (option.type === SUB_COMMAND) return [['options', i, 'options']]
    if (option.type !== SUB_COMMAND_GROUP) return []
    const inner: Body[] = option.options ?? []
    return inner.map((_, j) => ['options', i, 'options', j, 'options'])
  })
  return options.some(({ type }) => isNesting(type)) ? nested : [['options']]
}

/** Adds an option to one of the lists of value options of a slash command, after `before`. */
function option(added: Body, ...before: readonly Body[]): Place {
  return (body, pick) => {
    const lists = valueLists(slash(body))
    // Every group is empty, and so no list can take an option: start again without groups.
    const whole = lists.length > 0 ? slash(body) : put(slash(body), ['options'], undefined)
    const list = lists.length > 0 ? lists[pick(lists.length)]! : ['options']
    const kept: Body[] = (get(whole, list) ?? []).slice(0, 24 - before.length)
    return appended(whole, list, kept, [...before, added])
  }
}

function subcommand(added: Body): Place {
  return (body) => {
    const options: Body[] = slash(body).options ?? []
    const kept = options.filter(({ type }) => isNesting(type)).slice(0, 24)
    return appended(slash(body), ['options'], kept, [added])
  }
}

/** Appends options to a list; the place is that of the last one. */
function appended(body: Body, list: Path, kept: readonly Body[], added: readonly Body[]): Placed {
  const options = [...kept]
  for (const [i, one] of added.entries()) options.push({ name: freshName(kept, i), description: 'b', ...one })
  return { body: put(body, list, options), path: [...list, options.length - 1] }
}

/** A name that no option of a list has, by default or in any locale. */
function freshName(options: readonly Body[], index: number): string {
  const taken = options.flatMap((option) => [option.name, ...Object.values(option.name_localizations ?? {})])
  let name = `x${index}`
  while (taken.includes(name)) name += 'x'
  return name
}

function having(field: string, value: unknown): Place {
  return (body: Body) => ({ body: put(body, [field], value), path: [] })
}

// --- Texts ----------------------------------------------------------------------------------------------------

/** Sets a text: the default, or the translation into German, which is added. */
function texts(place: Place, field: string, ...values: readonly unknown[]): Breaks {
  return either(set(place, field, ...values), set(place, `${field}_localizations.de`, ...values))
}

/** Sets translations of a description, which depend on the default. */
function translation(locale: string, textFor: (description: string) => string, fault = ''): Breaks {
  return (body: Body, pick) => {
    const { body: whole, path } = someHolder(body, pick)
    const dictionary = [...path, 'description_localizations']
    const text = textFor(get(whole, [...path, 'description']) as string)
    return {
      body: put(whole, dictionary, { [locale]: text }),
      path: fault ? [...dictionary, fault] : dictionary,
    }
  }
}

const textExamples: BreaksOf<typeof nameRules & typeof descriptionRules & typeof localizedRules> = {
  'name.length': texts(someHolder, 'name', ...beyond(nameRules.nameLength)),
  'name.characters': texts(someHolder, 'name', 'a b'),
  'name.case': texts(someHolder, 'name', 'É'),
  'name.apostrophe': texts(someHolder, 'name', "o'clock"),
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
  'localization.fallback': translation('en-GB', (text) => (text === 'x' ? 'y' : 'x')),
  'localization.default': translation('de', (text) => text, 'de'),
}

// --- The command ----------------------------------------------------------------------------------------------

const wholeExamples: BreaksOf<typeof commandRules & typeof availabilityRules> = {
  'command.type': set(anyBody, 'type', 0, 5, '1', 1.5),
  'command.options': set(either(contextMenu, entryPoint), 'options', [plain]),
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
  'contexts.known': set(having('contexts', [0]), 'contexts.1', 9),
  'contexts.repeated': set(having('contexts', [0]), 'contexts.1', 0),
  'contexts.private_channel': (body: Body) =>
    set(having('contexts', [0]), 'contexts.1', 2)({ ...body, integration_types: [0] }, () => 0),
  'integration_types.empty': set(anyBody, 'integration_types', []),
  'integration_types.known': set(having('integration_types', [0]), 'integration_types.1', 9),
  'integration_types.repeated': set(having('integration_types', [0]), 'integration_types.1', 0),
  'integration_types.supported': set(having('integration_types', [0]), 'integration_types.1', 1),
  'nsfw.discoverable': set(anyBody, 'nsfw', true),
  'handler.known': set(entryPoint, 'handler', 3),
  'handler.type': set(
    (body: Body) => ({ body: body.type === PRIMARY_ENTRY_POINT ? smallestSlash : body, path: [] }),
    'handler',
    1,
  ),
  'handler.embedded': set(entryPoint, 'handler', 1),
  'entry_point.guild': set(entryPoint, 'type', PRIMARY_ENTRY_POINT),
  'field.deprecated': either(set(anyBody, 'dm_permission', true), set(anyBody, 'default_permission', true)),
  'field.no_effect': either(set(anyBody, 'contexts', [0]), set(anyBody, 'integration_types', [0])),
}

const sizeExamples: BreaksOf<typeof sizeRules> = {
  'command.size'(body: Body) {
    const choices = several(25, (i) => ({ name: `${i}`.padEnd(100, 'n'), value: `${i}`.padEnd(100, 'v') }))
    const holder = { type: STRING, description: 'b' }
    const options = [
      { ...holder, name: 'o0', choices },
      { ...holder, name: 'o1', choices: choices.slice(0, 14) },
    ]
    const rest = SIZE_MAX + 1 - sizeOf(put(slash(body), ['options'], options))
    options[1]!.choices.push({
      name: 'n'.repeat(Math.ceil(rest / 2)),
      value: 'v'.repeat(Math.floor(rest / 2)),
    })
    return { body: { ...slash(body), options }, path: [] }
  },
}

/** Those of ids are about permissions. */
const shapeExamples: Omit<BreaksOf<typeof shapeRules>, (typeof snowflake)['code']> = {
  'shape.required': either(set(anyBody, 'name', null, undefined), (body: Body, pick) =>
    set(anyBody, slash(body) === body ? 'description' : 'name', null, undefined)(body, pick),
  ),
  'shape.string': set(anyBody, 'name', 5),
  'shape.integer': set(option({ type: STRING }), 'max_length', 1.5),
  'shape.number': set(option({ type: NUMBER }), 'min_value', '1'),
  'shape.boolean': set(anyBody, 'nsfw', 'yes'),
  'shape.object': set(either(someOption, someChoice), 'name_localizations', ['de']),
  'shape.list': set(slashCommand, 'options', { 0: { type: 3 } }),
  'keys.unknown': set(anyBody, 'defaultMemberPermissions', '8'),
  'shape.null': set(having('nsfw', undefined), 'nsfw', null),
}

// --- One option -----------------------------------------------------------------------------------------------

/** Adds a field to an option of a type that does not allow it. */
function misplaced(column: Exclude<keyof OptionTraits, 'name'>, field: string, value: unknown): Breaks {
  const others = Object.values(OptionType).filter((type) => !optionTraits[type]![column])
  return oneOf(others, (type) => set((isNesting(type) ? subcommand : option)({ type }), field, value))
}

const optionExamples: BreaksOf<typeof optionRules> = {
  'option.type': set(option({}), 'type', 12, 0),
  'option.required': misplaced('value', 'required', true),
  'option.choices': misplaced('choices', 'choices', [oneChoice]),
  'option.options': misplaced('options', 'options', [plain]),
  'option.channel_types': misplaced('channelTypes', 'channel_types', [0]),
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
}

// --- Lists of options -----------------------------------------------------------------------------------------

const manyOptions = beyond(optionListRules.optionCount, (i) => ({
  type: BOOLEAN,
  name: `o${i}`,
  description: 'b',
}))

function nested(outer: OptionType, inner: OptionType): Breaks {
  return set(subcommand({ type: outer, options: [] }), 'options.0', { ...plain, type: inner })
}

/** Sets a field of the later of two options, which depends on the name of the first one. */
function twin(field: string, valueFor: (name: string) => unknown, first: Body = {}): Breaks {
  return (given: Body, pick) => {
    const { body, path } = option({ type: STRING }, { type: STRING, ...first })(given, pick)
    const before = [...path.slice(0, -1), (path.at(-1) as number) - 1, 'name']
    return set(constant(body, path), field, valueFor(get(body, before)))(body, pick)
  }
}

const listExamples: BreaksOf<typeof optionListRules> = {
  'options.count': set(either(slashCommand, subcommand({ type: SUB_COMMAND })), 'options', ...manyOptions),
  'options.nesting': either(
    nested(SUB_COMMAND, SUB_COMMAND),
    nested(SUB_COMMAND_GROUP, SUB_COMMAND_GROUP),
    nested(SUB_COMMAND, SUB_COMMAND_GROUP),
  ),
  'options.group': nested(SUB_COMMAND_GROUP, STRING),
  'options.mixed'(body: Body) {
    const { options = [] } = slash(body)
    const kept = (options.length > 0 ? options : [plain]).slice(0, 24)
    const type = isNesting(kept[0].type) ? STRING : SUB_COMMAND
    return appended(slash(body), ['options'], kept, [{ type }])
  },
  'options.order'(body: Body, pick) {
    return option({ type: STRING, required: true }, { type: STRING })(body, pick)
  },
  'options.unique'(body: Body, pick) {
    const { body: whole, path } = twin('name', (name) => name)(body, pick)
    return { body: whole, path: path.slice(0, -1) }
  },
  'options.unique_localized': either(
    twin('name_localizations.fr', (name) => name),
    twin('name_localizations.fr', () => 'jumeau', { name_localizations: { fr: 'jumeau' } }),
  ),
  'options.localized_elsewhere'(body: Body) {
    const name = 'elsewhere-1'
    const options: Body[] = slash(body).options ?? []
    // Room for both subcommands.
    const kept = options.filter(({ type }) => isNesting(type)).slice(0, 23)
    const { body: whole, path } = appended(slash(body), ['options'], kept, [
      { type: SUB_COMMAND, options: [{ ...plain, name }] },
      { type: SUB_COMMAND, options: [{ ...plain, name: 'elsewhere-2' }] },
    ])
    return set(constant(whole, path), 'options.0.name_localizations.fr', name)(body, () => 0)
  },
  'options.empty_group': subcommand({ type: SUB_COMMAND_GROUP }),
}

// --- Choices --------------------------------------------------------------------------------------------------

function choiceValue(type: OptionType, ...values: readonly unknown[]): Breaks {
  return set(option({ type, choices: [{ name: 'a' }] }), 'choices.0.value', ...values)
}

const choiceExamples: BreaksOf<typeof choiceRules> = {
  'choices.count': set(
    option({ type: INTEGER }),
    'choices',
    ...beyond(choiceRules.choiceCount, (i) => ({ name: `c${i}`, value: i })),
  ),
  'choice.name': texts(someChoice, 'name', ...beyond(choiceRules.choiceName)),
  'choice.value_string': choiceValue(STRING, 1),
  'choice.value_integer': choiceValue(INTEGER, 0.5),
  'choice.value_number': choiceValue(NUMBER, '1'),
  'choice.value_range': either(
    choiceValue(INTEGER, integerRange.max + 1),
    choiceValue(NUMBER, -(2 ** 53) - 2),
  ),
  'choice.value_length': choiceValue(STRING, ...beyond(choiceRules.choiceValueLength)),
  'choices.repeated'(body: Body, pick) {
    const { body: whole, path } = someChoice(body, pick)
    const value = typeof get(whole, path).value === 'string' ? 'v' : 1
    const list = path.slice(0, -1)
    const twins = ['a', 'b'].map((name) => ({ name, value }))
    return { body: put(whole, list, twins), path: [...list, 1, 'value'] }
  },
}

export const commandExamples = {
  ...wholeExamples,
  ...textExamples,
  ...optionExamples,
  ...listExamples,
  ...choiceExamples,
  ...sizeExamples,
  ...shapeExamples,
}

export const patchExamples: BreaksOf<typeof patchRules> = {
  'patch.type': (body: Body, pick) =>
    set(anyBody, 'type', slash(body) === body ? USER : CHAT_INPUT)(body, pick),
}

// --- Lists of commands ----------------------------------------------------------------------------------------

/** One command more than a list can have, of which the first ones exceed no limit of a type. */
function tooMany(): Body[] {
  const types = [CHAT_INPUT, USER, MESSAGE].flatMap((type) => several(COMMANDS_MAX[type], () => type))
  return several(Number(commandCount.limit!.max) + 1, (i) => {
    const type = types[i] ?? PRIMARY_ENTRY_POINT
    return { type, name: `c${i}`, ...(type === CHAT_INPUT && { description: 'b' }) }
  })
}

function tooManyOf(sample: Body): Breaks {
  const max = COMMANDS_MAX[(sample.type ?? CHAT_INPUT) as CommandType]
  return constant(
    several(max + 1, (i) => ({ ...sample, name: `${sample.name}${i}` })),
    [max],
  )
}

export const commandListExamples: BreaksOf<typeof commandListRules> = {
  'commands.count': constant(tooMany()),
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
}
