import { describe, expect, it } from 'vitest'
import { OptionType, validateCommand, type CommandOption } from 'commandry'
import { option, several, slash } from '../../../support/bodies.ts'
import { accepted, advice, reasons, refused, warned } from '../../../support/found.ts'

const { SUB_COMMAND, SUB_COMMAND_GROUP, STRING, INTEGER, NUMBER, CHANNEL } = OptionType
const types = several(11, (i) => i + 1)
const typeNames = Object.keys(OptionType)

const texts = { name_localizations: null, description_localizations: null }
const found = (type: unknown, fields: object = {}) =>
  validateCommand(slash({ options: [option(type, fields)] }))
const read = (type: unknown, fields: object = {}): CommandOption => accepted(found(type, fields)).options![0]!

describe('the type of an option', () => {
  it.each(types)('[2.4-01] accepts %i', (type) => {
    expect(read(type).type).toBe(type)
  })

  it.each([0, 12, -1, 1.5, Number.NaN, '3', 'length', 'map', '__proto__', true, false, [], [3], {}])(
    '[2.4-01] rejects %j',
    (type) => {
      expect(refused(found(type))).toEqual(['option.type options[0].type 2.4-01'])
    },
  )

  it('[2.4-01] lists the eleven types in the message', () => {
    const problem = 'option.type options[0].type 2.4-01'
    expect(reasons(found('TEXT'))).toEqual([
      `${problem}: is the string "TEXT"; the types are 1 SUB_COMMAND, 2 SUB_COMMAND_GROUP, 3 STRING, 4 INTEGER, 5 BOOLEAN, ` +
        '6 USER, 7 CHANNEL, 8 ROLE, 9 MENTIONABLE, 10 NUMBER, 11 ATTACHMENT',
    ])
    expect(reasons(found('STRING'))).toEqual([`${problem}: is the string "STRING"; write the number 3`])
  })

  it.each([undefined, null])('[2.4-01] [2.1-22] is required: %j', (type) => {
    expect(refused(found(type))).toEqual(['shape.required options[0].type 2.1-22'])
  })

  it('[2.4-01] does not prevent reading the other fields when it is unknown', () => {
    const fields = { name: 'X', description: '', required: 5, min_length: 'x', max_value: 'y' }
    expect(refused(found(99, fields))).toEqual([
      'option.type options[0].type 2.4-01',
      'name.case options[0].name 2.1-06',
      'description.length options[0].description 2.1-09',
      'shape.boolean options[0].required 2.1-24',
      'shape.integer options[0].min_length 2.4-12',
      'shape.number options[0].max_value 2.4-11',
    ])
  })
})

it.each(types)('[2.1-21] [2.4-06] a minimal option of type %i has only its texts', (type) => {
  expect(read(type)).toEqual({ ...option(type), ...texts })
})

const one = (type: number) => (type === STRING ? 'v' : 1)
const choices = (type: number) => [{ name: 'c', name_localizations: null, value: one(type) }]
const options = (type: number) => [{ ...option(type === SUB_COMMAND_GROUP ? SUB_COMMAND : STRING), ...texts }]

// The column "valid for option types" of the specification.
describe.each<[string, number[], string, string, (type: number) => unknown]>([
  ['required', types.slice(2), 'option.required', '2.4-06', () => true],
  ['choices', [3, 4, 10], 'option.choices', '2.4-08', choices],
  ['options', [1, 2], 'option.options', '2.4-09', options],
  ['channel_types', [7], 'option.channel_types', '2.4-10', () => [0, 2]],
  ['min_value', [4, 10], 'option.range', '2.4-11', () => 0],
  ['max_value', [4, 10], 'option.range', '2.4-11', () => 0],
  ['min_length', [3], 'option.length', '2.4-12', () => 0],
  ['max_length', [3], 'option.length', '2.4-12', () => 1],
  ['autocomplete', [3, 4, 10], 'option.autocomplete', '2.4-13', () => true],
])('`%s`', (field, goesWith, code, clause, value) => {
  const names = goesWith.map((type) => typeNames[type - 1])
  const all = names.join(', ').replace(/, (\w+)$/, ' and $1')

  it.each(types)(`[${clause}] on an option of type %i`, (type) => {
    const given = { [field]: value(type) }
    const result = found(type, given)
    if (goesWith.includes(type)) {
      expect(read(type, given)).toMatchObject(given)
      expect(warned(result)).toEqual(field === 'options' ? [] : warned(found(type)))
    } else {
      expect(reasons(result)).toEqual([
        `${code} options[0].${field} ${clause}: is not allowed on an option of type ${typeNames[type - 1]}, only on ${all}; leave it out`,
      ])
    }
  })

  it.each(types)('[2.1-22] reads null as absent on an option of type %i, with a warning', (type) => {
    const nothing = found(type, { [field]: null })
    expect(accepted(nothing).options?.[0]).not.toHaveProperty(field)
    expect(warned(nothing)).toContain(`shape.null options[0].${field} 2.1-22`)
    expect(refused(found(type, { [field]: undefined }))).toEqual([])
  })
})

