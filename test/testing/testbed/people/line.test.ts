import { describe, expect, it } from 'vitest'
import type { LocalizedOption, OptionType } from 'commandry'
import { readValues, splitLine } from '../../../../src/testing/testbed/people/line.ts'
import { fc, forAny } from '../../../support/properties.ts'

const option = (name: string, type: OptionType, name_default = name): LocalizedOption => ({
  ...{ type, name, name_default },
  ...{ description: 'x', description_default: 'x', required: false },
})

const context = {
  idOfMention: (text: string, kinds: readonly string[]) =>
    text === '<@3003>' || (text === '@alan' && kinds.includes('users')) ? '3003' : undefined,
  attach: (filename: string) => `file-${filename}`,
}

const read = (rest: string, options: readonly LocalizedOption[]) => readValues(rest, options, context)

describe('a typed line', () => {
  it.each([
    ['/ban user:@alan', 'ban', 'user:@alan'],
    ['/permissions user get  user:1', 'permissions user get', 'user:1'],
    ['/ban', 'ban', ''],
    ['ban user:1', 'ban', 'user:1'],
    ['/ban @alan', 'ban', '@alan'],
    ['/ban "a"', 'ban', '"a"'],
    ['/', '', ''],
  ])('%s', (line, path, rest) => {
    expect(splitLine(line)).toEqual({ path, rest })
  })

  const types = { user: 6, reason: 3, days: 4, silent: 5, file: 11 } as const
  const options = Object.entries(types).map(([name, type]) => option(name, type))

  it.each([
    [
      'gives each option the words up to the next one',
      'user:@alan reason: he said: no  days:7 silent:True file:log.txt',
      { user: '3003', reason: 'he said: no', days: 7, silent: true, file: 'file-log.txt' },
    ],
    [
      'keeps quoted text together',
      'reason:"days:7 \\"quoted\\"" days:1',
      { reason: 'days:7 "quoted"', days: 1 },
    ],
    [
      'takes a mention as an id only for ids',
      'user:<@3003> reason:<@3003>',
      { user: '3003', reason: '<@3003>' },
    ],
    ['leaves out options without a text', 'user: reason:"" days:1', { days: 1 }],
    [
      'passes unmatched text to the checks of the client',
      'days:many user:@bob silent:maybe',
      { days: 'many', user: '@bob', silent: 'maybe' },
    ],
    ['passes unknown options to the checks of the client', 'usr:@alan', { usr: '@alan' }],
  ])('%s', (_, rest, values) => {
    expect(read(rest, options)).toEqual(values)
  })

  it('finds options by their shown and default names', () => {
    const options = [option('nutzer', 6, 'user'), option('grund', 3, 'reason')]
    expect(read('nutzer:@alan reason:x', options)).toEqual({ nutzer: '3003', reason: 'x' })
  })

  it('takes the name of a choice before a value, as people type names', () => {
    const choice = (name: string, value: string | number, by = name) => ({ name, name_default: by, value })
    const options = [
      { ...option('pick', 4), choices: [choice('1', 10), choice('10', 1), choice('Zwei', 2, 'Two')] },
      { ...option('color', 3), choices: [choice('Red', 'r'), choice('r', 'other')] },
    ]
    expect(read('pick:1 color:r', options)).toEqual({ pick: 10, color: 'other' })
    expect(read('pick:Two color:Red', options)).toEqual({ pick: 2, color: 'r' })
    expect(read('pick:2', options)).toEqual({ pick: 2 })
  })

  it('refuses an option that is given twice, also under its other name', () => {
    const options = [option('nutzer', 6, 'user'), option('text', 3)]
    expect(() => read('text:a text:b', options)).toThrow('the option "text" is given twice')
    expect(() => read('nutzer:@alan user:@alan', options)).toThrow('the option "nutzer" is given twice')
  })

  it('refuses a value without an option and suggests options', () => {
    expect(() => read('@alan', [option('user', 6)])).toThrow(
      '"@alan" is not the value of an option; write "user:@alan"',
    )
    expect(() => read('x', [])).toThrow('"x" is not the value of an option; the command has no options')
    expect(() => read('reason:"a" b', [option('reason', 3)])).toThrow('"b" is not the value of an option')
  })

  it('reads back any quoted text, and never throws', () => {
    const options = [option('a', 3), option('b', 3)]
    const text = fc.string({ unit: 'grapheme' })
    forAny([text, text], 100, (a, b) => {
      const quote = (value: string) => `"${value.replace(/[\\"]/g, '\\$&')}"`
      const given = Object.fromEntries(Object.entries({ a, b }).filter(([, value]) => value !== ''))
      expect(read(`a:${quote(a)} b:${quote(b)}`, options)).toEqual(given)
    })
    forAny([fc.string()], 100, (rest) => {
      const { path, rest: values } = splitLine(`/x ${rest}`)
      expect(path.startsWith('x')).toBe(true)
      try {
        read(values, options)
      } catch (error) {
        expect(error).toMatchObject({ code: 'invalid_options' })
      }
    })
  })
})
