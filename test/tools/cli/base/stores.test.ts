import { randomInt } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { connectSqlite, openPlace } from '../../../storage/place.ts'
import { proxyTo } from '../../../storage/proxy.ts'
import { missing, ownName, testWith } from '../../../storage/servers.ts'
import { call, failed, failing, serveOnFreePort, sqliteDrivers, withDrivers } from '../program.ts'
import type { Called, Ended } from '../program.ts'
import { hello } from '../../../support/fixtures.ts'

// Random, because a Redis may be shared and the program always uses the same keys in it.
const app = String(randomInt(1, 2 ** 47))
const run = (args: readonly string[], cwd: string) => call(args, { cwd })

function stop({ called }: { readonly called: Called }): Promise<Ended> {
  called.interrupt()
  return called
}

async function serving(store: string, cwd: string, ...more: readonly string[]) {
  const { called, url } = await serveOnFreePort(['--store', store, ...more], cwd)
  return { called, url: `${url}/applications/${app}/commands` }
}

const empty = { format: 1, application_id: app, scopes: [], permissions: [] }
const headers = { authorization: 'Bot any', 'content-type': 'application/json' }

/** The status and the JSON of a response. */
async function request(url: string, method = 'GET', body?: unknown): Promise<[number, any]> {
  const text = body === undefined ? {} : { body: JSON.stringify(body) }
  const response = await fetch(url, { method, headers, ...text })
  return [response.status, response.status === 204 ? null : await response.json()]
}

/** Commands of one process appear in another with the same ids; export and import copy them to another store. */
async function lasts(store: string, cwd: string): Promise<void> {
  const first = await serving(store, cwd)
  const [, made] = await request(first.url, 'POST', hello)
  expect(made).toMatchObject(hello)
  expect(await stop(first)).toMatchObject({ code: 0 })
  const second = await serving(store, cwd)
  expect(await request(second.url)).toEqual([200, [expect.objectContaining({ ...hello, id: made.id })]])
  await stop(second)

  const exported = await run(['export', app, '--store', store, '--out', 'app.json'], cwd)
  expect(exported).toMatchObject({ code: 0, out: '' })
  const snapshot = JSON.parse(await readFile(join(cwd, 'app.json'), 'utf8')) as {
    scopes: { commands: object[] }[]
  }
  expect(snapshot.scopes[0]!.commands).toEqual([expect.objectContaining(made)])
  const emptied = { ...snapshot, scopes: [] }
  const there = await withDrivers({ 'empty.json': emptied }, ...(await readdir(join(cwd, 'node_modules'))))
  expect(await run(['import', 'empty.json', '--store', store], there)).toMatchObject({
    code: 0,
    out: 'Imported 1 application with 0 commands\n',
  })
  const stored = async () => JSON.parse((await run(['export', app, '--store', store], there)).out)
  expect(await stored()).toMatchObject({ scopes: [{ commands: [], creates: { count: 0 } }] })
  expect((await run(['import', join(cwd, 'app.json'), '--store', store], there)).code).toBe(0)
  expect(await stored()).toEqual(snapshot)
}

describe('--store sqlite:FILE', () => {
  // The runs of other versions of Node cover the other driver.
  it(`keeps the commands in a file, with ${sqliteDrivers[0] ?? 'node:sqlite'}`, async () => {
    const cwd = await withDrivers({}, ...sqliteDrivers)
    await lasts(`sqlite:${join(cwd, 'commands.db')}`, cwd)
  })

  it('describes the problem of a file', async () => {
    const cwd = await withDrivers({}, 'better-sqlite3')
    const ended = await run(['serve', '--store', 'sqlite:none/x.db'], cwd)
    expect(ended).toMatchObject(failing(1, /--store sqlite: \S+ cannot open it: /))
  })
})

