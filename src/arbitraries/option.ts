/** Options and choices as authors write them: valid ones, with the keys they need and some they may leave out. */
import fc, { type Arbitrary } from 'fast-check'
import { CHOICE_NAME_MAX, CHOICE_VALUE_MAX } from '../command/choice.ts'
import { DESCRIPTION_MAX } from '../command/description.ts'
import { admits, ChannelType, integerRange, numberRange, OptionType } from '../command/kinds.ts'
import { LENGTH_MAX } from '../command/option.ts'
import { localizations, strictName, text } from './text.ts'

/** An option, choice or command as a body has it. */
export type Body = { readonly [key: string]: unknown }

const { SUB_COMMAND, SUB_COMMAND_GROUP } = OptionType
const valueTypes = Object.values(OptionType).filter((type) => admits[type]!.value)

/** How long the texts may be; lists of lists take shorter ones, to stay within the size of a command. */
export interface TextLengths {
  readonly description: number
  readonly choice: number
}

const full: TextLengths = { description: DESCRIPTION_MAX, choice: CHOICE_NAME_MAX }
const short: TextLengths = { description: 30, choice: 20 }

function number(integer: boolean): Arbitrary<number> {
  const range = integer ? integerRange : numberRange
  return integer
    ? fc.oneof(fc.integer(), fc.constantFrom(0, range.min, range.max))
    : fc.oneof(
        fc.double({ min: range.min, max: range.max, noNaN: true }),
        fc.constantFrom(0, range.min, range.max),
      )
}

/** A choice for an option of a type that has choices. */
export function choice(type: number, lengths: TextLengths = full): Arbitrary<Body> {
  const range = admits[type]?.range
  const value = range ? number(range.integer) : text(Math.min(lengths.choice, CHOICE_VALUE_MAX))
  const name = text(lengths.choice)
  return fc.record(
    { name, value: value as Arbitrary<unknown>, name_localizations: nullable(localizations(name)) },
    { requiredKeys: ['name', 'value'] },
  )
}

function nullable<T>(of: Arbitrary<T>): Arbitrary<T | null> {
  return fc.option(of, { nil: null, freq: 6 })
}

/** The keys a value option has beside its texts and `required`. */
function details(type: number, lengths: TextLengths): Arbitrary<Body> {
  const row = admits[type]!
  const choices = fc.array(choice(type, lengths), { minLength: 1, maxLength: 3 })
  const kinds: Arbitrary<Body>[] = [fc.constant({})]
  if (row.choices)
    kinds.push(
      choices.map((list) => ({ choices: list })),
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
        { min_value: number(row.range.integer), max_value: number(row.range.integer) },
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
  readonly name_localizations: Body
}

/** Names for the options of one list: all different, by default and in every locale. */
function names(count: number): Arbitrary<readonly Names[]> {
  return fc.uniqueArray(strictName(), { minLength: 2 * count, maxLength: 2 * count }).chain((pool) =>
    fc.tuple(
      ...Array.from({ length: count }, (_, i) =>
        localizations(fc.constantFrom(pool[2 * i]!, pool[2 * i + 1]!)).map((name_localizations): Names => ({
          name: pool[2 * i]!,
          name_localizations,
        })),
      ),
    ),
  )
}

/** The texts of `count` options of one list. */
function named(count: number, lengths: TextLengths): Arbitrary<readonly Body[]> {
  const description = text(lengths.description)
  const texts = fc.array(
    fc.record(
      { description, description_localizations: nullable(localizations(description)) },
      { requiredKeys: ['description'] },
    ),
    { minLength: count, maxLength: count },
  )
  return fc
    .tuple(names(count), texts)
    .map(([all, described]) => all.map((name, i) => ({ ...name, ...described[i]! })))
}

/** A list of value options: required ones first. */
export function valueOptions(maxLength = 5, lengths: TextLengths = full): Arbitrary<readonly Body[]> {
  return fc.integer({ min: 0, max: maxLength }).chain((count) =>
    fc
      .tuple(
        named(count, lengths),
        fc.integer({ min: 0, max: count }),
        fc.array(
          fc
            .constantFrom(...valueTypes)
            .chain((type) => details(type, lengths).map((rest) => ({ type, ...rest }))),
          {
            minLength: count,
            maxLength: count,
          },
        ),
      )
      .map(([all, required, kinds]) =>
        all.map((body, i) => ({ ...body, ...kinds[i]!, ...(i < required ? { required: true } : undefined) })),
      ),
  )
}

function subcommands(minLength: number, maxLength: number): Arbitrary<readonly Body[]> {
  return fc
    .integer({ min: minLength, max: maxLength })
    .chain((count) =>
      fc
        .tuple(named(count, short), fc.array(valueOptions(3, short), { minLength: count, maxLength: count }))
        .map(([all, lists]) => all.map((body, i) => ({ type: SUB_COMMAND, ...body, options: lists[i]! }))),
    )
}

/** A list of subcommands and groups. */
export function nestedOptions(): Arbitrary<readonly Body[]> {
  return fc
    .integer({ min: 1, max: 3 })
    .chain((count) =>
      fc
        .tuple(
          subcommands(count, count),
          fc.array(fc.option(subcommands(0, 2), { freq: 2 }), { minLength: count, maxLength: count }),
        )
        .map(([all, groups]) =>
          all.map((body, i) =>
            groups[i] === null ? body : { ...body, type: SUB_COMMAND_GROUP, options: groups[i]! },
          ),
        ),
    )
}
