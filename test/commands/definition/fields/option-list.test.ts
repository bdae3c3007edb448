import { describe, expect, it } from 'vitest'
import { OptionType, validateCommand } from 'commandry'
import { option, several, slash } from '../../../support/bodies.ts'
import { accepted, advice, reasons, refused, warned } from '../../../support/found.ts'
import { words } from '../../../support/words.ts'

const { SUB_COMMAND, SUB_COMMAND_GROUP, STRING, BOOLEAN } = OptionType
const types = several(11, (i) => i + 1)

const sub = (name: string, options: unknown = []) => option(SUB_COMMAND, { name, options })
const group = (name: string, options: unknown) => option(SUB_COMMAND_GROUP, { name, options })
const text = (name: unknown, fields: object = {}) => option(STRING, { name, ...fields })
const x = text('x')
const found = (options: unknown) => validateCommand(slash({ options }))

/** The three lists in which value options can stand, and the two in which subcommands can. */
const valueLists: [string, (options: unknown) => unknown, string][] = [
  ['of a command', (options) => options, 'options'],
  ['of a subcommand', (options) => [sub('s', options)], 'options[0].options'],
  [
    'of a nested subcommand',
    (options) => [group('g', [sub('s'), sub('t', options)])],
    'options[0].options[1].options',
  ],
]
const nestingLists: typeof valueLists = [
  ['of a command', (options) => options, 'options'],
  ['of a group', (options) => [group('g', options)], 'options[0].options'],
]

describe('the number of options', () => {
  it.each(valueLists)('[2.4-09] [8-03] is at most 25 in the list %s', (_, place, path) => {
    const flags = (count: number) => several(count, (i) => option(BOOLEAN, { name: `o${i}` }))
    expect(refused(found(place(flags(25))))).toEqual([])
    expect(reasons(found(place(flags(26))))).toEqual([
      `options.count ${path} 8-03: has 26 options; at most 25 are allowed`,
    ])
  })

  it.each(nestingLists)('[2.1-11] [8-03] is at most 25 for subcommands %s', (_, place, path) => {
    const subs = (count: number) => several(count, (i) => sub(`s${i}`))
    expect(refused(found(place(subs(25))))).toEqual([])
    expect(refused(found(place(subs(26))))).toEqual([`options.count ${path} 8-03`])
  })

  it('[8-03] is at most 25 groups of 25 subcommands', () => {
    const subs = several(25, (i) => sub(`s${i}`))
    expect(accepted(found(several(25, (i) => group(`g${i}`, subs)))).options).toHaveLength(25)
  })

  it('[2.1-11] [2.1-21] may be zero; an absent or empty list has no key', () => {
    for (const nothing of [undefined, []]) {
      expect(accepted(found(nothing))).not.toHaveProperty('options')
      expect(warned(found(nothing))).toEqual([])
    }
    expect(accepted(found(null))).not.toHaveProperty('options')
    expect(warned(found(null))).toEqual(['shape.null options 2.1-22'])
  })

  it('[2.1-11] keeps the order of options', () => {
    const names = ['c', 'a', 'b']
    expect(accepted(found(names.map((name) => text(name)))).options?.map(({ name }) => name)).toEqual(names)
  })
})

describe('duplicate names', () => {
  it.each(valueLists)('[2.4-03] are rejected among the options %s', (_, place, path) => {
    const twins = found(place([text('x'), text('y'), text('x'), text('x')]))
    expect(reasons(twins)).toEqual([
      `options.unique ${path}[2] 2.4-03: has the name "x" of option 1 of the same list; names must differ`,
      `options.unique ${path}[3] 2.4-03: has the name "x" of option 1 of the same list; names must differ`,
    ])
  })

  it.each(nestingLists)('[2.4-03] are rejected among subcommands %s', (_, place, path) => {
    expect(refused(found(place([sub('x'), sub('x')])))).toEqual([`options.unique ${path}[1] 2.4-03`])
  })

  it.each<[string, unknown[], ...string[]]>([
    ['a subcommand and a group', [group('x', [sub('a')]), sub('x')], 'options.unique options[1] 2.4-03'],
    ['options of different lists', [group('x', [sub('x', [x]), sub('y', [x])]), sub('y', [x])]],
    ['names with other accents, widths and letters', words('e é ｅ σ ς x x- x_').map((name) => text(name))],
    [
      'missing and empty names',
      [text(undefined), text(undefined), text(''), text('')],
      'shape.required options[0].name 2.1-22',
      'shape.required options[1].name 2.1-22',
      'name.length options[2].name 2.1-04',
      'name.length options[3].name 2.1-04',
    ],
    [
      'the first and the last of 25 options',
      [...several(24, (i) => text(`o${i}`)), text('o0')],
      'options.unique options[24] 2.4-03',
    ],
  ])('[2.4-03] are those exactly equal in one list: %s', (_, options, ...problems) => {
    expect(refused(found(options))).toEqual(problems)
  })

  it('[2.4-03] are reported even when the names are invalid', () => {
    for (const name of ['My Option', 'x'.repeat(5000)]) {
      const clash = found([text(name), text(name)])
      expect(refused(clash)).toContain('options.unique options[1] 2.4-03')
      for (const problem of reasons(clash)) expect(problem.length).toBeLessThan(240)
    }
  })
})

