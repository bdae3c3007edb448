/** How to break the rules about options, about lists of them and about their choices. */
import { choiceCount, choiceName, choiceValueLength, type choiceRules } from '../command/choice-rules.ts'
import { optionCount, type optionListRules } from '../command/option-list-rules.ts'
import { maxLengthBound, minLengthBound, type optionRules } from '../command/option-rules.ts'
import { admits, integerRange, isNesting, OptionType, type Admission } from '../command/types.ts'
import {
  broken,
  choice,
  either,
  get,
  oneOf,
  option,
  put,
  sizesBeyond,
  slash,
  someChoice,
  subcommand,
  withOptions,
  withSubcommand,
  wrongLists,
  wrongTexts,
  type Body,
  type Breaks,
  type BreaksOf,
  type PickIndex,
} from './breaking.ts'

const { SUB_COMMAND, SUB_COMMAND_GROUP, STRING, INTEGER, BOOLEAN, CHANNEL, NUMBER } = OptionType

const plain = { type: STRING, name: 'a', description: 'b' }
const oneChoice = [{ name: 'a', value: 'a' }]

// --- One option -----------------------------------------------------------------------------------------------

/** Adds a field to an option of a type that does not allow it. */
function misplaced(column: Exclude<keyof Admission, 'name'>, field: string, value: unknown): Breaks {
  const others = Object.values(OptionType).filter((type) => !admits[type]![column])
  return oneOf(others, (type) => (isNesting(type) ? subcommand : option)({ type, [field]: value }, field))
}

const oneExamples: BreaksOf<typeof optionRules> = {
  'option.type': oneOf([12, 0], (type) => option({ type }, 'type')),
  'option.required': misplaced('value', 'required', true),
  'option.choices': misplaced('choices', 'choices', oneChoice),
  'option.options': misplaced('options', 'options', [plain]),
  'option.channel_types': misplaced('channelTypes', 'channel_types', [0]),
  'option.range': misplaced('range', 'min_value', 0),
  'option.length': misplaced('length', 'max_length', 1),
  'option.autocomplete': misplaced('choices', 'autocomplete', true),
  'option.autocomplete_choices': option(
    { type: STRING, choices: oneChoice, autocomplete: true },
    'autocomplete',
  ),
  'range.integer': option({ type: INTEGER, min_value: 0.5 }, 'min_value'),
  'range.limits': either(
    option({ type: INTEGER, max_value: integerRange.max + 1 }, 'max_value'),
    option({ type: NUMBER, min_value: -(2 ** 53) - 2 }, 'min_value'),
  ),
  'range.inverted': option({ type: INTEGER, min_value: 2, max_value: 1 }, 'min_value'),
  'length.min': oneOf(sizesBeyond(minLengthBound), (min_length) =>
    option({ type: STRING, min_length }, 'min_length'),
  ),
  'length.max': oneOf(sizesBeyond(maxLengthBound), (max_length) =>
    option({ type: STRING, max_length }, 'max_length'),
  ),
  'length.inverted': option({ type: STRING, min_length: 2, max_length: 1 }, 'min_length'),
  'channel_types.known': option({ type: CHANNEL, channel_types: [0, 7] }, 'channel_types', 1),
  'channel_types.repeated': option({ type: CHANNEL, channel_types: [0, 2, 0] }, 'channel_types', 2),
}

// --- Lists of options -----------------------------------------------------------------------------------------

/** Two options at the end of a list, and the path of the second one. */
function pair(body: Body, pick: PickIndex, second: Body = {}) {
  const { body: whole, path } = withOptions(body, pick, { type: STRING }, { type: STRING, ...second })
  const later = [...path.slice(0, -1), (path.at(-1) as number) + 1]
  return { body: whole, first: path, later, name: get(whole, [...path, 'name']) as string }
}

const [manyOptions] = wrongLists(optionCount, (i) => ({ type: BOOLEAN, name: `o${i}`, description: 'b' }))

function nested(outer: OptionType, inner: OptionType): Breaks {
  return subcommand({ type: outer, options: [{ ...plain, type: inner }] }, 'options', 0)
}

