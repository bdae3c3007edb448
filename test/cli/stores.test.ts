import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { closeSync, existsSync, openSync } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import BetterSqlite from 'better-sqlite3'
import { Redis } from 'ioredis'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { RegistryError, type ApplicationSnapshot } from 'commandry'
import { told } from '../../src/cli/drivers.ts'
import { snapshotText } from '../../src/cli/export.ts'
import { connectSqlite, openPlace } from '../storage/place.ts'
import { needing, ownName } from '../storage/servers.ts'
import { buildProgram, files, start, type Running } from './program.ts'

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url))
// Nobody else has one like it: a Redis may be shared, and the program knows no other place in it.
const app = String(randomInt(1, 2 ** 47))
const directories: string[] = []
let program = ''

// Programs are started one after the other, and the machine may be busy with much else.
vi.setConfig({ testTimeout: 300_000 })

// Outside of the project, where nothing is installed but what a test puts there.
beforeAll(async () => {
  const built = dirname(await buildProgram())
  const lonely = await directoryOf({})
  for (const name of await readdir(built)) await copyFile(join(built, name), join(lonely, name))
  await rm(built, { recursive: true })
  program = join(lonely, 'cli.js')
  await copyFile(new URL('../../package.json', import.meta.url), join(lonely, 'package.json'))
})
afterAll(async () => {
  for (const directory of directories) await rm(directory, { recursive: true })
})

/** A directory with some drivers installed. */
async function directoryOf(contents: Record<string, unknown>, ...drivers: string[]): Promise<string> {
  const directory = await files(contents)
  directories.push(directory)
  await mkdir(join(directory, 'node_modules'))
  for (const driver of drivers) await symlink(join(modules, driver), join(directory, 'node_modules', driver))
  return directory
}

const run = (args: readonly string[], cwd: string) => start(program, args, cwd).ended

async function serving(
  store: string,
  cwd: string,
  ...more: readonly string[]
): Promise<Running & { url: string }> {
  const started = start(program, ['serve', '--port', '0', '--store', store, ...more], cwd)
  const line = await started.firstLine
  const url = /^commandry listens on (\S+)\n$/.exec(line)?.[1]
  if (url === undefined) expect.fail(JSON.stringify(await started.ended))
  return { ...started, url: `${url}/applications/${app}/commands` }
}

const headers = { authorization: 'Bot any', 'content-type': 'application/json' }
const hello = { name: 'hello', description: 'Says hello' }

/** What one process was told, another knows, with the same ids; and export and import carry it elsewhere. */
async function lasts(store: string, cwd: string): Promise<void> {
  const first = await serving(store, cwd)
  const made = (await (
    await fetch(first.url, { method: 'POST', headers, body: JSON.stringify(hello) })
  ).json()) as object
  expect(made).toMatchObject(hello)
  first.child.kill('SIGTERM')
  expect(await first.ended).toMatchObject({ code: 0 })
  const second = await serving(store, cwd)
  const list = (await (await fetch(second.url, { headers })).json()) as object[]
  expect(list).toEqual([expect.objectContaining({ ...hello, id: (made as { id: string }).id })])
  second.child.kill('SIGKILL')
  await second.ended

  expect(await run(['export', app, '--store', store, '--out', 'app.json'], cwd)).toMatchObject({
    code: 0,
    out: '',
  })
  const snapshot = JSON.parse(await readFile(join(cwd, 'app.json'), 'utf8')) as {
    scopes: { commands: object[] }[]
  }
  expect(snapshot.scopes[0]!.commands).toEqual([expect.objectContaining(made)])
  const emptied = { ...snapshot, scopes: [] }
  const there = await directoryOf({ 'empty.json': emptied }, ...(await readdir(join(cwd, 'node_modules'))))
  expect(await run(['import', 'empty.json', '--store', store], there)).toMatchObject({ code: 0, out: '' })
  expect(JSON.parse((await run(['export', app, '--store', store], there)).out)).toMatchObject({
    scopes: [{ commands: [], creates: { count: 0 } }],
  })
  expect((await run(['import', join(cwd, 'app.json'), '--store', store], there)).code).toBe(0)
  expect(JSON.parse((await run(['export', app, '--store', store], there)).out)).toEqual(snapshot)
}

const [major = 0] = process.versions.node.split('.').map(Number)