describe('duplicate localized names', () => {
  const called = (name: string, name_localizations: object) => text(name, { name_localizations })

  it.each(valueLists)('[2.10-06] are rejected beside a default name in the list %s', (_, place, path) => {
    const y = called('y', { de: 'x' })
    const problem = (index: number) =>
      `options.unique_localized ${path}[${index}].name_localizations.de 2.10-06: is "x", the default name of the option "x" in the same list`
    expect(reasons(found(place([x, y])))).toEqual([problem(1)])
    expect(reasons(found(place([y, x])))).toEqual([problem(0)])
  })

  it.each(nestingLists)('[2.10-06] are rejected within one locale, in the list %s', (_, place, path) => {
    const twins = [
      { ...sub('x'), name_localizations: { de: 'z', fr: 'v' } },
      { ...sub('y'), name_localizations: { fr: 'w', de: 'z' } },
    ]
    expect(reasons(found(place(twins)))).toEqual([
      `options.unique_localized ${path}[1].name_localizations.de 2.10-06: is "z", which is also the de name of the option "x" in the same list`,
    ])
  })

  it.each<[string, unknown[], ...string[]]>([
    ['the own default name', [called('x', { de: 'x', fr: 'x' }), text('y')]],
    ['names of other locales', [called('x', { de: 'z' }), called('y', { fr: 'z' })]],
    ['names of one option', [called('x', { de: 'z', fr: 'z', nl: 'z' })]],
    ['names of other lists', [sub('s', [called('x', { de: 'z' })]), sub('t', [called('x', { de: 'z' })])]],
    ['the name of the command', [called('y', { de: 'a' })]],
    [
      'names outside of a clash',
      [called('x', { de: 'x' }), called('y', { de: '' }), called('z', { de: '' }), text('y')],
      'name.length options[1].name_localizations.de 2.1-04',
      'name.length options[2].name_localizations.de 2.1-04',
      'options.unique options[3] 2.4-03',
    ],
    [
      'three names, at each later option',
      words('x y w').map((name) => called(name, { de: 'z' })),
      'options.unique_localized options[1].name_localizations.de 2.10-06',
      'options.unique_localized options[2].name_localizations.de 2.10-06',
    ],
  ])('[2.10-06] [2.4-03] are those equal in one locale of one list: %s', (_, options, ...problems) => {
    expect(refused(found(options))).toEqual(problems)
  })

  it('[2.10-06] are reported at an unnamed option by its index', () => {
    const clash = found([called(undefined as never, { de: 'z' }), called('y', { de: 'z' })])
    expect(reasons(clash)[1]).toMatch(/ is also the de name of the option number 1 in the same list$/)
  })
})

describe('required options', () => {
  const needed = (name: string) => text(name, { required: true })

  it.each(valueLists)('[2.4-07] come before optional ones in the list %s', (_, place, path) => {
    expect(refused(found(place([needed('a'), needed('b'), text('c'), text('d')])))).toEqual([])
    expect(refused(found(place([text('a'), text('b')])))).toEqual([])
    const list = [needed('a'), text('b'), needed('c'), text('d', { required: false }), needed('e')]
    expect(reasons(found(place(list)))).toEqual([
      `options.order ${path}[2] 2.4-07: is required but follows the optional option "b"; move it up`,
      `options.order ${path}[4] 2.4-07: is required but follows the optional option "b"; move it up`,
    ])
  })

  it('[2.4-07] are reported at an unnamed option by its index', () => {
    const [, late] = reasons(found([text(undefined), needed('b')]))
    expect(late).toMatch(/: is required but follows the optional option number 1; move it up$/)
  })

  it('[2.4-07] are ordered within one list only, and may stand beside subcommands', () => {
    expect(refused(found([sub('s', [text('a')]), sub('t', [needed('a')])]))).toEqual([])
    const mixed = found([sub('s'), needed('a'), needed('b')])
    expect(refused(mixed)).toEqual(['options.mixed options[1] 2.7-03', 'options.mixed options[2] 2.7-03'])
  })
})

