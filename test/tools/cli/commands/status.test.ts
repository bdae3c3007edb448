import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CommandRegistry, globalScope, guildScope } from 'commandry'
import { call, directoryOf, ending, failing, type CallOptions } from '../program.ts'
import { serving } from '../services.ts'
import { app, everywhere, guild } from '../../../support/fixtures.ts'

const ping = { name: 'ping', description: 'Says pong' }
const ban = { name: 'ban', description: 'Bans' }
const old = { name: 'old', description: 'Is old' }
const late = { name: 'late', description: 'Comes later' }
const server = guildScope(app, guild)

/** `ping` differs from its file, `ban` is in a server too, no file defines `old`, and `late` is not deployed. */
async function deployed() {
  const registry = new CommandRegistry()
  const [, globalBan, globalOld] = await registry.overwrite(everywhere, [
    { ...ping, description: 'Says ping' },
    ban,
    old,
  ])
  const [guildBan] = await registry.overwrite(server, [ban])
  const cwd = await directoryOf({ 'commands/all.json': [ping, ban, late] })
  return { registry, url: await serving(registry), cwd, globalBan, globalOld, guildBan }
}

const at = (url: string) => ['--against', url, '--application', app, '--guild', guild]

const status = (cwd: string, args: readonly string[], options: CallOptions = {}) =>
  call(['status', ...args], { cwd, ...options })

describe('commandry status', () => {
  it('shows each command in each scope, what differs, ghosts, and what people see twice', async () => {
    const { url, cwd } = await deployed()
    const { code, out, err } = await status(cwd, ['commands', ...at(url)])
    expect([code, err]).toEqual([0, ''])
    expect(out.replace(url, 'URL')).toBe(`application 1001 at URL

command  global   2001
/ban     ✓        ✓, twice
/late    –        –
/old     ghost    –
/ping    differs  –

/ping, global: deployed → defined
    description  "Says ping" → "Says pong"
/old, global: no file defines it.
/ban is global and in server 2001: people there see it twice.
Not deployed: /late.

Status: 1 not as the files define, 1 ghost, 1 command seen twice and 1 not deployed.
`)
  })

  it('has no line wider than the terminal, however many servers there are', async () => {
    const { url, cwd, registry } = await deployed()
    const guilds = Array.from({ length: 9 }, (_, index) => `11223344556677889${index}`)
    for (const id of guilds) await registry.upsert(guildScope(app, id), { ...ban, name: 'x'.repeat(32) })
    const args = guilds.flatMap((id) => ['--guild', id])
    const { out } = await status(cwd, ['commands', '--against', url, '--application', app, ...args])
    const table = out
      .slice(0, out.indexOf('\n\nhas no'))
      .split('\n')
      .filter((line) => !line.includes(': no file'))
    expect(Math.max(...table.map((line) => line.length))).toBeLessThanOrEqual(100)
    for (const id of guilds) expect(out).toContain(id)
  })

  it('prints ids and mentions with --ids, and everything as JSON', async () => {
    const { url, cwd, globalBan, guildBan } = await deployed()
    const { out } = await status(cwd, [...at(url), '--ids'])
    expect(out).toContain(`global  ${globalBan!.id}  </ban:${globalBan!.id}>`)
    expect(out).toContain(`2001  ${guildBan!.id}  </ban:${guildBan!.id}>`)
    const json = JSON.parse((await status(cwd, ['commands', ...at(url), '--format', 'json'])).out)
    expect(json.ok).toBe(false)
    expect(json.targets[0].missing).toEqual(['/late'])
    expect(json.targets[0].scopes[1]).toEqual({
      guildId: guild,
      commands: [
        {
          id: guildBan!.id,
          type: 1,
          name: 'ban',
          mention: `</ban:${guildBan!.id}>`,
          state: 'same',
          differences: [],
          isTwice: true,
        },
      ],
    })
  })

  it('exits with 2 for a difference when none is expected, and with 0 without one', async () => {
    const { url, cwd } = await deployed()
    expect(await status(cwd, ['commands', ...at(url), '--expect-no-changes'])).toMatchObject({ code: 2 })
    const registry = new CommandRegistry()
    await registry.overwrite(everywhere, [ping, ban, late])
    const same = await status(cwd, ['commands', ...at(await serving(registry)), '--expect-no-changes'])
    expect(same).toMatchObject(ending(0, '✓ 3 commands, as the files define them.'))
  })

  it('does not count an entry point as missing from a list when it compares a scope', async () => {
    const registry = new CommandRegistry()
    await registry.enableActivities(app)
    const cwd = await directoryOf({ 'a.json': [ping] })
    const { out } = await status(cwd, ['a.json', ...at(await serving(registry))])
    expect(out).toContain('Launch", global: no file defines it')
  })

  it('compares nothing with invalid definitions, and prints their problems', async () => {
    const { url } = await deployed()
    const cwd = await directoryOf({ 'a.json': [{ name: 'Ping', description: 'd' }] })
    expect(await status(cwd, ['a.json', ...at(url)])).toMatchObject(ending(1, /name: .*upper case/))
  })
})

