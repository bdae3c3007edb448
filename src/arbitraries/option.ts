/** Generators of valid options and choices, with required and optional fields. */
import fc, { type Arbitrary } from 'fast-check'
import type { ChoiceBody, OptionBody } from '../command/definition.ts'
import { CHOICE_NAME_MAX, CHOICE_VALUE_MAX } from '../command/choice-rules.ts'
import { DESCRIPTION_MAX } from '../command/command-rules.ts'
import { admits, ChannelType, integerRange, numberRange, OptionType } from '../command/types.ts'
import { LENGTH_MAX } from '../command/option-rules.ts'
import { lengths, localizations, strictName, text, type LocalizedConstraints } from './text.ts'

/** The number of generated options and choices, and their texts. */
export interface OptionConstraints extends LocalizedConstraints {
  /** For each list, 0 to 25, the limit; many generated lists have this length. Default 5. */
  readonly maxOptions?: number
  /** For each option, 0 to 25, the limit; many generated lists have this length. Default 3. */
  readonly maxChoices?: number
}

/** Settings of nested generators: longer lists have shorter texts, to stay within the size of a command. */
interface Style extends LocalizedConstraints {
  readonly maxChoices: number
  readonly description: number
  readonly choice: number
}

type Part = { readonly [key: string]: unknown }
type Texts = Pick<OptionBody, 'name' | 'description'>

const USUAL_OPTIONS = 5
const USUAL_CHOICES = 3
const { SUB_COMMAND, SUB_COMMAND_GROUP } = OptionType
const valueTypes = Object.values(OptionType).filter((type) => admits[type]!.value)

function styleOf({ maxChoices = USUAL_CHOICES, ...rest }: OptionConstraints, isShort: boolean): Style {
  return isShort
    ? { ...rest, maxChoices: Math.min(maxChoices, USUAL_CHOICES), description: 30, choice: 20 }
    : { ...rest, maxChoices, description: DESCRIPTION_MAX, choice: CHOICE_NAME_MAX }
}

function number(integer: boolean, { style }: LocalizedConstraints): Arbitrary<number> {
  const range = integer ? integerRange : numberRange
  if (style === 'plain') return fc.integer({ min: 0, max: 100 })
  return integer
    ? fc.oneof(fc.integer(), fc.constantFrom(0, range.min, range.max))
    : fc.oneof(
        fc.double({ min: range.min, max: range.max, noNaN: true }),
        fc.constantFrom(0, range.min, range.max),
      )
}

/** A choice for an option of a type that has choices. */
export function choice(type: number, constraints: LocalizedConstraints = {}): Arbitrary<ChoiceBody> {
  return choiceOf(type, styleOf(constraints, false))
}

function choiceOf(type: number, style: Style): Arbitrary<ChoiceBody> {
  const range = admits[type]?.range
  const value = range ? number(range.integer, style) : text(Math.min(style.choice, CHOICE_VALUE_MAX), style)
  const name = text(style.choice, style)
  return fc.record(
    {
      name,
      value: value as Arbitrary<string | number>,
      name_localizations: nullable(localizations(name, style)),
    },
    { requiredKeys: ['name', 'value'] },
  )
}

/** Choices; many choices have short texts. */
function choicesOf(type: number, style: Style): Arbitrary<readonly ChoiceBody[]> {
  return lengths(style.maxChoices, USUAL_CHOICES, 2).chain((length) => {
    const short = length > USUAL_CHOICES ? { ...style, choice: 20 } : style
    return fc.array(choiceOf(type, short), { minLength: length, maxLength: length })
  })
}

function nullable<T>(of: Arbitrary<T>): Arbitrary<T | null> {
  return fc.option(of, { nil: null, freq: 6 })
}

