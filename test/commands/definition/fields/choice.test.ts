import { describe, expect, it } from 'vitest'
import { OptionType, validateCommand } from 'commandry'
import { option, several, slash } from '../../../support/bodies.ts'
import { accepted, advice, reasons, refused, warned } from '../../../support/found.ts'

const { STRING, INTEGER, NUMBER } = OptionType
const types = [STRING, INTEGER, NUMBER]

const withChoices = (type: number, choices: unknown) =>
  validateCommand(slash({ options: [option(type, { choices })] }))
const withValue = (type: number, value: unknown) => withChoices(type, [{ name: 'c', value }])
const valueOf = (type: number, i: number) => (type === STRING ? `v${i}` : i)
const numbered = (type: number, count: number) =>
  several(count, (i) => ({ name: `c${i}`, value: valueOf(type, i) }))

const list = 'options[0].choices'
const first = `${list}[0]`

describe.each(types)('the choices of an option of type %i', (type) => {
  it('[2.4-08] [8-03] are at most 25', () => {
    for (const count of [1, 25]) {
      const choices = numbered(type, count)
      expect(accepted(withChoices(type, choices)).options?.[0]?.choices).toEqual(
        choices.map((choice) => ({ ...choice, name_localizations: null })),
      )
    }
    expect(reasons(withChoices(type, numbered(type, 26)))).toEqual([
      `choices.count ${list} 2.4-08: has 26 choices; at most 25 are allowed; use autocomplete for more`,
    ])
  })

  it('[2.1-23] omits an empty list', () => {
    const found = withChoices(type, [])
    expect(accepted(found).options?.[0]).not.toHaveProperty('choices')
    expect(warned(found)).toEqual([])
  })

  it('[2.6-01] [2.1-26] have a name of 1 to 100 characters of any kind, of which one can be seen', () => {
    const named = (name: unknown) => withChoices(type, [{ name, value: valueOf(type, 1) }])
    const texts = ['x', ' x ', 'Any Text, any Case!', '\ud800', 'e\u0301']
    for (const name of [...texts, 'x'.repeat(100), '🎉'.repeat(100)])
      expect(accepted(named(name)).options?.[0]?.choices?.[0]?.name).toBe(name)
    const length = `choice.name ${first}.name 2.6-01: `
    expect(reasons(named(''))).toEqual([`${length}is empty; the name of a choice has at least 1 character`])
    for (const name of [' ', '\u200b', '\u3164\n'])
      expect(reasons(named(name))).toEqual([
        `${length}has only white space or invisible characters, which counts as empty; the name of a choice has at least 1 character`,
      ])
    for (const name of ['x'.repeat(101), '🎉'.repeat(101)])
      expect(reasons(named(name))).toEqual([`${length}has 101 characters; at most 100 are allowed`])
    for (const nothing of [undefined, null])
      expect(refused(named(nothing))).toEqual([`shape.required ${first}.name 2.1-22`])
  })

  it('[2.6-01] have a name of 1 to 100 characters in every locale', () => {
    const named = (de: string) =>
      refused(withChoices(type, [{ name: 'c', name_localizations: { de }, value: valueOf(type, 1) }]))
    expect(named('🎉'.repeat(100))).toEqual([])
    for (const text of ['', ' ', 'x'.repeat(101)])
      expect(named(text)).toEqual([`choice.name ${first}.name_localizations.de 2.6-01`])
  })

  it('[2.1-22] require a value other than null', () => {
    for (const choice of [{ name: 'c' }, { name: 'c', value: undefined }, { name: 'c', value: null }])
      expect(refused(withChoices(type, [choice]))).toEqual([`shape.required ${first}.value 2.1-22`])
  })

  it('[2.4-08] may repeat a name or a value, with a warning at the later one', () => {
    const again = withChoices(type, [
      { name: 'x', value: valueOf(type, 1) },
      { name: 'y', value: valueOf(type, 2) },
      { name: 'x', value: valueOf(type, 2) },
      { name: 'X', value: valueOf(type, 1) },
      { name: 'x', value: valueOf(type, 3) },
    ])
    expect(accepted(again).options?.[0]?.choices).toHaveLength(5)
    const shown = (i: number) => JSON.stringify(valueOf(type, i))
    expect(advice(again)).toEqual([
      `choices.repeated ${list}[2].name 2.4-08: is "x", as in choice 1 of the same list`,
      `choices.repeated ${list}[2].value 2.4-08: is ${shown(2)}, as in choice 2 of the same list`,
      `choices.repeated ${list}[3].value 2.4-08: is ${shown(1)}, as in choice 1 of the same list`,
      `choices.repeated ${list}[4].name 2.4-08: is "x", as in choice 1 of the same list`,
    ])
  })

  it('[2.4-08] are compared only within one option', () => {
    const choices = numbered(type, 2)
    const two = [option(type, { choices }), option(type, { name: 'p', choices })]
    expect(warned(validateCommand(slash({ options: two })))).toEqual([])
  })

  it('[2.1-20] accepts unknown keys with a warning', () => {
    const unknown = { nameLocalizations: {}, emoji: 1 }
    const found = withChoices(type, [{ name: 'c', value: valueOf(type, 1), ...unknown }])
    const read = { name: 'c', name_localizations: null, value: valueOf(type, 1) }
    expect(accepted(found).options?.[0]?.choices?.[0]).toEqual(read)
    expect(warned(found)).toEqual(Object.keys(unknown).map((key) => `keys.unknown ${first}.${key} 2.1-20`))
    expect(advice(found)[0]).toContain('did you mean "name_localizations"?')
  })
})