describe('commandry status --prune', () => {
  it('deletes ghosts and copies in servers after asking, and saves what was deployed', async () => {
    const { url, cwd, registry } = await deployed()
    const questions: string[] = []
    const { code, out } = await status(cwd, ['commands', ...at(url), '--prune'], {
      ask: async (question) => (questions.push(question), '2'),
    })
    expect(questions).toEqual(['Delete 2 commands? Type 2 to continue: '])
    expect(code).toBe(0)
    expect(out).toContain(
      `- /old  ${url}, global: no file defines it\n- /ban  ${url}, server 2001: it is global too`,
    )
    const names = async (scope: Parameters<CommandRegistry['list']>[0]) =>
      (await registry.list(scope)).map(({ name }) => name)
    expect([await names(everywhere), await names(server)]).toEqual([['ping', 'ban'], []])
    const saved = (await readdir(cwd)).filter((file) => file.endsWith('.json'))
    const lists = await Promise.all(
      saved.map(async (file) => JSON.parse(await readFile(join(cwd, file), 'utf8'))),
    )
    expect(lists.map((list) => list.length).sort()).toEqual([1, 3])
  })

  it.each([
    ['no terminal', [], undefined, 'there is no terminal to ask in; add --yes --delete 2'],
    ['another answer', [], '3', 'Nothing was deleted.'],
    ['--yes alone', ['--yes'], undefined, 'add --delete 2 to accept that'],
    ['another number', ['--yes', '--delete', '3'], undefined, '2 would be deleted, not 3'],
  ])('deletes nothing with %s', async (_, args, answer, why) => {
    const { url, cwd, registry } = await deployed()
    const ended = await status(cwd, ['commands', ...at(url), '--prune', ...args], {
      ask: async () => answer ?? null,
    })
    expect(ended).toMatchObject(failing(1, why))
    expect([await registry.list(everywhere), await registry.list(server)].map((list) => list.length)).toEqual(
      [3, 1],
    )
  })

  it('keeps the copy in a server when the global command was deleted meanwhile', async () => {
    const registry = new CommandRegistry()
    const [globalBan] = await registry.overwrite(everywhere, [ban])
    await registry.overwrite(server, [ban])
    const cwd = await directoryOf({ 'commands/all.json': [ban] })
    const ended = await status(cwd, ['commands', ...at(await serving(registry)), '--prune'], {
      ask: async () => (await registry.delete(everywhere, globalBan!.id), '1'),
    })
    expect(ended).toMatchObject(failing(1, 'the deployed commands have changed since they were compared'))
    expect((await registry.list(server)).map(({ name }) => name)).toEqual(['ban'])
  })

  it('saves only the scopes from which it deletes', async () => {
    const registry = new CommandRegistry()
    await registry.overwrite(everywhere, [ban, old])
    const cwd = await directoryOf({ 'commands/all.json': [ban] })
    const url = await serving(registry)
    const { code } = await status(cwd, ['commands', ...at(url), '--prune', '--yes', '--delete', '1'])
    expect(code).toBe(0)
    expect((await readdir(cwd)).filter((file) => file.endsWith('.json'))).toHaveLength(1)
  })

  it('deletes nothing without definitions, or while a file cannot be read', async () => {
    const { url, registry } = await deployed()
    const cwd = await directoryOf({ 'commands/a.json': [ping, ban], 'commands/b.json': '{' })
    expect(await status(cwd, [...at(url), '--prune', '--yes', '--delete', '1'])).toMatchObject(
      failing(2, 'ghost'),
    )
    const broken = await status(cwd, ['commands', ...at(url), '--prune', '--yes', '--delete', '2'])
    expect(broken.code).toBe(1)
    expect(await registry.list(everywhere)).toHaveLength(3)
  })
})

