import { describe, expect, it } from 'vitest'
import { validateCommand } from 'commandry'
import { rules, type RuleCode } from 'commandry/reference'
import { violating } from 'commandry/testing'
import { applyEdits } from '../../../src/tools/authoring/edits.ts'
import { words } from '../../support/words.ts'

const fixable = rules.filter(({ fix }) => fix !== null).map(({ code }) => code)

function repaired(body: unknown): { text: string; edits: Parameters<typeof applyEdits>[1] } {
  const text = JSON.stringify(body)
  const result = validateCommand(body)
  const issues = [...(result.ok ? [] : result.issues), ...result.warnings]
  const edits = issues.flatMap(({ code, path, params }) => {
    const fix = rules.find((rule) => rule.code === code)!.fix
    return fix === null ? [] : fix(body, { path, params })
  })
  return { text: applyEdits(text, edits), edits }
}

describe('the fixes of rules', () => {
  it('need no decision of the author', () => {
    expect([...fixable].sort()).toEqual(
      words(`
      channel_types.repeated choice.value_integer choice.value_number choice.value_string command.type
      contexts.repeated description.forbidden integration_types.repeated keys.unknown
      localization.locale name.case name.decomposed option.autocomplete option.channel_types option.choices option.file_types
      option.length option.options option.range option.required option.type options.order
    `),
    )
  })

  // Only some values of these rules have a fix.
  const partly = ['choice.value_integer', 'command.type', 'option.type']

  it.each(fixable.filter((code) => !partly.includes(code)))('repairs %s', (code) => {
    const { body } = violating(code as RuleCode)
    const { text, edits } = repaired(body)
    expect(edits).toHaveLength(1)
    expect(JSON.stringify(validateCommand(JSON.parse(text)))).not.toContain(code)
  })

  it('leave an unknown key alone that resembles no known one', () => {
    const body = { name: 'a', description: 'b', zzzzzzzz: 1 }
    expect(repaired(body)).toEqual({ text: JSON.stringify(body), edits: [] })
  })

  const option = (more: object) => ({
    name: 'a',
    description: 'b',
    options: [{ name: 'o', description: 'p', ...more }],
  })

  it.each([
    ['12', 4, '12', 12],
    ['-7', 4, '-7', -7],
    ['1.5', 10, '1.5', 1.5],
  ])('turns the text %j of a choice into a number', (_, type, value, expected) => {
    const { text } = repaired(option({ type, choices: [{ name: 'c', value }] }))
    expect(JSON.parse(text).options[0].choices[0].value).toBe(expected)
  })

  it('turns the name of a type into its number', () => {
    const typeOf = (type: string) => JSON.parse(repaired(option({ type })).text).options[0].type as unknown
    expect(['STRING', 'SubcommandGroup', '11'].map(typeOf)).toEqual([3, 2, 11])
    const ofCommand = (type: string) =>
      JSON.parse(repaired({ type, name: 'a', description: 'b' }).text).type as unknown
    expect(['CHAT_INPUT', 'ChatInput', '2'].map(ofCommand)).toEqual([1, 1, 2])
  })

  it('leaves unknown types alone', () => {
    for (const type of ['TEXT', 12, 0, null]) expect(repaired(option({ type })).edits).toEqual([])
  })

  it('renames misspelt keys', () => {
    const { name, description, options } = option({ type: 3 })
    const misspelt = [{ ...options[0], autoComplete: true }]
    const { text } = repaired({ name, descripton: description, options: misspelt })
    expect(JSON.parse(text)).toEqual(option({ type: 3, autocomplete: true }))
  })

  it('offers to keep the choices or the autocomplete of an option', () => {
    const { body, path } = violating('option.autocomplete_choices')
    const { offers } = rules.find(({ code }) => code === 'option.autocomplete_choices')!
    const kept = Object.entries(offers!).map(([label, fix]) => {
      const fixed = JSON.parse(applyEdits(JSON.stringify(body), fix(body, { path, params: {} })))
      expect(validateCommand(fixed).ok).toBe(true)
      return [label, 'choices' in fixed.options[0], 'autocomplete' in fixed.options[0]]
    })
    expect(kept).toEqual([
      ['Keep the choices', true, false],
      ['Keep autocomplete', false, true],
    ])
  })

  const texts = [['1.5'], ['x'], [''], ['1e3'], ['007'], ['99999999999999999']]
  it.each(texts)('does not change the text %j of an INTEGER choice', (value) => {
    const body = option({ type: 4, choices: [{ name: 'c', value }] })
    expect(repaired(body)).toEqual({ text: JSON.stringify(body), edits: [] })
  })

  it('does not rename a key or a locale to an existing one', () => {
    const body = {
      name: 'a',
      description: 'b',
      defaultMemberPermissions: '8',
      default_member_permissions: '0',
      name_localizations: { 'de-DE': 'x', de: 'y' },
    }
    expect(repaired(body)).toEqual({ text: JSON.stringify(body), edits: [] })
  })

  it('does not lowercase a name that would still be invalid', () => {
    expect(repaired({ name: 'Ban User', description: 'b' }).edits).toEqual([])
  })
})
