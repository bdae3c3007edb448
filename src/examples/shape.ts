/** How to break the rules about the JSON types of values. */
import type { shapeRules, snowflake } from '../command/shape.ts'
import { OptionType } from '../command/types.ts'
import {
  broken,
  field,
  fieldOf,
  oneOf,
  option,
  put,
  slash,
  someChoice,
  someOption,
  type Body,
  type BreaksOf,
} from './breaking.ts'

/** How to break those of a command. */
export const shapeExamples: Omit<BreaksOf<typeof shapeRules>, (typeof snowflake)['code']> = {
  'shape.required'(body: Body, pick) {
    const name = slash(body) === body && pick(2) === 1 ? 'description' : 'name'
    return broken(body, [name], pick(2) === 0 ? null : undefined)
  },
  'shape.string': field('name', 5),
  'shape.integer': option({ type: OptionType.STRING, max_length: 1.5 }, 'max_length'),
  'shape.number': option({ type: OptionType.NUMBER, min_value: '1' }, 'min_value'),
  'shape.boolean': field('nsfw', 'yes'),
  'shape.object': oneOf([someOption, someChoice], (place) => (body: Body, pick) => {
    const { body: whole, path } = place(body, pick)
    return broken(whole, [...path, 'name_localizations'], ['de'])
  }),
  'shape.list': fieldOf(slash, 'options', { 0: { type: 3 } }),
  'keys.unknown': field('defaultMemberPermissions', '8'),
  'shape.null': (body: Body) => broken(put(body, ['nsfw'], undefined), ['nsfw'], null),
}

/** How to break that of an id. */
export const snowflakeExamples: BreaksOf<readonly [typeof snowflake]> = {
  'shape.snowflake': (entries: Body) =>
    broken(entries.length > 0 ? entries : [{ id: '1', type: 1, permission: true }], [0, 'id'], '12a'),
}