const listExamples: BreaksOf<typeof optionListRules> = {
  'options.count': either(
    (body: Body) => broken(slash(body), ['options'], manyOptions),
    subcommand({ type: SUB_COMMAND, options: manyOptions }, 'options'),
  ),
  'options.nesting': either(
    nested(SUB_COMMAND, SUB_COMMAND),
    nested(SUB_COMMAND_GROUP, SUB_COMMAND_GROUP),
    nested(SUB_COMMAND, SUB_COMMAND_GROUP),
  ),
  'options.group': nested(SUB_COMMAND_GROUP, STRING),
  'options.mixed'(body: Body, pick) {
    const options: Body[] = slash(body).options ?? []
    if (options.some(({ type }) => isNesting(type)))
      return withSubcommand(withSubcommand(body, { type: SUB_COMMAND }).body, { type: STRING })
    const { body: placed } = withOptions(body, pick, { type: STRING })
    const kept = placed.options.slice(0, 24)
    const added = { type: SUB_COMMAND, name: 'sub-command', description: 'b' }
    return { body: put(placed, ['options'], [...kept, added]), path: ['options', kept.length] }
  },
  'options.order'(body: Body, pick) {
    const { body: whole, later } = pair(body, pick, { required: true })
    return { body: whole, path: later }
  },
  'options.unique'(body: Body, pick) {
    const { body: whole, later, name } = pair(body, pick)
    return { body: put(whole, [...later, 'name'], name), path: later }
  },
  'options.unique_localized'(body: Body, pick) {
    const { body: whole, first, later, name } = pair(body, pick)
    const path = [...later, 'name_localizations']
    if (pick(2) === 0) return broken(whole, path, { fr: name }, 'fr')
    const fr = 'jumeau'
    return broken(put(whole, [...first, 'name_localizations'], { fr }), path, { fr }, 'fr')
  },
  'options.localized_elsewhere'(body: Body) {
    const name = 'elsewhere-1'
    const holder = { type: SUB_COMMAND, options: [{ ...plain, name }] }
    const twin = { ...plain, name: 'elsewhere-2', name_localizations: { fr: name } }
    // Room for both.
    const options = ((slash(body).options ?? []) as Body[]).filter(({ type }) => isNesting(type)).slice(0, 23)
    const { body: placed } = withSubcommand(put(slash(body), ['options'], options), holder)
    const { body: whole, path } = withSubcommand(placed, { type: SUB_COMMAND, options: [twin] })
    return { body: whole, path: [...path, 'options', 0, 'name_localizations', 'fr'] }
  },
  'options.empty_group': subcommand({ type: SUB_COMMAND_GROUP }),
}

// --- Choices --------------------------------------------------------------------------------------------------

const choiceExamples: BreaksOf<typeof choiceRules> = {
  'choices.count': oneOf(
    wrongLists(choiceCount, (i) => ({ name: `c${i}`, value: i })),
    (choices) => option({ type: INTEGER, choices }, 'choices'),
  ),
  'choice.name': oneOf(wrongTexts(choiceName), (text) => (body: Body, pick) => {
    const { body: whole, path } = someChoice(body, pick)
    return broken(whole, pick(2) === 0 ? [...path, 'name'] : [...path, 'name_localizations', 'de'], text)
  }),
  'choice.value_string': choice(STRING, 1),
  'choice.value_integer': choice(INTEGER, 0.5),
  'choice.value_number': choice(NUMBER, '1'),
  'choice.value_range': either(choice(INTEGER, integerRange.max + 1), choice(NUMBER, -(2 ** 53) - 2)),
  'choice.value_length': oneOf(wrongTexts(choiceValueLength), (text) => choice(STRING, text)),
  'choices.repeated'(body: Body, pick) {
    const { body: whole, path } = someChoice(body, pick)
    const value = typeof get(whole, path).value === 'string' ? 'v' : 1
    const twins = ['a', 'b'].map((name) => ({ name, value }))
    return broken(whole, path.slice(0, -1), twins, 1, 'value')
  },
}

/** How to break the rules about options. */
export const optionExamples = { ...oneExamples, ...listExamples, ...choiceExamples }
