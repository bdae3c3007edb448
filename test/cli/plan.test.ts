import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  applicationDirectory,
  CommandRegistry,
  globalScope,
  guildScope,
  type ApplicationDirectory,
  type ApplicationSettings,
} from 'commandry'
import { commandSet } from 'commandry/arbitraries'
import { createHandler, openAccess, tokenDirectory, type Authenticate } from 'commandry/http'
import { serve, type Serving } from 'commandry/node'
import { fences, read } from '../support/markdown.ts'
import { buildProgram, files, start, type Ended } from './program.ts'

const app = '1001'
const guild = '2001'
const everywhere = globalScope(app)

let program = ''
const directories: string[] = []
const servers: (Serving | Server)[] = []

beforeAll(async () => {
  program = await buildProgram()
})

afterEach(async () => {
  for (const server of servers.splice(0)) {
    if ('closeAllConnections' in server) server.closeAllConnections()
    await server.close()
  }
})

afterAll(async () => {
  for (const directory of [dirname(program), ...directories]) await rm(directory, { recursive: true })
})

async function directoryOf(contents: Readonly<Record<string, unknown>>): Promise<string> {
  const directory = await files(contents)
  directories.push(directory)
  return directory
}

const run = (
  args: readonly string[],
  cwd?: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> => start(program, ['plan', ...args], cwd, { COMMANDRY_TOKEN: '', ...env }).ended

/** A service with a registry that a test can look into, and where it listens. */
async function serving(
  registry: CommandRegistry,
  authenticate: Authenticate = openAccess(),
  applications?: ApplicationDirectory,
): Promise<string> {
  const handler = createHandler({ registry, authenticate, ...(applications && { applications }) })
  const server = await serve({ handler })
  servers.push(server)
  return server.url
}

/** A server that answers as it likes, and where it listens. */
async function answering(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const today = () => new Date().toISOString().slice(0, 10)
const hello = { name: 'hello', description: 'Says hello' }
const role = (id: string, permission: boolean) => ({ id, type: 1, permission })

const before = [
  { name: 'ping', description: 'Says pong' },
  {
    name: 'roll',
    description: 'Rolls dice',
    options: [
      { type: 4, name: 'sides', description: 'How many sides', max_value: 100 },
      {
        type: 3,
        name: 'colour',
        description: 'Which colour',
        choices: [
          { name: 'Red one', value: 'r' },
          { name: 'blue', value: 'b' },
        ],
      },
    ],
  },
  { name: 'ban', description: 'Ban a member', default_member_permissions: '0' },
  { type: 2, name: 'Report' },
  { name: 'stay', description: 'Stays', options: [{ type: 5, name: 'now', description: 'At once' }] },
]

const after = [
  {
    name: 'ping',
    name_localizations: { de: 'pong' },
    description: 'Says pong',
    default_member_permissions: '8',
  },
  {
    name: 'roll',
    description: 'Rolls dice',
    options: [
      {
        type: 3,
        name: 'colour',
        description: 'Which colour',
        choices: [
          { name: 'Red one', value: 'red' },
          { name: 'blue', value: 'b' },
        ],
      },
      { type: 4, name: 'sides', description: 'How many sides' },
      { type: 5, name: 'secret', description: 'Who sees it' },
    ],
  },
  { name: 'banish', description: 'Ban a member', default_member_permissions: '0' },
  before[4],
]

/** A service with commands, and permissions of one of them in two guilds. */
async function filled(): Promise<{ registry: CommandRegistry; ban: string }> {
  const registry = new CommandRegistry()
  const commands = await registry.overwrite(everywhere, before)
  const ban = commands.find(({ name }) => name === 'ban')!.id
  await registry.setPermissions(app, guild, ban, [
    role('5001', true),
    role(guild, false),
    { id: '2000', type: 3, permission: false },
    { id: '3001', type: 2, permission: true },
  ])
  await registry.setPermissions(app, '2002', ban, [role('5002', true)])
  await registry.setPermissions(app, guild, commands[0]!.id, [role('5001', true)])
  await registry.setPermissions(app, guild, app, [role('5009', true)])
  return { registry, ban }
}

describe('commandry plan FILE --against SNAPSHOT', () => {
  it('[4.1-07] [2.9-09] [8-02] tells what a deploy would do, and exits with 2 when permissions would be lost', async () => {
    const { registry, ban } = await filled()
    const directory = await directoryOf({ 'app.json': await registry.snapshot(app), 'commands.json': after })
    const { code, out, err } = await run(['commands.json', '--against', 'app.json'], directory)
    expect([code, err]).toEqual([2, ''])
    expect(out.split('\n')).toEqual([
      'commands.json: against the global commands of application 1001 in app.json',
      '  create  /banish',
      '  update  /ping',
      '            default_member_permissions: none → "8"',
      '            name_localizations.de: none → "pong"',
      '  update  /roll',
      '            options.colour.choices."Red one".value: "r" → "red"',
      '            options.sides.max_value: 100 → none',
      '            options.secret: new',
      '            options: ["sides", "colour"] → ["colour", "sides"]',
      '  delete  /ban',
      '  delete  user command "Report"',
      '  lose    permissions of /ban in guild 2001',
      '            role 5001: allowed',
      '            everyone: denied',
      '            all channels: denied',
      '            user 3001: allowed',
      '  lose    permissions of /ban in guild 2002',
      '            role 5002: allowed',
      `  hint    /ban looks renamed to /banish; "id": "${ban}" in its definition keeps the id`,
      '            its permissions are lost either way',
      'commands.json: 1 create, 2 updates, 2 deletes and 1 unchanged; 194 of 200 creates left today; permissions would be lost',
      '',
    ])
  })

  it('[2.9-09] a new name by id is an update, and loses the permissions too', async () => {
    const { registry, ban } = await filled()
    const renamed = before.map((body) => (body.name === 'ban' ? { ...body, id: ban, name: 'banish' } : body))
    const directory = await directoryOf({
      'app.json': await registry.snapshot(app),
      'commands.json': renamed,
    })
    const { code, out } = await run(['commands.json', '--against', 'app.json'], directory)
    expect(code).toBe(2)
    expect(out).toContain(
      '  update  /ban\n            name: "ban" → "banish"\n  lose    permissions of /ban in guild 2001\n',
    )
    expect(out).toContain(
      'commands.json: 1 update and 4 unchanged; 195 of 200 creates left today; permissions would be lost\n',
    )
    expect(out).not.toContain('hint')
  })

  it('exits with 0 when nothing is lost, or nothing would change', async () => {
    const { registry } = await filled()
    const harmless = before.filter(({ name }) => name !== 'Report')
    const directory = await directoryOf({
      'app.json': await registry.snapshot(app),
      'same.json': before,
      'fewer.json': harmless,
      'one.mjs': `export default ${JSON.stringify(hello)}`,
    })
    expect(await run(['same.json', '--against', 'app.json'], directory)).toEqual({
      code: 0,
      out: [
        'same.json: against the global commands of application 1001 in app.json',
        'same.json: nothing would change; 5 unchanged; 195 of 200 creates left today',
        '',
      ].join('\n'),
      err: '',
    })
    const fewer = await run(['fewer.json', '--against', 'app.json', '--application', app], directory)
    expect([fewer.code, fewer.out]).toEqual([0, expect.stringContaining('  delete  user command "Report"\n')])
    // One definition is a list of one, in a scope where there is nothing yet.
    const one = await run(['one.mjs', '--against', 'app.json', '--guild', guild], directory)
    expect([one.code, one.out]).toEqual([
      0,
      [
        'one.mjs: against the commands of guild 2001 of application 1001 in app.json',
        '  create  /hello',
        'one.mjs: 1 create; 199 of 200 creates left today',
        '',
      ].join('\n'),
    ])
  })

  it('[8-02] exits with 2 when the creates of the day do not suffice, and tells what it would be', async () => {
    const registry = new CommandRegistry()
    await registry.overwrite(everywhere, [hello])
    const snapshot = await registry.snapshot(app)
    const scopes = snapshot.scopes.map((scope) => ({ ...scope, creates: { day: today(), count: 199 } }))
    const list = [hello, { name: 'a', description: 'b' }, { name: 'c', description: 'd' }]
    const directory = await directoryOf({ 'app.json': { ...snapshot, scopes }, 'list.json': list })
    const { code, out } = await run(['list.json', '--against', 'app.json'], directory)
    expect(code).toBe(2)
    expect(out.split('\n')).toEqual([
      'list.json: error: needs 2 creates, but only 1 of 200 are left today',
      'list.json: against the global commands of application 1001 in app.json',
      '  create  /a',
      '  create  /c',
      'list.json: 2 creates and 1 unchanged; it would be refused',
      '',
    ])
    const json = JSON.parse(
      (await run(['list.json', '--against', 'app.json', '--format=json'], directory)).out,
    )
    expect(json).toMatchObject({
      ok: false,
      errors: [{ code: 'scope.daily_creates' }],
      plan: { createsLeft: null },
    })
  })

  it('[8-01] [4.1-07] exits with 2 for what the service refuses however good each definition is', async () => {
    const registry = new CommandRegistry()
    await registry.enableActivities(app)
    const many = Array.from({ length: 101 }, (_, i) => ({ name: `c${i}`, description: 'b' }))
    const directory = await directoryOf({
      'app.json': await registry.snapshot(app),
      'many.json': many,
      'most.json': Array.from({ length: 140 }, (_, i) => ({
        type: (i % 3) + 1,
        name: `c${i}`,
        ...(i % 3 === 0 && { description: 'b' }),
      })),
      'both.json': [...many, { name: 'Bad', description: 'b' }],
      'hello.json': hello,
    })
    const plan = (file: string) => run([file, '--against', 'app.json'], directory)
    expect(await plan('many.json')).toMatchObject({
      code: 2,
      out: 'many.json: error: command "c100": is slash command number 101; at most 100 of the type are allowed\n1 file: 1 error\n',
    })
    expect(await plan('most.json')).toMatchObject({
      code: 2,
      out: expect.stringContaining('has 140 commands'),
    })
    expect((await plan('both.json')).code).toBe(1)
    expect(await plan('hello.json')).toMatchObject({
      code: 2,
      out: 'hello.json: error: leaves out the entry point command; include it, or delete it by itself first\n1 file: 1 error\n',
    })
  })

  it('tells the issues of the definitions as "check" does, and exits with 1', async () => {
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
    const checked = (args: readonly string[]) => start(program, ['check', ...args], directory).ended
    for (const file of ['bad.json', 'list.json', 'broken.json', 'none.json', 'throws.mjs']) {
      const check = await checked([file])
      expect(check.code).toBe(1)
      expect(await run([file, '--against', 'app.json'], directory)).toEqual(check)
    }
    expect(await run(['launch.json', '--against', 'app.json', '--guild', guild], directory)).toEqual(
      await checked(['launch.json', '--scope', 'guild']),
    )
    // What only the registered command makes a fault.
    expect(await run(['other.json', '--against', 'app.json'], directory)).toMatchObject({
      code: 1,
      out: expect.stringMatching(
        /^other\.json: error: command "hello", type: is the number 2, but the command is of type 1/,
      ),
    })
    const { code, out } = await run(['warned.json', '--against', 'app.json'], directory)
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(
        /^warned\.json: warning: command "hello", dm_permission: is deprecated; .+\nwarned\.json: against/,
      ),
    ])
  })

  it('--format json gives programs the plan', async () => {
    const { registry, ban } = await filled()
    const directory = await directoryOf({ 'app.json': await registry.snapshot(app), 'commands.json': after })
    const { code, out } = await run(['commands.json', '--against', 'app.json', '--format', 'json'], directory)
    expect(code).toBe(2)
    const { plan, ...file } = JSON.parse(out)
    expect(file).toEqual({ file: 'commands.json', ok: true, errors: [], warnings: [] })
    expect(plan).toMatchObject({
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
    // What only the deploy will give is not there.
    expect(plan.creates).toEqual([expect.objectContaining({ name: 'banish', type: 1 })])
    for (const command of [...plan.creates, plan.updates[0].after])
      expect(command).not.toHaveProperty('version')
    expect(plan.creates[0]).not.toHaveProperty('id')
  })

  it('tells what the guide shows', async () => {
    const blocks = fences(read('docs/guide.md'))
    const shown =
      blocks[blocks.findIndex(({ code }) => code.includes('commandry plan commands.json')) + 1]!.code
    const registry = new CommandRegistry()
    const [, roll] = await registry.overwrite(everywhere, [
      { name: 'ping', description: 'Says pong' },
      { name: 'roll', description: 'Rolls dice' },
    ])
    await registry.setPermissions(app, guild, roll!.id, [role('5001', true)])
    const directory = await directoryOf({
      'app.json': await registry.snapshot(app),
      'commands.json': [
        { name: 'ping', description: 'Says pong at once' },
        { name: 'flip', description: 'Flips a coin' },
      ],
    })
    const { code, out } = await run(['commands.json', '--against', 'app.json'], directory)
    expect([code, out]).toEqual([2, shown])
  })

  it('shortens long lists of differences, and long texts to where they differ', async () => {
    const long = { name: 'a', description: `${'Says '.repeat(18)}yes` }
    const longer = {
      name: 'a',
      description: `${'Says '.repeat(18)}no`,
      description_localizations: Object.fromEntries(
        ['da', 'de', 'fr', 'hr', 'it', 'lt', 'hu', 'nl', 'no', 'pl', 'ro', 'fi', 'vi', 'tr'].map((locale) => [
          locale,
          'x',
        ]),
      ),
    }
    const registry = new CommandRegistry()
    await registry.overwrite(everywhere, [long])
    const directory = await directoryOf({ 'app.json': await registry.snapshot(app), 'a.json': longer })
    const lines = (await run(['a.json', '--against', 'app.json'], directory)).out.split('\n')
    expect(lines[2]).toBe('            description: "…s Says Says yes" → "…s Says Says no"')
    expect(lines.slice(13, 15)).toEqual([
      '            and 4 more',
      'a.json: 1 update; 199 of 200 creates left today',
    ])
  })

  it('[2.1-16] what a definition leaves out is what the commands there have', async () => {
    const applications = applicationDirectory([{ id: app, integration_types: [0] }])
    const registry = new CommandRegistry({ applications })
    await registry.overwrite(everywhere, [hello, { type: 4, name: 'Launch' }])
    const directory = await directoryOf({
      'app.json': await registry.snapshot(app),
      'same.json': [hello, { type: 4, name: 'Launch' }],
      'more.json': [
        { ...hello, integration_types: [1] },
        { type: 4, name: 'Launch', handler: 2 },
      ],
    })
    const same = await run(['same.json', '--against', 'app.json'], directory)
    expect([same.code, same.out]).toEqual([0, expect.stringContaining('nothing would change; 2 unchanged')])
    expect(same.out).toContain(
      '  note    integration_types that are left out were taken to be [0], as in the commands there\n',
    )
    const more = await run(['more.json', '--against', 'app.json'], directory)
    expect([more.code, more.out]).toEqual([0, expect.stringContaining('integration_types: [0] → [1]')])
    expect(more.out).toContain('handler: none → 2')
    expect(more.out).not.toContain('note')
  })

  it('tells in one line what is wrong with a snapshot, and exits with 1', async () => {
    const registry = new CommandRegistry()
    await registry.overwrite(everywhere, [hello])
    const snapshot = await registry.snapshot(app)
    const [scope] = snapshot.scopes
    const [command] = scope!.commands
    const directory = await directoryOf({
      'hello.json': hello,
      'broken.json': '{"format": 1, geheim',
      'list.json': [hello],
      'old.json': { ...snapshot, format: 0 },
      'faults.json': { ...snapshot, scopes: [{ ...scope, tenures: [], creates: null }], permissions: 5 },
      'keys.json': { ...snapshot, scopes: [{ ...scope, commands: [{ ...command, '\u001b[31m\n': 1 }] }] },
      'good.json': snapshot,
    })
    for (const [file, message] of [
      ['none.json', 'is not there'],
      ['.', 'cannot be read (EISDIR)'],
      ['broken.json', expect.stringMatching(/^is not valid JSON/)],
      ['list.json', 'the file is a list; an object belongs here'],
      ['old.json', 'format is the number 0; this version of commandry reads snapshots of format 1'],
      ['faults.json', expect.stringMatching(/^scopes\[0\]\.tenures has 0 entries, .+ \(and 2 more\)$/)],
      [
        'keys.json',
        'scopes[0].commands[0]["\\u001b[31m\\n"] is not what the service answers for this command',
      ],
    ] as const) {
      const { code, out, err } = await run(['hello.json', '--against', file], directory)
      expect([code, out]).toEqual([1, ''])
      const [line, ...rest] = err.split('\n')
      expect([line!.slice(`commandry plan: ${file}: `.length), rest]).toEqual([message, ['']])
    }
    expect(await run(['hello.json', '--against', 'good.json', '--application', '1002'], directory)).toEqual({
      code: 1,
      out: '',
      err: 'commandry plan: good.json: is a snapshot of application 1001, not of 1002\n',
    })
  })
})

describe('commandry plan FILE --against URL', () => {
  const admin = { id: '3001', guilds: { [guild]: { permissions: '8' } } }
  const tokens = tokenDirectory([
    { type: 'Bot', token: 'geheim-bot', applicationId: app },
    { type: 'Bot', token: 'geheim-other', applicationId: '1002' },
    { type: 'Bearer', token: 'geheim-update', applicationId: app, scopes: ['applications.commands.update'] },
    {
      type: 'Bearer',
      token: 'geheim-both',
      applicationId: app,
      scopes: ['applications.commands.update', 'applications.commands.permissions.update'],
      user: admin,
    },
  ])

  it('[4.1-01] [4.3-01] [2.9-09] reads the commands and the permissions, and tells what it did not see', async () => {
    const { registry, ban } = await filled()
    const url = await serving(registry)
    const directory = await directoryOf({ 'commands.json': after, 'same.json': before })
    const common = ['commands.json', '--application', app, '--against']
    for (const base of [url, `${url}/`, `${url}/api/v10`, `${url}/api/v10/`]) {
      const { code, out, err } = await run([...common, base], directory)
      expect([code, err]).toEqual([0, ''])
      const lines = out.trimEnd().split('\n')
      expect(lines[0]).toBe(
        `commands.json: against the global commands of application 1001 in ${url}/api/v10`,
      )
      expect(lines.slice(-5)).toEqual([
        `  hint    /ban looks renamed to /banish; "id": "${ban}" in its definition keeps the id`,
        '            its permissions are lost either way',
        '  note    how many creates are left today, HTTP does not tell',
        '  note    permissions that would be lost were not looked for: name guilds with --permissions-in',
        'commands.json: 1 create, 2 updates, 2 deletes and 1 unchanged',
      ])
    }
    const guilds = ['--permissions-in', guild, '--permissions-in=2003', '--permissions-in', guild]
    const { code, out } = await run([...common, url, ...guilds], directory)
    expect(code).toBe(2)
    expect(out.match(/ {2}lose .+/g)).toEqual(['  lose    permissions of /ban in guild 2001'])
    expect(out).toContain(
      '  note    permissions that would be lost were looked for in guild 2001 and 2003 only\n',
    )
    expect(out).toMatch(/; permissions would be lost\n$/)

    const same = await run(['same.json', '--application', app, '--against', url], directory)
    expect([same.code, same.out]).toEqual([
      0,
      expect.stringMatching(/^.+\nsame\.json: nothing would change; 5 unchanged\n$/),
    ])
  })

  it('[4.1-06] [4.1-07] [2.10-08] a deploy then does what was told', async () => {
    await fc.assert(
      fc.asyncProperty(commandSet('global', 6), commandSet('global', 6), async (first, second) => {
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
        const args = ['list.json', '--against', url, '--application', app, '--format', 'json']
        const { code, out, err } = await run(args, there)
        expect([code, err]).toEqual([0, ''])
        const { plan } = JSON.parse(out)

        const now = await registry.overwrite(everywhere, list)
        const was = new Map(old.map((command) => [command.id, command]))
        const changed = now.filter(({ id, version }) => was.has(id) && was.get(id)!.version !== version)
        const nameless = ({ id, version, ...command }: { id: string; version: string }) => command
        const plain = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown
        expect(plan.creates).toEqual(plain(now.filter(({ id }) => !was.has(id)).map(nameless)))
        expect(plan.updates.map((update: { before: object }) => update.before)).toEqual(
          plain(changed.map(({ id }) => was.get(id))),
        )
        expect(plan.updates.map((update: { after: never }) => nameless(update.after))).toEqual(
          plain(changed.map(nameless)),
        )
        for (const { differences } of plan.updates) expect(differences.length).toBeGreaterThan(0)
        expect(plan.unchanged).toEqual(plain(now.filter((command) => was.get(command.id) === command)))
        const stayed = new Set(now.map(({ id }) => id))
        expect(plan.deletes).toEqual(plain(old.filter(({ id }) => !stayed.has(id))))
      }),
      { numRuns: 6 },
    )
  })

  it('[4.2-01] [4.2-06] --guild is about the commands of a guild and the permissions there', async () => {
    const { registry } = await filled()
    const { command } = await registry.upsert(guildScope(app, guild), { name: 'quiz', description: 'Asks' })
    await registry.setPermissions(app, guild, command.id, [role('5001', true)])
    const url = await serving(registry, tokens)
    const directory = await directoryOf({ 'none.json': [] })
    const args = ['none.json', '--against', url, '--application', app, '--guild', guild]
    const bot = await run([...args, '--token', 'geheim-bot'], directory)
    expect([bot.code, bot.err]).toEqual([2, ''])
    expect(bot.out.split('\n')).toEqual([
      `none.json: against the commands of guild 2001 of application 1001 in ${url}/api/v10`,
      '  delete  /quiz',
      '  lose    permissions of /quiz in guild 2001',
      '            role 5001: allowed',
      'none.json: 1 delete; permissions would be lost',
      '',
    ])
    // A token that may read commands but no permissions.
    const bearer = await run([...args, '--token', 'Bearer geheim-update'], directory)
    expect([bearer.code, bearer.err]).toEqual([0, ''])
    expect(bearer.out).toContain(
      '  note    permissions that would be lost were not seen: the service answers 403 "Missing required OAuth2 scope"\n',
    )
  })

  it('[5-01] [5-03] takes tokens of both kinds, from the environment too, and never tells them', async () => {
    const { registry } = await filled()
    const url = await serving(registry, tokens)
    const directory = await directoryOf({ 'same.json': before })
    const args = ['same.json', '--against', url, '--application', app]
    for (const [more, env] of [
      [['--token', 'geheim-bot'], ''],
      [['--token', 'Bot geheim-bot'], 'geheim-wrong'],
      [['--token=bearer geheim-update'], ''],
      [[], 'geheim-bot'],
      [[], ' Bearer geheim-both\n'],
    ] as const) {
      const { code, out, err } = await run([...args, ...more], directory, { COMMANDRY_TOKEN: env })
      expect([code, err]).toEqual([0, ''])
      expect(out).toContain('nothing would change')
    }
    const at = `commandry plan: ${url}/api/v10: `
    for (const [more, message] of [
      [[], `${at}answers 401 "401: Unauthorized": it wants a token, as --token or in COMMANDRY_TOKEN`],
      [['--token', 'geheim'], `${at}answers 401 "401: Unauthorized": it does not know the token`],
      [['--token', 'Bearer geheim-bot'], `${at}answers 401 "401: Unauthorized": it does not know the token`],
      [
        ['--token', 'geheim-other'],
        `${at}answers 403 "You are not authorized to perform this action on this application"`,
      ],
      [
        ['--token', 'Bearer geheim-update', '--permissions-in', guild],
        `${at}answers 403 "Missing required OAuth2 scope"`,
      ],
    ] as const) {
      expect(await run([...args, ...more], directory)).toEqual({ code: 1, out: '', err: `${message}\n` })
    }
    for (const more of [
      ['--token', 'geh\neim'],
      ['--token', 'gehéim'],
      ['--token', 'Bot', 'geheim'],
      [`--tokn=geheim`],
    ]) {
      const { code, out, err } = await run([...args, ...more], directory)
      expect([code, out]).toEqual([1, ''])
      expect(err).toMatch(/^commandry plan: .+\n"commandry plan --help" tells what it takes\n$/)
      expect(err).not.toContain('eim')
    }
  })

  it('[2.1-15] [2.1-16] [2.1-19] knows the application as the service does', async () => {
    const settings: ApplicationSettings & { id: string } = {
      id: app,
      integration_types: [1],
      discoverable: true,
    }
    const applications = applicationDirectory([settings])
    const registry = new CommandRegistry({ applications })
    await registry.overwrite(everywhere, [hello])
    const url = await serving(registry, tokens, applications)
    const directory = await directoryOf({
      'same.json': hello,
      'adult.json': { ...hello, nsfw: true },
      'ways.json': [{ ...hello, integration_types: [0, 1] }],
      'launch.json': { type: 4, name: 'Launch', handler: 1 },
    })
    const plan = (file: string) =>
      run([file, '--against', url, '--application', app, '--token', 'geheim-bot'], directory)
    const same = await plan('same.json')
    expect([same.code, same.out]).toEqual([0, expect.stringContaining('nothing would change; 1 unchanged')])
    expect(same.out).not.toContain('note')
    for (const [file, message] of [
      ['adult.json', 'command "hello", nsfw: is true, but the app has discovery enabled'],
      ['ways.json', 'command "hello", integration_types, entry 1: is 0, which the app does not support'],
      ['launch.json', 'command "Launch", handler: needs an app with an Activity'],
    ] as const) {
      const { code, out } = await plan(file)
      expect([code, out]).toEqual([1, expect.stringContaining(`${file}: error: ${message}`)])
    }
  })

  it('reads what another server answers, with fields and without versions of its own', async () => {
    const command = {
      id: '7',
      type: 1,
      application_id: app,
      name: 'hello',
      description: 'Says hello',
      is_new: true,
    }
    const url = await answering((request, response) => {
      const found = request.url === `/bots/applications/${app}/commands?with_localizations=true`
      response.writeHead(found ? 200 : 404, { 'content-type': 'application/json; charset=utf-8' })
      response.end(JSON.stringify(found ? [command] : { message: 'Nothing', code: 0 }))
    })
    const directory = await directoryOf({
      'same.json': hello,
      'other.json': { ...hello, description: 'Says hi' },
    })
    const args = ['--against', `${url}/bots/`, '--application', app]
    expect(await run(['same.json', ...args], directory)).toMatchObject({
      code: 0,
      out: expect.stringContaining('nothing would change; 1 unchanged'),
    })
    expect((await run(['other.json', ...args], directory)).out).toContain(
      'description: "Says hello" → "Says hi"',
    )
  })

  it('tells in one line what is wrong with an answer, and exits with 1', async () => {
    const json =
      (value: unknown): RequestListener =>
      (_, response) =>
        void response.end(JSON.stringify(value))
    const directory = await directoryOf({ 'hello.json': hello })
    const plan = (url: string, ...more: string[]) =>
      run(['hello.json', '--against', url, '--application', app, '--token', 'geheim', ...more], directory)
    const cases: readonly (readonly [RequestListener, unknown])[] = [
      [
        (_, response) => void response.setHeader('content-type', 'text/html').end('<h1>Welcome</h1>'),
        'answers with no JSON ("text/html"); is that the address of the service?',
      ],
      [
        (_, response) => void response.end(),
        'answers with no JSON ("without a type"); is that the address of the service?',
      ],
      [
        (_, response) => void response.writeHead(404).end('<h1>Nothing</h1>'),
        'answers 404; is that the address of the service?',
      ],
      [
        (_, response) => void response.writeHead(404).end('{"message":"Unknown application","code":10002}'),
        'answers 404 "Unknown application"',
      ],
      [
        (_, response) => void response.writeHead(500).end(`{"message":"a\\n\\u001b[31m${'b'.repeat(200)}"}`),
        expect.stringMatching(/^answers 500 "a\\n\\u001b\[31mb+…"$/),
      ],
      [
        (_, response) => void response.writeHead(302, { location: 'http://192.0.2.1/\u0080login' }).end(),
        expect.stringMatching(
          /^answers 302, to look elsewhere: "http:\/\/192\.0\.2\.1\/.*login"; name that address$/,
        ),
      ],
      // What repeats the token is not repeated.
      [
        ({ headers }, response) =>
          void response.writeHead(403).end(JSON.stringify({ message: `Not for ${headers.authorization}` })),
        'answers 403',
      ],
      [
        ({ headers }, response) =>
          void response.writeHead(307, { location: `/?${headers.authorization}` }).end(),
        'answers 307, to look elsewhere; name that address',
      ],
      [json({}), 'answers an object where commands are listed'],
      [json(null), 'answers null where commands are listed'],
      [json([5]), 'lists something among its commands that is none'],
      [json([{ id: 5 }]), 'lists something among its commands that is none'],
      [
        json([{ id: '5', type: 9, name: '\u001b[31m\n' }]),
        expect.stringMatching(
          /^has what this version cannot read: command "\\u001b\[31m\\n", type: is the number 9; /,
        ),
      ],
      [
        json([
          { id: '5', name: 'a', description: 'b' },
          { id: '5', name: 'c', description: 'd' },
        ]),
        'scopes[0].commands[1].id is 5, as in command 1 of the list; each command can be replaced once',
      ],
      [
        (request) => void request.socket.end('SSH-2.0-server\r\n'),
        expect.stringMatching(/^cannot be reached: /),
      ],
      [(request) => void request.socket.destroy(), expect.stringMatching(/^cannot be reached: /)],
    ]
    for (const [listener, message] of cases) {
      const url = await answering(listener)
      const { code, out, err } = await plan(url)
      const [line, ...rest] = err.split('\n')
      expect([code, out, rest]).toEqual([1, '', ['']])
      const at = `commandry plan: ${url}/api/v10: `
      expect(line!.slice(0, at.length)).toBe(at)
      expect(line!.slice(at.length)).toEqual(message)
    }
    const gone = await serve({ handler: async () => new Response() })
    await gone.close()
    expect(await plan(gone.url)).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('ECONNREFUSED'),
    })
  })

  it('tells in one line what is wrong with permissions', async () => {
    const command = { id: '7', application_id: app, version: '8', type: 1, ...hello }
    for (const [permissions, message] of [
      [{}, 'answers an object where permissions are listed'],
      [
        [{ id: '7', permissions: [{ id: '1', type: 9, permission: true }] }],
        'has permissions this version cannot read: entry 1, type: is the number 9; it has to be 1 ROLE, 2 USER or 3 CHANNEL',
      ],
    ] as const) {
      const url = await answering(
        ({ url: path = '' }, response) =>
          void response.end(JSON.stringify(path.endsWith('permissions') ? permissions : [command])),
      )
      const directory = await directoryOf({ 'hello.json': hello })
      const args = ['hello.json', '--against', url, '--application', app, '--permissions-in', guild]
      expect(await run(args, directory)).toEqual({
        code: 1,
        out: '',
        err: `commandry plan: ${url}/api/v10: ${message}\n`,
      })
    }
  })

  it('waits for no answer longer than it is told, and reads none without end', async () => {
    const directory = await directoryOf({ 'hello.json': hello })
    const plan = (url: string, seconds: number) =>
      run(['hello.json', '--against', url, '--application', app, '--timeout', `${seconds}`], directory)
    const silent = await answering(() => {})
    const stuck = await answering((_, response) => void response.write('['))
    for (const url of [silent, stuck]) {
      expect(await plan(url, 1)).toEqual({
        code: 1,
        out: '',
        err: `commandry plan: ${url}/api/v10: has not answered all in 1 second\n`,
      })
    }
    const chunk = Buffer.alloc(1024 * 1024, 0x20)
    const endless = await answering((_, response) => {
      const more = () => {
        while (!response.destroyed && response.write(chunk)) {
          // Until the other side has enough for now.
        }
      }
      response.on('drain', more)
      more()
    })
    expect(await plan(endless, 60)).toEqual({
      code: 1,
      out: '',
      err: `commandry plan: ${endless}/api/v10: answers more than 128 MiB\n`,
    })
  })
})

