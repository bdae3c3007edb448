/** Rules about the JSON type of a value, the same for every field. */
import { isObject, type JsonObject } from '../json.ts'
import { didYouMean, nearest } from '../nearest.ts'
import { form, found, renameToSuggestion, type UnknownKeyParams } from './rule-kinds.ts'
import { NO_PARAMS, rule, warning, type TypeRule } from './rule.ts'
import { isSnowflake, LARGEST_SNOWFLAKE } from '../snowflake.ts'
import { DISCORD_AS_OF } from '../platform-day.ts'
import { quoted } from '../text.ts'
import { notConvertible, notModel, notNumber, notNumberOf, numberMax, isRequired } from './wire-errors.ts'

export const present = rule({
  code: 'shape.required',
  clause: '2.1-22',
  summary: 'A required field is present and is not null.',
  check: (value: unknown) => (value === undefined || value === null ? found(value) : undefined),
  about: 'value',
  message: ({ actual }) => (actual === 'null' ? 'is null, but it is required' : 'is missing'),
  wire: isRequired,
})

export const string: TypeRule<string, 'shape.string'> = rule({
  code: 'shape.string',
  clause: '2.1-24',
  summary: 'Names, descriptions and their localizations are strings.',
  ...form((value) => typeof value === 'string', 'expected a string'),
  wire: notConvertible('string'),
})

export const integer: TypeRule<number, 'shape.integer'> = rule({
  code: 'shape.integer',
  clause: '2.4-12',
  summary: 'Types, handlers, contexts and lengths are whole numbers.',
  ...form(Number.isInteger, 'expected a whole number'),
  wire: notNumberOf('int'),
})

export const number: TypeRule<number, 'shape.number'> = rule({
  code: 'shape.number',
  clause: '2.4-11',
  summary: 'The bounds of a NUMBER option are finite numbers.',
  ...form(Number.isFinite, 'expected a number'),
  wire: notNumberOf('float'),
})

export const boolean: TypeRule<boolean, 'shape.boolean'> = rule({
  code: 'shape.boolean',
  clause: '2.1-24',
  summary: 'Flags are true or false.',
  ...form((value) => typeof value === 'boolean', 'expected true or false'),
  wire: notConvertible('boolean'),
})

export const object: TypeRule<JsonObject, 'shape.object'> = rule({
  code: 'shape.object',
  clause: '2.1-24',
  summary: 'Commands, options, choices and permissions are objects.',
  ...form(isObject, 'expected an object'),
  wire: notModel,
})

export const dictionary: TypeRule<JsonObject, 'shape.dictionary'> = rule({
  code: 'shape.dictionary',
  clause: '2.1-24',
  summary: 'Dictionaries of translations are objects.',
  ...form(isObject, 'expected an object'),
  wire: { code: 'DICT_TYPE_CONVERT', message: 'Only dictionaries may be used in a DictType' },
})

export const list: TypeRule<readonly unknown[], 'shape.list'> = rule({
  code: 'shape.list',
  clause: '2.1-24',
  summary: 'Options, choices, contexts and the like are lists.',
  ...form(Array.isArray, 'expected a list'),
  wire: { code: 'LIST_TYPE_CONVERT', message: 'Only iterables may be used in a ListType' },
})

export const snowflake: TypeRule<string, 'shape.snowflake'> = rule({
  code: 'shape.snowflake',
  clause: '2.1-01',
  summary: 'Ids are snowflakes: decimal strings from 0 to 2^63 - 1.',
  ...form(
    isSnowflake,
    'expected an id: a string of digits such as "1029384756", without leading zeros and below 2^63',
  ),
  wire: ({ given }) =>
    typeof given === 'string' && /^[1-9][0-9]{18,}$/.test(given)
      ? numberMax('snowflake', LARGEST_SNOWFLAKE)
      : notNumber(given, 'snowflake'),
})

/** Mostly a typing mistake. */
export const unknownKey = warning({
  code: 'keys.unknown',
  clause: '2.1-20',
  summary: 'Keys that are not known as of the day of this library are ignored.',
  check: (key: string, known: Keys): UnknownKeyParams | undefined =>
    known.has(key) ? undefined : { key, suggestion: meantField(key, known) },
  about: 'key',
  message: ({ key, suggestion }) =>
    `${quoted(key)} is not known as of ${DISCORD_AS_OF} and is ignored; ` +
    (suggestion === null
      ? 'a field of your own code may stay; for a newer field of Discord, update commandry'
      : didYouMean(quoted(suggestion))),
  fix: renameToSuggestion,
})

type Keys = ReadonlySet<string> | ReadonlyMap<string, unknown>

function meantField(key: string, known: Keys): string | null {
  const wireName = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  if (known.has(wireName)) return wireName
  // Every short word is close to some other. Typing mistakes keep the first letter, and thousands of keys cost little.
  if (key.length <= 4) return null
  const alike = [...known.keys()].filter((field) => field[0] === wireName[0])
  return nearest(wireName, alike) ?? null
}

export const nullable = warning({
  code: 'shape.null',
  clause: '2.1-22',
  summary: 'Fields that cannot be null are left out instead.',
  check: (_: null) => NO_PARAMS,
  about: 'value',
  message: () => 'is null, which counts as absent; leave it out',
})

export const shapeRules = [
  present,
  string,
  integer,
  number,
  boolean,
  object,
  dictionary,
  list,
  snowflake,
  unknownKey,
  nullable,
] as const
