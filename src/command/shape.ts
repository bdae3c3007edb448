/** Rules about the JSON type of a value, the same for every field. */
import { removeValue, renameToSuggestion } from '../core/fixes.ts'
import { describeValue, given, quoted, type Given } from '../core/text.ts'
import { NO_PARAMS, rule, warning, type Broken, type Pick, type TypeRule } from '../core/rule.ts'
import { nearest } from '../core/nearest.ts'
import { notNumber, numberMax, required } from '../core/wire.ts'
import { isObject, type JsonObject } from '../core/json.ts'
import { UnknownKey, type UnknownKeyParams } from '../core/unknown-key.ts'
import { isSnowflake, LARGEST_SNOWFLAKE } from '../core/snowflake.ts'
import { broken, isSlash, put, slash, someChoice, someOption, withOption, type Body } from './breaking.ts'
import { OptionType } from './types.ts'

export interface Found {
  /** In words. */
  readonly actual: string
  /** The value itself, shortened, for the wire. */
  readonly given: Given
}

/** Describes a value that is not what was expected. */
export function found(value: unknown): Found {
  return { actual: describeValue(value), given: given(value) }
}

/** What rules about the items of a list share when each may be given once. */
export const distinctItems = {
  check: (list: readonly unknown[], index: number) =>
    list.indexOf(list[index]) === index ? undefined : { value: given(list[index]) },
  message: ({ value }: { value: Given }) => `is ${String(value)} a second time`,
  fix: removeValue,
}

export const present = rule({
  code: 'shape.required',
  clause: '2.1-22',
  summary: 'A required field is present and is not null.',
  check: (value: unknown) => (value === undefined || value === null ? found(value) : undefined),
  message: ({ actual }: Found) => (actual === 'null' ? 'is null, but it is required' : 'is missing'),
  wire: required,
  breaks(body: Body, pick: Pick): Broken {
    const field = isSlash(body) && pick(2) === 1 ? 'description' : 'name'
    return broken(body, [field], pick(2) === 0 ? null : undefined)
  },
})

export const string: TypeRule<string, 'shape.string'> = rule({
  code: 'shape.string',
  clause: '2.1-24',
  summary: 'Names, descriptions and their localizations are strings.',
  check: (value: unknown) => (typeof value === 'string' ? undefined : found(value)),
  message: ({ actual }: Found) => `is ${actual}; expected a string`,
  wire: ({ actual }: Found) => ({
    code: 'STRING_TYPE_CONVERT',
    message: `Could not convert ${actual} to string.`,
  }),
  breaks: (body: Body) => broken(body, ['name'], 5),
})

export const integer: TypeRule<number, 'shape.integer'> = rule({
  code: 'shape.integer',
  clause: '2.4-12',
  summary: 'Types, handlers, contexts and lengths are whole numbers.',
  check: (value: unknown) => (Number.isInteger(value) ? undefined : found(value)),
  message: ({ actual }: Found) => `is ${actual}; expected a whole number`,
  wire: ({ given }: Found) => notNumber(given, 'int'),
  breaks: (body: Body, pick) =>
    withOption(body, pick, { type: OptionType.STRING, max_length: 1.5 }, 'max_length'),
})

export const number: TypeRule<number, 'shape.number'> = rule({
  code: 'shape.number',
  clause: '2.4-11',
  summary: 'The bounds of a NUMBER option are finite numbers.',
  check: (value: unknown) => (typeof value === 'number' && Number.isFinite(value) ? undefined : found(value)),
  message: ({ actual }: Found) => `is ${actual}; expected a number`,
  wire: ({ given }: Found) => notNumber(given, 'float'),
  breaks: (body: Body, pick) =>
    withOption(body, pick, { type: OptionType.NUMBER, min_value: '1' }, 'min_value'),
})

export const boolean: TypeRule<boolean, 'shape.boolean'> = rule({
  code: 'shape.boolean',
  clause: '2.1-24',
  summary: 'Flags are true or false.',
  check: (value: unknown) => (typeof value === 'boolean' ? undefined : found(value)),
  message: ({ actual }: Found) => `is ${actual}; expected true or false`,
  wire: ({ actual }: Found) => ({
    code: 'BOOLEAN_TYPE_CONVERT',
    message: `Could not convert ${actual} to boolean.`,
  }),
  breaks: (body: Body) => broken(body, ['nsfw'], 'yes'),
})