/** The fields of a value option besides its texts and `required`. */
function details(type: number, style: Style): Arbitrary<Part> {
  const row = admits[type]!
  const kinds: Arbitrary<Part>[] = [fc.constant({})]
  if (row.choices)
    kinds.push(
      choicesOf(type, style).map((choices) => ({ choices })),
      fc.constant({ autocomplete: true }),
    )
  if (row.channelTypes) {
    const types = fc.uniqueArray(fc.constantFrom(...Object.values(ChannelType)), {
      minLength: 1,
      maxLength: 5,
    })
    kinds.push(types.map((list) => ({ channel_types: list })))
  }
  if (row.range) {
    kinds.push(
      fc.record(
        { min_value: number(row.range.integer, style), max_value: number(row.range.integer, style) },
        { requiredKeys: [] },
      ),
    )
  }
  if (row.length) {
    kinds.push(
      fc.record(
        {
          min_length: fc.integer({ min: 0, max: LENGTH_MAX }),
          max_length: fc.integer({ min: 1, max: LENGTH_MAX }),
        },
        { requiredKeys: [] },
      ),
    )
  }
  return fc.oneof(...kinds)
}

interface Names {
  readonly name: string
  readonly name_localizations: Part
}

/** Names for the options of one list, distinct by default and in every locale. */
function names(count: number, style: Style): Arbitrary<readonly Names[]> {
  return fc.uniqueArray(strictName(style), { minLength: 2 * count, maxLength: 2 * count }).chain((pool) =>
    fc.tuple(
      ...Array.from({ length: count }, (_, i) =>
        localizations(fc.constantFrom(pool[2 * i]!, pool[2 * i + 1]!), style).map(
          (name_localizations): Names => ({
            name: pool[2 * i]!,
            name_localizations,
          }),
        ),
      ),
    ),
  )
}

/** The texts of `count` options of one list. */
function named(count: number, style: Style): Arbitrary<readonly Texts[]> {
  const description = text(style.description, style)
  const texts = fc.array(
    fc.record(
      { description, description_localizations: nullable(localizations(description, style)) },
      { requiredKeys: ['description'] },
    ),
    { minLength: count, maxLength: count },
  )
  return fc
    .tuple(names(count, style), texts)
    .map(([all, described]) => all.map((name, i) => ({ ...name, ...described[i]! })))
}

/** A list of value options: required ones first. */
export function valueOptions(constraints: OptionConstraints = {}): Arbitrary<readonly OptionBody[]> {
  return lengths(constraints.maxOptions ?? USUAL_OPTIONS, USUAL_OPTIONS).chain((count) =>
    valuesOf(count, styleOf(constraints, count > USUAL_OPTIONS)),
  )
}

function valuesOf(count: number, style: Style): Arbitrary<readonly OptionBody[]> {
  const detail = fc
    .constantFrom(...valueTypes)
    .chain((type) => details(type, style).map((rest) => ({ type, ...rest })))
  return fc
    .tuple(
      named(count, style),
      fc.integer({ min: 0, max: count }),
      fc.array(detail, { minLength: count, maxLength: count }),
    )
    .map(([all, required, kinds]) =>
      all.map((body, i) => ({ ...body, ...kinds[i]!, ...(i < required ? { required: true } : undefined) })),
    ) as Arbitrary<readonly OptionBody[]>
}

/** Subcommands; many subcommands have no options. */
function subcommands(count: number, style: Style): Arbitrary<readonly OptionBody[]> {
  const values = fc.integer({ min: 0, max: count > 3 ? 0 : 3 }).chain((length) => valuesOf(length, style))
  return fc
    .tuple(named(count, style), fc.array(values, { minLength: count, maxLength: count }))
    .map(([all, lists]) =>
      all.map((body, i) => ({ type: SUB_COMMAND, ...body, options: lists[i]! })),
    ) as Arbitrary<readonly OptionBody[]>
}

/** A list of subcommands and groups. */
export function nestedOptions(constraints: OptionConstraints = {}): Arbitrary<readonly OptionBody[]> {
  const { maxOptions = USUAL_OPTIONS } = constraints
  const style = styleOf(constraints, true)
  const group = fc.option(
    fc.integer({ min: 0, max: Math.min(2, maxOptions) }).chain((count) => subcommands(count, style)),
    { freq: 2 },
  )
  return lengths(maxOptions, Math.min(3, maxOptions)).chain((length) => {
    const count = Math.max(1, length)
    const groups = count > 3 ? fc.constant(null) : group
    return fc
      .tuple(subcommands(count, style), fc.array(groups, { minLength: count, maxLength: count }))
      .map(([all, lists]) =>
        all.map((body, i) =>
          lists[i] === null ? body : { ...body, type: SUB_COMMAND_GROUP, options: lists[i]! },
        ),
      )
  })
}
