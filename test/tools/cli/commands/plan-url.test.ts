import { describe, expect } from 'vitest'
import { applicationDirectory, CommandRegistry, guildScope } from 'commandry'
import { commandSet } from 'commandry/arbitraries'
import { tokenDirectory } from 'commandry/http'
import { directoryOf, ending, failed } from '../program.ts'
import { after, before, expectPlanned, it, planAgainst, role, serving } from '../services.ts'
import { app, everywhere, guild, hello } from '../../../support/fixtures.ts'
import { forAnyAsync } from '../../../support/properties.ts'

describe('commandry plan FILE --against URL', () => {
  it('[2.1-15] takes the order of installations from the service, not from a definition that has its own', async () => {
    const registry = new CommandRegistry()
    const report = { type: 2, name: 'Report', integration_types: [1, 0] }
    await registry.overwrite(everywhere, [report])
    const cwd = await directoryOf({ 'two.json': [report, hello] })
    const url = await serving(registry)
    const { out } = await planAgainst(url, cwd, ['two.json', '--format', 'json'])
    expect(JSON.parse(out).plan.creates).toMatchObject([{ name: 'hello', integration_types: [0, 1] }])

    const applications = applicationDirectory([{ id: app, integration_types: [1, 0] }])
    const turned = new CommandRegistry({ applications })
    await turned.overwrite(everywhere, [hello])
    const there = await directoryOf({ 'same.json': hello })
    const other = await serving(turned, undefined, applications)
    const same = await planAgainst(other, there, ['same.json'])
    expect(same.out).toContain('No changes')
  })

  it('[2.1-15] takes the order of installations from the commands of the same name and type alone', async () => {
    const applications = applicationDirectory([{ id: app, integration_types: [1, 0] }])
    const own = { integration_types: [0, 1] }
    for (const list of [
      [hello, { ...own, type: 2, name: 'hello' }, { ...own, name: 'bye', description: 'b' }],
      [
        { type: 2, name: 'info' },
        { ...own, name: 'info', description: 'b' },
      ],
    ]) {
      const registry = new CommandRegistry({ applications })
      await registry.overwrite(everywhere, list)
      const cwd = await directoryOf({ 'more.json': [...list, { name: 'late', description: 'b' }] })
      const { out } = await planAgainst(await serving(registry), cwd, ['more.json', '--format', 'json'])
      expect(JSON.parse(out).plan.creates).toMatchObject([{ name: 'late', integration_types: [1, 0] }])
    }
  })

  const user = { id: '3001', guilds: { [guild]: { permissions: '8' } } }
  const update = 'applications.commands.update'
  const both = [update, 'applications.commands.permissions.update']
  const tokens = tokenDirectory([
    { type: 'Bot', token: 'geheim-bot', applicationId: app },
    { type: 'Bot', token: 'geheim-other', applicationId: '1002' },
    { type: 'Bearer', token: 'geheim-update', applicationId: app, scopes: [update] },
    { type: 'Bearer', token: 'geheim-both', applicationId: app, scopes: both, user },
  ])

  it('[4.1-01] [4.3-01] [2.9-09] reads commands and permissions, and reports what it could not read', async ({
    filled: { ban },
    url,
  }) => {
    const directory = await directoryOf({ 'commands.json': after, 'same.json': before })
    for (const base of [url, `${url}/`, `${url}/api/v10`, `${url}/api/v10/`]) {
      const { code, out, err } = await planAgainst(base, directory, ['commands.json'])
      expect([code, err]).toEqual([0, ''])
      const lines = out.trimEnd().split('\n')
      expect(lines[0]).toBe(`commands.json (4 commands) → global commands of 1001 at ${url}`)
      expect(lines.slice(-2)).toEqual([
        'Plan: 1 to create, 2 to update, 2 to delete, 1 unchanged.',
        'Creates left today: unknown over HTTP. Permissions were not checked; name servers with --permissions-in.',
      ])
      expect(lines).toContain(
        `    hint looks renamed to /banish; "id": "${ban}" in its definition keeps the id, not the permissions`,
      )
    }
    const guilds = ['--permissions-in', guild, '--permissions-in=2003', '--permissions-in', guild]
    const { code, out } = await planAgainst(url, directory, ['commands.json', ...guilds])
    expect(code).toBe(2)
    expect(out.match(/loses .+ in server \d+/g)).toEqual(['loses permissions in server 2001'])
    expect(out).toContain('Permissions were checked only in server 2001 and 2003.\n')
    expect(out).toContain('. 4 permissions would be lost.\n')

    const same = await planAgainst(url, directory, ['same.json'])
    expect([same.code, same.out]).toEqual([0, '✓ No changes: 5 commands are deployed as defined.\n'])
  })

  it('[4.1-06] [4.1-07] [2.10-08] predicts the effect of a deploy', async () => {
    const sets = commandSet({ maxCommands: 6 })
    await forAnyAsync([sets, sets], 6, async (first, second) => {
      const registry = new CommandRegistry()
      const old = await registry.overwrite(everywhere, first)
      // Some stay, some change, some go.
      const kept = old
        .filter((_, i) => i % 3 !== 0)
        .map((command, i) => (i % 2 === 0 ? command : { ...command, nsfw: !command.nsfw }))
      const names = new Set(kept.map(({ type, name }) => `${type} ${name}`))
      const entry = old.find(({ type }) => type === 4)
      const others = second.filter(({ type, name }) => type !== 4 && !names.has(`${type ?? 1} ${name}`))
      const list = [
        ...others,
        ...kept.filter(({ type }) => type !== 4),
        ...(entry === undefined ? [] : [entry]),
      ]
      const there = await directoryOf({ 'list.json': list })
      const url = await serving(registry)
      const { code, out, err } = await planAgainst(url, there, ['list.json', '--format', 'json'])
      expect([code, err]).toEqual([0, ''])
      expectPlanned(JSON.parse(out).plan, old, await registry.overwrite(everywhere, list))
    })
  })

  it('[4.2-01] [4.2-06] plans the commands and permissions of a guild with --guild', async ({ registry }) => {
    const { command } = await registry.upsert(guildScope(app, guild), { name: 'quiz', description: 'Asks' })
    await registry.setPermissions(app, guild, command.id, [role('5001', true)])
    const url = await serving(registry, tokens)
    const directory = await directoryOf({ 'none.json': [] })
    const planWith = (token: string) =>
      planAgainst(url, directory, ['none.json', '--guild', guild], { COMMANDRY_TOKEN: token })
    const bot = await planWith('geheim-bot')
    expect([bot.code, bot.err]).toEqual([2, ''])
    expect(bot.out.split('\n')).toEqual([
      `none.json (0 commands) → commands of server 2001 of 1001 at ${url}`,
      '',
      '- /quiz   delete',
      '    loses permission in server 2001: role 5001 allowed',
      '',
      'Plan: 1 to delete. 1 permission would be lost.',
      '',
    ])
    // Reading needs no scope, so a token of any scope shows the loss.
    const bearer = await planWith('Bearer geheim-update')
    expect([bearer.code, bearer.err, bearer.out]).toEqual([2, '', bot.out])
  })

  it('[5-01] [5-03] takes both tokens, only from the environment, and never shows them', async ({
    registry,
  }) => {
    const url = await serving(registry, tokens)
    const directory = await directoryOf({ 'same.json': before })
    const planWith = (token: string, ...more: readonly string[]) =>
      planAgainst(url, directory, ['same.json', ...more], { COMMANDRY_TOKEN: token })
    for (const token of ['geheim-bot', 'Bot geheim-bot', 'bearer geheim-update', ' Bearer geheim-both\n']) {
      const { code, out, err } = await planWith(token)
      expect([code, err]).toEqual([0, ''])
      expect(out).toContain('No changes')
    }
    const unauthorized = '401 "401: Unauthorized"'
    for (const [token, response] of [
      ['', `${unauthorized}: a token is required, in the environment variable COMMANDRY_TOKEN`],
      ['geheim', `${unauthorized}: the token is invalid`],
      ['Bearer geheim-bot', `${unauthorized}: the token is invalid`],
      ['geheim-other', '403 "You are not authorized to perform this action on this application"'],
    ] as const) {
      const message = `commandry plan: ${url}/api/v10: responds with ${response}`
      expect(await planWith(token)).toEqual(failed(message))
    }
    expect((await planWith('geheim-bot', '--token', 'geheim')).err).toContain(
      "unknown option '--token'; the token comes from the environment variable COMMANDRY_TOKEN\n",
    )
    for (const [more, token] of [
      [[], 'geh\neim'],
      [[], 'gehéim'],
      [[], 'Bot geh eim'],
      [['--token', 'geheim'], 'geheim-bot'],
      [[`--tokn=geheim`], 'geheim-bot'],
    ] as const) {
      const { code, out, err } = await planWith(token, ...more)
      expect([code, out]).toEqual([2, ''])
      expect(err).toMatch(/^commandry plan: .+\nRun "commandry plan --help" to list the options\.\n$/)
      expect(err).not.toContain('eim')
    }
  })

  it('[2.1-15] [2.1-16] [2.1-19] uses the application settings of the service', async () => {
    const applications = applicationDirectory([{ id: app, integration_types: [1], discoverable: true }])
    const registry = new CommandRegistry({ applications })
    await registry.overwrite(everywhere, [hello])
    const url = await serving(registry, tokens, applications)
    const directory = await directoryOf({
      'same.json': hello,
      'adult.json': { ...hello, nsfw: true },
      'ways.json': [{ ...hello, integration_types: [0, 1] }],
      'launch.json': { type: 4, name: 'Launch', handler: 1 },
    })
    const plan = (file: string) => planAgainst(url, directory, [file], { COMMANDRY_TOKEN: 'geheim-bot' })
    const same = await plan('same.json')
    expect(same).toMatchObject(ending(0, 'No changes: 1 command is deployed as defined.'))
    expect(same.out).not.toContain('Missing integration_types')
    for (const [file, message] of [
      ['adult.json', '/hello, nsfw: is true, but the app has discovery enabled'],
      ['ways.json', '/hello, integration_types, entry 1: is 0, which the app does not support'],
      ['launch.json', 'entry point command "Launch", handler: needs an app with an Activity'],
    ] as const) {
      expect(await plan(file)).toMatchObject(ending(1, `error    ${message}`))
    }
  })
})
