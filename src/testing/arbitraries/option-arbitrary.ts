/** Generators of valid options and choices, with required and optional fields. */
import { checkConstraints, checkOptionType } from './constraints.ts'
import fc, { type Arbitrary } from 'fast-check'
import type { ChoiceBody, OptionBody } from '../../model/command-definition.ts'
import { CHOICE_NAME_MAX, CHOICE_VALUE_MAX } from '../../commands/definition/rules/choice-rules.ts'
import { DESCRIPTION_MAX } from '../../commands/definition/rules/command-rules.ts'
import {
  optionTraits,
  ChannelType,
  integerRange,
  numberRange,
  OptionType,
} from '../../model/command-types.ts'
import { FILE_TYPES_MAX } from '../../commands/definition/rules/file-type-rules.ts'
import { LENGTH_MAX } from '../../commands/definition/rules/option-rules.ts'
import {
  exactly,
  inLocales,
  lengths,
  localizations,
  madeOnce,
  strictName,
  text,
  type LocalizedConstraints,
} from './text-arbitrary.ts'

/** The number of generated options and choices, and their texts. */
export interface OptionConstraints extends LocalizedConstraints {
  /** For each list, 0 to 25, the limit; many generated lists of each kind have this length. Default 5. */
  readonly maxOptions?: number
  /** For each option, 0 to 25, the limit, with which some commands have 8000 characters; many generated lists have this length. Default 3. */
  readonly maxChoices?: number
}

/** Settings of nested generators: longer lists have shorter texts, to stay within the size of a command. */
interface Style extends LocalizedConstraints {
  readonly maxOptions: number
  readonly maxChoices: number
  readonly description: number
  readonly choice: number
}

const USUAL_OPTIONS = 5
const USUAL_CHOICES = 3
const { SUB_COMMAND, SUB_COMMAND_GROUP } = OptionType
const valueTypes = Object.values(OptionType).filter((type) => optionTraits[type]!.value)

function styleOf(constraints: OptionConstraints, isShort: boolean): Style {
  const { maxOptions = USUAL_OPTIONS, maxChoices = USUAL_CHOICES, ...rest } = constraints
  return isShort
    ? { ...rest, maxOptions, maxChoices: Math.min(maxChoices, USUAL_CHOICES), description: 30, choice: 20 }
    : { ...rest, maxOptions, maxChoices, description: DESCRIPTION_MAX, choice: CHOICE_NAME_MAX }
}

function number(integer: boolean, { style }: LocalizedConstraints): Arbitrary<number> {
  const { min, max } = integer ? integerRange : numberRange
  if (style === 'plain') return fc.integer({ min: 0, max: 100 })
  return fc.oneof(integer ? fc.integer() : fc.double({ min, max, noNaN: true }), fc.constantFrom(0, min, max))
}

/** A choice for an option of a type that has choices. */
export function choice(type: number, constraints: LocalizedConstraints = {}): Arbitrary<ChoiceBody> {
  checkOptionType(type, 'type')
  checkConstraints(constraints)
  return choiceOf(type, styleOf(constraints, false))
}

const choiceOf = /* @__PURE__ */ madeOnce((type: number, style: Style): Arbitrary<ChoiceBody> => {
  const range = optionTraits[type]?.range
  const name = text(style.choice, style)
  const value: Arbitrary<string | number> = range
    ? number(range.integer, style)
    : fc.oneof(
        { weight: 20, arbitrary: text(Math.min(style.choice, CHOICE_VALUE_MAX), style) },
        { weight: 1, arbitrary: fc.constant('') },
      )
  const fields: Required<{ [Field in keyof ChoiceBody]: Arbitrary<ChoiceBody[Field]> }> = {
    name,
    value,
    name_localizations: nullable(localizations(name, style)),
  }
  return fc.record(fields, { requiredKeys: ['name', 'value'] })
})

