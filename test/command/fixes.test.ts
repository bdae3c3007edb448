import { describe, expect, it } from 'vitest'
import { rules, validateCommand, type RuleCode } from 'commandry'
import { violating } from 'commandry/testing'
import { applyEdits } from '../../src/core/edits.ts'
import type { Edit } from '../../src/core/rule.ts'

const fixable = rules.filter(({ fix }) => fix !== null).map(({ code }) => code)

function repaired(body: unknown): { text: string; edits: readonly Edit[] } {
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
    expect([...fixable].sort()).toEqual([
      'channel_types.repeated',
      'choice.value_integer',
      'choice.value_number',
      'choice.value_string',
      'contexts.repeated',
      'description.forbidden',
      'integration_types.repeated',
      'keys.unknown',
      'localization.locale',
      'name.case',
      'option.autocomplete',
      'option.channel_types',
      'option.choices',
      'option.length',
      'option.options',
      'option.range',
      'option.required',
      'options.order',
    ])
  })

  it.each(fixable.filter((code) => code !== 'choice.value_integer'))('repairs %s', (code) => {
    const { body } = violating(code as RuleCode)
    const { text, edits } = repaired(body)
    expect(edits).toHaveLength(1)
    expect(JSON.stringify(validateCommand(JSON.parse(text)))).not.toContain(code)
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

  it.each([['1.5'], ['x'], [''], ['1e3'], ['007'], ['99999999999999999']])(
    'does not change the text %j of an INTEGER choice',
    (value) => {
      const body = option({ type: 4, choices: [{ name: 'c', value }] })
      expect(repaired(body)).toEqual({ text: JSON.stringify(body), edits: [] })
    },
  )

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
    const body = { name: 'Ban User', description: 'b' }
    expect(repaired(body).edits).toEqual([])
  })
})