describe('the entry point command of an application with an Activity', () => {
  const config = {
    applications: [{ id: app, flags: 131072 }],
    tokens: [{ type: 'Bot', token: 'any', application_id: app }],
  }

  /** A service over a new file, which can be opened again. */
  async function stored() {
    const cwd = await withDrivers({ 'service.json': config }, 'better-sqlite3')
    const file = join(cwd, 'commands.db')
    return { cwd, file, open: () => serving(`sqlite:${file}`, cwd, '--config', 'service.json') }
  }

  it('[2.3-02] exists from the start, and stays deleted once it was deleted', async () => {
    const { open } = await stored()
    const first = await open()
    const [, [launch]] = await request(first.url)
    expect(launch).toMatchObject({ name: 'Launch', type: 4, handler: 2 })
    await stop(first)

    const second = await open()
    expect(await request(second.url)).toEqual([200, [launch]])
    expect((await request(`${second.url}/${launch.id}`, 'DELETE'))[0]).toBe(204)
    await stop(second)

    const third = await open()
    expect(await request(third.url)).toEqual([200, []])
    expect(await stop(third)).toMatchObject({ code: 0, err: '' })
  })

  it('[8-02] does not prevent a start when the creates of the day are used up', async () => {
    const { open } = await stored()
    const first = await open()
    const [, [launch]] = await request(first.url)
    const batch = (word: string, count: number) =>
      Array.from({ length: count }, (_, i) => ({ ...hello, name: `${word}-${i}` }))
    // The last one creates nothing and leaves room for one more command.
    for (const commands of [batch('a', 100), batch('b', 100), batch('b', 99)])
      expect((await request(first.url, 'PUT', [launch, ...commands]))[0]).toBe(200)
    expect((await request(`${first.url}/${launch.id}`, 'DELETE'))[0]).toBe(204)
    await stop(first)

    const second = await open()
    expect((await request(second.url))[1]).toHaveLength(99)
    expect(await request(second.url, 'POST', hello)).toMatchObject([429, { code: 30034 }])
    expect(await stop(second)).toMatchObject({ code: 0, err: '' })
  })

  it('makes the program exit with one line when it cannot be stored', async () => {
    const { cwd, file } = await stored()
    const { store, close } = await openPlace({ kind: 'sqlite', file })
    // Creates the table.
    await store.read(['key'])
    await close()
    const database = connectSqlite(file)
    database.exec(`CREATE TRIGGER full BEFORE INSERT ON commandry_documents
      BEGIN SELECT RAISE(ABORT, 'the disk is full'); END`)
    database.close()
    const args = ['serve', '--port', '0', '--config', 'service.json', '--store', `sqlite:${file}`]
    expect(await run(args, cwd)).toEqual(
      failed('commandry serve: cannot create the entry point commands: the disk is full'),
    )
  })
})

const server = process.env['DATABASE_URL']
const missingServer = missing('DATABASE_URL')

describe('--store postgres://…', () => {
  // A separate database, because the program always uses the default table.
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

  keepsCommands(url, missingServer, ['pg', 'postgres'])
})

describe('--store postgres://… on a silent server', () => {
  const sockets = new Set<Socket>()
  const silent = createServer((socket) => sockets.add(socket.on('error', () => undefined)))
  beforeAll(() => new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve)))
  afterAll(() => {
    for (const socket of sockets) socket.destroy()
    silent.close()
  })

  it.each(['pg', 'postgres'])('ends at the time limit, with %s', async (driver) => {
    const { port } = silent.address() as AddressInfo
    const store = `postgres://me@127.0.0.1:${port}/x`
    const ended = await run(['export', app, '--store', store], await withDrivers({}, driver))
    expect(ended).toMatchObject(failing(1, /cannot open it: .*time_?-?out/i))
  })

  testWith(missingServer, 'is not waited for once it is connected', async () => {
    const schema = ownName()
    const client = new pg.Client({ connectionString: server! })
    await client.connect()
    onTestFinished(async () => {
      await client.query(`ROLLBACK; DROP SCHEMA ${schema} CASCADE`)
      await client.end()
    })
    // Reads of documents wait for this transaction.
    await client.query(`CREATE SCHEMA ${schema}`)
    await client.query(`CREATE TABLE ${schema}.commandry_documents (key text, revision text, value text)`)
    await client.query(`BEGIN; LOCK TABLE ${schema}.commandry_documents`)
    const ends = ['pg', 'postgres'].map(async (driver) => {
      const cwd = await withDrivers({}, driver)
      const url = new URL(server!)
      url.search = driver === 'pg' ? `options=-c search_path=${schema}` : `search_path=${schema}`
      return run(['export', app, '--store', url.href], cwd)
    })
    for (const { code, err } of await Promise.all(ends))
      expect([code, err]).toEqual([1, expect.stringMatching(/cannot open it: .*timeout/i)])
  })
})