describe('commandry plan', () => {
  it('refuses what it is not asked properly: exit 1, as 2 is an answer', async () => {
    const directory = await directoryOf({ 'hello.json': hello })
    const url = 'http://192.0.2.1'
    for (const [args, message] of [
      [[], 'name the file with the definitions'],
      [['hello.json'], 'name what there is now: --against SNAPSHOT or URL'],
      [['hello.json', 'more.json', '--against', 'a.json'], 'takes one file'],
      [['hello.json', '--against', url], '--against a URL needs the --application'],
      [['hello.json', '--against', url, '--application', app], '--against a URL needs a token'],
      [['hello.json', '--against', 'http://[', '--application', app], '--against is no URL that can be read'],
      [
        ['hello.json', '--against', 'http://me:geheim@192.0.2.1', '--application', app],
        '--against names a user or a password',
      ],
      [['hello.json', '--against', 'a.json', '--application', 'demo'], '"demo" is no id'],
      [['hello.json', '--against', 'a.json', '--guild', '-1'], "option '--guild' argument is ambiguous"],
      [['hello.json', '--against', url, '--application', app, '--permissions-in', 'x'], '"x" is no id'],
      [
        ['hello.json', '--against', 'a.json', '--guild', guild, '--permissions-in', guild],
        '--permissions-in is for global commands',
      ],
      [
        ['hello.json', '--against', 'a.json', '--timeout', '0'],
        '--timeout is a whole number from 1 to 3600, not "0"',
      ],
      [['hello.json', '--against', 'a.json', '--format', 'xml'], '--format is text or json, not "xml"'],
      [['hello.json', '--against', 'a.json', '--force'], "unknown option '--force'"],
    ] as const) {
      const { code, out, err } = await run(args, directory)
      expect([code, out]).toEqual([1, ''])
      expect(err).toContain(`commandry plan: ${message}`)
      expect(err).not.toContain('geheim')
    }
    const { code, out } = await run(['--help'])
    expect([code, out]).toEqual([0, expect.stringContaining('--permissions-in GUILD')])
    expect((await start(program, ['--help']).ended).out).toContain('commandry plan')
  })
})
