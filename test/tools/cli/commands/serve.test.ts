import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openApiDocument } from 'commandry/http'
import { describe, expect, it } from 'vitest'
import { call, directoryOf, failing, serveOnFreePort } from '../program.ts'
import { hello, ping } from '../../../support/fixtures.ts'

const APP = '100100100100100101'
/** The application of a token that names none. */
const OPEN_APP = '1000000000000000000'

function request(url: string, method: string, authorization: string, body?: unknown): Promise<Response> {
  const json = body !== undefined && { body: JSON.stringify(body) }
  return fetch(url, { method, headers: { authorization, 'content-type': 'application/json' }, ...json })
}

const settings = { flags: 131072, discoverable: false, integration_types: [0, 1], guilds: ['2001'] }
const bearer = { type: 'Bearer', application_id: '1001' }
const user = { id: '3001', locale: 'de', guilds: { '2001': { permissions: '268435488' } } }
const config = {
  applications: [
    { id: '1001', name: 'demo', ...settings },
    { id: '1002', name: 'listed', discoverable: true },
  ],
  tokens: [
    { type: 'Bot', token: 'bot-a', application_id: '1001' },
    { type: 'Bot', token: 'bot-b', application_id: '1002' },
    { ...bearer, token: 'cc-a', scopes: ['applications.commands.update'] },
    { ...bearer, token: 'admin-a', scopes: ['applications.commands.permissions.update'], user },
  ],
}

