import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { globalScope, guildScope, CommandRegistry } from 'commandry'
import { call, directoryOf, ending, failing, withDrivers, type CallOptions } from '../program.ts'
import { serving } from '../services.ts'
import { app, hello } from '../../../support/fixtures.ts'
import { words } from '../../../support/words.ts'

/** A program that sends requests as `[method, path, body]`, where `ID` in a path is the id of the last response. */
const program = (requests: readonly (readonly [string, string, unknown?])[], end = '') => `
  let id
  for (const [method, path, body] of ${JSON.stringify(requests)}) {
    const url = process.env.COMMANDRY_URL + '/api/v10/applications/' + process.env.CLIENT_ID + path.replace('ID', id)
    const headers = { authorization: 'Bot ' + process.env.DISCORD_TOKEN, 'content-type': 'application/json' }
    const response = await fetch(url, { method, headers, body: JSON.stringify(body) })
    id = response.status < 204 ? (await response.json()).id : undefined
  }
  ${end}`

const deployer = (body: unknown, path = '/commands') => program([['PUT', path, body]])

const node = (file: string) => `"${process.execPath}" ${file}`

const runIn = (cwd: string, args: readonly string[], options: CallOptions = {}) =>
  call(args, { cwd, env: { PATH: process.env.PATH }, ...options })

const check = (cwd: string, file: string, ...more: readonly string[]) =>
  runIn(cwd, ['check', '--run', node(file), ...more])

/** Checks what one program deploys. */
const checkProgram = async (text: string, ...more: readonly string[]) =>
  check(await directoryOf({ 'deploy.mjs': text }), 'deploy.mjs', ...more)

const wrong = { ...hello, options: [{ type: 3, name: 'Who', description: 'a' }] }