const flags = { autocomplete: false, required: false }
const lists = { choices: [], options: [], channel_types: [] }
const defaults = { ...flags, ...lists, name_localizations: {}, description_localizations: {} }

it.each(types)(
  '[2.1-23] values equal to the default are tolerated on an option of type %i, and not stored',
  (type) => {
    const single = Object.entries(defaults).map(([field, value]) => ({ [field]: value }))
    for (const nothing of [...single, defaults]) {
      expect(read(type, nothing)).toEqual(read(type))
      expect(warned(found(type, nothing))).toEqual(warned(found(type)))
    }
  },
)

it('[2.4-06] `required` is false by default, and stored only when it is true', () => {
  expect(read(STRING, { required: true }).required).toBe(true)
  expect(read(STRING, { required: false })).not.toHaveProperty('required')
})

describe('`channel_types`', () => {
  // Including categories: an option accepts all types of channels.
  const channelTypes = [0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15, 16]

  it('[2.4-10] [2.5-03] accepts every channel type in any order and keeps the order', () => {
    for (const type of channelTypes)
      expect(read(CHANNEL, { channel_types: [type] }).channel_types).toEqual([type])
    expect(read(CHANNEL, { channel_types: channelTypes }).channel_types).toEqual(channelTypes)
    expect(read(CHANNEL, { channel_types: [5, 0, 2] }).channel_types).toEqual([5, 0, 2])
  })

  it.each([6, 9, 17, -1, 0.5, '0', null, true, {}])('[2.4-10] rejects %j', (type) => {
    expect(refused(found(CHANNEL, { channel_types: [0, type] }))).toEqual([
      'channel_types.known options[0].channel_types[1] 2.4-10',
    ])
  })

  it('[2.4-10] rejects a repeated type and names it', () => {
    const again = found(CHANNEL, { channel_types: [0, 2, 0, 2, 2] })
    expect(reasons(again)).toEqual([
      'channel_types.repeated options[0].channel_types[2] 2.4-10: is 0 a second time',
      'channel_types.repeated options[0].channel_types[3] 2.4-10: is 2 a second time',
      'channel_types.repeated options[0].channel_types[4] 2.4-10: is 2 a second time',
    ])
    // Only the first 25 items are read.
    expect(reasons(found(CHANNEL, { channel_types: Array(100).fill(0) }))).toHaveLength(24)
  })
})

describe('`min_value` and `max_value`', () => {
  const most = 2 ** 53 - 1

  describe.each(['min_value', 'max_value'] as const)('`%s`', (bound) => {
    const problems = (type: number, value: unknown) => reasons(found(type, { [bound]: value }))

    it.each([
      [INTEGER, 0],
      [INTEGER, most],
      [INTEGER, -most],
      [NUMBER, 0],
      [NUMBER, -0.25],
      [NUMBER, most + 1],
      [NUMBER, -most - 1],
    ])('[2.4-11] [2.5-01] [2.5-02] on an option of type %i may be %d', (type, value) => {
      expect(read(type, { [bound]: value })[bound]).toBe(value)
    })

    it.each([0.5, -1.5, 5e-324])('[2.4-11] may not be the fraction %d for an INTEGER option', (value) => {
      expect(problems(INTEGER, value)).toEqual([
        `range.integer options[0].${bound} 2.4-11: is ${value}; the bounds of an INTEGER option are whole numbers`,
      ])
    })

    it.each([
      [INTEGER, most, most + 1],
      [INTEGER, most, -most - 1],
      [INTEGER, most, 1e300],
      [NUMBER, most + 1, most + 3],
      [NUMBER, most + 1, -most - 3],
      [NUMBER, most + 1, 1e300],
    ])('[2.4-11] [2.5-01] [2.5-02] on an option of type %i is at most %d: not %d', (type, limit, value) => {
      expect(problems(type, value)).toEqual([
        `range.limits options[0].${bound} 2.4-11: is ${value}; expected a number from ${-limit} to ${limit}`,
      ])
    })

    it.each(['1', '', true, [], {}, Number.NaN, Infinity, -Infinity])('[2.4-11] may not be %j', (value) => {
      const [number, integer] = [NUMBER, INTEGER].map((type) => refused(found(type, { [bound]: value })))
      expect(number).toEqual([`shape.number options[0].${bound} 2.4-11`])
      expect(integer).toEqual([`shape.integer options[0].${bound} 2.4-12`])
    })
  })

  const numeric = [INTEGER, NUMBER]
  it.each(numeric)('[2.4-11] may exclude every value of an option of type %i, with a warning', (type) => {
    const none = found(type, { min_value: 5, max_value: -5 })
    expect(accepted(none).options?.[0]).toMatchObject({ min_value: 5, max_value: -5 })
    expect(advice(none)).toEqual([
      'range.inverted options[0].min_value 2.4-11: is 5, above max_value -5: no value can satisfy both',
    ])
    expect(warned(found(type, { min_value: 5, max_value: 5 }))).toEqual([])
    expect(warned(found(type, { max_value: -5 }))).toEqual([])
  })
})

