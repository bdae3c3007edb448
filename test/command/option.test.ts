import { describe, expect, it } from 'vitest'
import { OptionType, validateCommand, type CommandOption } from 'commandry'
import {
  accepted,
  advice,
  messages,
  option,
  reasons,
  refused,
  several,
  slash,
  warned,
} from '../support/found.ts'

const { SUB_COMMAND, SUB_COMMAND_GROUP, STRING, INTEGER, NUMBER, CHANNEL } = OptionType
const types = several(11, (i) => i + 1)
const typeNames = Object.keys(OptionType)

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
    expect(messages(found('TEXT'))).toEqual([
      'is the string "TEXT"; the types are 1 SUB_COMMAND, 2 SUB_COMMAND_GROUP, 3 STRING, 4 INTEGER, 5 BOOLEAN, ' +
        '6 USER, 7 CHANNEL, 8 ROLE, 9 MENTIONABLE, 10 NUMBER, 11 ATTACHMENT',
    ])
    expect(messages(found('STRING'))).toEqual(['is the string "STRING"; write the number 3'])
  })

  it.each([undefined, null])('[2.4-01] [2.1-22] is required: %j', (type) => {
    expect(refused(found(type))).toEqual(['shape.required options[0].type 2.1-22'])
  })

  it('[2.4-01] does not prevent reading the other fields when it is unknown', () => {
    expect(
      refused(found(99, { name: 'X', description: '', required: 5, min_length: 'x', max_value: 'y' })),
    ).toEqual([
      'option.type options[0].type 2.4-01',
      'name.case options[0].name 2.1-06',
      'description.length options[0].description 2.1-09',
      'shape.boolean options[0].required 2.1-24',
      'shape.integer options[0].min_length 2.4-12',
      'shape.number options[0].max_value 2.4-11',
    ])
  })
})

it.each([[null], ['o'], [3], [[]], [true]])('[2.4-01] rejects an option that is %j', (body) => {
  expect(refused(validateCommand(slash({ options: [body] })))).toEqual(['shape.object options[0] 2.1-24'])
})

describe('a minimal option', () => {
  it.each(types)('[2.1-21] [2.4-06] of type %i has only its texts', (type) => {
    expect(read(type)).toEqual({
      type,
      name: 'o',
      name_localizations: null,
      description: 'b',
      description_localizations: null,
    })
  })
})

// The column "valid for option types" of the specification.
const fields: Record<
  string,
  { goesWith: number[]; code: string; clause: string; value: (type: number) => unknown }
> = {
  required: {
    goesWith: [3, 4, 5, 6, 7, 8, 9, 10, 11],
    code: 'option.required',
    clause: '2.4-06',
    value: () => true,
  },
  choices: {
    goesWith: [3, 4, 10],
    code: 'option.choices',
    clause: '2.4-08',
    value: (type) => [{ name: 'c', name_localizations: null, value: type === STRING ? 'v' : 1 }],
  },
  options: {
    goesWith: [1, 2],
    code: 'option.options',
    clause: '2.4-09',
    value: (type) => [
      {
        ...option(type === SUB_COMMAND_GROUP ? SUB_COMMAND : STRING),
        name_localizations: null,
        description_localizations: null,
      },
    ],
  },
  channel_types: { goesWith: [7], code: 'option.channel_types', clause: '2.4-10', value: () => [0, 2] },
  min_value: { goesWith: [4, 10], code: 'option.range', clause: '2.4-11', value: () => 0 },
  max_value: { goesWith: [4, 10], code: 'option.range', clause: '2.4-11', value: () => 0 },
  min_length: { goesWith: [3], code: 'option.length', clause: '2.4-12', value: () => 0 },
  max_length: { goesWith: [3], code: 'option.length', clause: '2.4-12', value: () => 1 },
  autocomplete: { goesWith: [3, 4, 10], code: 'option.autocomplete', clause: '2.4-13', value: () => true },
}