describe('commandry check --run', () => {
  it('checks what a program deploys, also what the service refuses, with the command and the option', async () => {
    const text = program([
      ['PUT', '/commands', [{ name: 'ping', description: 'a' }, wrong]],
      ['PUT', '/guilds/2001/commands', [{ name: 'ok', description: 'a', dm_permission: false }]],
    ])
    const { code, out } = await checkProgram(text)
    expect(code).toBe(1)
    expect(out).toMatch(/^global commands\n +error {4}\/hello, option "Who", name: "Who" has upper case/)
    expect(out).toMatch(/commands of server 2001\n +warning {2}\/ok, dm_permission/)
    expect(out).toMatch(/✗ 1 error and 1 warning in 2 of 2 lists/)

    const json = JSON.parse((await checkProgram(text, '--format', 'json')).out)
    expect(json).toMatchObject({ version: 1, ok: false, counts: { files: 2, commands: 3, errors: 1 } })
    expect(json.files[0].issues).toMatchObject([
      { code: 'name.case', command: '/hello', option: 'Who', line: null },
    ])
  })

  it('reports no defaults that a library adds to every command', async () => {
    const added = {
      ...{ dm_permission: true, default_permission: true, integration_types: null, contexts: [0, 1, 2] },
      options: [{ type: 1, name: 'sub', description: 'a', nsfw: false }],
    }
    const cwd = await directoryOf({
      'bot.mjs': deployer([{ ...hello, ...added }]),
      'author.mjs': deployer([{ ...hello, ...added, dm_permission: false }]),
    })
    expect(await check(cwd, 'bot.mjs')).toMatchObject(ending(0, '✓ 1 command in 1 list: no problems found'))
    expect((await check(cwd, 'author.mjs')).out).toMatch(/warning {2}\/hello, dm_permission.*\n\n! 1 warning/)
  })

  it('follows creates, edits and deletions', async () => {
    const text = program([
      ['POST', '/commands', { name: 'a', description: 'a' }],
      ['PATCH', '/commands/ID', { description: '' }],
      ['POST', '/commands', { name: 'gone', description: '' }],
      ['POST', '/commands', { name: 'gone', description: 'a' }],
      ['DELETE', '/commands/ID'],
    ])
    const { out } = await checkProgram(text, '--format', 'json')
    expect(JSON.parse(out)).toMatchObject({ counts: { commands: 1, errors: 1 } })
    expect(out).toContain('"description.length"')
  })

  it('waits for a script that pauses between the commands that it creates', async () => {
    const post = (name: string) => program([['POST', '/commands', { name, description: 'a' }]])
    const cwd = await directoryOf({
      'a.mjs': post('a'),
      'b.mjs': post('b'),
      'deploy.mjs': `await import('./a.mjs')
        await new Promise((resolve) => setTimeout(resolve, 1_200))
        await import('./b.mjs')`,
    })
    const { code, out } = await runIn(cwd, ['check', '--run', node('deploy.mjs')], {
      limits: { quiet: 1_000 },
    })
    expect([code, out]).toEqual([0, expect.stringContaining('✓ 2 commands in 1 list')])
  })

  it('waits for a script that goes on sending requests for longer than it may be quiet', async () => {
    const cwd = await directoryOf({
      'a.mjs': deployer([hello, { ...hello, name: 'second' }]),
      'b.mjs': program([['POST', '/commands', { name: 'last', description: 'a' }]]),
      'deploy.mjs': `await import('./a.mjs')
        const url = process.env.COMMANDRY_URL + '/api/v10/users/@me'
        const end = Date.now() + 2_500
        while (Date.now() < end) await fetch(url, { headers: { authorization: 'Bot ' + process.env.DISCORD_TOKEN } })
        await import('./b.mjs')`,
    })
    const { code, out } = await runIn(cwd, ['check', '--run', node('deploy.mjs')], {
      limits: { quiet: 1_000 },
    })
    expect([code, out]).toEqual([0, expect.stringContaining('✓ 3 commands')])
  })

  it('warns when a program is stopped that may not have deployed everything', async () => {
    const deploy = program([['POST', '/commands', hello]], 'setInterval(() => {}, 1000)')
    const cwd = await directoryOf({ 'deploy.mjs': deploy })
    const ended = await runIn(cwd, ['check', '--run', node('deploy.mjs')], { limits: { run: 10_000 } })
    expect(ended).toMatchObject(failing(1, 'was stopped after 10 s; more commands may be missing'))
  })

  it('has no gap when the same request is accepted later, as after a limit', async () => {
    const put = (authorization: string, body: object) =>
      `await fetch(url, { method: 'PUT', headers: { authorization: ${authorization}, 'content-type': 'application/json' }, body: '${JSON.stringify(body)}' })\n`
    const text = (first: object) => `
      const { COMMANDRY_URL, CLIENT_ID, TOKEN } = process.env
      const url = COMMANDRY_URL + '/api/v10/applications/' + CLIENT_ID + '/commands'
      ${put("''", first)} ${put("'Bot ' + TOKEN", [hello])}`
    expect(await checkProgram(text([hello]))).toMatchObject(
      ending(0, /^✓ 1 command in 1 list(?!.*Not seen)/s),
    )
    expect(await checkProgram(text([]))).toMatchObject(
      ending(1, 'request, refused with 401, 401: Unauthorized: PUT '),
    )
  })

  it('accepts version 7 of "ws", whose server has another name', async () => {
    const ws = 'module.exports = class WebSocket { static Server = class { handleUpgrade() {} } }'
    const cwd = await directoryOf({ 'deploy.mjs': deployer([hello]), 'node_modules/ws/index.js': ws })
    expect(await check(cwd, 'deploy.mjs')).toMatchObject(ending(0, '✓ 1 command in 1 list'))
  })

  it('stops a program that goes on, with the programs that it started', async () => {
    const cwd = await directoryOf({
      'child.mjs': `import { createServer } from 'node:net'
        const server = createServer().listen(0, '127.0.0.1', () => console.log(server.address().port))`,
      'bot.mjs': `import { spawn } from 'node:child_process'
        const child = spawn(process.execPath, ['child.mjs'], { stdio: ['ignore', 'pipe', 'ignore'] })
        await new Promise((resolve) => child.stdout.once('data', (port) => (console.error('port ' + port), resolve())))
        ${deployer([hello])}`,
    })
    const { code, out, err } = await runIn(cwd, ['check', '--verbose', '--run', node('bot.mjs')], {
      limits: { quiet: 500 },
    })
    expect([code, out]).toEqual([0, expect.stringContaining('✓ 1 command in 1 list: no problems found')])
    await expect(fetch(`http://127.0.0.1:${/port (\d+)/.exec(err)![1]}`)).rejects.toThrow()
  })

  it.each([
    ['a program', 'bot.mjs'],
    ['a program that it started, with its output closed,', 'parent.mjs'],
  ])('ends %s that ignores SIGTERM', async (_, file) => {
    const cwd = await directoryOf({
      'bot.mjs': `process.on('SIGTERM', () => {})
        import { createServer } from 'node:net'
        import { writeFileSync } from 'node:fs'
        const server = createServer().listen(0, '127.0.0.1', () => writeFileSync('port', String(server.address().port)))
        setInterval(() => {}, 1000)
        ${deployer([hello])}`,
      'parent.mjs': `import { spawn } from 'node:child_process'
        import { existsSync } from 'node:fs'
        spawn(process.execPath, ['bot.mjs'], { stdio: 'ignore' })
        while (!existsSync('port')) await new Promise((resolve) => setTimeout(resolve, 20))
        ${deployer([hello])}`,
    })
    const { code } = await runIn(cwd, ['check', '--run', node(file)], { limits: { quiet: 300, end: 300 } })
    const port = await readFile(join(cwd, 'port'), 'utf8')
    expect(code).toBe(0)
    await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow()
  })

  it('writes as the owner to a bot that deploys by a message', async () => {
    const bot = `
      import WebSocket from 'ws'
      const url = process.env.COMMANDRY_URL
      const headers = { authorization: 'Bot ' + process.env.TOKEN, 'content-type': 'application/json' }
      const socket = new WebSocket(url.replace('http', 'ws'))
      const identify = { token: process.env.TOKEN, intents: 33281, properties: {} }
      socket.on('open', () => socket.send(JSON.stringify({ op: 2, d: identify })))
      socket.on('message', async (data) => {
        const { t, d } = JSON.parse(data)
        if (t !== 'MESSAGE_CREATE' || d.content !== '!sync') return
        const guild = await (await fetch(url + '/api/v10/guilds/' + d.guild_id, { headers })).json()
        if (guild.owner_id !== d.author.id) return
        const path = '/api/v10/applications/' + process.env.CLIENT_ID + '/commands'
        await fetch(url + path, { method: 'PUT', headers, body: '${JSON.stringify([hello])}' })
      })`
    const silent = "await fetch(process.env.COMMANDRY_URL + '/api/v10/gateway'); setInterval(() => {}, 1000)"
    const cwd = await withDrivers({ 'bot.mjs': bot, 'silent.mjs': silent }, 'ws')
    const asked = await check(cwd, 'bot.mjs', '--say', '!sync')
    expect(asked).toMatchObject(ending(0, '✓ 1 command in 1 list'))
    expect(asked.out).toContain('Not seen:\n  1 silent program, ')
    const args = ['check', '--run', node('silent.mjs')]
    const hint = failing(1, 'add --say "!sync"')
    expect(await runIn(cwd, args, { limits: { quiet: 30 } })).toMatchObject(hint)
  })

  it('reports a program that deploys nothing, with its last lines', async () => {
    const cwd = await directoryOf({
      'exits.mjs': `console.log('no \\u001b[2Jtoken'); process.exitCode = 3`,
      'asks.mjs': program([['GET', '/commands']]),
      'answers.mjs': program([['POST', '/../../interactions/1001/aToken/callback', { type: 5 }]]),
      'refused.mjs': `delete process.env.CLIENT_ID
        ${program([['PUT', '/commands', [hello]]], "console.log('\\u001b[31mfailed\\u001b[0m')")}`,
      'hangs.mjs': 'setInterval(() => {}, 1000)',
      'throws.mjs': "throw new Error('no config')",
      'deep.mjs': `console.error('Error: no module' + '\\n    at load (node:internal/loader:1:1)'.repeat(40)); process.exitCode = 1`,
      'elsewhere.mjs': program([['GET', '/../../guilds/8001']]),
      // It arrives in pieces of 64 KiB, so that the second one begins within a word.
      'long.mjs': `console.log('x'.repeat(65_530) + 'its-token\\nError: b'); process.exitCode = 1`,
    })
    // The end of a line that is cut could be that of a token.
    expect((await check(cwd, 'long.mjs')).err).toContain('Its last lines:\n  Error: b\nno request')
    const elsewhere = await check(cwd, 'elsewhere.mjs')
    expect(elsewhere.err).toContain('/guilds/8001 (404); add --guild 8001 to give it this server')
    const { err } = await check(cwd, 'throws.mjs')
    expect(err).toMatch(/throws.mjs deployed no command and ended with code 1\. Its last lines:\n/)
    expect(err).toMatch(/\n {2}Error: no config\n[^]*\nit ended before it sent a request\n$/)
    expect((await check(cwd, 'deep.mjs')).err).toMatch(
      /ended with code 1\. Its last lines:\n {2}Error: no module\nno request of it arrived/,
    )
    const exits = await check(cwd, 'exits.mjs')
    expect([exits.code, exits.out]).toEqual([1, ''])
    expect(exits.err).toContain('exits.mjs deployed no command and ended with code 3. Its last lines:\n')
    // The words of the program come first.
    expect(exits.err).toMatch(
      /\n {2}no \\u001b\[2Jtoken\nno request of it arrived\. Programs of other runtimes/,
    )
    expect((await check(cwd, 'asks.mjs')).err).toContain(
      'deployed no command and ended with code 0; it sent 1 request; bots that log in need the package "ws"',
    )
    const refused = (await check(cwd, 'refused.mjs')).err
    expect(refused).toContain('\n  failed\nit sent 1 request; the last one that was refused: PUT')
    expect(refused).toMatch(/\/applications\/undefined\/commands \(400\)/)
    // The token of an interaction stands in its path.
    expect((await check(cwd, 'answers.mjs')).err).toContain(
      'POST /api/v10/interactions/1001/***/callback (404)',
    )
    const hangs = await runIn(cwd, ['check', '--run', node('hangs.mjs')], { limits: { run: 500 } })
    expect(hangs).toMatchObject(failing(1, 'was stopped after 0.5 s'))
    const silent = await runIn(cwd, ['check', '--run', node('hangs.mjs')], {
      limits: { run: 2_000, quiet: 10 },
    })
    expect(silent).toMatchObject(
      failing(1, 'runs, but has sent nothing for 0.1 s; a server that only listens'),
    )
  })

  it.each([
    ['a syntax error of a module', 'const a = ;', node('bot.mjs')],
    ['a syntax error of a script', 'const a = ;', node('bot.cjs')],
    ['a module that is missing', `import 'missing'`, node('bot.mjs')],
    ['a thrown value', 'throw 5', node('bot.mjs')],
    ['a file that is missing', '', node('none.mjs')],
    ['a program that is missing', '', 'missing-program bot.mjs'],
    ['a script of npm that is missing', '', 'npm run missing'],
    ['a syntax error of Python', 'def f(:', 'python3 bot.mjs'],
    ['a file of Python that is missing', '', 'python3 none.py'],
  ])('finds the reason in the output of a program that fails at its start: %s', async (_, text, command) => {
    const cwd = await directoryOf({ 'bot.mjs': text, 'bot.cjs': text })
    const reason = 'it ended before it sent a request\n'
    const env = { PATH: process.env['PATH'] }
    const [quiet, verbose] = await Promise.all(
      [[], ['--verbose']].map((more) => call(['check', ...more, '--run', command], { cwd, env })),
    )
    expect([quiet!.code, verbose!.code]).toEqual([1, 1])
    expect(quiet!.err).toMatch(new RegExp(`Its last lines:\n[^]*\n${reason}$`))
    expect(verbose!.err).toMatch(new RegExp(`ended with code \\d+; ${reason}$`))
  })

  it('gives a program the server of --guild', async () => {
    const files = {
      'guild.mjs': `const { COMMANDRY_URL: url, TOKEN } = process.env
        const { ok } = await fetch(url + '/api/v10/guilds/8001', { headers: { authorization: 'Bot ' + TOKEN } })
        if (!ok) throw new Error('not in the server')
        ${deployer([hello], '/guilds/8001/commands')}`,
    }
    const cwd = await withDrivers(files, 'ws')
    const ended = await check(cwd, 'guild.mjs', '--guild', '8001', '--verbose')
    expect(ended).toMatchObject(ending(0, '✓ 1 command in 1 list'))
  })

  it('has one name for the bot of a program', async () => {
    const bot = `{ const headers = { authorization: 'Bot ' + process.env.TOKEN, 'content-type': 'application/json' }
      const ask = async (path, body) => (await fetch(process.env.COMMANDRY_URL + '/api/v10' + path, {
        headers, method: body ? 'POST' : 'GET', body: body && JSON.stringify(body) })).json()
      const { id, name } = await ask('/applications/@me')
      const { username } = await ask('/users/@me')
      const [guild] = await ask('/users/@me/guilds')
      const [{ id: channel }] = await ask('/guilds/' + guild.id + '/channels')
      const { author } = await ask('/channels/' + channel + '/messages', { content: 'x' })
      console.log([id, name, username, author.username].join()) }`
    const cwd = await withDrivers({ 'bot.mjs': `${bot}\n${deployer([hello])}` }, 'ws')
    const { err } = await runIn(cwd, ['check', '--verbose', '--run', node('bot.mjs')], {
      env: { TOKEN: 'x' },
    })
    expect(err).toMatch(/(\d+)(?:,application \1){3}/)
  })

  it('gives a program placeholders instead of tokens, and keeps its ids', async () => {
    const names = words(
      'DISCORD_TOKEN TOKEN token CLIENT_ID clientId APP_ID GUILD_ID COMMANDRY_TOKEN NODE_OPTIONS BUN_OPTIONS A',
    )
    const cwd = await directoryOf({
      'deploy.mjs': `${deployer([hello])}
        console.log(JSON.stringify(Object.fromEntries(${JSON.stringify(names)}.map((name) => [name, process.env[name]]))))`,
    })
    const env = { PATH: process.env.PATH, CLIENT_ID: app, TOKEN: 'geheim', COMMANDRY_TOKEN: 'geheim', A: 'b' }
    const { err } = await runIn(cwd, ['check', '--verbose', '--run', node('deploy.mjs')], { env })
    const seen = JSON.parse(err) as Record<string, string>
    expect(seen).toMatchObject({ CLIENT_ID: app, clientId: app, APP_ID: app, A: 'b' })
    // As long as an id of Discord, which libraries check.
    expect(seen.GUILD_ID).toBe('100000000000002001')
    expect(seen.token).toBe(seen.TOKEN)
    expect(err).not.toContain('geheim')
    expect(seen.TOKEN).toMatch(/^MTAwMQ\.[\w-]{6}\.[\w-]{38}$/)
    expect(seen.NODE_OPTIONS).toMatch(/^--require "/)
    expect(seen.BUN_OPTIONS).toMatch(/^"--preload=/)
  })
})

it('deploy --run deploys what a program deploys, to the global commands or to a server', async () => {
  const registry = new CommandRegistry()
  const cwd = await directoryOf({
    'deploy.mjs': deployer([hello]),
    'both.mjs': program([
      ['PUT', '/commands', [hello]],
      ['PUT', '/guilds/5/commands', []],
      ['PUT', '/guilds/6/commands', []],
    ]),
  })
  const to = ['--to', await serving(registry), '--application', app, '--yes', '--run']
  expect(await runIn(cwd, ['deploy', ...to, node('deploy.mjs')])).toMatchObject(
    ending(0, 'deploy.mjs (1 command) → global commands of 1001'),
  )
  expect(await registry.list(globalScope(app))).toMatchObject([hello])
  expect((await runIn(cwd, ['deploy', ...to, node('deploy.mjs'), '--guild', '5'])).code).toBe(0)
  expect(await registry.list(guildScope(app, '5'))).toMatchObject([hello])

  const unclear = await runIn(cwd, ['deploy', ...to, node('both.mjs'), '--guild', '7'])
  expect(unclear).toMatchObject(failing(1, 'name a server of them with --guild'))
})

describe('commandry serve --run', () => {
  it('runs a program once the service listens and its files are deployed, and ends with its exit code', async () => {
    const cwd = await directoryOf({
      'hello.json': hello,
      'test.mjs': `
        const { COMMANDRY_URL, CLIENT_ID, TOKEN } = process.env
        const headers = { authorization: 'Bot ' + TOKEN }
        const me = await fetch(COMMANDRY_URL + '/api/v10/users/@me', { headers }).then((response) => response.json())
        const url = COMMANDRY_URL + '/api/v10/applications/' + me.id + '/commands'
        const list = await fetch(url, { headers }).then((response) => response.json())
        process.exitCode = list[0]?.name === 'hello' ? 42 : 1`,
    })
    const { code } = await runIn(cwd, ['serve', '--port', '0', 'hello.json', '--run', node('test.mjs')])
    expect(code).toBe(42)
  })

  it.each([
    ['of the demo', [], '100000000000002001'],
    ['of the configuration', [{ id: '2002', name: 'Mine' }], '2002'],
  ])(
    'gives the program a token, an application and a server, that %s, which are there',
    async (_, servers, id) => {
      const config = {
        applications: [{ id: app }],
        tokens: [{ type: 'Bot', token: 'of-config', application_id: app }],
        ...(servers.length > 0 && { servers }),
      }
      const text = `
      const { COMMANDRY_URL, APP_ID, GUILD_ID, TOKEN } = process.env
      const headers = { authorization: 'Bot ' + TOKEN }
      const server = await fetch(COMMANDRY_URL + '/api/v10/guilds/' + GUILD_ID, { headers })
      const found = [TOKEN, APP_ID, (await server.json()).id].join()
      process.exitCode = found === 'of-config,${app},${id}' ? 42 : 1`
      const cwd = await withDrivers({ 'service.json': config, 'test.mjs': text }, 'ws')
      const args = [
        'serve',
        '--port',
        '0',
        '--gateway',
        '--config',
        'service.json',
        '--run',
        node('test.mjs'),
      ]
      expect((await runIn(cwd, args)).code).toBe(42)
    },
  )
})