describe('commandry serve', () => {
  it('without a configuration accepts any token from this machine only, and prints that', async () => {
    const { url, origin, called } = await serveOnFreePort([])
    const commands = `${url}/applications/${APP}/commands`
    expect((await request(commands, 'POST', 'Bot anything', hello)).status).toBe(201)
    const list = await request(commands, 'GET', 'Bearer whatever')
    expect([list.status, await list.json()]).toMatchObject([200, [hello]])
    called.interrupt()
    expect(await called).toEqual({
      code: 0,
      out: `Workbench  ${origin}/\nAPI        ${url}\n`,
      err: 'No --config: every token is accepted; only this machine can connect\n',
    })
  })

  it('[5-01] [5-02] [1-03] [2.3-02] [2.1-15] applies the configuration file', async () => {
    const directory = await directoryOf({ 'service.json': config })
    const { url, called } = await serveOnFreePort(['--config', 'service.json'], directory)
    const at = (path: string, method: string, token: string, body?: unknown) =>
      request(`${url}/applications/${path}`, method, token, body)

    const launch = (await (await at('1001/commands', 'GET', 'Bot bot-a')).json()) as object[]
    expect(launch).toEqual([expect.objectContaining({ name: 'Launch', type: 4, handler: 2 })])
    expect((await at('1001/commands', 'POST', 'Bearer cc-a', hello)).status).toBe(201)
    expect((await at('1001/commands', 'GET', 'Bot bot-b')).status).toBe(403)
    expect((await at('1001/commands', 'GET', 'Bot nobody')).status).toBe(401)
    expect((await at('1001/guilds/2002/commands', 'GET', 'Bot bot-a')).status).toBe(403)
    for (const field of [{ nsfw: true }, { integration_types: [1] }])
      expect((await at('1002/commands', 'POST', 'Bot bot-b', { ...hello, ...field })).status).toBe(400)

    const guild = '1001/guilds/2001/commands'
    const { id } = (await (await at(guild, 'POST', 'Bot bot-a', hello)).json()) as { id: string }
    const permissions = { permissions: [{ id: '5', type: 1, permission: true }] }
    expect((await at(`${guild}/${id}/permissions`, 'PUT', 'Bearer admin-a', permissions)).status).toBe(200)
    expect((await at(`${guild}/${id}/permissions`, 'PUT', 'Bot bot-a', permissions)).status).toBe(403)
    const me = await (await at('@me', 'GET', 'Bot bot-a')).json()
    expect(me).toMatchObject({ id: '1001', name: 'demo', flags: 131072 })
    called.interrupt()
    expect(await called).toMatchObject({ code: 0, err: '' })
  })

  it('takes a configuration of servers alone, or of applications without tokens, as open to this machine', async () => {
    const servers = [{ id: '2001', name: 'Ours' }]
    const applications = [{ id: '1001', name: 'demo' }]
    const directory = await directoryOf({
      'servers.json': { servers },
      'apps.json': { servers, applications },
    })
    const statuses = async (file: string) => {
      const { url, called } = await serveOnFreePort(['--config', file], directory)
      const post = (id: string) => request(`${url}/applications/${id}/commands`, 'POST', 'Bot any', hello)
      const got = [(await post('1001')).status, (await post('1002')).status]
      called.interrupt()
      return [...got, (await called).err]
    }
    const words = 'every token is accepted; only this machine can connect'
    expect(await statuses('servers.json')).toEqual([201, 201, `No tokens in servers.json: ${words}\n`])
    expect(await statuses('apps.json')).toEqual([201, 404, `No tokens in apps.json: ${words}\n`])
    const reached = await call(['serve', '--host', '0.0.0.0', '--config', 'apps.json'], { cwd: directory })
    expect(reached).toMatchObject(failing(2, '--host 0.0.0.0 accepts other machines, and any token is valid'))
  })

  it('prints one line for each request with --log, without tokens', async () => {
    const { url, origin, called } = await serveOnFreePort(['--log'])
    await request(`${url}/applications/${APP}/commands?with_localizations=true`, 'GET', 'Bot secret-token')
    await request(`${origin}/no%0Athing`, 'GET', 'Bot secret-token')
    await request(`${url}/webhooks/55/secret-token/messages/@original`, 'GET', 'Bot secret-token')
    await request(`${origin}//WEBHOOKS/55%2Fsecret-token?token=secret-token`, 'GET', 'Bot secret-token')
    called.interrupt()
    const lines = (await called).err.trimEnd().split('\n').slice(1)
    expect(lines).toEqual([
      expect.stringMatching(new RegExp(`^\\S+Z GET /api/v10/applications/${APP}/commands 200 \\d+ms$`)),
      expect.stringMatching(/^\S+Z GET \/no%0Athing 404 \d+ms$/),
      expect.stringMatching(/^\S+Z GET \/api\/v10\/webhooks\/55\/\*{3}\/messages\/@original 404 \d+ms$/),
      expect.stringMatching(/^\S+Z GET \/WEBHOOKS\/55\/\*{3} 404 \d+ms$/),
    ])
  })

  it('serves the OpenAPI document', async () => {
    const { origin, url } = await serveOnFreePort([])
    const response = await fetch(`${origin}/openapi.json`)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(await response.json()).toEqual(JSON.parse(JSON.stringify(openApiDocument())))
    expect((await fetch(`${origin}/openapi.json`, { method: 'POST' })).status).toBe(405)
    expect((await fetch(`${url}/openapi.json`)).status).toBe(404)
  })

  it('tells at /readyz whether its store answers', async () => {
    const { origin } = await serveOnFreePort([])
    const response = await fetch(`${origin}/readyz`)
    expect([response.status, await response.json()]).toEqual([200, { ready: true }])
    expect((await fetch(`${origin}/readyz`, { method: 'HEAD' })).status).toBe(200)
    expect((await fetch(`${origin}/readyz`, { method: 'PUT' })).status).toBe(405)
  })

  it('deploys the valid commands of a folder at the start and at each save, and prints its first error', async () => {
    const cwd = await directoryOf({
      'commands/hello.json': hello,
      'commands/bad.json': '{\n  "name": "Bad", "description": "a" }',
    })
    const { url, called } = await serveOnFreePort(['commands/'], cwd)
    const lines = await called.lineWith('commands/ ')
    expect(lines.split('\n')[2]).toBe(
      'commands/  2 commands, 1 error: commands/bad.json:2 /Bad, name: "Bad" has upper case; write "bad"',
    )
    const names = async () => {
      const response = await request(`${url}/applications/${OPEN_APP}/commands`, 'GET', 'Bot any')
      return ((await response.json()) as { name: string }[]).map(({ name }) => name)
    }
    expect(await names()).toEqual(['hello'])
    await writeFile(join(cwd, 'commands/bad.json'), JSON.stringify({ name: 'good', description: 'a' }))
    await called.lineWith('commands/  2 commands\n')
    expect(await names()).toEqual(['good', 'hello'])
  })

  it('deploys the commands that the application supports, and names each other one on the page too', async () => {
    const files = {
      'commands/ping.json': JSON.stringify(ping),
      'commands/me.json': JSON.stringify({ ...ping, name: 'me', integration_types: [0, 1] }),
      'commands/twice.json': JSON.stringify([{ type: 4, name: 'start', description: '', handler: 2 }]),
      'service.json': JSON.stringify({
        applications: [{ id: '1001', name: 'x' }],
        tokens: [{ type: 'Bot', token: 't', application_id: '1001' }],
      }),
    }
    const directory = await directoryOf(files)
    const { url, origin, called } = await serveOnFreePort(
      ['commands/', '--config', 'service.json'],
      directory,
    )
    const list = await (await request(`${url}/applications/1001/commands`, 'GET', 'Bot t')).json()
    expect(list).toMatchObject([{ name: 'ping' }])
    const shown = await fetch(`${origin}/ui/files`, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
      body: '{}',
    })
    const errors = ((await shown.json()) as any[]).flatMap(({ name, errors }) =>
      errors.map(({ text }: any) => `${name}: ${text}`),
    )
    expect(errors).toEqual([
      expect.stringMatching(/^commands\/me\.json: \/me, integration_types/),
      expect.stringMatching(/^commands\/twice\.json: /),
    ])
    called.interrupt()
    expect((await called).out).toMatch(/3 commands, 2 errors: commands\/me\.json/)
  })

  it('renames one of 100 commands beside a file that it cannot read', async () => {
    const many = Array.from({ length: 100 }, (_, index) => ({ ...ping, name: `a-${index}` }))
    const directory = await directoryOf({ 'own/many.json': many, 'own/broken.json': '{' })
    const { url, called } = await serveOnFreePort(['own/'], directory)
    const names = async () => {
      const list = await (await request(`${url}/applications/${OPEN_APP}/commands`, 'GET', 'Bot any')).json()
      return (list as { name: string }[]).map(({ name }) => name)
    }
    expect(await names()).toHaveLength(100)
    const [, ...rest] = many
    await writeFile(join(directory, 'own/many.json'), JSON.stringify([...rest, { ...ping, name: 'renamed' }]))
    await expect.poll(names).toContain('renamed')
    expect(await names()).toHaveLength(100)
    called.interrupt()
    expect((await called).out).not.toContain('not deployed')
  })

  it('names a command that the application refuses, such as one more create than a day has', async () => {
    const directory = await directoryOf({ 'own.json': '[]' })
    const { url, origin, called } = await serveOnFreePort(['own.json'], directory)
    const commands = `${url}/applications/${OPEN_APP}/commands`
    const many = Array.from({ length: 100 }, (_, index) => ({ ...ping, name: `a-${index}` }))
    for (const list of [many, many.map((one) => ({ ...one, name: one.name.replace('a', 'b') }))])
      expect((await request(commands, 'PUT', 'Bot x', list)).status).toBe(200)
    await writeFile(join(directory, 'own.json'), JSON.stringify([ping]))
    const headers = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
    const errors = async () => {
      const shown = await fetch(`${origin}/ui/files`, { method: 'POST', headers, body: '{}' })
      return ((await shown.json()) as any)[0].errors
    }
    await expect
      .poll(errors)
      .toEqual([
        { line: null, text: expect.stringMatching(/^\/ping not deployed: .*0 of 200 are left today/) },
      ])
    called.interrupt()
    await called
  })

  it('has the commands of its files from the first answer on, however long they take to load', async () => {
    const cwd = await directoryOf({
      'slow.mjs': `await new Promise((resolve) => setTimeout(resolve, 700))
        export default [{ name: 'slow', description: 'x' }]`,
    })
    const { url, origin } = await serveOnFreePort(['slow.mjs'], cwd)
    const [listed, ready] = await Promise.all([
      request(`${url}/applications/${OPEN_APP}/commands`, 'GET', 'Bot any'),
      fetch(`${origin}/readyz`),
    ])
    expect(await listed.json()).toMatchObject([{ name: 'slow' }])
    expect(ready.status).toBe(200)
  })

  it('keeps the commands of a file while it has errors or is not understood', async () => {
    const cwd = await directoryOf({ 'c/hello.json': hello, 'c/ping.json': ping })
    const { called, url } = await serveOnFreePort(['c'], cwd)
    await called.lineWith('2 commands\n')
    const names = async () => {
      const response = await request(`${url}/applications/${OPEN_APP}/commands`, 'GET', 'Bot any')
      return ((await response.json()) as { name: string }[]).map(({ name }) => name).sort()
    }
    await writeFile(join(cwd, 'c/hello.json'), '{ "name": "hel')
    await called.lineWith('1 command, 1 error')
    expect(await names()).toEqual(['hello', 'ping'])
    await writeFile(join(cwd, 'c/hello.json'), '{ "title": "hello" }')
    await called.lineWith('1 command; skipped, as they hold no command')
    expect(await names()).toEqual(['hello', 'ping'])
    await rm(join(cwd, 'c/hello.json'))
    await called.lineWith('1 command\n')
    expect(await names()).toEqual(['ping'])
  })

  it.each([
    [
      'is half saved beside another error',
      '[{"name":"ping","description":"a"},{"name":"Bad","description":"b"}]',
      '[{"na',
    ],
    ['is moved to a file that is half saved', null, '[{"na'],
    ['is moved to a format that is not read', null, 'name: ping'],
    ['is moved to a module that throws', null, 'throw new Error("no database")'],
  ])('keeps a command whose file %s', async (_, first, then) => {
    const cwd = await directoryOf({ 'c/hello.json': hello, 'c/ping.json': ping })
    const { called, url } = await serveOnFreePort(['c'], cwd)
    await called.lineWith('2 commands\n')
    const there = first === null ? 'c/other.' : 'c/ping.json'
    if (first === null) await rm(join(cwd, 'c/ping.json'))
    else {
      await writeFile(join(cwd, there), first)
      await called.lineWith('3 commands, 1 error')
    }
    const end = then.startsWith('name') ? 'yaml' : then.startsWith('throw') ? 'mjs' : 'json'
    await writeFile(join(cwd, first === null ? there + end : there), then)
    await called.lineWith(first === null ? '; not deleted: /ping (not seen: c/other.' : '1 command, 1 error')
    const response = await request(`${url}/applications/${OPEN_APP}/commands`, 'GET', 'Bot any')
    expect(((await response.json()) as { name: string }[]).map(({ name }) => name).sort()).toEqual([
      'hello',
      'ping',
    ])
  })

  it('deploys for the application it is given, or not at all', async () => {
    const cwd = await directoryOf({ 'hello.json': hello })
    const list = async (application: string, ...args: readonly string[]) => {
      const { url, called } = await serveOnFreePort(['hello.json', ...args], cwd)
      await called.lineWith('hello.json  1 command')
      const response = await request(`${url}/applications/${application}/commands`, 'GET', 'Bot any')
      return response.json()
    }
    expect(await list(APP, '--application', APP)).toMatchObject([hello])
    expect(await list(OPEN_APP, '--no-deploy')).toEqual([])
  })

  it('leads browsers from the address of the API to the page', async () => {
    const { url, origin } = await serveOnFreePort([])
    const open = (address: string, accept: string) =>
      fetch(address, { headers: { accept }, redirect: 'manual' })
    for (const address of [url, `${url}/`, `${origin}/api`]) {
      const response = await open(address, 'text/html,*/*')
      expect([response.status, response.headers.get('location')]).toEqual([302, '/'])
      expect((await open(address, '*/*')).status).toBe(404)
    }
  })

  it('reports every problem of a configuration at its path, without tokens', async () => {
    const tokens = [
      { type: 'Bot', token: 'geheim 1', application_id: '1001' },
      { type: 'User', token: 'geheim-2' },
    ]
    const bad = { applications: [{ id: '1001', flags: -1 }], tokens, port: 1 }
    const cwd = await directoryOf({ 'bad.json': bad })
    const { err, ...ended } = await call(['serve', '--config', 'bad.json'], { cwd })
    expect(ended).toEqual({ code: 1, out: '' })
    expect(err.split('\n')).toEqual([
      'bad.json: applications[0].flags is the number -1; expected a whole number from 0',
      'bad.json: tokens[0].token is not a text of 1 to 1024 visible ASCII characters',
      'bad.json: tokens[1].application_id is missing',
      'bad.json: tokens[1].type is not "Bot" or "Bearer"',
      'bad.json: port is not a known field; the fields are applications, tokens and servers',
      '',
    ])
  })

  it('reports a configuration that cannot be read, or is not an object, in one line', async () => {
    const cwd = await directoryOf({ 'list.json': [], 'broken.json': '\ufeff{\n  "tokens": geheim }' })
    for (const [file, message] of [
      ['list.json', 'list.json: the file is a list; expected an object'],
      [
        'broken.json',
        'commandry serve: broken.json: is not valid JSON: line 2, column 13; write keys and texts in double quotes',
      ],
      ['none.json', 'commandry serve: none.json: file not found'],
    ] as const)
      expect(await call(['serve', '--config', file], { cwd })).toMatchObject({ code: 1, err: `${message}\n` })
  })

  it('reports that it cannot listen', async () => {
    const { origin } = await serveOnFreePort([])
    const taken = new URL(origin).port
    expect(await call(['serve', '--port', taken])).toMatchObject(
      failing(1, `cannot listen on 127.0.0.1, port ${taken}: it is in use; --port 0 takes a free one\n`),
    )
  })
})

it('commandry serve gives its page the files as they are, and the definitions of a module as JSON', async () => {
  const ping = { name: 'ping', description: 'Says pong' }
  const text = JSON.stringify(ping, null, 3)
  const module = 'export default { name: "hi", description: "Says hi" }'
  const cwd = await directoryOf({ 'c/a.json': text, 'c/b.json': '{ "name"', 'c/c.mjs': module })
  const { origin } = await serveOnFreePort(['c'], cwd)
  const headers = { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin' }
  const response = await fetch(`${origin}/ui/files`, { method: 'POST', headers, body: '{}' })
  const definitions = JSON.stringify([{ name: 'hi', description: 'Says hi' }], null, 2)
  expect(await response.json()).toEqual([
    { name: 'c/a.json', text, isReadOnly: false, errors: [] },
    { name: 'c/b.json', text: '{ "name"', isReadOnly: false, errors: [expect.anything()] },
    { name: 'c/c.mjs', text: definitions, isReadOnly: true, errors: [] },
  ])
})
