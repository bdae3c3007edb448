/** Rules about the JSON type of a value: the same for every field, so they stand apart from the fields. */
import { described, given, quoted, type Given } from '../core/text.ts'
import { rule, warning, type Broken, type Pick } from '../core/rule.ts'
import { notNumber, numberMax, required } from '../core/wire.ts'
import { isObject } from '../core/json.ts'
import { isSnowflake, LARGEST_SNOWFLAKE } from '../core/snowflake.ts'
import { broken, isSlash, put, slash, someChoice, someOption, withOption, type Body } from './breaking.ts'
import { OptionType } from './kinds.ts'

export interface Found {
  /** In words. */
  readonly actual: string
  /** As it was given, for the wire. */
  readonly given: Given
}

/** What to tell about a value that is not what belongs there. */
export function found(value: unknown): Found {
  return { actual: described(value), given: given(value) }
}

export const present = rule({
  code: 'shape.required',
  clause: '2.1-22',
  summary: 'A field that cannot be left out is there and is not null.',
  check: (value: unknown) => value !== undefined && value !== null,
  message: ({ actual }: Found) => (actual === 'null' ? 'is null, but it has to be given' : 'is missing'),
  wire: required,
  breaks(body: Body, pick: Pick): Broken {
    if (!isSlash(body)) return broken(body, ['name'], pick(2) === 0 ? null : undefined)
    const field = pick(2) === 0 ? 'name' : 'description'
    return broken(body, [field], pick(2) === 0 ? null : undefined)
  },
})

export const string = rule({
  code: 'shape.string',
  clause: '2.1',
  summary: 'Names, descriptions and their localizations are strings.',
  check: (value: unknown) => typeof value === 'string',
  message: ({ actual }: Found) => `is ${actual}; a string belongs here`,
  wire: ({ actual }: Found) => ({
    code: 'STRING_TYPE_CONVERT',
    message: `Could not convert ${actual} to string.`,
  }),
  breaks: (body: Body) => broken(body, ['name'], 5),
})

export const integer = rule({
  code: 'shape.integer',
  clause: '2.4-12',
  summary: 'Types, handlers, contexts and lengths are whole numbers.',
  check: (value: unknown) => Number.isInteger(value),
  message: ({ actual }: Found) => `is ${actual}; a whole number belongs here`,
  wire: ({ given }: Found) => notNumber(given, 'int'),
  breaks: (body: Body, pick) =>
    withOption(body, pick, { type: OptionType.STRING, max_length: 1.5 }, 'max_length'),
})

export const number = rule({
  code: 'shape.number',
  clause: '2.4-11',
  summary: 'The bounds of a NUMBER option are finite numbers.',
  check: (value: unknown) => typeof value === 'number' && Number.isFinite(value),
  message: ({ actual }: Found) => `is ${actual}; a number belongs here`,
  wire: ({ given }: Found) => notNumber(given, 'float'),
  breaks: (body: Body, pick) =>
    withOption(body, pick, { type: OptionType.NUMBER, min_value: '1' }, 'min_value'),
})

export const boolean = rule({
  code: 'shape.boolean',
  clause: '2.1',
  summary: 'Flags are true or false.',
  check: (value: unknown) => typeof value === 'boolean',
  message: ({ actual }: Found) => `is ${actual}; true or false belongs here`,
  wire: ({ actual }: Found) => ({
    code: 'BOOLEAN_TYPE_CONVERT',
    message: `Could not convert ${actual} to boolean.`,
  }),
  breaks: (body: Body) => broken(body, ['nsfw'], 'yes'),
})

export const object = rule({
  code: 'shape.object',
  clause: '2.1',
  summary: 'Commands, options, choices, permissions and dictionaries are objects.',
  check: (value: unknown) => isObject(value),
  message: ({ actual }: Found) => `is ${actual}; an object belongs here`,
  wire: { code: 'DICT_TYPE_CONVERT', message: 'Only dictionaries may be used in a DictType' },
  breaks(body: Body, pick) {
    const { body: whole, path } =
      pick(2) === 0 ? someOption(slash(body), pick) : someChoice(slash(body), pick)
    return broken(whole, [...path, 'name_localizations'], ['de'])
  },
})

export const list = rule({
  code: 'shape.list',
  clause: '2.1',
  summary: 'Options, choices, contexts and the like are lists.',
  check: (value: unknown) => Array.isArray(value),
  message: ({ actual }: Found) => `is ${actual}; a list belongs here`,
  wire: { code: 'LIST_TYPE_CONVERT', message: 'Only iterables may be used in a ListType' },
  breaks: (body: Body) => broken(slash(body), ['options'], { 0: { type: 3 } }),
})

export const snowflake = rule({
  code: 'shape.snowflake',
  clause: '2.1-01',
  summary: 'Ids are snowflakes: decimal strings from 0 to 2^63 - 1.',
  on: 'permissions',
  check: (value: unknown) => isSnowflake(value),
  message: ({ actual }: Found) =>
    `is ${actual}; an id is a string of digits such as "1029384756", without leading zeros and below 2^63`,
  wire: ({ given }: Found) =>
    typeof given === 'string' && /^[1-9][0-9]{18,}$/.test(given)
      ? numberMax('snowflake', LARGEST_SNOWFLAKE)
      : notNumber(given, 'snowflake'),
  breaks: (body: Body) => {
    const entries = body.length > 0 ? body : [{ id: '1', type: 1, permission: true }]
    return broken(entries as Body, [0, 'id'], '12a')
  },
})

/** Clause 2.1-20: what a typing mistake in a key looks like. */
export const unknownKey = warning({
  code: 'keys.unknown',
  clause: '2.1-20',
  summary: 'Keys the service does not know are ignored.',
  check: (known: ReadonlySet<string>, key: string) => known.has(key),
  message: ({ key, suggestion }: { key: string; suggestion: string | null }) =>
    suggestion === null
      ? `${quoted(key)} is no field of this and is ignored`
      : `${quoted(key)} is no field of this and is ignored; did you mean "${suggestion}"?`,
  breaks: (body: Body) => broken(body, ['defaultMemberPermissions'], '8'),
})

/** Clause 2.1-22. */
export const nullable = warning({
  code: 'shape.null',
  clause: '2.1-22',
  summary: 'Fields the specification does not mark as nullable are left out rather than set to null.',
  check: (value: unknown) => value !== null,
  message: () =>
    'is null, which counts as not given; the specification does not allow null here, so leave it out',
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