describe('nesting', () => {
  const onlyThree = 'only command > group > subcommand can be nested'

  it.each(types)('[2.7-01] [2.7-02] in a subcommand accepts type %i, unless it nests further', (type) => {
    const kind = ['subcommand', 'group'][type - 1]
    const nested = `options.nesting options[0].options[0] 2.7-02: is a ${kind} inside a subcommand; ${onlyThree}`
    expect(reasons(found([sub('s', [option(type)])]))).toEqual(kind === undefined ? [] : [nested])
  })

  it.each(types)('[2.7-01] [2.7-02] in a group rejects type %i, unless it is a subcommand', (type) => {
    const problem =
      type === 2
        ? `options.nesting options[0].options[0] 2.7-02: is a group inside a group; ${onlyThree}`
        : 'options.group options[0].options[0] 2.7-01: is in a group, which holds only subcommands; move it into one of them'
    expect(reasons(found([group('g', [option(type)])]))).toEqual(type === 1 ? [] : [problem])
  })

  it.each<[string, unknown[], ...string[]]>([
    [
      '[2.7-02] rejects a group in a group, without its parts',
      [group('g', [group('h', [sub('s', [sub('t', [x])])])])],
      'options.nesting options[0].options[0] 2.7-02',
    ],
    [
      '[2.7-02] rejects a subcommand in a subcommand of a group',
      [group('g', [sub('s', [sub('t')])])],
      'options.nesting options[0].options[0].options[0] 2.7-02',
    ],
    [
      '[2.7-02] rejects a subcommand in a subcommand once, also after a value option',
      [sub('s', [text('a'), sub('t')])],
      'options.nesting options[0].options[1] 2.7-02',
    ],
    [
      '[2.7-01] rejects a value option in a group once, also after a subcommand',
      [group('g', [sub('s'), text('a')])],
      'options.group options[0].options[1] 2.7-01',
    ],
    ['[2.7-01] accepts subcommands beside groups', [sub('s', [x]), group('g', [sub('s', [x])]), sub('t')]],
    [
      '[2.7-03] reports every option of another kind than the first',
      [sub('s'), text('x'), sub('t'), text('y')],
      'options.mixed options[1] 2.7-03',
      'options.mixed options[3] 2.7-03',
    ],
  ])('%s', (_, options, ...problems) => {
    expect(refused(found(options))).toEqual(problems)
  })

  it.each(types.slice(2))('[2.7-03] rejects an option of type %i beside subcommands or groups', (type) => {
    const value = option(type, { name: 'v' })
    const besides = 'is beside subcommands; a command with subcommands cannot have options of its own'
    const late =
      'is a subcommand or group beside other options; a command has either subcommands or options of its own'
    for (const nesting of [sub('s'), group('g', [sub('s')])]) {
      expect(reasons(found([nesting, value]))).toEqual([`options.mixed options[1] 2.7-03: ${besides}`])
      expect(reasons(found([value, nesting]))).toEqual([`options.mixed options[1] 2.7-03: ${late}`])
    }
  })

  it('[2.7-04] accepts a group without subcommands, with a warning', () => {
    for (const options of [undefined, []]) {
      const empty = found([group('g', options), sub('s')])
      expect(accepted(empty).options?.[0]).not.toHaveProperty('options')
      expect(advice(empty)).toEqual([
        'options.empty_group options[0] 2.7-04: is a group without subcommands, which Discord does not show; add a subcommand',
      ])
    }
    expect(warned(found([group('g', [sub('s')])]))).toEqual([])
    expect(warned(found([sub('s')]))).toEqual([])
  })
})

it('[7-01] several problems are all reported: in an option, its neighbours and its nested options', () => {
  const body = [
    option(99, { name: 'X' }),
    sub('s', [text('y', { description: '' }), 5, text('y')]),
    text('Z', { choices: [{ name: '', value: 1 }] }),
  ]
  expect(refused(found(body))).toEqual([
    'option.type options[0].type 2.4-01',
    'name.case options[0].name 2.1-06',
    'description.length options[1].options[0].description 2.1-09',
    'shape.object options[1].options[1] 2.1-24',
    'options.unique options[1].options[2] 2.4-03',
    'options.mixed options[2] 2.7-03',
    'name.case options[2].name 2.1-06',
    'choice.name options[2].choices[0].name 2.6-01',
    'choice.value_string options[2].choices[0].value 2.6-02',
  ])
})