describe.each(Object.entries(fields))('`%s`', (field, { goesWith, code, clause, value }) => {
  it.each(types)(`[${clause}] on an option of type %i`, (type) => {
    const given = { [field]: value(type) }
    if (goesWith.includes(type)) {
      expect(read(type, given)).toMatchObject(given)
      expect(warned(found(type, given))).toEqual(
        type === 2 || !('options' in given) ? emptyGroup(type, given) : [],
      )
      return
    }
    expect(refused(found(type, given))).toEqual([`${code} options[0].${field} ${clause}`])
    const names = goesWith.map((one) => typeNames[one - 1])
    const all = names.length === 1 ? names[0] : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
    expect(messages(found(type, given))).toEqual([
      `is not allowed on an option of type ${typeNames[type - 1]}, only on ${all}; leave it out`,
    ])
  })

  it.each(types)('[2.1-22] reads null as absent on an option of type %i, with a warning', (type) => {
    const nothing = found(type, { [field]: null })
    expect(accepted(nothing).options?.[0]).not.toHaveProperty(field)
    expect(warned(nothing)).toContain(`shape.null options[0].${field} 2.1-22`)
    expect(refused(found(type, { [field]: undefined }))).toEqual([])
  })
})

function emptyGroup(type: number, given: object) {
  return type === SUB_COMMAND_GROUP && !('options' in given) ? ['options.empty_group options[0] 2.7-04'] : []
}

describe('values equal to the default', () => {
  const nothings = [
    { autocomplete: false },
    { required: false },
    { choices: [] },
    { options: [] },
    { channel_types: [] },
    { name_localizations: {} },
    { description_localizations: {} },
  ]

  it.each(types)('[2.1-23] are tolerated on an option of type %i, and not stored', (type) => {
    for (const nothing of [...nothings, Object.assign({}, ...nothings)]) {
      expect(read(type, nothing)).toEqual(read(type))
      expect(warned(found(type, nothing))).toEqual(warned(found(type)))
    }
  })
})

describe('values of the wrong form', () => {
  it.each([0, 1, 'true', 'false', '', [], {}])('[2.4-06] [2.4-13] are rejected: %j as a flag', (value) => {
    expect(refused(found(STRING, { required: value }))).toEqual(['shape.boolean options[0].required 2.1-24'])
    expect(refused(found(STRING, { autocomplete: value }))).toEqual([
      'shape.boolean options[0].autocomplete 2.1-24',
    ])
  })

  it.each([0, 'x', true, {}, { 0: 1, length: 1 }])(
    '[2.4-08] [2.4-09] [2.4-10] are rejected: %j as a list',
    (value) => {
      expect(refused(found(STRING, { choices: value }))).toEqual(['shape.list options[0].choices 2.1-24'])
      expect(refused(found(SUB_COMMAND, { options: value }))).toEqual([
        'shape.list options[0].options 2.1-24',
      ])
      expect(refused(found(CHANNEL, { channel_types: value }))).toEqual([
        'shape.list options[0].channel_types 2.1-24',
      ])
    },
  )
})

describe('`required`', () => {
  it('[2.4-06] is false by default, and stored only when it is true', () => {
    expect(read(STRING, { required: true }).required).toBe(true)
    expect(read(STRING, { required: false })).not.toHaveProperty('required')
  })
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

  it.each([6, 7, 8, 9, 17, -1, 0.5, '0', null, true, {}])('[2.4-10] rejects %j', (type) => {
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
  })
})