describe('--store redis://…', () => {
  const url = process.env['REDIS_URL']
  const missingRedis = missing('REDIS_URL')
  const drivers = ['redis', 'ioredis']
  afterAll(async () => {
    if (url === undefined) return
    const client = new Redis(url)
    const keys = await client.keys(`commandry:*/${app}/*`)
    if (keys.length > 0) await client.del(keys)
    client.disconnect()
  })

  keepsCommands(url, missingRedis, drivers)

  for (const driver of drivers) {
    testWith(
      missingRedis,
      `makes serve respond with 503 while the server is silent, and does not prevent exit, with ${driver}`,
      async () => {
        const proxy = await proxyTo(url!)
        const cwd = await withDrivers({}, driver)
        const service = await serving(proxy.url, cwd)
        const create = (name: string) => request(service.url, 'POST', { ...hello, name })
        const [created] = await create('first')
        expect(created).toBe(201)

        const speak = proxy.silence()
        for (let time = 0; time < 2; time++) expect((await request(service.url))[0]).toBe(503)
        expect((await create('lost'))[0]).toBe(503)
        speak()
        expect(await request(service.url)).toMatchObject([200, [{ name: 'first' }]])

        proxy.silence()
        expect((await stop(service)).code).toBe(0)
        await clear(url!, await withDrivers({}, driver))
      },
    )

    testWith(
      missingRedis,
      `makes export and import of a silent server end with one line, with ${driver}`,
      async () => {
        const proxy = await proxyTo(url!)
        proxy.silence()
        const cwd = await withDrivers({ 'empty.json': empty }, driver)
        for (const args of [
          ['export', app],
          ['import', 'empty.json'],
        ]) {
          const reason = `--store redis: ${driver} cannot open it: connecting to Redis timed out after 0.3 s`
          expect(await run([...args, '--store', proxy.url], cwd)).toEqual(
            failed(`commandry ${args[0]}: ${reason}`),
          )
        }
      },
    )
  }
})

it.each([
  ['postgres', 'pg', 'postgres://me:geheim@127.0.0.1:1/x'],
  ['postgres', 'postgres', 'postgres://me:geheim@127.0.0.1:1/x'],
  ['redis', 'redis', 'redis://:geheim@127.0.0.1:1'],
  ['redis', 'ioredis', 'redis://:geheim@127.0.0.1:1'],
])('--store %s reports a refused connection in one line, with %s', async (kind, driver, store) => {
  const { code, err } = await run(['serve', '--store', store], await withDrivers({}, driver))
  expect([code, err]).toEqual([1, expect.stringContaining(`--store ${kind}: ${driver} cannot open it: `)])
  expect(err).toContain('ECONNREFUSED')
  expect(err).not.toContain('geheim')
})

/** Declares a test for each driver of a server. */
function keepsCommands(url: string | undefined, missing: string | undefined, drivers: readonly string[]) {
  for (const driver of drivers)
    testWith(missing, `keeps the commands there, with ${driver}`, async () => {
      await lasts(url!, await withDrivers({}, driver))
      await clear(url!, await withDrivers({}, driver))
    })
}

/** Removes everything but the counter of ids before the next test. */
async function clear(store: string, cwd: string): Promise<void> {
  const there = await withDrivers({ 'empty.json': empty }, ...(await readdir(join(cwd, 'node_modules'))))
  expect((await run(['import', 'empty.json', '--store', store], there)).code).toBe(0)
}