/** A file as the program itself opens it. */
function connect(file: string): { exec(sql: string): unknown; close(): unknown } {
  if (major < 22) return new BetterSqlite(file)
  // Asked for by name, as older versions of Node do not have it.
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite' as 'node:fs') as unknown as {
    DatabaseSync: new (file: string) => { exec(sql: string): unknown; close(): unknown }
  }
  return new DatabaseSync(file)
}

describe('--store sqlite:FILE', () => {
  it.skipIf(major >= 22)('keeps the commands in a file, with better-sqlite3', async () => {
    const cwd = await directoryOf({}, 'better-sqlite3')
    await lasts(`sqlite:${join(cwd, 'commands.db')}`, cwd)
  })

  it.skipIf(major < 22)('keeps the commands in a file, with node:sqlite', async () => {
    const cwd = await directoryOf({})
    await lasts(`sqlite:${join(cwd, 'commands.db')}`, cwd)
  })

  it.skipIf(major >= 22)('says which driver to install', async () => {
    const { code, err } = await run(['serve', '--store', 'sqlite:x.db'], await directoryOf({}))
    expect([code, err]).toEqual([
      2,
      expect.stringContaining(
        'commandry serve: --store sqlite needs a driver; npm install better-sqlite3, or run Node 22.13 or later',
      ),
    ])
  })

  it('says what is wrong with a file', async () => {
    const { code, err } = await run(
      ['serve', '--store', 'sqlite:none/x.db'],
      await directoryOf({}, 'better-sqlite3'),
    )
    expect([code, err]).toEqual([2, expect.stringMatching(/--store sqlite: \S+ cannot open it: /)])
  })
})

describe('the entry point command of an application with an Activity', () => {
  const config = {
    applications: [{ id: app, flags: 131072 }],
    tokens: [{ type: 'Bot', token: 'any', application_id: app }],
  }
  const call = async (url: string, method: string, body?: unknown) => {
    const response = await fetch(url, {
      method,
      headers,
      ...(body === undefined ? undefined : { body: JSON.stringify(body) }),
    })
    return [response.status, response.status === 204 ? null : await response.json()] as [number, any]
  }
  const named = (name: string) => ({ ...hello, name })

  it('[2.3-02] is there from the start, and once it was deleted stays so', async () => {
    const cwd = await directoryOf({ 'service.json': config }, 'better-sqlite3')
    const store = `sqlite:${join(cwd, 'commands.db')}`
    const open = () => serving(store, cwd, '--config', 'service.json')
    const first = await open()
    const [, [launch]] = await call(first.url, 'GET')
    expect(launch).toMatchObject({ name: 'Launch', type: 4, handler: 2 })
    first.child.kill('SIGTERM')
    await first.ended

    const second = await open()
    expect(await call(second.url, 'GET')).toEqual([200, [launch]])
    expect((await call(`${second.url}/${launch.id}`, 'DELETE'))[0]).toBe(204)
    second.child.kill('SIGTERM')
    await second.ended

    const third = await open()
    expect(await call(third.url, 'GET')).toEqual([200, []])
    third.child.kill('SIGTERM')
    expect(await third.ended).toMatchObject({ code: 0, err: '' })
  })

  it('[8-02] keeps no start from happening when the creates of the day are used', async () => {
    const cwd = await directoryOf({ 'service.json': config }, 'better-sqlite3')
    const store = `sqlite:${join(cwd, 'commands.db')}`
    const first = await serving(store, cwd, '--config', 'service.json')
    const [, [launch]] = await call(first.url, 'GET')
    const batch = (word: string, count: number) =>
      Array.from({ length: count }, (_, i) => named(`${word}-${i}`))
    for (const commands of [batch('a', 100), batch('b', 99)])
      expect((await call(first.url, 'PUT', [launch, ...commands]))[0]).toBe(200)
    expect((await call(`${first.url}/${launch.id}`, 'DELETE'))[0]).toBe(204)
    first.child.kill('SIGTERM')
    await first.ended

    const second = await serving(store, cwd, '--config', 'service.json')
    expect((await call(second.url, 'GET'))[1]).toHaveLength(99)
    expect(await call(second.url, 'POST', hello)).toMatchObject([429, { code: 30034 }])
    second.child.kill('SIGTERM')
    expect(await second.ended).toMatchObject({ code: 0, err: '' })
  })

  it('ends the program with one line when it cannot be stored', async () => {
    const cwd = await directoryOf({ 'service.json': config }, 'better-sqlite3')
    const file = join(cwd, 'commands.db')
    const { store, close } = await openPlace({ kind: 'sqlite', file })
    // Makes the table.
    await store.read(['key'])
    await close()
    const database = connect(file)
    database.exec(`CREATE TRIGGER full BEFORE INSERT ON commandry_documents
      BEGIN SELECT RAISE(ABORT, 'the disk is full'); END`)
    database.close()
    expect(
      await run(['serve', '--port', '0', '--config', 'service.json', '--store', `sqlite:${file}`], cwd),
    ).toEqual({
      code: 1,
      out: '',
      err: 'commandry serve: cannot create the entry point commands: the disk is full\n',
    })
  })
})