/** Choices; many choices have short texts. */
function choicesOf(type: number, style: Style): Arbitrary<readonly ChoiceBody[]> {
  const short = { ...style, choice: 20 }
  return lengths(style.maxChoices, USUAL_CHOICES, 2).chain((length) =>
    exactly(length, choiceOf(type, length > USUAL_CHOICES ? short : style)),
  )
}

function nullable<T>(of: Arbitrary<T>): Arbitrary<T | null> {
  return fc.option(of, { nil: null, freq: 6 })
}

type TextField = 'name' | 'name_localizations' | 'description' | 'description_localizations'

/** The fields of value options besides their texts and `required`. */
type DetailField = Exclude<keyof OptionBody, 'type' | 'options' | 'required' | TextField>

interface Detail {
  readonly values: Arbitrary<unknown>
  /** Whether options of the type have the field. */
  readonly isFor: unknown
  /** The field that is drawn with it: each of the two may be absent. */
  readonly pair?: DetailField
}

/** The details of a type of options: the compiler reports a field without a generator. */
function detailsOf(type: number, style: Style): Readonly<Record<DetailField, Detail>> {
  const { choices, channelTypes, fileTypes, range, length } = optionTraits[type]!
  const otherFiles =
    style.style === 'plain' ? [] : '.pdf .TAR.gz Image .doc .csv .zip .7z .log .x .md'.split(' ')
  const kindsOfFiles = ['image', 'video', 'audio', ...otherFiles]
  const bound = number(range?.integer ?? false, style)
  return {
    choices: { isFor: choices, values: choicesOf(type, style) },
    autocomplete: { isFor: choices, values: fc.constant(true) },
    channel_types: { isFor: channelTypes, values: someOf(Object.values(ChannelType)) },
    file_types: { isFor: fileTypes, values: someOf(kindsOfFiles, FILE_TYPES_MAX) },
    min_value: { isFor: range, values: bound, pair: 'max_value' },
    max_value: { isFor: range, values: bound, pair: 'min_value' },
    min_length: { isFor: length, values: fc.integer({ min: 0, max: LENGTH_MAX }), pair: 'max_length' },
    max_length: { isFor: length, values: fc.integer({ min: 1, max: LENGTH_MAX }), pair: 'min_length' },
  }
}

/** Some of a list of values: a few, or as many as there may be. */
function someOf<T>(values: readonly T[], max = values.length): Arbitrary<readonly T[]> {
  const most = Math.min(max, values.length)
  const some = (minLength: number, maxLength: number) =>
    fc.shuffledSubarray([...values], { minLength, maxLength })
  return fc.oneof(
    { weight: 3, arbitrary: some(1, Math.min(most, 5)) },
    { weight: 1, arbitrary: some(most, most) },
  )
}

/** Any details of a value option that may stand together. */
const details = /* @__PURE__ */ madeOnce((type: number, style: Style): Arbitrary<object> => {
  const all = detailsOf(type, style)
  const kinds = (Object.keys(all) as DetailField[]).filter((field) => all[field].isFor)
  const record = (field: DetailField): Arbitrary<object> => {
    const { values, pair } = all[field]
    if (pair === undefined) return fc.record({ [field]: values })
    return fc.record({ [field]: values, [pair]: all[pair].values }, { requiredKeys: [] })
  }
  return fc.oneof(fc.constant({}), ...kinds.map(record))
})

/** Texts for the options of one list, whose names are distinct by default and in every locale. */
const texts = /* @__PURE__ */ madeOnce((count: number, style: Style) => {
  const pool = fc.uniqueArray(strictName(style), { minLength: 2 * count, maxLength: 2 * count })
  const description = text(style.description, style)
  const fields = {
    // Which of the two names of the option it is.
    name_localizations: inLocales(fc.constantFrom(0, 1), style),
    description,
    description_localizations: nullable(localizations(description, style)),
  } satisfies Readonly<Record<Exclude<TextField, 'name'>, Arbitrary<unknown>>>
  const body = fc.record(fields, { requiredKeys: ['name_localizations', 'description'] })
  const bodies = fc.tuple(...Array.from({ length: count }, () => body))
  return pool.chain((names) =>
    bodies.map((all) =>
      all.map(({ name_localizations, ...rest }, i): Pick<OptionBody, TextField> => {
        const translations = Object.entries(name_localizations).map(([locale, which]) => [
          locale,
          names[2 * i + which]!,
        ])
        return { name: names[2 * i]!, name_localizations: Object.fromEntries(translations), ...rest }
      }),
    ),
  )
})

