import { describe, expect, it } from 'vitest'
import { validateCommand, validateCommands } from 'commandry'
import { fullChoices, option, several, slash } from '../../../support/bodies.ts'
import { accepted, reasons, refused } from '../../../support/found.ts'

const wide = '🎉'

/**
 * A slash command with a given number of characters. The command, its options and their descriptions have one letter
 * each; the rest is in the choices.
 */
function sized(total: number, letter = 'x') {
  // The command 2, three options 2 each, 39 full choices 200 each: 7808 characters.
  const rest = total - 7808 - 2
  const options = [
    option(3, { name: 'p', choices: fullChoices(25, letter) }),
    option(3, { name: 'q', choices: fullChoices(14, letter) }),
    option(3, { name: 'r', choices: [{ name: letter.repeat(rest - 100), value: letter.repeat(100) }] }),
    option(5, { name: 's', description: 'b' }),
  ]
  return slash({ options })
}

const problems = (body: unknown) => refused(validateCommand(body))
const tooLarge = ['command.size 8-04']

describe('the combined characters of a slash command', () => {
  it('[8-04] are at most 8000', () => {
    expect(problems(sized(8000))).toEqual([])
    expect(reasons(validateCommand(sized(8001)))).toEqual([
      'command.size 8-04: has 8001 characters in its names, descriptions and values, the longest variant of each; at most 8000 are allowed',
    ])
  })

  it('[8-04] are counted in code points', () => {
    expect(problems(sized(8000, wide))).toEqual([])
    expect(problems(sized(8001, wide))).toEqual(tooLarge)
  })

  const almost = (letter = 'x') =>
    sized(7990, letter) as { name: string; description: string; options: Record<string, unknown>[] }

  /** A body with ten characters to spare, whose last option has other fields. */
  const withLast = (fields: object, body = almost()) => ({
    ...body,
    options: body.options.with(3, { ...body.options[3], ...fields }),
  })
  const choice = (more: object) => ({ choices: [{ name: 'c', value: 1, ...more }] })
  const inGerman = (de: string) => ({ name_localizations: { de } })

  it.each<[string, (text: string) => object, full: number]>([
    ['the name of the command', (name) => ({ ...almost(), name }), 11],
    ['a translation of the name of the command', (de) => ({ ...almost(), ...inGerman(de) }), 11],
    ['the description of the command', (description) => ({ ...almost(), description }), 11],
    ['the name of an option', (name) => withLast({ name }), 11],
    ['a translation of the name of an option', (de) => withLast(inGerman(de)), 11],
    ['the description of an option', (description) => withLast({ description }), 11],
    ['a translation of an option description', (de) => withLast({ description_localizations: { de } }), 11],
    ['the name of a choice', (name) => withLast({ type: 4, ...choice({ name }) }), 10],
    ['a translation of the name of a choice', (de) => withLast({ type: 4, ...choice(inGerman(de)) }), 10],
    ['the string value of a choice', (value) => withLast({ type: 3, ...choice({ value }) }), 9],
  ])('[8-04] include %s', (_, body, full) => {
    expect(problems(body('x'.repeat(full)))).toEqual([])
    expect(problems(body('x'.repeat(full + 1)))).toEqual(tooLarge)
  })

  it('[8-04] exclude the number values of choices', () => {
    // Wide letters exceed the limit in UTF-16 units, so the reader counts code points.
    for (const body of [almost(), almost(wide)]) {
      const withNumber = (name: string) =>
        withLast({ ...option(4, { name: 's' }), ...choice({ name, value: 123_456_789 }) }, body)
      expect(problems(withNumber('c'.repeat(10)))).toEqual([])
      expect(problems(withNumber('c'.repeat(11)))).toEqual(tooLarge)
    }
  })

  it('[8-04] include those of all depths', () => {
    const inner = [
      option(3, { name: 'p', choices: fullChoices(25) }),
      option(3, { name: 'q', choices: fullChoices(14) }),
      option(3, { name: 'r', description: 'b'.repeat(100) }),
    ]
    const nested = (name: string, description: string) =>
      slash({ description, options: [option(2, { name, options: [option(1, { options: inner })] })] })
    // Group, subcommand and options without their choices have 1 + 1, 1 + 1, 1 + 1, 1 + 1 and 1 + 100 characters.
    const rest = 8000 - 39 * 200 - 109 - 1
    expect(problems(nested('g', 'b'.repeat(rest)))).toEqual([])
    expect(problems(nested('gg', 'b'.repeat(rest)))).toEqual(tooLarge)
  })

  it('[8-04] include only the longest variant of a localized field', () => {
    const localized = (description: string, description_localizations: object) =>
      validateCommand({ ...almost(), description, description_localizations })
    expect(refused(localized('b', { de: 'b'.repeat(11), fr: 'b'.repeat(11), nl: 'b' }))).toEqual([])
    expect(refused(localized('b', { de: 'b'.repeat(12) }))).toEqual(tooLarge)
    expect(refused(localized('b', { fr: 'x', de: 'b'.repeat(12), nl: 'x' }))).toEqual(tooLarge)
    expect(refused(localized('b'.repeat(11), { de: 'b' }))).toEqual([])
    expect(refused(localized('b', { de: wide.repeat(11) }))).toEqual([])
    expect(refused(localized('b', { de: wide.repeat(12) }))).toEqual(tooLarge)
  })

  it('[8-04] do not add up translations', () => {
    const translations = (text: string) =>
      Object.fromEntries(['de', 'fr', 'nl', 'pl', 'it', 'pt-BR'].map((locale) => [locale, text]))
    const options = several(25, (i) =>
      option(3, {
        name: `o${i}`,
        name_localizations: translations(`o${i}`),
        description: 'b'.repeat(100),
        description_localizations: translations('c'.repeat(100)),
      }),
    )
    expect(accepted(validateCommand(slash({ options }))).options).toHaveLength(25)
  })

  it('[8-04] are limited for each command of a list separately', () => {
    const list = [sized(8000), { ...sized(8001), name: 'b' }, { ...sized(8000), name: 'c' }]
    expect(refused(validateCommands(list))).toEqual(['command.size [1] 8-04'])
  })

  it('[8-04] [7-01] include the valid parts of a command with other problems', () => {
    const body = { ...sized(8001), description_localizations: ['b'] }
    expect(problems(body)).toEqual([...tooLarge, 'shape.dictionary description_localizations 2.1-24'])
    const choiceless = { ...sized(8001), name: undefined, description: 'bb' }
    expect(problems(choiceless)).toEqual([...tooLarge, 'shape.required name 2.1-22'])
  })
})