describe('the value of a choice', () => {
  const strings = ['v', '', ' ', 'x'.repeat(100), '🎉'.repeat(100)]
  const integers = [0, 1, -1, 2 ** 53 - 1, -(2 ** 53) + 1, 1e3]
  const numbers = [...integers, 0.5, -0.25, 2 ** 53, -(2 ** 53), 5e-324]
  const neither = [true, false, [], ['v'], {}]
  const notNumbers = ['1', '', Number.NaN, Infinity, -Infinity, ...neither]
  const at = `${first}.value`

  it.each<[string, number, readonly unknown[]]>([
    ['STRING', STRING, strings],
    ['INTEGER', INTEGER, integers],
    ['NUMBER', NUMBER, numbers],
  ])('[2.5-01] [2.5-02] [2.6-02] has the type of its option: %s', (_, type, values) => {
    for (const value of values)
      expect(accepted(withValue(type, value)).options?.[0]?.choices?.[0]?.value).toBe(value)
  })

  it.each<[string, number, readonly unknown[], RegExp]>([
    ['string', STRING, [...numbers, ...neither], /; choices of a STRING option have string values$/],
    ['integer', INTEGER, [0.5, -1.5, ...notNumbers], /; choices of an INTEGER option are whole numbers$/],
    ['number', NUMBER, notNumbers, /: is /],
  ])('[2.5-02] [2.6-02] may not have another type than its option: %s', (kind, type, values, message) => {
    for (const value of values) {
      expect(refused(withValue(type, value))).toEqual([`choice.value_${kind} ${at} 2.6-02`])
      expect(reasons(withValue(type, value))[0]).toMatch(message)
    }
  })

  it.each(['x'.repeat(101), '🎉'.repeat(101)])('[2.6-02] has at most 100 characters', (value) => {
    expect(reasons(withValue(STRING, value))).toEqual([
      `choice.value_length ${at} 2.6-02: has 101 characters; at most 100 are allowed`,
    ])
  })

  it.each([
    [INTEGER, 2 ** 53 - 1, [2 ** 53, -(2 ** 53), 1e300]],
    [NUMBER, 2 ** 53, [2 ** 53 + 2, -(2 ** 53) - 2, 1e300]],
  ])('[2.5-01] [2.5-02] of an option of type %i is at most %i', (type, max, values) => {
    for (const value of values)
      expect(reasons(withValue(type, value))).toEqual([
        `choice.value_range ${at} 2.5-01: is ${value}; expected a number from ${-max} to ${max}`,
      ])
  })

  it('[2.6-02] is not checked when the type of the option is unknown', () => {
    expect(refused(withValue(99, {}))).toEqual(['option.type options[0].type 2.4-01'])
  })
})

describe('[2.6-05] a choice outside the range of its option', () => {
  const withBounds = (type: number, bounds: object, value: unknown) =>
    validateCommand(slash({ options: [{ ...option(type), ...bounds, choices: [{ name: 'c', value }] }] }))
  const at = 'options[0].choices[0].value'

  it.each([
    [INTEGER, { min_value: 2 }, 1, 'is 1, below the min_value 2'],
    [INTEGER, { max_value: 2 }, 3, 'is 3, above the max_value 2'],
    [NUMBER, { min_value: -0.5, max_value: 0.5 }, 0.6, 'is 0.6, above the max_value 0.5'],
    [STRING, { min_length: 2 }, 'a', 'has 1 character, below the min_length 2'],
    [STRING, { max_length: 2 }, '🎉🎉🎉', 'has 3 characters, above the max_length 2'],
  ])('is accepted with a warning (type %i, %j, %j)', (type, bounds, value, what) => {
    const found = withBounds(type, bounds, value)
    expect(accepted(found).options?.[0]?.choices?.[0]?.value).toBe(value)
    expect(advice(found)).toEqual([
      `choice.outside ${at} 2.6-05: ${what} of the option, so its use is refused; change one of them`,
    ])
  })

  it.each([
    [INTEGER, { min_value: 1, max_value: 1 }, 1],
    [NUMBER, { max_value: 0.5 }, 0.5],
    [STRING, { min_length: 2, max_length: 2 }, '🎉🎉'],
    [STRING, {}, ''],
  ])('is not one at the border (type %i, %j, %j)', (type, bounds, value) => {
    expect(warned(withBounds(type, bounds, value))).toEqual([])
  })
})
