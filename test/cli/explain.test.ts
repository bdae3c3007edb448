import { describe, expect, it } from 'vitest'
import { rules } from 'commandry'
import { call } from './program.ts'

describe('commandry explain', () => {
  it('shows the rule, a wrong definition, the fix and the error of Discord', async () => {
    const { code, out } = await call(['explain', 'options.order'])
    expect(code).toBe(0)
    const lines = out.trimEnd().split('\n')
    expect(lines[0]).toBe('options.order  error')
    expect(lines.slice(1)).toEqual([
      rules.find(({ code }) => code === 'options.order')!.summary,
      '',
      '  Wrong    [ { "name": "x0", "description": "b", "type": 3 }, { "name": "x1", "description": "b",',
      '           "type": 3, "required": true } ]',
      '           at options[1]',
      expect.stringMatching(/^ {2}Message {2}is required/),
      '  Right    [ { "name": "x1", "description": "b", "type": 3, "required": true }, { "name": "x0",',
      '           "description": "b", "type": 3 } ]',
      '  Fix      commandry check --fix repairs it',
      '  Discord  50035, APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID',
      '           "Required options must be placed before non-required options"',
      '  More     docs/rules.md#options-order',
    ])
  })

  it('explains every rule', async () => {
    for (const { code, summary, level } of rules) {
      const { out, err } = await call(['explain', code])
      expect(err).toBe('')
      expect(out.startsWith(`${code}  ${level}\n`)).toBe(true)
      expect(out.replaceAll('\n', ' ')).toContain(summary)
      expect(out).toMatch(/^ {2}Wrong {4}\S/m)
      expect(out).not.toContain('undefined')
    }
  })

  it('lists all rules by subject', async () => {
    const { out } = await call(['explain'])
    for (const { code, summary } of rules) {
      expect(out).toContain(`  ${code} `)
      expect(out).toContain(summary)
    }
  })

  it('suggests the nearest code', async () => {
    for (const [given, meant] of [
      ['option.ordr', 'options.order'],
      ['name.Case', 'name.case'],
    ])
      expect(await call(['explain', given!])).toMatchObject({
        code: 2,
        err: expect.stringContaining(`no rule "${given}"; did you mean ${meant}?`),
      })
  })
})
