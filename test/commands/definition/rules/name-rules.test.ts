import { describe, expect, it } from 'vitest'
import { CommandType, validateCommand } from 'commandry'
import { read } from '../../../support/markdown.ts'
import { commandOf, option, slash } from '../../../support/bodies.ts'
import { accepted, advice, messages, reasons, refused, warned } from '../../../support/found.ts'
import { words } from '../../../support/words.ts'

const named = (name: unknown) => validateCommand(slash({ name }))
const menu = (name: unknown, type: number = CommandType.USER) => validateCommand({ type, name })
const freeTypes = [CommandType.USER, CommandType.MESSAGE, CommandType.PRIMARY_ENTRY_POINT]

/** A lowercase letter of two UTF-16 units, U+1D4B6. */
const astral = '𝒶'

describe('the length of a name', () => {
  it.each([
    ['one character', 'x'],
    ['32 characters', 'x'.repeat(32)],
    ['32 letters outside the basic plane, which are 64 UTF-16 units', astral.repeat(32)],
  ])('[2.1-04] accepts %s', (_, name) => {
    expect(accepted(named(name)).name).toBe(name)
    expect(accepted(menu(name)).name).toBe(name)
  })

  it.each([
    ['nothing', '', 'is empty; a name has at least 1 character'],
    ['33 characters', 'x'.repeat(33), 'has 33 characters; at most 32 are allowed'],
    ['33 letters outside the basic plane', astral.repeat(33), 'has 33 characters; at most 32 are allowed'],
    ['64 characters, as many units as 32 pairs', 'x'.repeat(64), 'has 64 characters; at most 32 are allowed'],
  ])('[2.1-04] rejects %s for any type of command', (_, name, message) => {
    for (const found of [named(name), ...freeTypes.map((type) => menu(name, type))])
      expect(reasons(found)).toEqual([`name.length name 2.1-04: ${message}`])
  })

  it('[2.1-04] counts the code points of a combined emoji', () => {
    const family = '👨‍👩‍👧‍👦' // Seven code points.
    expect(refused(menu(family.repeat(4) + 'abcd'))).toEqual([])
    expect(refused(menu(family.repeat(4) + 'abcde'))).toEqual(['name.length name 2.1-04'])
    const decomposed = 'e\u0301'
    expect(refused(menu(decomposed.repeat(16)))).toEqual([])
    expect(refused(menu(decomposed.repeat(16) + 'e'))).toEqual(['name.length name 2.1-04'])
  })

  it('[2.1-04] counts an unpaired surrogate as one', () => {
    expect(refused(menu('\ud83d'.repeat(32)))).toEqual([])
    expect(refused(menu('\ude00'.repeat(33)))).toEqual(['name.length name 2.1-04'])
  })
})