describe('`min_length` and `max_length`', () => {
  it.each([
    ['min_length', 0, 6000],
    ['max_length', 1, 6000],
  ] as const)('[2.4-12] `%s` is from %i to %i', (bound, least, most) => {
    for (const value of [least, most]) expect(read(STRING, { [bound]: value })[bound]).toBe(value)
    for (const value of [-1, least - 1, most + 1])
      expect(reasons(found(STRING, { [bound]: value }))).toEqual([
        `length.${bound.slice(0, 3)} options[0].${bound} 2.4-12: is ${value}; ${least} to ${most} is allowed`,
      ])
    for (const value of ['1', '', true, [], {}, 1.5, Number.NaN, Infinity])
      expect(refused(found(STRING, { [bound]: value }))).toEqual([`shape.integer options[0].${bound} 2.4-12`])
  })

  it('[2.4-12] may exclude every text, with a warning', () => {
    const none = found(STRING, { min_length: 5, max_length: 4 })
    expect(accepted(none).options?.[0]).toMatchObject({ min_length: 5, max_length: 4 })
    expect(advice(none)).toEqual([
      'length.inverted options[0].min_length 2.4-12: is 5, above max_length 4: no text can satisfy both',
    ])
    expect(warned(found(STRING, { min_length: 5, max_length: 5 }))).toEqual([])
  })
})

describe('`autocomplete`', () => {
  const withChoices = [STRING, INTEGER, NUMBER]
  it.each(withChoices)('[2.4-13] may not be true beside the choices of an option of type %i', (type) => {
    const both = { choices: choices(type), autocomplete: true }
    expect(reasons(found(type, both))).toEqual([
      'option.autocomplete_choices options[0].autocomplete 2.4-13: is true although there are choices; keep one of the two',
    ])
  })

  it.each([STRING, INTEGER, NUMBER])('[2.4-13] may be false beside choices, and true without', (type) => {
    expect(read(type, { choices: choices(type), autocomplete: false })).not.toHaveProperty('autocomplete')
    expect(read(type, { choices: [], autocomplete: true }).autocomplete).toBe(true)
    expect(read(type, { choices: null, autocomplete: true }).autocomplete).toBe(true)
  })

  it('[2.4-13] is reported beside invalid choices', () => {
    expect(refused(found(STRING, { choices: [{ name: 'c', value: 5 }], autocomplete: true }))).toEqual([
      'choice.value_string options[0].choices[0].value 2.6-02',
      'option.autocomplete_choices options[0].autocomplete 2.4-13',
    ])
  })
})

it('[2.1-20] unknown keys have a warning with the nearest name', () => {
  const keys = ['minLength', 'defaultValue', 'autoComplete', 'nsfw']
  const unknown = Object.fromEntries(keys.map((key) => [key, 1]))
  const more = found(STRING, { ...unknown, nothing: undefined })
  expect(accepted(more).options?.[0]).toEqual(read(STRING))
  expect(warned(more)).toEqual(keys.map((key) => `keys.unknown options[0].${key} 2.1-20`))
  expect(advice(more)[0]).toContain('did you mean "min_length"?')
  expect(advice(more)[1]).not.toContain('did you mean')
})
