import { readdir, readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { applicationDirectory, CommandRegistry, globalScope, guildScope } from 'commandry'
import { openAccess } from 'commandry/http'
import { call, directoryOf, ending, failing, type CallOptions } from '../program.ts'
import { role, serving } from '../services.ts'
import { listening } from '../../../support/listening.ts'
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
    expect(out).toContain('Launch", global: starts the Activity; no file defines it.')
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
    expect(ended).toMatchObject(
      failing(
        1,
        'the global /ban has changed since it was compared; run the command again\nNothing was deleted.',
      ),
    )
    expect((await registry.list(server)).map(({ name }) => name)).toEqual(['ban'])
  })

  it('keeps the command of a server whose global namesake only those have who installed the app', async () => {
    const registry = new CommandRegistry()
    const own = { ...ban, integration_types: [1], contexts: [0, 1, 2] }
    await registry.overwrite(everywhere, [own])
    await registry.overwrite(server, [ban])
    const cwd = await directoryOf({ 'a.json': [own] })
    const { out } = await status(cwd, ['a.json', ...at(await serving(registry)), '--prune'])
    expect(out).not.toContain('twice')
    expect(out).toContain('Nothing to prune.')
  })

  it('keeps the entry point that the service makes for an Activity', async () => {
    const applications = applicationDirectory([{ id: app, name: 'a', flags: 1 << 17 }])
    const registry = new CommandRegistry({ applications })
    await registry.enableActivities(app)
    await registry.upsert(everywhere, ping)
    const url = await serving(registry, openAccess(), applications)
    const cwd = await directoryOf({ 'a.json': [ping] })
    expect(await status(cwd, ['a.json', ...at(url), '--prune'])).toMatchObject(ending(0, 'Nothing to prune.'))
    expect((await status(cwd, ['a.json', ...at(url), '--expect-no-changes'])).code).toBe(0)
    expect((await registry.list(everywhere)).map(({ name }) => name)).toEqual(['Launch', 'ping'])
  })

  it('names the permissions that are lost, and loses them only with --allow-loss', async () => {
    const { url, cwd, registry, globalOld, guildBan } = await deployed()
    await registry.setPermissions(app, guild, globalOld!.id, [role('5001', true)])
    await registry.setPermissions(app, guild, guildBan!.id, [role('5002', false)])
    const prune = (...args: readonly string[]) => status(cwd, ['commands', ...at(url), '--prune', ...args])
    const refused = await prune('--yes', '--delete', '2')
    expect(refused).toMatchObject(failing(1, '2 permissions would be lost; add --allow-loss to accept that'))
    expect(refused.out).toContain('loses permission in server 2001: role 5001 allowed')
    expect(refused.out).toContain('loses permission in server 2001: role 5002 denied')
    expect(refused.out).toContain('To delete: 2 commands. 2 permissions would be lost.')
    expect(refused.out).toContain('Permissions of global commands were checked only in server 2001.')
    const { code, out } = await prune('--yes', '--delete', '2', '--allow-loss')
    expect(code).toBe(0)
    expect(out).toContain('✓ Deleted /old, and lost permission in server 2001: role 5001 allowed')
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

describe('commandry status --prune in the middle', () => {
  const ghosts = ['g1', 'g2', 'g3'].map((name) => ({ name, description: 'A ghost' }))

  /** Three ghosts at a service, whose second deletion is answered as `second` does; it may carry it out first. */
  async function ghostly(
    second: (response: ServerResponse, carryOut: () => Promise<Response>) => unknown,
    attempts = 1,
  ) {
    const registry = new CommandRegistry()
    await registry.overwrite(everywhere, [ping, ...ghosts])
    const service = await serving(registry)
    let deletions = 0
    const url = await listening(async (request, response) => {
      const carryOut = () =>
        fetch(service + request.url, {
          method: request.method!,
          headers: { authorization: request.headers.authorization! },
        })
      const isSecond = request.method === 'DELETE' && ++deletions > 1 && deletions <= 1 + attempts
      if (isSecond) return second(response, carryOut)
      const answer = await carryOut()
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
    })
    const cwd = await directoryOf({ 'a.json': [ping] })
    const at = ['--against', url, '--application', app]
    const called = status(cwd, ['a.json', ...at, '--prune', '--yes', '--delete', '3', '--timeout', '1'])
    const names = async () => (await registry.list(everywhere)).map(({ name }) => name).slice(1)
    return { registry, called, names }
  }

  const refuse = (response: ServerResponse, status: number, body: object = {}) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

  it('waits when it is rate limited, and goes on', async () => {
    const { called, names } = await ghostly((response) => refuse(response, 429, { retry_after: 0.05 }), 3)
    expect((await called).code).toBe(0)
    expect(await names()).toEqual([])
  })

  it('takes a command that somebody else has deleted as done', async () => {
    const { called, names } = await ghostly(async (response, carryOut) => {
      await carryOut()
      refuse(response, 404, { message: 'Unknown application command', code: 10063 })
    })
    expect(await called).toMatchObject(ending(0, '✓ /g2 was deleted already\n✓ Deleted /g3'))
    expect(await names()).toEqual([])
  })

  it('says no ✓ of a command that the service has after it said that it was deleted', async () => {
    const { called, names } = await ghostly((response) => void response.writeHead(204).end())
    expect(await called).toMatchObject(
      failing(1, /still has \/g2 after it was deleted\n\/g2 may have been deleted; /),
    )
    expect((await called).out).not.toContain('✓ Deleted /g2')
    expect(await names()).toEqual(['g2', 'g3'])
  })

  it.each([
    ['a bad gateway', (response: ServerResponse) => refuse(response, 502)],
    ['a connection that breaks', (response: ServerResponse) => response.destroy()],
    ['no response', () => {}],
  ])('says after %s what is certain, what is not, and where the commands from before are', async (_, end) => {
    const { called, names } = await ghostly(async (response, carryOut) => (await carryOut(), end(response)))
    expect(await called).toMatchObject(
      failing(
        1,
        /\n\/g2 may have been deleted; run the command again; the commands from before are in 1001-global-.*\.json\. Certainly deleted: \/g1\. Not deleted: \/g3\.\n$/,
      ),
    )
    expect(await names()).toEqual(['g3'])
  })

  it('says the same when it is interrupted', async () => {
    const running = await ghostly(() => running.called.interrupt())
    expect(await running.called).toMatchObject(
      failing(
        1,
        /: interrupted\n\/g2 may have been deleted; .*\.json\. Certainly deleted: \/g1\. Not deleted: \/g3\.\n$/,
      ),
    )
  })

  it('says after a refusal that nothing more was deleted', async () => {
    const { called, names } = await ghostly((response) => refuse(response, 403, { message: 'No', code: 1 }))
    expect(await called).toMatchObject(
      failing(
        1,
        /\nCertainly deleted: \/g1\. Not deleted: \/g2 and \/g3; the commands from before are in .*\.json\.\n$/,
      ),
    )
    expect(await names()).toEqual(['g2', 'g3'])
  })

  it('keeps a command that somebody deploys anew during the deletions', async () => {
    const { called, names, registry } = await ghostly(async (response, carryOut) => {
      await registry.upsert(everywhere, { name: 'g3', description: 'Is wanted now' })
      const answer = await carryOut()
      response.writeHead(answer.status).end()
    })
    expect(await called).toMatchObject(
      failing(
        1,
        /: \/g3 has changed since it was compared; .*\nCertainly deleted: \/g1 and \/g2\. Not deleted: \/g3; /,
      ),
    )
    expect(await names()).toEqual(['g3'])
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