/** A list of value options: required ones first. */
export function valueOptions(constraints: OptionConstraints = {}): Arbitrary<readonly OptionBody[]> {
  checkConstraints(constraints)
  const [usual, short] = [styleOf(constraints, false), styleOf(constraints, true)]
  return lengths(usual.maxOptions, USUAL_OPTIONS).chain((count) =>
    valuesOf(count, count > USUAL_OPTIONS ? short : usual),
  )
}

const valuesOf = /* @__PURE__ */ madeOnce((count: number, style: Style): Arbitrary<readonly OptionBody[]> => {
  const detail = fc
    .constantFrom(...valueTypes)
    .chain((type) => details(type, style).map((rest) => ({ type, ...rest })))
  return fc
    .tuple(texts(count, style), fc.integer({ min: 0, max: count }), exactly(count, detail))
    .map(([all, required, kinds]) =>
      all.map(
        (body, i) => ({ ...body, ...kinds[i]!, ...(i < required && { required: true }) }) as OptionBody,
      ),
    )
})

/** Subcommands; many subcommands have no options. */
const subcommands = /* @__PURE__ */ madeOnce(
  (count: number, style: Style): Arbitrary<readonly OptionBody[]> => {
    const values = fc
      .integer({ min: 0, max: count > 3 ? 0 : Math.min(3, style.maxOptions) })
      .chain((length) => valuesOf(length, style))
    return fc
      .tuple(texts(count, style), exactly(count, values))
      .map(([all, lists]) => all.map((body, i) => ({ ...body, type: SUB_COMMAND, options: lists[i]! })))
  },
)

/** A subcommand or a group whose list has the largest length. */
function longList(style: Style): Arbitrary<readonly OptionBody[]> {
  const { maxOptions } = style
  const one = (type: number, list: Arbitrary<readonly OptionBody[]>) =>
    fc.tuple(texts(1, style), list).map(([all, options]) => [{ ...all[0]!, type, options } as OptionBody])
  const subcommand = one(SUB_COMMAND, valuesOf(maxOptions, style))
  return fc.oneof(
    subcommand,
    one(SUB_COMMAND_GROUP, subcommand),
    one(SUB_COMMAND_GROUP, subcommands(maxOptions, style)),
  )
}

/** A list of subcommands and groups. */
export function nestedOptions(constraints: OptionConstraints = {}): Arbitrary<readonly OptionBody[]> {
  checkConstraints(constraints)
  const style = styleOf(constraints, true)
  return fc.oneof(
    { weight: 6, arbitrary: usualNested(style) },
    ...(style.maxOptions > 2 ? [{ weight: 1, arbitrary: longList(style) }] : []),
  )
}

function usualNested(style: Style): Arbitrary<readonly OptionBody[]> {
  const { maxOptions } = style
  const length = fc.integer({ min: 0, max: Math.min(2, maxOptions) })
  const group = fc.option(
    length.chain((count) => subcommands(count, style)),
    { freq: 2 },
  )
  return lengths(maxOptions, Math.min(3, maxOptions)).chain((length) => {
    const count = Math.max(1, length)
    return fc
      .tuple(subcommands(count, style), exactly(count, count > 3 ? fc.constant(null) : group))
      .map(([all, groups]) =>
        all.map((body, i) => ({
          ...body,
          ...(groups[i] && { type: SUB_COMMAND_GROUP, options: groups[i] }),
        })),
      )
  })
}