describe('--store postgres://…', () => {
  const server = process.env['DATABASE_URL']
  const missing = server === undefined ? 'no DATABASE_URL' : undefined
  // A database of its own, since the program takes the table that everybody takes.
  const name = ownName()
  const url = server && Object.assign(new URL(server), { pathname: `/${name}` }).href
  async function administer(statement: string): Promise<void> {
    const client = new pg.Client({ connectionString: server! })
    await client.connect()
    await client.query(statement)
    await client.end()
  }
  beforeAll(async () => {
    if (server !== undefined) await administer(`CREATE DATABASE ${name} TEMPLATE template0`)
  })
  afterAll(async () => {
    if (server !== undefined) await administer(`DROP DATABASE ${name} WITH (FORCE)`)
  })

  for (const driver of ['pg', 'postgres']) {
    const { title, skip } = needing(`keeps the commands there, with ${driver}`, missing)
    it.skipIf(skip)(title, async () => {
      if (url === undefined) expect.fail(missing)
      await lasts(url, await directoryOf({}, driver))
      await clear(url, await directoryOf({}, driver))
    })
  }

  it('says which driver to install, and nothing of the location', async () => {
    for (const scheme of ['postgres', 'postgresql']) {
      const { code, err } = await run(
        ['serve', '--store', `${scheme}://me:geheim@127.0.0.1/x`],
        await directoryOf({}),
      )
      expect([code, err]).toEqual([
        2,
        expect.stringContaining('--store postgres needs a driver; npm install pg, or npm install postgres'),
      ])
      expect(err).not.toContain('geheim')
    }
  })

  it.each(['pg', 'postgres'])('says when nobody answers, with %s', async (driver) => {
    const { code, err } = await run(
      ['serve', '--store', 'postgres://me:geheim@127.0.0.1:1/x'],
      await directoryOf({}, driver),
    )
    expect([code, err]).toEqual([2, expect.stringContaining(`--store postgres: ${driver} cannot open it: `)])
    expect(err).toContain('ECONNREFUSED')
    expect(err).not.toContain('geheim')
  })
})

describe('--store postgres://… that says nothing', () => {
  const sockets = new Set<Socket>()
  const silent = createServer((socket) => sockets.add(socket.on('error', () => undefined)))
  beforeAll(() => new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve)))
  afterAll(() => {
    for (const socket of sockets) socket.destroy()
    silent.close()
  })

  it.each(['pg', 'postgres'])('is not waited for, with %s', async (driver) => {
    const { port } = silent.address() as AddressInfo
    const { code, err } = await run(
      ['export', app, '--store', `postgres://me@127.0.0.1:${port}/x`],
      await directoryOf({}, driver),
    )
    expect([code, err]).toEqual([2, expect.stringMatching(/cannot open it: .*time_?-?out/i)])
  })

  const server = process.env['DATABASE_URL']
  const { title, skip } = needing(
    'is not waited for once it is connected',
    server === undefined ? 'no DATABASE_URL' : undefined,
  )
  it.skipIf(skip)(title, async () => {
    if (server === undefined) expect.fail('no DATABASE_URL')
    const schema = ownName()
    const client = new pg.Client({ connectionString: server })
    await client.connect()
    try {
      // Whoever asks here for documents waits for this transaction.
      await client.query(`CREATE SCHEMA ${schema}`)
      await client.query(`CREATE TABLE ${schema}.commandry_documents (key text, revision text, value text)`)
      await client.query(`BEGIN; LOCK TABLE ${schema}.commandry_documents`)
      const ends = ['pg', 'postgres'].map(async (driver) => {
        const cwd = await directoryOf({}, driver)
        const url = new URL(server)
        url.search = driver === 'pg' ? `options=-c search_path=${schema}` : `search_path=${schema}`
        return run(['export', app, '--store', url.href], cwd)
      })
      for (const { code, err } of await Promise.all(ends))
        expect([code, err]).toEqual([2, expect.stringMatching(/cannot open it: .*timeout/i)])
    } finally {
      await client.query(`ROLLBACK; DROP SCHEMA ${schema} CASCADE`)
      await client.end()
    }
  })
})

