import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { check, directoryOf, ending } from '../program.ts'

const text = `{
  "$schema": "./commands.schema.json",
  "commands": [
    {
      "name": "Remind",   "description": "Remind me",
      "name_localizations": { "de-DE": "Erinnern" },
      "options": [
        { "type": 3, "name": "what", "description": "What" },
        { "type": 4, "name": "hours", "description": "When", "required": true,
          "choices": [{ "name": "One", "value": "1" }] },
        { "type": 3, "name": "who", "description": "Who", "required": true, "min_value": 3 }
      ]
    }
  ]
}
`

describe('commandry check --fix', () => {
  it('applies every safe fix and keeps the formatting', async () => {
    const cwd = await directoryOf({ 'commands.json': text })
    const before = await check(cwd, ['commands.json'])
    expect(before).toMatchObject(ending(1, 'can be fixed: commandry check --fix commands.json'))
    const { code, out, err } = await check(cwd, ['commands.json', '--fix'])
    expect([code, out]).toEqual([0, expect.stringContaining('✓ 1 command in 1 file: no problems found')])
    expect(err.trimEnd().split('\n')).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^fixing commands\.json:5:15: \/Remind, name: .*\(name\.case\)$/),
        expect.stringMatching(/\(options\.order\)$/),
      ]),
    )
    expect(await readFile(join(cwd, 'commands.json'), 'utf8')).toBe(`{
  "$schema": "./commands.schema.json",
  "commands": [
    {
      "name": "remind",   "description": "Remind me",
      "name_localizations": { "de": "erinnern" },
      "options": [
        { "type": 4, "name": "hours", "description": "When", "required": true,
          "choices": [{ "name": "One", "value": 1 }] },
        { "type": 3, "name": "who", "description": "Who", "required": true },
        { "type": 3, "name": "what", "description": "What" }
      ]
    }
  ]
}
`)
  })

  it('does not write files without a safe fix, and reports the problems', async () => {
    const bad = '{ "name": "a b", "description": "" }\n'
    const cwd = await directoryOf({
      'a.json': bad,
      'b.mjs': 'export default { name: "B", description: "b" }',
    })
    const { code, out, err } = await check(cwd, ['a.json', 'b.mjs', '--fix'])
    expect([code, err]).toEqual([
      1,
      'modules are not repaired; change 1 place by hand:\n  b.mjs  /B  name: "b"\n',
    ])
    expect(out).toContain('name.characters')
    expect(out).toContain('name.case')
    expect(await readFile(join(cwd, 'a.json'), 'utf8')).toBe(bad)
  })

  it('prints the repaired JSON of stdin, and the report beside it', async () => {
    const cwd = await directoryOf({})
    const stdin = '{ "name":"Up",  "description": "d" }\n'
    const { code, out, err } = await check(cwd, ['-', '--fix'], { stdin })
    expect([code, out]).toEqual([0, stdin.replace('Up', 'up')])
    expect(err).toContain('no problems found')
    expect(await readdir(cwd)).toEqual([])
  })
})