export const object: TypeRule<JsonObject, 'shape.object'> = rule({
  code: 'shape.object',
  clause: '2.1-24',
  summary: 'Commands, options, choices, permissions and dictionaries are objects.',
  check: (value: unknown) => (isObject(value) ? undefined : found(value)),
  message: ({ actual }: Found) => `is ${actual}; expected an object`,
  wire: { code: 'DICT_TYPE_CONVERT', message: 'Only dictionaries may be used in a DictType' },
  breaks(body: Body, pick) {
    const { body: whole, path } =
      pick(2) === 0 ? someOption(slash(body), pick) : someChoice(slash(body), pick)
    return broken(whole, [...path, 'name_localizations'], ['de'])
  },
})

export const list: TypeRule<readonly unknown[], 'shape.list'> = rule({
  code: 'shape.list',
  clause: '2.1-24',
  summary: 'Options, choices, contexts and the like are lists.',
  check: (value: unknown) => (Array.isArray(value) ? undefined : found(value)),
  message: ({ actual }: Found) => `is ${actual}; expected a list`,
  wire: { code: 'LIST_TYPE_CONVERT', message: 'Only iterables may be used in a ListType' },
  breaks: (body: Body) => broken(slash(body), ['options'], { 0: { type: 3 } }),
})

export const snowflake: TypeRule<string, 'shape.snowflake'> = rule({
  code: 'shape.snowflake',
  clause: '2.1-01',
  summary: 'Ids are snowflakes: decimal strings from 0 to 2^63 - 1.',
  on: 'permissions',
  check: (value: unknown) => (isSnowflake(value) ? undefined : found(value)),
  message: ({ actual }: Found) =>
    `is ${actual}; expected an id: a string of digits such as "1029384756", without leading zeros and below 2^63`,
  wire: ({ given }: Found) =>
    typeof given === 'string' && /^[1-9][0-9]{18,}$/.test(given)
      ? numberMax('snowflake', LARGEST_SNOWFLAKE)
      : notNumber(given, 'snowflake'),
  breaks: (body: Body) => {
    const entries = body.length > 0 ? body : [{ id: '1', type: 1, permission: true }]
    return broken(entries as Body, [0, 'id'], '12a')
  },
})

/** Mostly a typing mistake. */
export const unknownKey = warning({
  code: 'keys.unknown',
  clause: '2.1-20',
  summary: 'Unknown keys are ignored.',
  check: (key: string, fields: object): UnknownKeyParams | undefined =>
    Object.hasOwn(fields, key) ? undefined : new UnknownKey(key, () => meantField(key, fields)),
  message: ({ key, suggestion }: UnknownKeyParams) =>
    suggestion === null
      ? `${quoted(key)} is not a known field and is ignored`
      : `${quoted(key)} is not a known field and is ignored; did you mean "${suggestion}"?`,
  fix: renameToSuggestion,
  breaks: (body: Body) => broken(body, ['defaultMemberPermissions'], '8'),
})

function meantField(key: string, fields: object): string | null {
  const wireName = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  if (Object.hasOwn(fields, wireName)) return wireName
  // Every short word is close to some other. Typing mistakes keep the first letter, and thousands of keys cost little.
  if (key.length <= 4) return null
  const alike = Object.keys(fields).filter((field) => field[0] === wireName[0])
  return nearest(wireName, alike) ?? null
}

export const nullable = warning({
  code: 'shape.null',
  clause: '2.1-22',
  summary: 'Fields that cannot be null are left out instead.',
  check: (value: unknown) => (value === null ? NO_PARAMS : undefined),
  message: () => 'is null, which counts as absent; leave it out',
  breaks: (body: Body) => broken(put(body, ['nsfw'], undefined), ['nsfw'], null),
})

export const shapeRules = [
  present,
  string,
  integer,
  number,
  boolean,
  object,
  list,
  snowflake,
  unknownKey,
  nullable,
] as const