describe('--store redis://…', () => {
  const url = process.env['REDIS_URL']
  const missing = url === undefined ? 'no REDIS_URL' : undefined
  afterAll(async () => {
    if (url === undefined) return
    const client = new Redis(url)
    const keys = await client.keys(`commandry:*/${app}/*`)
    if (keys.length > 0) await client.del(keys)
    client.disconnect()
  })

  for (const driver of ['redis', 'ioredis']) {
    const { title, skip } = needing(`keeps the commands there, with ${driver}`, missing)
    it.skipIf(skip)(title, async () => {
      if (url === undefined) expect.fail(missing)
      await lasts(url, await directoryOf({}, driver))
      await clear(url, await directoryOf({}, driver))
    })
  }

  it('says which driver to install', async () => {
    const { code, err } = await run(['serve', '--store', 'rediss://:geheim@127.0.0.1'], await directoryOf({}))
    expect([code, err]).toEqual([
      2,
      expect.stringContaining('--store redis needs a driver; npm install redis, or npm install ioredis'),
    ])
    expect(err).not.toContain('geheim')
  })

  it.each(['redis', 'ioredis'])('says when nobody answers, with %s', async (driver) => {
    const { code, err } = await run(
      ['serve', '--store', 'redis://:geheim@127.0.0.1:1'],
      await directoryOf({}, driver),
    )
    expect([code, err]).toEqual([2, expect.stringContaining(`--store redis: ${driver} cannot open it: `)])
    expect(err).toContain('ECONNREFUSED')
    expect(err).not.toContain('geheim')
  })
})

/** Leaves nothing but the counter of ids for the next test. */
async function clear(store: string, cwd: string): Promise<void> {
  const there = await directoryOf(
    { 'empty.json': { format: 1, application_id: app, scopes: [], permissions: [] } },
    ...(await readdir(join(cwd, 'node_modules'))),
  )
  expect((await run(['import', 'empty.json', '--store', store], there)).code).toBe(0)
}

