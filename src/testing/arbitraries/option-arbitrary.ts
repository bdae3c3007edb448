/** Generators of valid options and choices, with required and optional fields. */
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
import { LENGTH_MAX } from '../../commands/definition/rules/option-rules.ts'
import {
  exactly,
  lengths,
  localizations,
  strictName,
  text,
  type LocalizedConstraints,
} from './text-arbitrary.ts'

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

const USUAL_OPTIONS = 5
const USUAL_CHOICES = 3
const { SUB_COMMAND, SUB_COMMAND_GROUP } = OptionType
const valueTypes = Object.values(OptionType).filter((type) => optionTraits[type]!.value)

function styleOf({ maxChoices = USUAL_CHOICES, ...rest }: OptionConstraints, isShort: boolean): Style {
  return isShort
    ? { ...rest, maxChoices: Math.min(maxChoices, USUAL_CHOICES), description: 30, choice: 20 }
    : { ...rest, maxChoices, description: DESCRIPTION_MAX, choice: CHOICE_NAME_MAX }
}

function number(integer: boolean, { style }: LocalizedConstraints): Arbitrary<number> {
  const { min, max } = integer ? integerRange : numberRange
  if (style === 'plain') return fc.integer({ min: 0, max: 100 })
  return fc.oneof(integer ? fc.integer() : fc.double({ min, max, noNaN: true }), fc.constantFrom(0, min, max))
}

/** A choice for an option of a type that has choices. */
export function choice(type: number, constraints: LocalizedConstraints = {}): Arbitrary<ChoiceBody> {
  return choiceOf(type, styleOf(constraints, false))
}

function choiceOf(type: number, style: Style): Arbitrary<ChoiceBody> {
  const range = optionTraits[type]?.range
  const name = text(style.choice, style)
  const value: Arbitrary<string | number> = range
    ? number(range.integer, style)
    : text(Math.min(style.choice, CHOICE_VALUE_MAX), style)
  const fields = { name, value, name_localizations: nullable(localizations(name, style)) }
  return fc.record(fields, { requiredKeys: ['name', 'value'] })
}

/** Choices; many choices have short texts. */
function choicesOf(type: number, style: Style): Arbitrary<readonly ChoiceBody[]> {
  return lengths(style.maxChoices, USUAL_CHOICES, 2).chain((length) =>
    exactly(length, choiceOf(type, length > USUAL_CHOICES ? { ...style, choice: 20 } : style)),
  )
}

function nullable<T>(of: Arbitrary<T>): Arbitrary<T | null> {
  return fc.option(of, { nil: null, freq: 6 })
}

/** The fields of a value option besides its texts and `required`. */
function details(type: number, style: Style): Arbitrary<object> {
  const { choices, channelTypes, fileTypes, range, length } = optionTraits[type]!
  const some = <T>(fields: { readonly [Name in keyof T]: Arbitrary<T[Name]> }) =>
    fc.record(fields, { requiredKeys: [] })
  const kinds: Arbitrary<object>[] = [fc.constant({})]
  if (choices) {
    kinds.push(fc.record({ choices: choicesOf(type, style) }), fc.constant({ autocomplete: true }))
  }
  if (channelTypes) {
    const channelType = fc.constantFrom(...Object.values(ChannelType))
    kinds.push(fc.record({ channel_types: fc.uniqueArray(channelType, { minLength: 1, maxLength: 5 }) }))
  }
  if (fileTypes) {
    const others = style.style === 'plain' ? [] : ['.pdf', '.TAR.gz', 'Image']
    const fileType = fc.constantFrom('image', 'video', 'audio', ...others)
    kinds.push(fc.record({ file_types: fc.uniqueArray(fileType, { minLength: 1, maxLength: 5 }) }))
  }
  if (range) {
    const bound = number(range.integer, style)
    kinds.push(some({ min_value: bound, max_value: bound }))
  }
  if (length) {
    const max_length = fc.integer({ min: 1, max: LENGTH_MAX })
    kinds.push(some({ min_length: fc.integer({ min: 0, max: LENGTH_MAX }), max_length }))
  }
  return fc.oneof(...kinds)
}

/** Texts for the options of one list, whose names are distinct by default and in every locale. */
function texts(count: number, style: Style): Arbitrary<readonly Pick<OptionBody, 'name' | 'description'>[]> {
  const pool = fc.uniqueArray(strictName(style), { minLength: 2 * count, maxLength: 2 * count })
  const description = text(style.description, style)
  const description_localizations = nullable(localizations(description, style))
  const requiredKeys = ['name', 'name_localizations', 'description'] as const
  return pool.chain((names) =>
    fc.tuple(
      ...Array.from({ length: count }, (_, i) => {
        const [name, other] = names.slice(2 * i) as [string, string]
        const name_localizations = localizations(fc.constantFrom(name, other), style)
        const fields = { name: fc.constant(name), name_localizations, description, description_localizations }
        return fc.record(fields, { requiredKeys: [...requiredKeys] })
      }),
    ),
  )
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
    .tuple(texts(count, style), fc.integer({ min: 0, max: count }), exactly(count, detail))
    .map(([all, required, kinds]) =>
      all.map(
        (body, i) => ({ ...body, ...kinds[i]!, ...(i < required && { required: true }) }) as OptionBody,
      ),
    )
}

/** Subcommands; many subcommands have no options. */
function subcommands(count: number, maxOptions: number, style: Style): Arbitrary<readonly OptionBody[]> {
  const values = fc
    .integer({ min: 0, max: count > 3 ? 0 : Math.min(3, maxOptions) })
    .chain((length) => valuesOf(length, style))
  return fc
    .tuple(texts(count, style), exactly(count, values))
    .map(([all, lists]) => all.map((body, i) => ({ ...body, type: SUB_COMMAND, options: lists[i]! })))
}

/** A list of subcommands and groups. */
export function nestedOptions(constraints: OptionConstraints = {}): Arbitrary<readonly OptionBody[]> {
  const { maxOptions = USUAL_OPTIONS } = constraints
  const style = styleOf(constraints, true)
  const length = fc.integer({ min: 0, max: Math.min(2, maxOptions) })
  const group = fc.option(
    length.chain((count) => subcommands(count, maxOptions, style)),
    { freq: 2 },
  )
  return lengths(maxOptions, Math.min(3, maxOptions)).chain((length) => {
    const count = Math.max(1, length)
    return fc
      .tuple(subcommands(count, maxOptions, style), exactly(count, count > 3 ? fc.constant(null) : group))
      .map(([all, groups]) =>
        all.map((body, i) => ({
          ...body,
          ...(groups[i] && { type: SUB_COMMAND_GROUP, options: groups[i] }),
        })),
      )
  })
}