describe('`min_value` and `max_value`', () => {
  const bounds = ['min_value', 'max_value'] as const

  describe.each(bounds)('`%s`', (bound) => {
    it.each([0, 1, -1, 2 ** 53 - 1, -(2 ** 53) + 1])(
      '[2.4-11] [2.5-01] may be %i for an INTEGER option',
      (value) => {
        expect(read(INTEGER, { [bound]: value })[bound]).toBe(value)
      },
    )

    it.each([0.5, -1.5, 5e-324])('[2.4-11] may not be the fraction %d for an INTEGER option', (value) => {
      expect(reasons(found(INTEGER, { [bound]: value }))).toEqual([
        `range.integer options[0].${bound} 2.4-11: is ${value}; the bounds of an INTEGER option are whole numbers`,
      ])
    })

    it.each([2 ** 53, -(2 ** 53), 1e300])(
      '[2.4-11] [2.5-01] may not be %d for an INTEGER option',
      (value) => {
        expect(reasons(found(INTEGER, { [bound]: value }))).toEqual([
          `range.limits options[0].${bound} 2.4-11: is ${value}; expected a number from -9007199254740991 to 9007199254740991`,
        ])
      },
    )

    it.each([0, 0.5, -0.25, 2 ** 53, -(2 ** 53)])(
      '[2.4-11] [2.5-02] may be %d for a NUMBER option',
      (value) => {
        expect(read(NUMBER, { [bound]: value })[bound]).toBe(value)
      },
    )

    it.each([2 ** 53 + 2, -(2 ** 53) - 2, 1e300, -1e300])(
      '[2.4-11] [2.5-02] may not be %d for a NUMBER option',
      (value) => {
        expect(refused(found(NUMBER, { [bound]: value }))).toEqual([
          `range.limits options[0].${bound} 2.4-11`,
        ])
      },
    )

    it.each(['1', '', true, [], {}, Number.NaN, Infinity, -Infinity])('[2.4-11] may not be %j', (value) => {
      expect(refused(found(NUMBER, { [bound]: value }))).toEqual([`shape.number options[0].${bound} 2.4-11`])
      expect(refused(found(INTEGER, { [bound]: value }))).toEqual([
        `shape.integer options[0].${bound} 2.4-12`,
      ])
    })
  })

  it.each([INTEGER, NUMBER])(
    '[2.4-11] may exclude every value of an option of type %i, with a warning',
    (type) => {
      const none = found(type, { min_value: 5, max_value: -5 })
      expect(accepted(none).options?.[0]).toMatchObject({ min_value: 5, max_value: -5 })
      expect(advice(none)).toEqual([
        'range.inverted options[0].min_value 2.4-11: is 5, above max_value -5: no value can satisfy both',
      ])
      expect(warned(found(type, { min_value: 5, max_value: 5 }))).toEqual([])
      expect(warned(found(type, { max_value: -5 }))).toEqual([])
    },
  )
})

describe('`min_length` and `max_length`', () => {
  it.each([
    ['min_length', 0],
    ['min_length', 6000],
    ['max_length', 1],
    ['max_length', 6000],
  ] as const)('[2.4-12] accepts `%s` of %i', (bound, value) => {
    expect(read(STRING, { [bound]: value })[bound]).toBe(value)
  })

  it.each([
    ['min_length', -1, 'length.min', 'is -1; 0 to 6000 is allowed'],
    ['min_length', 6001, 'length.min', 'is 6001; 0 to 6000 is allowed'],
    ['max_length', 0, 'length.max', 'is 0; 1 to 6000 is allowed'],
    ['max_length', -1, 'length.max', 'is -1; 1 to 6000 is allowed'],
    ['max_length', 6001, 'length.max', 'is 6001; 1 to 6000 is allowed'],
  ])('[2.4-12] rejects `%s` of %i', (bound, value, code, message) => {
    expect(reasons(found(STRING, { [bound]: value }))).toEqual([
      `${code} options[0].${bound} 2.4-12: ${message}`,
    ])
  })

  it.each(['1', '', true, [], {}, 1.5, Number.NaN, Infinity])('[2.4-12] rejects %j', (value) => {
    for (const bound of ['min_length', 'max_length']) {
      expect(refused(found(STRING, { [bound]: value }))).toEqual([`shape.integer options[0].${bound} 2.4-12`])
    }
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
  const choicesOf = (type: number) => [{ name: 'c', value: type === STRING ? 'v' : 1 }]

  it.each([STRING, INTEGER, NUMBER])(
    '[2.4-13] may not be true beside the choices of an option of type %i',
    (type) => {
      const both = { choices: choicesOf(type), autocomplete: true }
      expect(reasons(found(type, both))).toEqual([
        'option.autocomplete_choices options[0].autocomplete 2.4-13: is true although there are choices; keep one of the two',
      ])
    },
  )

  it.each([STRING, INTEGER, NUMBER])('[2.4-13] may be false beside choices, and true without', (type) => {
    expect(read(type, { choices: choicesOf(type), autocomplete: false })).not.toHaveProperty('autocomplete')
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

describe('unknown keys', () => {
  it('[2.1-20] have a warning with the nearest name', () => {
    const more = found(STRING, {
      minLength: 1,
      defaultValue: 1,
      autoComplete: true,
      nsfw: false,
      nothing: undefined,
    })
    expect(accepted(more).options?.[0]).toEqual(read(STRING))
    const keys = ['minLength', 'defaultValue', 'autoComplete', 'nsfw']
    expect(warned(more)).toEqual(keys.map((key) => `keys.unknown options[0].${key} 2.1-20`))
    expect(messages(more)[0]).toContain('did you mean "min_length"?')
    expect(messages(more)[1]).not.toContain('did you mean')
  })
})
