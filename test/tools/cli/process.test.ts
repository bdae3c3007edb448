/** Behaviour that needs a real process: exit codes, signals, missing drivers, a full disk. */
import { spawn } from 'node:child_process'
import { closeSync, existsSync, openSync } from 'node:fs'
import { copyFile, cp, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { CommandRegistry, globalScope } from 'commandry'
import { openPlace } from '../../storage/place.ts'
import { testWith } from '../../storage/servers.ts'
import { buildProgram, directoryOf, sqliteDrivers, start, withDrivers, type Running } from './program.ts'
import { newDirectory } from '../../support/directory.ts'
import { hello } from '../../support/fixtures.ts'

const app = '100100100100100101'
const empty = { format: 1, application_id: app, scopes: [], permissions: [] }
const headers = { authorization: 'Bot any', 'content-type': 'application/json' }

let program = ''
let elsewhere = ''
const running: Running[] = []

// Outside of the project, so that only the drivers of a test are installed.
beforeAll(async () => {
  const built = dirname(dirname(await buildProgram()))
  elsewhere = newDirectory()
  await cp(built, elsewhere, { recursive: true })
  await rm(built, { recursive: true })
  await cp(join(elsewhere, 'cjs'), join(elsewhere, 'dist/cjs'), { recursive: true })
  program = join(elsewhere, 'node/cli.js')
  await copyFile(new URL('../../../package.json', import.meta.url), join(elsewhere, 'package.json'))
})

afterAll(() => rm(elsewhere, { recursive: true }))

afterEach(async () => {
  for (const { child, ended } of running.splice(0)) {
    child.kill('SIGKILL')
    await ended
  }
})

const run = (args: readonly string[], cwd?: string) => start(program, args, cwd).ended

async function serving(cwd: string, ...args: readonly string[]): Promise<Running & { url: string }> {
  const started = start(program, ['serve', '--port', '0', ...args], cwd)
  running.push(started)
  const url = /^API +(\S+)$/m.exec(await started.firstLine)?.[1]
  if (url === undefined) expect.fail(JSON.stringify(await started.ended))
  return { ...started, url: `${url}/applications/${app}/commands` }
}

describe('the program', () => {
  it('exits with the code of the command', async () => {
    const cwd = await directoryOf({
      'good.json': hello,
      'bad.json': { ...hello, name: 'Bad' },
      'empty.json': [],
      'app.json': empty,
    })
    const codes = await Promise.all(
      [
        ['--version'],
        ['check', 'good.json'],
        ['check', 'bad.json'],
        ['check'],
        ['plan', 'good.json', '--against', 'app.json'],
        ['plan', 'bad.json', '--against', 'app.json'],
        ['export', app, '--store', 'sqlite:none.db'],
        ['import', 'none.json', '--store', 'sqlite:none.db'],
        ['serve', '--port', 'x'],
        [],
      ].map(async (args) => (await run(args, cwd)).code),
    )
    expect(codes).toEqual([0, 0, 1, 2, 0, 1, 1, 1, 2, 2])
  })

  it('does not look successful if nothing is left to wait for before its end', async () => {
    const silent = `data:text/javascript,${encodeURIComponent('process.stdout.write = () => true')}`
    const { code } = await start(program, ['--version'], undefined, { NODE_OPTIONS: `--import=${silent}` })
      .ended
    expect(code).toBe(1)
  })

  it('exits although a module keeps timers and connections open', async () => {
    const cwd = await directoryOf({
      'bot.mjs': `import { createServer } from 'node:net'
        createServer().listen(0)
        setInterval(() => {}, 1000)
        export default ${JSON.stringify(hello)}`,
      'exits.mjs': 'process.exit(0)',
      'later.mjs': 'setTimeout(() => process.exit(0), 5); await new Promise(() => {})',
      'throws.mjs': 'setTimeout(() => { throw new Error("no login") }); await new Promise(() => {})',
      'rejects.mjs': 'Promise.reject(new Error("no token")); await new Promise(() => {})',
      'checked.mjs': 'export default { toJSON: () => process.exit(0) }',
      'app.json': empty,
    })
    const [check, plan, exits] = await Promise.all([
      run(['check', 'bot.mjs'], cwd),
      run(['plan', 'bot.mjs', '--against', 'app.json'], cwd),
      run(['check', 'exits.mjs'], cwd),
    ])
    expect([check.code, plan.code]).toEqual([0, 0])
    expect([exits.code, exits.out]).toEqual([1, expect.stringContaining('calls process.exit(0)')])
    const ends = await Promise.all(
      ['later', 'throws', 'rejects', 'checked'].map((name) => run(['check', `${name}.mjs`], cwd)),
    )
    expect(ends.map(({ code }) => code)).toEqual([1, 1, 1, 1])
    expect(ends.map(({ out, err }) => out + err)).toEqual([
      expect.stringContaining('process.exit('),
      expect.stringContaining('cannot be loaded: no login'),
      expect.stringContaining('cannot be loaded: no token'),
      expect.stringContaining('process.exit('),
    ])
  })

  it.each(['SIGINT', 'SIGTERM'] as const)('serves until %s', async (signal) => {
    const { child, url, ended } = await serving(await directoryOf({}))
    expect((await fetch(url, { headers })).status).toBe(200)
    child.kill(signal)
    expect(await ended).toMatchObject({ code: 0, out: expect.stringMatching(/^Workbench .*\nAPI /) })
  })

  it.each(['SIGHUP', 'SIGQUIT', 'SIGTERM'] as const)(
    'ends the program of --run on %s, and at once on a second',
    async (signal) => {
      const bot = `process.on('SIGTERM', () => {})
      import { createServer } from 'node:net'
      const server = createServer().listen(0, '127.0.0.1', () => console.log('port ' + server.address().port))
      setInterval(() => {}, 1000)`
      for (const isTwice of [false, true]) {
        const cwd = await directoryOf({ 'bot.mjs': bot })
        const command = `"${process.execPath}" bot.mjs`
        const { child, ended } = start(program, ['serve', '--port', '0', '--run', command], cwd)
        const port = await new Promise<string>((resolve) => {
          let text = ''
          child.stdout!.on('data', (data) => {
            text += String(data)
            const [, found] = /port (\d+)\n/.exec(text) ?? []
            if (found !== undefined) resolve(found)
          })
        })
        child.kill(signal)
        if (isTwice) child.kill('SIGINT')
        await ended
        const state = () =>
          fetch(`http://127.0.0.1:${port}`).then(
            () => 'open',
            () => 'closed',
          )
        await expect.poll(state).toBe('closed')
      }
    },
  )

  it('deploys a module again when it is saved, also one that it imports', async () => {
    const cwd = await directoryOf({
      'commands/hello.mjs': `import { name } from '../name.mjs'\nexport default { name, description: 'a' }`,
      'name.mjs': `export const name = 'one'`,
    })
    const { url } = await serving(cwd, 'commands', '--application', app)
    const names = async () =>
      ((await (await fetch(url, { headers })).json()) as { name: string }[]).map(({ name }) => name)
    await expect.poll(names).toEqual(['one'])
    await writeFile(join(cwd, 'name.mjs'), `export const name = 'two'`)
    await writeFile(join(cwd, 'commands/other.json'), JSON.stringify({ name: 'other', description: 'a' }))
    await expect.poll(names).toEqual(['two', 'other'])
  })

  it('keeps acknowledged writes when the process is killed', async () => {
    const cwd = await withDrivers({}, ...sqliteDrivers)
    const store = `sqlite:${join(cwd, 'commands.db')}`
    const first = await serving(cwd, '--store', store)
    const created = await fetch(first.url, { method: 'POST', headers, body: JSON.stringify(hello) })
    expect(created.status).toBe(201)
    first.child.kill('SIGKILL')
    await first.ended
    const { id } = (await created.json()) as { id: string }
    const { code, out } = await run(['export', app, '--store', store], cwd)
    expect([code, JSON.parse(out)]).toMatchObject([0, { scopes: [{ commands: [{ id }] }] }])
  })

  it.each<[string, string]>([
    ...sqliteDrivers.map((driver): [string, string] => [
      'sqlite:x.db',
      `sqlite needs a driver; install ${driver}, or use Node 22.13 or later`,
    ]),
    ['postgres://me:geheim@127.0.0.1/x', 'postgres needs a driver; install pg or postgres'],
    ['postgresql://me:geheim@127.0.0.1/x', 'postgres needs a driver; install pg or postgres'],
    ['rediss://:geheim@127.0.0.1', 'redis needs a driver; install redis or ioredis'],
  ])('names the driver to install for --store %s, without the password', async (store, message) => {
    const { code, err } = await run(['serve', '--store', store], await directoryOf({}))
    expect([code, err]).toEqual([1, expect.stringContaining(`commandry serve: --store ${message}`)])
    expect(err).not.toContain('geheim')
  })

  it('ends quietly, with its exit code, when its output is no longer read', async () => {
    const cwd = await directoryOf({ 'bad.json': { ...hello, name: 'Bad' } })
    const { child, ended } = start(program, ['check', 'bad.json'], cwd)
    child.stdout!.destroy()
    expect(await ended).toMatchObject({ code: 1, err: '' })
  })

  testWith(existsSync('/dev/full') ? undefined : 'no /dev/full', 'reports a full disk', async () => {
    const cwd = await withDrivers({}, ...sqliteDrivers)
    const file = join(cwd, 'commands.db')
    const { store, close } = await openPlace({ kind: 'sqlite', file })
    await new CommandRegistry({ store }).upsert(globalScope(app), hello)
    await close()
    const args = ['export', app, '--store', `sqlite:${file}`]
    const device = openSync('/dev/full', 'w')
    const env = { ...process.env, NODE_NO_WARNINGS: '1' }
    const child = spawn(process.execPath, [program, ...args], { cwd, env, stdio: ['ignore', device, 'pipe'] })
    closeSync(device)
    let err = ''
    child.stderr!.setEncoding('utf8').on('data', (text: string) => (err += text))
    const code = await new Promise((resolve) => child.on('close', resolve))
    expect([code, err]).toEqual([1, expect.stringMatching(/^commandry export: ENOSPC.*\n$/)])
    expect(await run([...args, '--out', '/dev/full'], cwd)).toEqual({ code: 1, out: '', err })
  })

  testWith(
    existsSync('/dev/full') ? undefined : 'no /dev/full',
    'serves on while its log has no room',
    async () => {
      const device = openSync('/dev/full', 'w')
      const child = spawn(process.execPath, [program, 'serve', '--port', '0', '--log'], {
        stdio: ['ignore', 'pipe', device],
      })
      closeSync(device)
      try {
        let out = ''
        child.stdout!.setEncoding('utf8').on('data', (text: string) => (out += text))
        const urlIn = () => /^API +(\S+)$/m.exec(out)?.[1]
        await expect.poll(urlIn).toBeDefined()
        for (let count = 0; count < 20; count++) expect((await fetch(`${urlIn()}/gateway`)).status).toBe(200)
        expect(child.exitCode).toBe(null)
      } finally {
        child.kill()
      }
    },
  )
})

/** A bot that deploys a whole list once it is logged in, and then does something. */
const bot = (then: string) => `
  import WebSocket from 'ws'
  const { COMMANDRY_URL: url, TOKEN, CLIENT_ID } = process.env
  const socket = new WebSocket(((await (await fetch(url + '/api/v10/gateway')).json())).url)
  const headers = { authorization: 'Bot ' + TOKEN, 'content-type': 'application/json' }
  const send = (method, body) => fetch(url + '/api/v10/applications/' + CLIENT_ID + '/commands', { method, headers, body: JSON.stringify(body) })
  socket.on('open', () => socket.send(JSON.stringify({ op: 2, d: { token: TOKEN, intents: 0, properties: {} } })))
  socket.on('message', async (data) => {
    if (JSON.parse(data).t !== 'READY') return
    await send('PUT', [${JSON.stringify(hello)}])
    ${then}
  })`

describe('check --run of a bot', () => {
  const later = `await send('POST', { name: 'later', description: 'x' })`

  it.each([
    ['has seen all when its timers deploy nothing more', '', 'setInterval(() => {}, 1_000)', 1, []],
    [
      'sees what a timer of its next minute deploys',
      '',
      `setTimeout(async () => { ${later} }, 20_000)`,
      2,
      ['silence'],
    ],
    ['names its silence when its clock is not moved', 'env -u COMMANDRY_CLOCK ', '', 1, ['silence']],
  ])('%s', async (_, prefix, then, commands, gaps) => {
    const cwd = await withDrivers({ 'bot.mjs': bot(then) }, 'ws')
    const line = `${prefix}"${process.execPath}" bot.mjs`
    const { code, out } = await run(['check', '--format', 'json', '--run', line], cwd)
    expect([code, JSON.parse(out)]).toMatchObject([0, { counts: { commands } }])
    expect(JSON.parse(out).not_seen.map(({ kind }: { kind: string }) => kind)).toEqual(gaps)
  })
})