describe('the characters of a slash command name', () => {
  // Single characters are tested exhaustively below.
  it.each([
    ...words("it's a-b_c १२३ हिन्दी ภาษาไทย ที่ 日本語 한국어 привет ελλάδα שלום مرحبا ქართული հայերեն"),
    astral.repeat(2),
  ])('[2.1-05] accepts %j', (name) => {
    expect(accepted(named(name)).name).toBe(name)
  })

  it.each([
    ...['e\u0301', 'தமிழ்', 'বাংলা', 'a\u200b', '🎉🎉'],
    ...['\ud800', '\udc00', '\udc00\ud800', 'a\ud83d', '\ude00a', '\ud83d\ud83d\ude00'],
  ])('[2.1-05] rejects %j', (name) => {
    expect(refused(named(name))).toEqual(['name.characters name 2.1-05'])
  })

  it('[2.1-05] [2.1-06] classifies every code point of the first two planes as the specification does', () => {
    const alphabet = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u
    const hasLowercase = /\p{Changes_When_Lowercased}/u
    const wrong: string[] = []
    for (let point = 0; point < 0x20000; point++) {
      const name = String.fromCodePoint(point)
      if (named(name).ok !== (alphabet.test(name) && !hasLowercase.test(name))) wrong.push(point.toString(16))
    }
    expect(wrong).toEqual([])
  })

  it.each([
    ['a b', 'has a space'],
    ['a\tb', 'has a tab'],
    ['a\nb', 'has a line break'],
    ['a\u00a0b', 'has a no-break space'],
    ['a\u200bb', 'has a zero-width space'],
    ['a.b', 'has "."'],
    ['a b.c d', 'has a space and "."'],
    ['🎉', 'has "🎉"'],
    ['\ud83d', 'has the character U+D83D'],
    ['\u0007', 'has the character U+0007'],
    ['.,:;!', 'has ".", ",", ":", ";" and "!"'],
    ['.,:;!?', 'has ".", ",", ":", ";" and 2 more such characters'],
  ])('[2.1-05] describes the problem of %j', (name, message) => {
    expect(messages(named(name))).toEqual([`${message}; use letters, digits, "-" and "_"`])
  })

  it('[2.1-05] suggests the NFC form of a name', () => {
    expect(messages(named('cafe\u0301'))).toEqual([
      'is not normalized to NFC: it has the combining mark U+0301; write "café"',
    ])
    // Normalized, it would still have a character outside the alphabet.
    expect(messages(named('cafe\u0301 x'))).toEqual([
      'has the combining mark U+0301 and a space; use letters, digits, "-" and "_"',
    ])
  })

  it('[2.1-05] describes invalid characters of a name that is also too long', () => {
    const found = named('x'.repeat(70) + '.')
    expect(refused(found)).toEqual(['name.length name 2.1-04', 'name.characters name 2.1-05'])
    expect(messages(found)[1]).toBe('has "."; use letters, digits, "-" and "_"')
  })

  it('[2.1-05] does not split a surrogate pair in the message about a very long name', () => {
    for (const start of ['', 'x'])
      expect(messages(named(start + '🎉'.repeat(500)))[1]).toBe('has "🎉"; use letters, digits, "-" and "_"')
  })

  it('[2.1-05] checks only the first units of a name for invalid characters, as decision 14 says', () => {
    const [, units] = /first (\d+) UTF-16 units/.exec(read('docs/decisions/14-floods.md'))!
    const after = (count: number) => refused(named('x'.repeat(count) + '.'))
    expect(after(Number(units) - 1)).toEqual(['name.length name 2.1-04', 'name.characters name 2.1-05'])
    expect(after(Number(units))).toEqual(['name.length name 2.1-04'])
    const [, found] = messages(named(`!${'x'.repeat(Number(units))}.`))
    expect(found).toBe('has "!"; use letters, digits, "-" and "_"')
  })
})

describe('the letter case of a slash command name', () => {
  // Single characters are tested exhaustively above: these are the special forms of lower case.
  it.each([
    ...['A/a', 'serverInfo/serverinfo', 'ΟΔΟΣ/οδοσ', 'Привет/привет', 'ǅ/ǆ', 'ᲐᲑ/აბ', 'İ/i', 'ẞ/ß'],
    ...['\u212a/k', '\u212b/å', '\u2126/ω', 'Ⅷ/ⅷ', 'Ꭰ/ꭰ', 'Ａ/ａ', '𐐀/𐐨'],
  ])('[2.1-06] rejects a name with a lowercase form, and suggests it: %s', (pair) => {
    const [name, lowered] = pair.split('/')
    const found = named(name)
    expect(reasons(found)).toEqual([`name.case name 2.1-06: has upper case; write "${lowered}"`])
    expect(accepted(named(lowered)).name).toBe(lowered)
  })

  it('[2.1-06] accepts both forms of the Greek sigma', () => {
    expect(accepted(named('οδος')).name).toBe('οδος')
  })

  it('[2.1-05] [2.1-06] is reported separately from invalid characters', () => {
    const found = named('My Command')
    expect(reasons(found)).toEqual([
      'name.characters name 2.1-05: has a space; use letters, digits, "-" and "_"',
      'name.case name 2.1-06: has upper case; use lowercase letters',
    ])
    // A suggestion that would be refused again is omitted.
    expect(messages(named('MyCommand'))).toEqual(['has upper case; write "mycommand"'])
  })

  it('[2.1-04] [2.1-05] [2.1-06] reports all three problems of a name at once', () => {
    expect(refused(named('A '.repeat(17)))).toEqual([
      'name.length name 2.1-04',
      'name.characters name 2.1-05',
      'name.case name 2.1-06',
    ])
  })
})