describe('commandry export and import', () => {
  const drivers = major >= 22 ? [] : ['better-sqlite3']
  const nothing = { format: 1, application_id: app, scopes: [], permissions: [] }

  it('name a file of SQLite, and an export one that is there', async () => {
    const cwd = await directoryOf({ 'app.json': nothing, 'empty.db': '' }, ...drivers)
    for (const args of [['serve'], ['export', app], ['import', 'app.json']])
      expect(await run([...args, '--store', 'sqlite:'], cwd)).toMatchObject({
        code: 2,
        err: expect.stringContaining('--store sqlite: names no file') as string,
      })
    expect(await run(['export', app, '--store', 'sqlite:typo.db'], cwd)).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('--store sqlite: there is no such file') as string,
    })
    expect((await run(['export', app, '--store', 'sqlite:empty.db'], cwd)).code).toBe(2)
    expect((await readdir(cwd)).sort()).toEqual(['app.json', 'empty.db', 'node_modules'])
    expect(await readFile(join(cwd, 'empty.db'), 'utf8')).toBe('')
  })

  it('say so where nothing is held, and write no file', async () => {
    const cwd = await directoryOf({})
    expect(await run(['export', app, '--store', 'memory', '--out', 'app.json'], cwd)).toEqual({
      code: 1,
      out: '',
      err: `commandry export: the store holds nothing of the application ${app}\n`,
    })
    expect(await readdir(cwd)).toEqual(['node_modules'])
  })

  it('advise to repeat only where that can help', async () => {
    const cwd = await directoryOf({ 'app.json': nothing }, ...drivers)
    const file = join(cwd, 'commands.db')
    const { store, close } = await openPlace({ kind: 'sqlite', file })
    const written = await store.write(`scope/${app}/global`, null, { format: 2 })
    const restored = () => run(['import', 'app.json', '--store', `sqlite:${file}`], cwd)
    expect(await restored()).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^commandry import: .*another format(?!.*do it again).*\n$/) as string,
    })
    const scope = { commands: [], tenures: [], creates: { day: '2026-01-01', count: 1 }, latest: '1' }
    await store.write(`scope/${app}/global`, written.ok ? written.revision : '', { format: 1, ...scope })
    await close()
    const rival = connectSqlite(file)
    rival.exec('BEGIN IMMEDIATE')
    expect(await restored()).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^commandry import: .*; do it again\n$/) as string,
    })
    rival.exec('ROLLBACK')
    rival.close()
    expect(await restored()).toMatchObject({ code: 0, err: '' })
  })

  it('say what failed first, in its own words', () => {
    const cause = new Error('the disk\n is gone', { cause: 'no error' })
    expect(told(new RegistryError('storage', { cause }))).toBe('the store failed: the disk is gone')
    expect(told(new Error('there is nothing'))).toBe('there is nothing')
  })

  it.skipIf(!existsSync('/dev/full'))('say when there is no room', async () => {
    const cwd = await directoryOf({}, ...drivers)
    const file = join(cwd, 'commands.db')
    const { store, close } = await openPlace({ kind: 'sqlite', file })
    const scope = {
      format: 1,
      commands: [],
      tenures: [],
      creates: { day: '2026-01-01', count: 1 },
      latest: '1',
    }
    await store.write(`scope/${app}/global`, null, scope)
    await close()
    const args = ['export', app, '--store', `sqlite:${file}`]
    const full = openSync('/dev/full', 'w')
    const env = { ...process.env, NODE_NO_WARNINGS: '1' }
    const child = spawn(process.execPath, [program, ...args], { cwd, env, stdio: ['ignore', full, 'pipe'] })
    closeSync(full)
    let err = ''
    child.stderr!.setEncoding('utf8').on('data', (text: string) => (err += text))
    const code = await new Promise((resolve) => child.on('close', resolve))
    expect([code, err]).toEqual([1, expect.stringMatching(/^commandry export: ENOSPC.*\n$/)])
    expect(await run([...args, '--out', '/dev/full'], cwd)).toEqual({ code: 1, out: '', err })
  })

  it('write a scope at a time what would be too long for one string', () => {
    const scope = (guild_id: string | null) => ({
      guild_id,
      commands: [],
      tenures: ['line\nend'],
      creates: { day: '2026-01-01', count: 1 },
      latest: '7',
    })
    for (const scopes of [[], [scope(null)], [scope(null), scope('2'), scope('3')]]) {
      const snapshot: ApplicationSnapshot = { format: 1, application_id: app, scopes, permissions: [] }
      const pieces = [...snapshotText(snapshot)]
      expect(pieces.join('')).toBe(`${JSON.stringify(snapshot, null, 2)}\n`)
      const scopesIn = pieces.map((piece) => piece.split('guild_id').length - 1)
      expect(Math.max(...scopesIn)).toBe(Math.min(1, scopes.length))
    }
  })

  it('refuse what they were not asked properly', async () => {
    const cwd = await directoryOf({})
    for (const [args, message] of [
      [['export'], 'name the application'],
      [['export', 'demo', '--store', 'memory'], '"demo" is no id'],
      [['export', '1001'], 'name the --store'],
      [['export', '1001', '1002', '--store', 'memory'], 'takes no "1002"'],
      [['import'], 'name the file'],
      [['import', 'x.json'], 'name the --store'],
    ] as const) {
      const { code, err } = await run(args, cwd)
      expect([code, err]).toEqual([2, expect.stringContaining(message)])
    }
  })

  it('tell every fault of a file at its place', async () => {
    const scope = {
      guild_id: null,
      commands: [{ id: 1 }],
      tenures: [],
      creates: { day: '', count: 0 },
      latest: '0',
    }
    const bad = { format: 1, application_id: '1001', scopes: [scope], permissions: 5 }
    const cwd = await directoryOf({ 'bad.json': bad, 'broken.json': '{' })
    const { code, err } = await run(['import', 'bad.json', '--store', 'memory'], cwd)
    expect(code).toBe(1)
    expect(err.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^bad\.json: scopes\[0\]\.commands\[0\]\.version is /),
      expect.stringMatching(/^bad\.json: scopes\[0\]\.commands\[0\]\.id is the number 1/),
      expect.stringMatching(/^bad\.json: scopes\[0\]\.tenures has 0 entries/),
      expect.stringMatching(/^bad\.json: permissions is the number 5; a list belongs here/),
    ])
    expect((await run(['import', 'broken.json', '--store', 'memory'], cwd)).err).toMatch(
      /^broken\.json: is not valid JSON/,
    )
    expect((await run(['import', 'none.json', '--store', 'memory'], cwd)).err).toBe(
      'none.json: is not there\n',
    )
  })
})