it('commandry status --prune deletes nothing while a file was skipped, unless told the number', async () => {
  const { url, registry } = await deployed()
  const cwd = await directoryOf({
    'commands/a.json': [ping, ban],
    'commands/b.mjs': 'export const handler = 1',
  })
  const ended = await status(cwd, ['commands', ...at(url), '--prune'], { ask: async () => '2' })
  expect(ended).toMatchObject(failing(1, '1 file that may define them was skipped'))
  expect(ended.err).toContain('b.mjs')
  expect(await registry.list(everywhere)).toHaveLength(3)
  const told = await status(cwd, ['commands', ...at(url), '--prune', '--yes', '--delete', '2'])
  expect(told.code).toBe(0)
})

describe('the file of targets', () => {
  it('names the definitions and each target, whose token comes from the environment', async () => {
    const { url, cwd } = await deployed()
    const targets = {
      production: { application: app, url, guilds: [guild], token_variable: 'PRODUCTION_TOKEN' },
      staging: { application: '1002', url },
    }
    const file = { definitions: ['commands'], targets }
    const folder = await directoryOf({
      'commandry.targets.json': file,
      'commands/all.json': [ping, ban, late],
    })
    const env = { PRODUCTION_TOKEN: 'production-token' }
    const { code, out } = await status(folder, [], { env })
    expect(code).toBe(0)
    expect(out).toContain(`production: application 1001 at ${url}`)
    expect(out).toContain(`staging: application 1002 at ${url}\n\ncommand  global\n/ban     –`)
    expect((await status(folder, ['--target', 'staging'])).out).not.toContain('production')
    expect(await status(folder, ['--target', 'stagin'])).toMatchObject(
      failing(1, 'commandry.targets.json has no target "stagin"; its targets are production and staging'),
    )
    expect(await status(folder, [])).toMatchObject(
      failing(1, 'target "production" needs a token in the environment variable PRODUCTION_TOKEN'),
    )
    expect(cwd).not.toBe(folder)
  })

  it('is not ok as JSON while one of its targets differs', async () => {
    const registry = new CommandRegistry()
    await registry.overwrite(everywhere, [ping])
    const url = await serving(registry)
    const targets = { same: { application: app, url }, other: { application: '1002', url } }
    const cwd = await directoryOf({ 'commandry.targets.json': { targets }, 'a.json': [ping] })
    const json = async (...args: readonly string[]) =>
      JSON.parse((await status(cwd, ['a.json', ...args, '--format', 'json'])).out)
    expect(await json('--target', 'same')).toMatchObject({ ok: true })
    expect(await json()).toMatchObject({ ok: false, targets: [{ missing: [] }, { missing: ['/ping'] }] })
  })

  it('prunes one target although another one, with nothing to prune, has changed', async () => {
    const registry = new CommandRegistry()
    await registry.overwrite(everywhere, [ping, old])
    await registry.overwrite(globalScope('1002'), [ping])
    const url = await serving(registry)
    const targets = { one: { application: app, url }, other: { application: '1002', url } }
    const cwd = await directoryOf({ 'commandry.targets.json': { targets }, 'a.json': [ping] })
    const { code } = await status(cwd, ['a.json', '--prune'], {
      ask: async () => (await registry.upsert(globalScope('1002'), late), '1'),
    })
    expect(code).toBe(0)
    expect((await registry.list(everywhere)).map(({ name }) => name)).toEqual(['ping'])
  })

  it.each([
    [{ targets: { a: {} } }, 'targets.a.application is missing'],
    [
      { targets: { a: { application: app, guild: [] } } },
      'the fields are application, url, guilds and token_variable',
    ],
    [{ targets: { a: { application: app, token: 'secret' } } }, 'tokens do not belong in this file'],
    [
      { targets: { a: { application: app, token_variable: 'a b.c' } } },
      'is not the name of an environment variable',
    ],
    [{ targets: { a: { application: app, url: 'ftp://x' } } }, 'is not "discord" or an address'],
    [{ definitions: [1], targets: {} }, 'definitions[0]'],
    [{ targets: { a: {}, b: {}, c: {} } }, 'targets.a.application is missing (and 2 other problems)'],
  ])('reports %j', async (file, why) => {
    const cwd = await directoryOf({ 'commandry.targets.json': file })
    const { code, err } = await status(cwd, [])
    expect(code).toBe(1)
    expect(err).toContain(why)
    expect(err).not.toContain('secret')
    expect(err).not.toContain('0 other')
  })
})