const inGroup = (options: unknown) => [option(2, { options: [option(1, { options })] })]

it.each<[string, (name: unknown) => unknown, string]>([
  ['an option', (name) => [option(3, { name })], 'options[0]'],
  ['a subcommand', (name) => [option(1, { name })], 'options[0]'],
  ['a group', (name) => [option(2, { name, options: [option(1)] })], 'options[0]'],
  ['a nested subcommand', (name) => [option(2, { options: [option(1, { name })] })], 'options[0].options[0]'],
  ['a nested option', (name) => [option(1, { options: [option(3, { name })] })], 'options[0].options[0]'],
  ['the deepest', (name) => inGroup([option(5), option(3, { name })]), 'options[0].options[0].options[1]'],
])('[2.4-02] names of options follow the rules of slash command names: %s', (_, place, path) => {
  const found = (name: unknown) => refused(validateCommand(slash({ options: place(name) })))
  expect(found(astral.repeat(32))).toEqual([])
  expect(found('')).toEqual([`name.length ${path}.name 2.1-04`])
  expect(found('x'.repeat(33))).toEqual([`name.length ${path}.name 2.1-04`])
  expect(found('x y')).toEqual([`name.characters ${path}.name 2.1-05`])
  expect(found('X')).toEqual([`name.case ${path}.name 2.1-06`])
  for (const nothing of [undefined, null])
    expect(found(nothing)).toEqual([`shape.required ${path}.name 2.1-22`])
})

describe.each(freeTypes)('names of commands of type %i', (type) => {
  it.each(['User Info', 'Launch', 'Émile', 'a.b/c', '🎉 Party!', 'ΟΔΟΣ', 'e\u0301', '\u00e9', 'தமிழ்', '?'])(
    '[2.1-07] may be %j and are stored unchanged',
    (name) => {
      const found = menu(name, type)
      expect(accepted(found).name).toBe(name)
      expect(warned(found)).toEqual([])
    },
  )

  const warning = 'name.white_space name 2.1-07'
  const untrimmed = [' A', 'A ', '\tA', 'A\n', '\u00a0A', 'A\u3000', '  A  ']
  it.each(untrimmed)('[2.1-07] are not trimmed; %j has a warning', (name) => {
    const found = menu(name, type)
    expect(accepted(found).name).toBe(name)
    expect(advice(found)).toEqual([`${warning}: starts or ends with white space, which is kept as it is`])
  })

  it('[2.1-07] [2.1-08] have warnings in every locale', () => {
    const found = validateCommand({ type, name: 'A', name_localizations: { de: ' B', fr: 'C', ja: ' ' } })
    expect(warned(found)).toEqual([
      'name.white_space name_localizations.de 2.1-07',
      'name.white_space name_localizations.ja 2.1-07',
    ])
  })

  it('[2.1-07] may be white space only, with a warning', () => {
    const found = menu('   ', type)
    expect(accepted(found).name).toBe('   ')
    expect(advice(found)).toEqual([`${warning}: is only white space; people see an empty entry`])
  })
})

it.each([1, 2, 3, 4])('[2.1-22] a name is required for type %i', (type) => {
  const found = (name: unknown) => reasons(validateCommand(commandOf(type, { name })))
  expect(found(undefined)).toEqual(['shape.required name 2.1-22: is missing'])
  expect(found(null)).toEqual(['shape.required name 2.1-22: is null, but it is required'])
})
