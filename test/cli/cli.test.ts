import { readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { buildProgram, files, start, type Ended, type Running } from './program.ts'

let program = ''
const running: Running[] = []
const directories: string[] = []

beforeAll(async () => {
  program = await buildProgram()
})

afterEach(async () => {
  await Promise.all(
    running.splice(0).map(({ child, ended }) => {
      child.kill('SIGKILL')
      return ended
    }),
  )
})

afterAll(async () => {
  for (const directory of [dirname(program), ...directories]) await rm(directory, { recursive: true })
})

async function directoryOf(contents: Readonly<Record<string, unknown>>): Promise<string> {
  const directory = await files(contents)
  directories.push(directory)
  return directory
}

const run = (args: readonly string[], cwd?: string): Promise<Ended> => start(program, args, cwd).ended

/** A service, and where it is. */
async function serving(
  args: readonly string[],
  cwd?: string,
): Promise<Running & { url: string; origin: string }> {
  const started = start(program, ['serve', '--port', '0', ...args], cwd)
  running.push(started)
  const line = await started.firstLine
  const url = /^commandry listens on (http:\/\/127\.0\.0\.1:\d+\/api\/v10)\n$/.exec(line)?.[1]
  if (url === undefined) expect.fail(`no URL in ${JSON.stringify(await started.ended)}`)
  return { ...started, url, origin: new URL(url).origin }
}

const APP = '100100100100100101'
const hello = { name: 'hello', description: 'Says hello' }

function call(url: string, method: string, authorization: string, body?: unknown): Promise<Response> {
  return fetch(url, {
    method,
    headers: { authorization, ...(body === undefined ? undefined : { 'content-type': 'application/json' }) },
    ...(body === undefined ? undefined : { body: JSON.stringify(body) }),
  })
}

const config = {
  applications: [
    {
      id: '1001',
      name: 'demo',
      flags: 131072,
      discoverable: false,
      integration_types: [0, 1],
      guilds: ['2001'],
    },
    { id: '1002', name: 'listed', discoverable: true },
  ],
  tokens: [
    { type: 'Bot', token: 'bot-a', application_id: '1001' },
    { type: 'Bot', token: 'bot-b', application_id: '1002' },
    { type: 'Bearer', token: 'cc-a', application_id: '1001', scopes: ['applications.commands.update'] },
    {
      type: 'Bearer',
      token: 'admin-a',
      application_id: '1001',
      scopes: ['applications.commands.permissions.update'],
      user: { id: '3001', locale: 'de', guilds: { '2001': { permissions: '268435488' } } },
    },
  ],
}

describe('commandry serve', () => {
  it('without a configuration is open, says so, and lets nobody else in', async () => {
    const { url, child, ended } = await serving([])
    expect((await call(`${url}/applications/${APP}/commands`, 'POST', 'Bot anything', hello)).status).toBe(
      201,
    )
    const list = await call(`${url}/applications/${APP}/commands`, 'GET', 'Bearer whatever')
    expect([list.status, ((await list.json()) as unknown[]).length]).toEqual([200, 1])
    child.kill('SIGTERM')
    const { code, out, err } = await ended
    expect([code, out.split('\n')]).toEqual([0, [`commandry listens on ${url}`, '']])
    expect(err).toBe(
      'open: any token acts for the application in the path, with every scope; only this machine can connect\n',
    )

    for (const host of ['0.0.0.0', '::', '192.0.2.1', '127.0.0.1.example.org']) {
      const refused = await run(['serve', '--host', host])
      expect([refused.code, refused.out]).toEqual([2, ''])
      expect(refused.err).toContain(`--host ${host} lets others in`)
    }
  })

  it('[5-01] [5-02] [1-03] [2.3-02] [2.1-15] does as its configuration says', async () => {
    const directory = await directoryOf({ 'service.json': config })
    const { url, child, ended } = await serving(['--config', 'service.json'], directory)
    const at = (path: string, method: string, token: string, body?: unknown) =>
      call(`${url}/applications/${path}`, method, token, body)

    const launch = (await (await at('1001/commands', 'GET', 'Bot bot-a')).json()) as object[]
    expect(launch).toEqual([expect.objectContaining({ name: 'Launch', type: 4, handler: 2 })])
    expect((await at('1001/commands', 'POST', 'Bearer cc-a', hello)).status).toBe(201)
    expect((await at('1001/commands', 'GET', 'Bot bot-b')).status).toBe(403)
    expect((await at('1001/commands', 'GET', 'Bot nobody')).status).toBe(401)
    expect((await at('1001/guilds/2002/commands', 'GET', 'Bot bot-a')).status).toBe(403)
    expect((await at('1002/commands', 'POST', 'Bot bot-b', { ...hello, nsfw: true })).status).toBe(400)
    expect(
      (await at('1002/commands', 'POST', 'Bot bot-b', { ...hello, integration_types: [1] })).status,
    ).toBe(400)

    const guild = '1001/guilds/2001/commands'
    const { id } = (await (await at(guild, 'POST', 'Bot bot-a', hello)).json()) as { id: string }
    const permissions = { permissions: [{ id: '5', type: 1, permission: true }] }
    expect((await at(`${guild}/${id}/permissions`, 'PUT', 'Bearer admin-a', permissions)).status).toBe(200)
    expect((await at(`${guild}/${id}/permissions`, 'PUT', 'Bot bot-a', permissions)).status).toBe(403)
    expect((await at('@me', 'GET', 'Bot bot-a').then((me) => me.json())) as object).toMatchObject({
      id: '1001',
      name: 'demo',
      flags: 131072,
    })
    child.kill('SIGINT')
    expect(await ended).toMatchObject({ code: 0, err: '' })
  })

  it('--log tells of every request in a line, and never of a token', async () => {
    const { url, origin, child, ended } = await serving(['--log'])
    await call(`${url}/applications/${APP}/commands?with_localizations=true`, 'GET', 'Bot secret-token')
    await call(`${origin}/no%0Athing`, 'GET', 'Bot secret-token')
    child.kill('SIGTERM')
    const lines = (await ended).err.trimEnd().split('\n').slice(1)
    expect(lines).toEqual([
      expect.stringMatching(new RegExp(`^\\S+Z GET /api/v10/applications/${APP}/commands 200 \\d+ms$`)),
      expect.stringMatching(/^\S+Z GET \/no%0Athing 404 \d+ms$/),
    ])
  })

  it('has the OpenAPI document', async () => {
    const { origin, url } = await serving([])
    const response = await fetch(`${origin}/openapi.json`)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(await new Validator().validate((await response.json()) as Record<string, unknown>)).toEqual({
      valid: true,
    })
    expect((await fetch(`${origin}/openapi.json`, { method: 'POST' })).status).toBe(405)
    expect((await fetch(`${url}/openapi.json`)).status).toBe(404)
  })

  it('tells every problem of a configuration, each at its path, and no token', async () => {
    const bad = {
      applications: [
        { id: '1001', flag: 1, flags: -1, guilds: ['x'], integration_types: [2] },
        { name: 5, discoverable: 'no' },
        'demo',
      ],
      tokens: [
        { type: 'Bot', token: 'geheim 1', application_id: 1001, scopes: [] },
        {
          type: 'Bearer',
          token: 7,
          scopes: 'all',
          user: { locale: 'xx', guilds: { a: { permissions: '0x8' } } },
        },
        { type: 'User', token: 'geheim-2' },
        { token: 'geheim-3' },
        null,
      ],
      port: 1,
    }
    const directory = await directoryOf({ 'bad.json': bad })
    const { code, out, err } = await run(['serve', '--config', 'bad.json'], directory)
    expect([code, out]).toEqual([1, ''])
    expect(err).not.toContain('geheim')
    expect(err.trimEnd().split('\n')).toEqual(
      [
        'applications[0].flag is not known here; there are id, name, flags, discoverable, integration_types and guilds',
        'applications[0].flags is the number -1; expected a whole number from 0',
        'applications[0].guilds[0] is the string "x"; expected an id, a string of digits such as "1029384756", without leading zeros and below 2^63',
        'applications[0].integration_types[0] is the number 2; expected 0 (guild install) or 1 (user install)',
        'applications[1].id is missing',
        'applications[1].name is the number 5; expected a text',
        'applications[1].discoverable is the string "no"; expected true or false',
        'applications[2] is the string "demo"; expected an object',
        'tokens[0].token is not a text of 1 to 1024 visible ASCII characters',
        'tokens[0].application_id is the number 1001; expected an id, a string of digits such as "1029384756", without leading zeros and below 2^63',
        'tokens[0].scopes is not known here; there are type, token and application_id',
        'tokens[1].application_id is missing',
        'tokens[1].token is not a text of 1 to 1024 visible ASCII characters',
        'tokens[1].scopes is the string "all"; expected a list',
        'tokens[1].user.id is missing',
        'tokens[1].user.locale is the string "xx"; expected a locale of the service, such as "de"',
        'tokens[1].user.guilds.a is the string "a"; expected an id, a string of digits such as "1029384756", without leading zeros and below 2^63',
        'tokens[1].user.guilds.a.permissions is the string "0x8"; expected a bit set below 2^64, a string of digits such as "268435488"',
        'tokens[2].application_id is missing',
        'tokens[2].type is not "Bot" or "Bearer"',
        'tokens[3].type is missing',
        'tokens[3].application_id is missing',
        'tokens[4] is null; expected an object',
        'port is not known here; there are applications and tokens',
      ].map((line) => `bad.json: ${line}`),
    )
  })

  it('tells what entries of a configuration say of one another', async () => {
    const bad = {
      applications: [{ id: '1' }, { id: '1' }],
      tokens: [
        { type: 'Bot', token: 'geheim', application_id: '1' },
        { type: 'Bot', token: 'geheim', application_id: '2' },
      ],
    }
    const directory = await directoryOf({
      'bad.json': bad,
      'list.json': [],
      'broken.json': '\ufeff{\n  "tokens": geheim }',
    })
    const first = await run(['serve', '--config', 'bad.json'], directory)
    expect([first.code, first.err.trimEnd().split('\n')]).toEqual([
      1,
      [
        'bad.json: applications[1].id is the same as applications[0].id',
        'bad.json: tokens[1].token is the same as tokens[0].token',
        'bad.json: tokens[1].application_id is none of the applications of this file',
      ],
    ])
    expect((await run(['serve', '--config', 'list.json'], directory)).err).toBe(
      'list.json: the file is a list; expected an object\n',
    )
    const broken = await run(['serve', '--config', 'broken.json'], directory)
    expect([broken.code, broken.err]).toEqual([1, 'broken.json: is not valid JSON: line 2, column 13\n'])
    expect((await run(['serve', '--config', 'none.json'], directory)).err).toBe('none.json: is not there\n')
  })

  it('says when it cannot listen', async () => {
    const { origin } = await serving([])
    const taken = new URL(origin).port
    const { code, err } = await run(['serve', '--port', taken])
    expect([code, err]).toEqual([
      1,
      expect.stringContaining(`cannot listen on 127.0.0.1, port ${taken}: listen EADDRINUSE`),
    ])
  })

  it.each([
    [['--prot', '1'], "unknown option '--prot'"],
    [['--port', '70000'], '--port is a whole number from 0 to 65535, not "70000"'],
    [['--port', 'x'], '--port is a whole number from 0 to 65535, not "x"'],
    [
      ['--port', '-1'],
      `option '--port' argument is ambiguous; a value that begins with "-" is written --port=-…\n`,
    ],
    [['--port=-1'], '--port is a whole number from 0 to 65535, not "-1"'],
    [['--port'], "option '--port <value>' argument missing"],
    [['--host', ''], '--host is empty; name an address, or leave it out for 127.0.0.1'],
    [['--host', ' ', '--config', 'any.json'], '--host is empty'],
    [['--store', 'etcd://user:geheim@host'], '--store is memory'],
    [['--store', 'memory:geheim'], '--store is memory'],
    [['here'], 'takes no "here"'],
  ])('refuses %j: exit 2', async (args, message) => {
    const { code, out, err } = await run(['serve', ...args])
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(`commandry serve: ${message}`)
    expect(err).not.toContain('geheim')
  })
})

describe('commandry check', () => {
  const broken = {
    ...hello,
    name: 'config',
    options: [{ type: 3, name: 'Bad Name', description: 'x', dm: 1 }],
    dm_permission: true,
  }

  it('says that all is well', async () => {
    const directory = await directoryOf({
      'one.json': hello,
      'many.json': [hello, { name: 'Report', type: 3 }],
    })
    expect(await run(['check', 'one.json', 'many.json'], directory)).toEqual({
      code: 0,
      out: '2 files: all well\n',
      err: '',
    })
  })

  it('tells every problem in words, at its place, and exits with 1', async () => {
    const directory = await directoryOf({ 'bad.json': [hello, broken], 'good.json': hello })
    const { code, out } = await run(['check', 'bad.json', 'good.json'], directory)
    expect(code).toBe(1)
    const lines = out.trimEnd().split('\n')
    expect(lines.at(-1)).toMatch(/^2 files: \d errors? and 2 warnings$/)
    expect(lines[0]).toMatch(/^bad\.json: error: command "config", option "Bad Name", name/)
    expect(lines.filter((line) => line.startsWith('bad.json: warning: command "config"'))).toHaveLength(2)
  })

  it('checks a list as a whole', async () => {
    const directory = await directoryOf({ 'twice.json': [hello, hello] })
    const { code, out } = await run(['check', 'twice.json'], directory)
    expect([code, out]).toEqual([1, expect.stringContaining('has the name "hello"')])
  })

  it('--warnings-as-errors, --scope guild', async () => {
    const directory = await directoryOf({
      'warned.json': { ...hello, contexts: [0] },
      'launch.json': { type: 4, name: 'Launch' },
    })
    expect((await run(['check', 'warned.json', '--warnings-as-errors'], directory)).code).toBe(0)
    expect((await run(['check', 'warned.json', '--scope', 'guild'], directory)).code).toBe(0)
    const strict = await run(['check', 'warned.json', '--scope=guild', '--warnings-as-errors'], directory)
    expect([strict.code, strict.out]).toEqual([1, expect.stringContaining('warned.json: warning: ')])
    expect((await run(['check', 'launch.json'], directory)).code).toBe(0)
    expect((await run(['check', 'launch.json', '--scope', 'guild'], directory)).code).toBe(1)
  })

  it('--format json gives programs the issues', async () => {
    const directory = await directoryOf({ 'bad.json': broken })
    const { code, out } = await run(['check', '--format', 'json', 'bad.json'], directory)
    expect(code).toBe(1)
    const [file] = JSON.parse(out)
    expect(file).toMatchObject({ file: 'bad.json', ok: false })
    expect(file.errors[0]).toMatchObject({ path: ['options', 0, 'name'], clause: expect.any(String) })
    expect(file.warnings).toHaveLength(2)
  })

  it('takes modules whose default export is a command, a list, or builders', async () => {
    const directory = await directoryOf({
      'list.mjs': `export default [${JSON.stringify(hello)}]`,
      'common.cjs': `module.exports = ${JSON.stringify(hello)}`,
      'compiled.cjs': `exports.__esModule = true; exports.default = { name: 'Bad', description: 'x' }`,
      'builder.mjs': `class Builder { toJSON() { return ${JSON.stringify(hello)} } }; export default [new Builder()]`,
      'nothing.mjs': 'export const a = 1',
      'throws.mjs': 'throw new Error("no database")',
    })
    expect((await run(['check', 'list.mjs', 'common.cjs', 'builder.mjs'], directory)).code).toBe(0)
    const { code, out } = await run(
      ['check', 'compiled.cjs', 'nothing.mjs', 'throws.mjs', 'gone.mjs'],
      directory,
    )
    expect(code).toBe(1)
    expect(out).toContain('compiled.cjs: error: command "Bad", name')
    expect(out).toContain('nothing.mjs: error: has no default export')
    expect(out).toContain('throws.mjs: error: cannot be loaded: no database')
    expect(out).toContain('gone.mjs: error: cannot be loaded: ')
  })

  it('needs files, and options it knows', async () => {
    for (const args of [
      [],
      ['--scope', 'dm', 'x.json'],
      ['--format', 'xml', 'x.json'],
      ['--fix', 'x.json'],
    ]) {
      expect((await run(['check', ...args])).code).toBe(2)
    }
  })
})

describe('commandry', () => {
  it('tells what it can do', async () => {
    const { version } = JSON.parse(
      await readFile(join(import.meta.dirname, '../../package.json'), 'utf8'),
    ) as {
      version: string
    }
    expect(await run(['--version'])).toEqual({ code: 0, out: `${version}\n`, err: '' })
    for (const args of [['--help'], ['help']]) {
      const { code, out } = await run(args)
      expect([code, out]).toEqual([0, expect.stringContaining('commandry serve')])
    }
    expect((await run(['serve', '--help'])).out).toContain('--store STORE')
    expect((await run(['check', '-h'])).out).toContain('--warnings-as-errors')
    expect((await run([])).code).toBe(2)
    expect(await run(['deploy'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('no command "deploy"'),
    })
  })
})
