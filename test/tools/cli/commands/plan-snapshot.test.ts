import { describe, expect } from 'vitest'
import { applicationDirectory, CommandRegistry, type ApplicationSnapshot } from 'commandry'
import { fences, read } from '../../../support/markdown.ts'
import { call, directoryOf, ending, failed, type Ended } from '../program.ts'
import { after, before, it, role, run, today } from '../services.ts'
import { app, everywhere, guild, hello } from '../../../support/fixtures.ts'

/** A function that plans files against a snapshot of a registry, or against a changed one. */
async function planning(
  registry: CommandRegistry,
  files: Readonly<Record<string, unknown>>,
  snapshot?: ApplicationSnapshot,
): Promise<(file: string, ...more: readonly string[]) => Promise<Ended>> {
  const directory = await directoryOf({ 'app.json': snapshot ?? (await registry.snapshot(app)), ...files })
  return (file, ...more) => run([file, '--against', 'app.json', ...more], directory)
}

describe('commandry plan FILE --against SNAPSHOT', () => {
  it('[4.1-07] [2.9-09] [8-02] shows the effect of a deploy, and exits with 2 when permissions would be lost', async ({
    filled: { registry, ban },
  }) => {
    const plan = await planning(registry, { 'commands.json': after })
    const { code, out, err } = await plan('commands.json')
    expect([code, err]).toEqual([2, ''])
    expect(out.split('\n')).toEqual([
      'commands.json (4 commands) → global commands of 1001 in app.json',
      '',
      '- /ban   delete',
      '    loses permissions in server 2001: role 5001 allowed, @everyone denied, all channels denied and user 3001 allowed',
      '    loses permission in server 2002: role 5002 allowed',
      `    hint looks renamed to /banish; "id": "${ban}" in its definition keeps the id, not the permissions`,
      '- user command "Report"   delete',
      '~ /ping   update',
      '    default_member_permissions  none → "8"',
      '    name_localizations.de  none → "pong"',
      '~ /roll   update',
      '    options.colour.choices."Red one".value  "r" → "red"',
      '    options.sides.max_value  100 → none',
      '    options.secret  new',
      '    options  ["sides", "colour"] → ["colour", "sides"]',
      '+ /banish   create',
      '',
      'Plan: 1 to create, 2 to update, 2 to delete, 1 unchanged. 5 permissions would be lost.',
      'Creates left today: 194 of 200.',
      '',
    ])
  })

  it('[2.9-09] shows a new name with the same id as a loss of permissions', async ({
    filled: { registry, ban },
  }) => {
    const renamed = before.map((body) => (body.name === 'ban' ? { ...body, id: ban, name: 'banish' } : body))
    const plan = await planning(registry, { 'commands.json': renamed })
    const { code, out } = await plan('commands.json')
    expect(code).toBe(2)
    expect(out).toContain('~ /ban   update\n    loses permissions in server 2001: ')
    expect(out).toContain('    name  "ban" → "banish"\n')
    expect(out).toContain(
      'Plan: 1 to update, 4 unchanged. 5 permissions would be lost.\nCreates left today: 195 of 200.\n',
    )
    expect(out).not.toContain('hint')
  })

  it('exits with 0 when nothing is lost or nothing changes', async ({ registry }) => {
    const harmless = before.filter(({ name }) => name !== 'Report')
    const plan = await planning(registry, {
      'same.json': before,
      'fewer.json': harmless,
      'one.mjs': `export default ${JSON.stringify(hello)}`,
    })
    expect(await plan('same.json')).toEqual({
      code: 0,
      out: '✓ No changes: 5 commands are deployed as defined.\nCreates left today: 195 of 200.\n',
      err: '',
    })
    const fewer = await plan('fewer.json', '--application', app)
    expect(fewer).toMatchObject(ending(0, '- user command "Report"   delete\n'))
    // A single definition is a list of one, for an empty scope.
    const { code, out } = await plan('one.mjs', '--guild', guild)
    expect([code, ...out.split('\n')]).toEqual([
      0,
      'one.mjs (1 command) → commands of server 2001 of 1001 in app.json',
      '',
      '+ /hello   create',
      '',
      'Plan: 1 to create.',
      'Creates left today: 199 of 200.',
      '',
    ])
  })

  it('exits with 2 on any difference with --expect-no-changes', async ({ registry }) => {
    const plan = await planning(registry, {
      'same.json': before,
      'more.json': [...before, hello],
      'fewer.json': before.filter(({ name }) => name !== 'Report'),
      'other.json': before.map((body) => (body.name === 'ping' ? { ...body, description: 'Pings' } : body)),
    })
    const files = ['same.json', 'more.json', 'fewer.json', 'other.json']
    const codes = async (...more: readonly string[]) =>
      Promise.all(files.map(async (file) => (await plan(file, ...more)).code))
    expect(await codes()).toEqual([0, 0, 0, 0])
    expect(await codes('--expect-no-changes')).toEqual([0, 2, 2, 2])
  })

  it('[8-02] exits with 2 when too few creates are left today, and shows the plan', async () => {
    const registry = new CommandRegistry()
    await registry.overwrite(everywhere, [hello])
    const snapshot = await registry.snapshot(app)
    const scopes = snapshot.scopes.map((scope) => ({ ...scope, creates: { day: today(), count: 199 } }))
    const list = [hello, { name: 'a', description: 'b' }, { name: 'c', description: 'd' }]
    const plan = await planning(registry, { 'list.json': list }, { ...snapshot, scopes })
    const { code, out } = await plan('list.json')
    expect([code, ...out.split('\n')]).toEqual([
      2,
      'list.json',
      '    1:1  error    needs 2 creates, but only 1 of 200 are left today  scope.daily_creates',
      '',
      'list.json (3 commands) → global commands of 1001 in app.json',
      '',
      '+ /a   create',
      '+ /c   create',
      '',
      'Plan: 2 to create, 1 unchanged.',
      'The service would refuse this deploy.',
      '',
    ])
    expect(JSON.parse((await plan('list.json', '--format=json')).out)).toMatchObject({
      ok: false,
      files: [{ issues: [{ code: 'scope.daily_creates', level: 'error' }] }],
      plan: { createsLeft: null },
    })
  })

  it('[8-01] [4.1-07] exits with 2 when the service would refuse valid definitions', async () => {
    const registry = new CommandRegistry()
    await registry.enableActivities(app)
    const many = Array.from({ length: 101 }, (_, i) => ({ name: `c${i}`, description: 'b' }))
    const plan = await planning(registry, {
      'many.json': many,
      'most.json': [...many, ...many.slice(0, 39).map(({ name }) => ({ type: 2, name }))],
      'both.json': [...many, { name: 'Bad', description: 'b' }],
      'hello.json': hello,
    })
    for (const [file, text] of [
      ['many.json', '/c100: is slash command number 101; at most 100 of the type are allowed'],
      ['most.json', 'has 140 commands'],
      ['hello.json', 'leaves out the entry point command "Launch"; include it, or delete it by itself first'],
    ] as const)
      expect(await plan(file)).toMatchObject(ending(2, text))
    expect((await plan('both.json')).code).toBe(1)
  })

  it('prints the issues of definitions as "check" does, and exits with 1', async () => {
    const registry = new CommandRegistry()
    const [command] = await registry.overwrite(everywhere, [hello])
    const bad = { name: 'Bad', description: 'b', dm_permission: true }
    const directory = await directoryOf({
      'app.json': await registry.snapshot(app),
      'bad.json': bad,
      'list.json': [hello, bad],
      'warned.json': [{ ...hello, dm_permission: true }],
      'launch.json': { type: 4, name: 'Launch' },
      'other.json': { id: command!.id, type: 2, name: 'hello' },
      'broken.json': '[',
      'throws.mjs': 'throw new Error("no database")',
    })
    const checked = async (args: readonly string[]) => {
      const ended = await call(['check', ...args], { cwd: directory })
      return { ...ended, out: ended.out.replace(/ {2}\d+\.\d s$/m, '') }
    }
    for (const file of ['bad.json', 'list.json', 'broken.json', 'none.json', 'throws.mjs']) {
      const check = await checked([file])
      expect(check.code).toBe(1)
      // `check` also ends with the list of what it did not see.
      const out = check.out.replace(/Not seen:\n[^]*$/, '')
      expect(await run([file, '--against', 'app.json'], directory)).toEqual({ ...check, out })
    }
    expect(await run(['launch.json', '--against', 'app.json', '--guild', guild], directory)).toEqual(
      await checked(['launch.json', '--scope', 'guild']),
    )
    // Invalid only together with the registered command.
    expect(await run(['other.json', '--against', 'app.json'], directory)).toMatchObject(
      ending(1, 'error    user command "hello", type: is the number 2, but the command is of type 1'),
    )
    expect(await run(['warned.json', '--against', 'app.json'], directory)).toMatchObject(
      ending(
        0,
        /^warned\.json\n.* warning {2}\/hello, dm_permission: is deprecated; .+ {2}field\.deprecated\n\n✓ No changes: /,
      ),
    )
  })

  it('prints the plan as JSON with --format json', async ({ filled: { registry, ban } }) => {
    const plan = await planning(registry, { 'commands.json': after })
    const { code, out } = await plan('commands.json', '--format', 'json')
    expect(code).toBe(2)
    const { plan: planned, ...file } = JSON.parse(out)
    expect(file).toEqual({
      version: 1,
      ok: true,
      skipped: [],
      not_seen: [],
      counts: { files: 1, commands: 4, errors: 0, warnings: 0, fixable: 0 },
      files: [{ file: 'commands.json', commands: 4, issues: [] }],
    })
    expect(planned).toMatchObject({
      against: 'app.json',
      applicationId: app,
      guildId: null,
      updates: [
        {
          before: { name: 'ping', name_localizations: null },
          after: { name: 'ping', name_localizations: { de: 'pong' } },
          fields: ['default_member_permissions', 'name_localizations'],
          differences: [
            { path: ['default_member_permissions'], before: null, after: '8' },
            { path: ['name_localizations', 'de'], after: 'pong' },
          ],
        },
        { fields: ['options'] },
      ],
      deletes: [{ id: ban, name: 'ban' }, { name: 'Report' }],
      unchanged: [{ name: 'stay' }],
      createsLeft: 194,
      permissionsLost: [
        { id: ban, guild_id: guild },
        { id: ban, guild_id: '2002', permissions: [role('5002', true)] },
      ],
      renames: [{ id: ban, type: 1, from: 'ban', to: 'banish' }],
      unseen: [],
    })
    // The plan lacks the fields that only a deploy sets.
    expect(planned.creates).toEqual([expect.objectContaining({ name: 'banish', type: 1 })])
    for (const command of [...planned.creates, planned.updates[0].after])
      expect(command).not.toHaveProperty('version')
    expect(planned.creates[0]).not.toHaveProperty('id')
  })

  it('sees no rename between commands of different types', async () => {
    const registry = new CommandRegistry()
    await registry.overwrite(everywhere, [hello])
    const plan = await planning(registry, { 'user.json': { type: 2, name: 'Hello' } })
    const { out } = await plan('user.json')
    expect([out.includes('- /hello   delete'), out.includes('renamed')]).toEqual([true, false])
  })

  it.each([
    [['Report'], ['Flag'], 1],
    [['Report', 'Block'], ['Flag'], 0],
    [['Report'], ['Flag', 'Block'], 0],
  ])('sees a rename of the only command of a type: %j, then %j', async (before, after, renames) => {
    const registry = new CommandRegistry()
    const users = (names: string[]) => names.map((name) => ({ type: 2, name }))
    await registry.overwrite(everywhere, [hello, ...users(before)])
    const plan = await planning(registry, { 'commands.json': [hello, ...users(after)] })
    const { out } = await plan('commands.json')
    expect(out.split('looks renamed').length - 1).toBe(renames)
  })

  it('names a snapshot as a file, also when its name begins as an address does', async () => {
    const cwd = await directoryOf({
      'httpd.json': await new CommandRegistry().snapshot(app),
      'hello.json': hello,
    })
    const { out } = await run(['hello.json', '--against', 'httpd.json'], cwd)
    expect(out).toContain(`global commands of ${app} in httpd.json`)
  })

  it('prints the example of docs/cli.md', async () => {
    const blocks = fences(read('docs/cli.md'))
    const line = 'commandry plan commands.json --against app.json'
    const shown = blocks[blocks.findIndex(({ code }) => code.includes(line)) + 1]!.code
    const registry = new CommandRegistry()
    const [, roll] = await registry.overwrite(everywhere, [
      { name: 'ping', description: 'Says pong' },
      { name: 'roll', description: 'Rolls dice' },
    ])
    await registry.setPermissions(app, guild, roll!.id, [role('5001', true)])
    const plan = await planning(registry, {
      'commands.json': [
        { name: 'ping', description: 'Says pong at once' },
        { name: 'flip', description: 'Flips a coin' },
      ],
    })
    const { code, out } = await plan('commands.json')
    expect([code, out]).toEqual([2, shown])
  })

  it('shortens long lists of differences, and long texts to where they differ', async () => {
    const locales = ['da', 'de', 'fr', 'hr', 'it', 'lt', 'hu', 'nl', 'no', 'pl', 'ro', 'fi', 'vi', 'tr']
    const long = { name: 'a', description: `${'Says '.repeat(18)}yes` }
    const longer = {
      name: 'a',
      description: `${'Says '.repeat(18)}no`,
      description_localizations: Object.fromEntries(locales.map((locale) => [locale, 'x'])),
    }
    const registry = new CommandRegistry()
    await registry.overwrite(everywhere, [long])
    const plan = await planning(registry, { 'a.json': longer })
    const lines = (await plan('a.json')).out.split('\n')
    expect(lines[3]).toBe('    description  "…s Says Says yes" → "…s Says Says no"')
    expect(lines.slice(14, 17)).toEqual([
      '    and 4 more (--all-differences shows them)',
      '',
      'Plan: 1 to update.',
    ])
    // Twelve have room.
    const fewer = {
      ...longer,
      description_localizations: Object.fromEntries(locales.slice(3).map((one) => [one, 'x'])),
    }
    await registry.overwrite(everywhere, [long])
    const shown = (await (await planning(registry, { 'a.json': fewer }))('a.json')).out
    expect(shown.match(/^ {4}description_localizations\./gm)).toHaveLength(11)
    const all = (await plan('a.json', '--all-differences')).out
    expect(all.match(/^ {4}description_localizations\./gm)).toHaveLength(14)
    expect((await plan('a.json', '--all')).out).toBe(all)
  })

  it('[2.1-16] fills absent fields from the deployed commands', async () => {
    const applications = applicationDirectory([{ id: app, integration_types: [0] }])
    const registry = new CommandRegistry({ applications })
    await registry.overwrite(everywhere, [hello, { type: 4, name: 'Launch' }])
    const plan = await planning(registry, {
      'same.json': [hello, { type: 4, name: 'Launch' }],
      'more.json': [
        { ...hello, integration_types: [1] },
        { type: 4, name: 'Launch', handler: 2 },
      ],
    })
    const same = await plan('same.json')
    expect(same).toMatchObject(ending(0, 'No changes: 2 commands are deployed as defined.'))
    expect(same.out).toContain(
      'Missing integration_types were assumed to be [0], as in the deployed commands.\n',
    )
    const more = await plan('more.json')
    expect(more).toMatchObject(ending(0, 'integration_types  [0] → [1]'))
    expect(more.out).toContain('handler  none → 2')
    expect(more.out).not.toContain('Missing integration_types')
  })

  it('describes an invalid snapshot in one line and exits with 1', async () => {
    const registry = new CommandRegistry()
    await registry.overwrite(everywhere, [hello])
    const snapshot = await registry.snapshot(app)
    const [scope] = snapshot.scopes
    const [command] = scope!.commands
    const directory = await directoryOf({
      'hello.json': hello,
      'broken.json': '{"format": 1, geheim',
      'list.json': [hello, { name: 'Bad' }],
      'text.json': '"x"',
      'old.json': { ...snapshot, format: 0 },
      'faults.json': { ...snapshot, scopes: [{ ...scope, tenures: [], creates: null }], permissions: 5 },
      'keys.json': { ...snapshot, scopes: [{ ...scope, commands: [{ ...command, '\u001b[31m\n': 1 }] }] },
      'good.json': snapshot,
    })
    for (const [file, message] of [
      ['none.json', 'file not found\n'],
      ['127.0.0.1:8911', 'file not found; an address begins with http://\n'],
      ['.', 'cannot be read (EISDIR)\n'],
      ['broken.json', expect.stringMatching(/^is not valid JSON.*\n$/)],
      ['list.json', expect.stringContaining('description: is missing')],
      ['text.json', 'is the string "x"; expected a file of "commandry export", or a list of commands\n'],
      ['old.json', 'format is the number 0; this version of commandry reads snapshots of format 1\n'],
      ['faults.json', expect.stringMatching(/^scopes\[0\]\.tenures has 0 items; .+ \(and 2 more\)\n$/)],
      [
        'keys.json',
        'scopes[0].commands[0]["\\u001b[31m\\n"] is not what the service answers for this command\n',
      ],
    ] as const) {
      const { err, ...ended } = await run(['hello.json', '--against', file], directory)
      const reason = err.split(`commandry plan: ${file}: `)
      expect({ ...ended, reason }).toEqual({ code: 1, out: '', reason: ['', message] })
    }
    expect(await run(['hello.json', '--against', 'good.json', '--application', '1002'], directory)).toEqual(
      failed('commandry plan: good.json: is a snapshot of application 1001, not of 1002'),
    )
  })
})
