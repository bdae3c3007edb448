import { describe, expect, it } from 'vitest'
import { call, directoryOf, failing } from '../program.ts'

const upload = {
  name: 'upload',
  description: 'Takes a file',
  options: [
    { type: 1, name: 'one', description: 'x', options: [] },
    {
      type: 1,
      name: 'two',
      description: 'x',
      options: [{ type: 11, name: 'file', description: 'x', file_types: ['image', 'nonsense'] }],
    },
  ],
}
const ping = { name: 'ping', description: 'Answers' }

describe('commandry changes', () => {
  it('[1-07] lists every change with its day and source, newest first', async () => {
    const { code, out } = await call(['changes'])
    expect(code).toBe(0)
    expect(out).toMatch(
      /^Discord as of 2026-11-25: \d+ changes\n\n2026-11-16 {2}Channels that a bot may not view/,
    )
    expect(out).toContain('    Fields: options[].file_types, components[].file_types\n')
    expect(out).toContain('    Source: change log; discord-api-docs#8506')
    expect(out).not.toMatch(/^ *(?:Fields|Rules): *$/m)
  })

  it('lists only what concerns the definitions of a folder', async () => {
    const cwd = await directoryOf({ 'commands.json': [upload, ping] })
    const { code, out } = await call(['changes', 'commands.json'], { cwd })
    expect(code).toBe(0)
    expect(out).toContain('1 change that concerns your definitions\n\n2026-08-05  ')
    expect(out).toContain('/upload, option "file": has file_types')
    expect(out).toContain('is the string "nonsense"')
    const quiet = await call(['changes', '--since', '2026-08-06', 'commands.json'], { cwd })
    expect(quiet.out).toMatch(/: 0 changes that concern your definitions\n$/)
  })

  it('prints JSON for programs, and refuses what is not a day', async () => {
    const cwd = await directoryOf({ 'commands.json': [upload] })
    const { out } = await call(['changes', '--format', 'json', 'commands.json'], { cwd })
    expect(JSON.parse(out)).toMatchObject({
      discord: '2026-11-25',
      changes: [{ day: '2026-08-05', rules: expect.arrayContaining(['file_types.form']) }],
    })
    expect(await call(['changes', '--since', 'August'])).toMatchObject(
      failing(2, '--since "August" is not a day such as 2026-11-16'),
    )
    expect(await call(['fuzz', '--discord', '2026-11-', '--', 'x'])).toMatchObject(failing(2, 'is not a day'))
    expect(await call(['serve', '--discord', '2026-11-15'])).toMatchObject(
      failing(2, '--discord needs --gateway'),
    )
  })
})
