import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { globalScope } from 'commandry'
import { findPython } from './python.ts'
import { APP, GUILD, world } from '../rest/world.ts'

const python = findPython('discord')
const script = fileURLToPath(new URL('discordpy.py', import.meta.url))

const missing = python === undefined

describe.skipIf(missing)(missing ? 'discord.py (skipped: it is not installed)' : 'discord.py', () => {
  it('[2.1-08] [4.1-01] [4.1-02] [4.1-04] [4.1-05] [4.1-07] [4.2-07] [7-01] works unchanged', async () => {
    const { url, registry } = await world()
    const translations: unknown[] = []
    registry.subscribe((event) => {
      if (event.type === 'command_created') translations.push(event.command.name_localizations)
    })
    const { stdout } = await promisify(execFile)(python!, [script, `${url}/api/v10`, GUILD])
    expect(JSON.parse(stdout)).toEqual({
      application: APP,
      synced: ['Report', 'ban', 'config'],
      permissions: 4,
      options: [
        ['member', 'user', true, null],
        ['days', 'integer', false, 7],
        ['reason', 'string', false, null],
      ],
      choices: [
        ['low', 1],
        ['high', 2],
      ],
      dm: [true, false],
      one: true,
      edited: ['Bans somebody', 3],
      guild: 3,
      unset: ['NotFound', 404, 10066, expect.any(String)],
      unknown: ['NotFound', 404, 10063, expect.any(String)],
      'one refused': [
        'HTTPException',
        400,
        50035,
        [
          '400 Bad Request (error code: 50035): Invalid Form Body',
          'In name: String value did not match validation regex. Command name is invalid',
          'In description: Must be between 1 and 100 in length.',
        ].join('\n'),
      ],
      'list refused': ['HTTPException', 400, 50035, expect.stringContaining('In 0.options.0.description: ')],
      left: 2,
    })
    expect(translations).toContainEqual({ de: 'bannen' })
    const [kept] = await registry.list({ kind: 'guild', applicationId: APP, guildId: GUILD })
    expect(kept).toMatchObject({ guild_id: GUILD })
    expect(await registry.list(globalScope(APP))).toHaveLength(2)
  })
})
