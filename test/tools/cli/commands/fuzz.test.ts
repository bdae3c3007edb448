import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { listening } from '../../../support/listening.ts'
import { freePort } from '../../../support/ports.ts'
import { builtPackage, call, directoryOf, ending, failing, withDrivers } from '../program.ts'

const node = process.execPath
const env = { PATH: process.env.PATH }

/** As a discord.py bot writes an error of a command: the cause, and then that of the library. */
const traceback = `Traceback (most recent call last):
  File "bot.py", line 9, in roll
    await scores.add('sides')
  File "/venv/lib/python3.11/site-packages/discord/member.py", line 1192, in add_roles
    await req(guild_id, user_id, role.id)
  File "/venv/lib/python3.11/site-packages/discord/http.py", line 9, in req
    return known['sides']
KeyError: 'sides'

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "discord/app_commands/commands.py", line 886, in _do_call
    raise CommandInvokeError(self, e) from e
CommandInvokeError: Command 'roll' raised an exception: KeyError: 'sides'`

/** A bot over HTTP whose /boom ends the process, whose /later does so after its answer, whose /silent, /guarded and /noted only write an error, as it does while it starts, and whose /owner does so in a server without an owner. */
const server = `
import { createServer } from 'node:http'
import { verified } from '${new URL('../../../support/verified.mjs', import.meta.url)}'
console.log('Unhandled rejection while it starts', new TypeError('no log channel'))
createServer((request, response) => {
  let text = ''
  request.on('data', (data) => (text += data)).on('end', async () => {
    if (!(await verified(process.env.PUBLIC_KEY, request.headers, text))) return response.writeHead(401).end()
    response.setHeader('content-type', 'application/json')
    const { type, data, member, user = member?.user } = JSON.parse(text)
    if (type === 1) return response.end('{"type":1}')
    if (data.name === 'face') user.avatar.length
    if (data.name === 'ping') console.log('It answers')
    if (data.name === 'boom') undefined.missing
    if (data.name === 'later') response.on('finish', () => process.exit(3))
    if (data.name === 'noted') console.log('Unhandled rejection', new TypeError('no log channel'))
    if (data.name === 'silent') return console.error('\\u001b[31m[play]\\u001b[39m', Object.assign(new TypeError('no voice'), { rawError: {} }))
    if (data.name === 'guarded') return console.log('[anti crash] Unhandled rejection', new TypeError('no queue'))
    if (data.name === 'roll') {
      const [cause, ...others] = ${JSON.stringify(traceback)}.split(/(?=The above)/)
      process.stderr.write(cause)
      await new Promise((resolve) => setTimeout(resolve, 20))
      process.stderr.write(others.join(''))
    }
    if (data.name === 'owner') {
      const server = process.env.COMMANDRY_URL + '/api/v10/guilds/' + process.env.GUILD_ID
      const read = async (url) => (await fetch(url, { headers: { authorization: 'Bot own' } })).json()
      const { owner_id } = await read(server)
      const { user } = await read(server + '/members/' + owner_id)
      user.username
    }
    response.end(JSON.stringify({ type: 4, data: { content: 'pong' } }))
  })
}).listen(process.env.PORT, '127.0.0.1')`

const ping = { name: 'ping', description: 'Answers' }
const boom = { name: 'boom', description: 'Ends', options: [{ type: 3, name: 'text', description: 'a' }] }
const owner = { name: 'owner', description: 'Reads the owner' }

/** Runs a bot on a free port. */
async function fuzzServer(files: Readonly<Record<string, unknown>>, ...args: readonly string[]) {
  const cwd = await directoryOf(files)
  const port = await freePort()
  const url = ['--url', `http://127.0.0.1:${port}/`, '--env', `PORT=${port}`]
  // The tests that it writes run in other processes.
  const options = { cwd, env, ...(args.includes('--write-tests') && (await builtPackage())) }
  return { cwd, ...(await call(['fuzz', ...url, '--runs=6', ...args, '--', node, 'server.mjs'], options)) }
}

const fuzz = (commands: readonly object[], ...more: readonly string[]) =>
  fuzzServer({ 'commands.json': commands, 'server.mjs': server }, 'commands.json', '--seed=7', ...more)

describe('commandry fuzz', () => {
  it('reports what a bot needs with --access, and fails when it needs more than in the file of --access-file', async () => {
    const args = ['--access-file', 'access.json']
    const first = await fuzz([ping], ...args)
    expect(first).toMatchObject(
      ending(0, 'Permissions needed: none\nThe bot is an administrator; 0 permissions would do.'),
    )
    expect(first.err).toContain('Wrote access.json; commit it')
    const known = JSON.parse(await readFile(join(first.cwd, 'access.json'), 'utf8'))
    expect(known.scopes).toEqual(['bot', 'applications.commands'])
    const files = { 'commands.json': [owner], 'server.mjs': server }
    const run = (report: object) =>
      fuzzServer(
        { ...files, 'access.json': report },
        'commands.json',
        '--seed=7',
        '--only',
        '/owner',
        ...args,
      )
    const less = { ...known, scopes: ['bot'] }
    expect(await run(less)).toMatchObject(
      failing(1, 'the bot needs more than in access.json: scope applications.commands'),
    )
    const grown = { ...known, permissions: { needed: ['BAN_MEMBERS'] } }
    const shrunk = await run(grown)
    expect([shrunk.code, shrunk.err]).toEqual([
      0,
      expect.stringContaining('the bot needs less than in access.json: permission BAN_MEMBERS'),
    ])
    expect((await run(known)).err).not.toContain('needs less')
    expect(await run({})).toMatchObject(failing(1, 'access.json: is not a report'))
    const json = JSON.parse((await fuzz([ping], '--access', '--format', 'json')).out)
    expect(json.access.installUrl).toContain('permissions=0')
  })

  it('ends with 0 for a bot that answers every use', async () => {
    const { code, out, err } = await fuzz([ping])
    // Other output of the bot is not shown.
    expect(err).not.toContain('It answers')
    expect(out + err).toMatch(/^\/ping +6 +0 /m)
    expect(out).toMatch(/✓ 6 uses of 1 command, seed 7: no failures\n$/)
    expect(code).toBe(0)
  })

  it('has a server with an owner, and takes a bot with a token of its own', async () => {
    const { code, out } = await fuzz([owner])
    expect([code, out]).toEqual([0, expect.stringContaining('no failures')])
  })

  it('has people with an avatar, and one without', async () => {
    const face = { name: 'face', description: 'Shows the avatar' }
    const { out } = await fuzz([face], '--format', 'json', '--runs', '12')
    expect(JSON.parse(out).failures).toMatchObject([{ code: 'crashed', as: 'grace', repeated: true }])
  })

  it('takes the ids that a bot has in a configuration of its own', async () => {
    const deploy = `
      const url = process.env.COMMANDRY_URL + '/api/v10/applications/7001/guilds/8001/commands'
      const headers = { authorization: 'Bot made-up', 'content-type': 'application/json' }
      const answer = await fetch(url, { method: 'PUT', headers, body: '${JSON.stringify([ping])}' })
      if (!answer.ok) throw new Error(await answer.text())`
    const { code, out } = await fuzzServer({ 'server.mjs': deploy + server })
    expect([code, out]).toEqual([0, expect.stringContaining('✓ 6 uses of 1 command')])
  })

  it('starts a bot again that ends, and reports the shortest line with a test', async () => {
    const { code, out, cwd } = await fuzz([ping, boom], '--format', 'json', '--write-tests', 'found')
    const report = JSON.parse(out)
    expect(report).toMatchObject({ version: 1, ok: false, seed: 7, not_seen: [] })
    expect(report.commands.map(({ failures }: any) => failures)).toEqual([0, 1])
    expect(report.failures).toMatchObject([
      { code: 'crashed', command: '/boom', line: '/boom', step: 'use', as: 'ada', repeated: true },
    ])
    expect(report.failures[0].message).toContain("Cannot read properties of undefined (reading 'missing')")
    expect(await readFile(join(cwd, 'found/fuzz.test.mjs'), 'utf8')).toContain(report.failures[0].test)
    expect(code).toBe(1)
  })

  it('runs each test that it writes on a fresh bot, and marks those that do not fail there', async () => {
    const commands = ['later', 'noted', 'ping'].map((name) => ({ name, description: 'Answers' }))
    const { out, err, cwd } = await fuzz(commands, '--format', 'json', '--write-tests', '.')
    const { failures } = JSON.parse(out)
    expect(failures).toHaveLength(2)
    // On a busy machine the error of /later comes after that of /noted.
    for (const command of ['/later', '/noted'])
      expect(failures).toContainEqual(expect.objectContaining({ code: 'crashed', command, fresh: true }))
    const written = await readFile(join(cwd, 'fuzz.test.mjs'), 'utf8')
    expect(written).toMatch(/^\/\/ crashed\ntest\('\/later'/m)
    expect(written).toMatch(
      /^\/\/ crashed\. It passed on a bot that had just been started, .+\ntest\('\/noted/m,
    )
    expect(err).toContain('1 of 2 tests did not fail on a fresh bot; a comment says so')
  })

  it('shows the error that a bot writes in place of an answer, or leaves unhandled and goes on', async () => {
    const commands = ['guarded', 'silent'].map((name) => ({ name, description: 'Fails' }))
    const { out } = await fuzz(commands, '--runs', '1')
    expect(out).toMatch(/✗ no_answer {2}\/silent\n(?:.+\n)+.*the bot wrote:\n +\[play\] TypeError: no voice/)
    expect(out).toMatch(
      /✗ crashed {2}\/guarded\n(?:.+\n)+ +\[anti crash\] Unhandled rejection TypeError: no queue/,
    )
  })

  it('writes --say to a bot that deploys by a message, once it is logged in', async () => {
    const bot = `
      import WebSocket from 'ws'
      const url = process.env.COMMANDRY_URL
      const headers = { authorization: 'Bot ' + process.env.TOKEN, 'content-type': 'application/json' }
      const send = (method, path, body) => fetch(url + '/api/v10' + path, { method, headers, body: JSON.stringify(body) })
      const socket = new WebSocket(url.replace('http', 'ws'))
      const identify = { token: process.env.TOKEN, intents: 33281, properties: {} }
      socket.on('open', () => socket.send(JSON.stringify({ op: 2, d: identify })))
      socket.on('message', (data) => {
        const { t, d } = JSON.parse(data)
        if (t === 'MESSAGE_CREATE' && d.content === '!sync')
          void send('PUT', '/applications/' + process.env.CLIENT_ID + '/commands', [${JSON.stringify(ping)}])
        if (t === 'INTERACTION_CREATE')
          void send('POST', '/interactions/' + d.id + '/' + d.token + '/callback', { type: 4, data: { content: 'pong' } })
      })`
    const cwd = await withDrivers({ 'bot.mjs': bot }, 'ws')
    const args = ['fuzz', '--runs=3', '--say', '!sync', '--', node, 'bot.mjs']
    expect(await call(args, { cwd, env })).toMatchObject(ending(0, '✓ 3 uses of 1 command'))
  })

  it('takes one argument as a line of the shell, and says what to start after a script that only deploys', async () => {
    const deploy = `
      const url = process.env.COMMANDRY_URL + '/api/v10/applications/' + process.env.CLIENT_ID + '/commands'
      const headers = { authorization: 'Bot ' + process.env.TOKEN, 'content-type': 'application/json' }
      await fetch(url, { method: 'PUT', headers, body: '[]' })`
    const cwd = await withDrivers({ 'deploy.mjs': deploy }, 'ws')
    const ended = await call(['fuzz', '--', `"${node}" deploy.mjs && echo deployed`], { cwd, env })
    expect(ended).toMatchObject(
      failing(
        2,
        /ended before it logged in; it deploys commands, so start the bot after it: .+\n +deployed\n/,
      ),
    )
  })

  it('shows the line of a Python bot that raised an error, once', async () => {
    const { out } = await fuzz([{ name: 'roll', description: 'Rolls' }])
    expect(out).toContain(`  File "bot.py", line 9, in roll\n      await scores.add('sides')\n`)
    expect(out).toContain("      return known['sides']\n  KeyError: 'sides'\n\n")
    expect(out.match(/✗ crashed/g)).toHaveLength(1)
    expect(out).not.toContain('CommandInvokeError')
  })

  it('blames no use for an error at the start, and takes a program as one text', async () => {
    const starting = `process.stderr.write(${JSON.stringify(traceback)})\n`
    const cwd = await directoryOf({ 'commands.json': [ping], 'server.mjs': starting + server })
    const port = await freePort()
    const url = ['--url', `http://127.0.0.1:${port}/`, '--env', `PORT=${port}`]
    const args = ['fuzz', 'commands.json', ...url, '--runs=6', '--', `"${node}" server.mjs`]
    const { code, err } = await call(args, { cwd, env })
    expect([code, err]).toEqual([
      0,
      expect.stringMatching(/while it started\n.*bot\.py[^]*KeyError: 'sides'/),
    ])
  })

  it('blames no use for an error at a later start either, however long that takes', async () => {
    const starting = `process.stderr.write(${JSON.stringify(traceback)})
      await new Promise((resolve) => setTimeout(resolve, 700))\n`
    const files = { 'commands.json': [boom], 'server.mjs': starting + server }
    const { out } = await fuzzServer(files, 'commands.json', '--runs=2')
    expect(out).toMatch(/✗ crashed {2}\/boom/)
    expect(out).not.toContain('bot.py')
  })

  it.each([
    [
      'fails for a bot that does not await its check of signatures',
      '',
      1,
      /✗ Discord will not take the address http.+\n.+ await it\.\n[^]+✗ .+ 0 failures, and Discord will not take the address\n$/,
    ],
    ['sends an address nothing but signed requests', 'await ', 0, /no failures\n$/],
    [
      'fails for a bot that verifies PINGs alone',
      'JSON.parse(text).type > 1 || await ',
      1,
      /✗ Everyone who knows the address http\S+ can forge the use of a command:\n[^]+and everyone can forge interactions\n$/,
    ],
  ])('%s', async (_, wait, code, text) => {
    const unawaited = server
      .replace('await verified', `${wait}verified`)
      .replace('let text', "if (request.method !== 'POST') process.exit(1)\n  let text")
    const ended = await fuzzServer({ 'commands.json': [ping], 'server.mjs': unawaited }, 'commands.json')
    expect(ended).toMatchObject(ending(code, text))
  })

  it.each([
    ['fails when a file was not loaded, and says why', 'undefined.missing', 1],
    ['takes no offence at a file without commands', 'export const helper = 1', 0],
  ])('%s', async (_, text, code) => {
    const files = { 'commands/ping.json': ping, 'commands/other.mjs': text, 'server.mjs': server }
    const ended = await fuzzServer(files, 'commands', '--format', 'json')
    const report = JSON.parse(ended.out)
    const file = { kind: 'file', name: 'commands/other.mjs', reason: 'not loaded' }
    expect(report).toMatchObject({ ok: code === 0, uses: 6, not_seen: code === 0 ? [] : [file] })
    expect(ended.code).toBe(code)
    if (code === 1)
      expect(ended.err).toContain('commands/other.mjs: cannot be loaded: Cannot read properties')
  })

  it('says what to name or to run first, when files were named and had no command', async () => {
    const cwd = await directoryOf({ 'deploy.mjs': 'undefined.missing' })
    const url = await listening((_request, response) => response.end())
    const { code, err } = await call(['fuzz', 'deploy.mjs', '--wait', '1s', '--url', url], { cwd, env })
    expect(code).toBe(2)
    expect(err).toMatch(/deploy\.mjs: cannot be loaded[^]+deploy\.mjs had none: run its deploy script first/)
  })

  it('uses commands that a bot creates one by one', async () => {
    const create = (name: string) => `
      await fetch(process.env.COMMANDRY_URL + '/api/v10/applications/' + process.env.CLIENT_ID + '/commands', {
        method: 'POST', headers: { authorization: 'Bot x', 'content-type': 'application/json' },
        body: JSON.stringify({ name: '${name}', description: 'x' }),
      })`
    const pause = '\nawait new Promise((resolve) => setTimeout(resolve, 1_500))'
    const { code, out } = await fuzzServer({ 'server.mjs': server + create('one') + pause + create('two') })
    expect([code, out]).toEqual([0, expect.stringContaining('✓ 12 uses of 2 commands')])
  })

  it('says why a test cannot be written', async () => {
    const ended = await fuzz([boom], '--write-tests', 'commands.json')
    expect(ended).toMatchObject(failing(1, /^commandry fuzz: E[A-Z]+: .*commands\.json'\n$/m))
  })

  it('ends with 2 and the last lines of a bot that does not start', async () => {
    const cwd = await directoryOf({
      'bot.mjs': `console.error('no token in', process.argv[2]); process.exit(3)`,
    })
    const program = ['--', node, 'bot.mjs', 'own\\bot.json']
    const ended = await call(['fuzz', '--url', 'http://127.0.0.1:1/', ...program], { cwd, env })
    expect(ended).toMatchObject(
      failing(2, /bot\.json'? ended before it opened its endpoint\n +no token in own\\bot\.json/),
    )
  })

  it('writes a line for each command that is done', async () => {
    const { err } = await fuzz([ping, boom], '--runs', '2')
    expect(err).toContain('✓ /ping: 2 uses, 0 failures\n')
    expect(err).toMatch(/✗ \/boom: \d uses, 1 failure\n/)
  })

  it('shows in a terminal what it does, and erases that before the next line', async () => {
    const screen = (stream = new PassThrough({ encoding: 'utf8' })) =>
      Object.assign(stream, { isTTY: true, columns: 80 })
    const silent = { name: 'silent', description: 'Does not answer' }
    const cwd = await directoryOf({ 'commands.json': [silent], 'server.mjs': server })
    const port = await freePort()
    const url = `http://127.0.0.1:${port}/`
    const [used, waited] = [screen(), screen()]
    const args = ['commands.json', '--url', url, '--env', `PORT=${port}`, '--runs=1', '--no-clock']
    await call(['fuzz', ...args, '--', node, 'server.mjs'], { cwd, env, stderr: used })
    const text = String(used.read())
    expect(text).toMatch(/0 uses, 0 failures, 1 command left, \d+ s\r[^]+shortening a failure: \d+ uses?,/)
    expect(text).toMatch(/\r\u001b\[K✗ \/silent/)
    await call(['fuzz', '--url', await listening((_, response) => response.end()), '--wait=2s'], {
      env,
      stderr: waited,
    })
    expect(String(waited.read())).toMatch(
      /waiting for http:\S+, \d+ s\r(?:[^]*\r)?\u001b\[Kcommandry fuzz: http/,
    )
  })

  it('prints what was found when it is interrupted', async () => {
    const cwd = await directoryOf({ 'commands.json': [ping, boom], 'server.mjs': server })
    const port = await freePort()
    const url = ['--url', `http://127.0.0.1:${port}/`, '--env', `PORT=${port}`]
    const args = ['fuzz', 'commands.json', ...url, '--runs=9999', '--', node, 'server.mjs']
    const stderr = new PassThrough()
    const called = call(args, { cwd, env, stderr })
    // /boom is left after its faults were found, and /ping goes on.
    for await (const text of stderr) if (String(text).includes('/boom')) break
    called.interrupt()
    const { code, out } = await called
    expect(code).toBe(1)
    expect(out).toMatch(/✗ crashed {2}\/boom/)
    expect(out).toMatch(/✗ \d+ uses of 2 commands, seed \d+: \d failures?\n$/)
  })

  it('has the server of --guild, and says which one it has', async () => {
    const needs8001 = `if (process.env.GUILD_ID !== '8001') await new Promise(() => {})\n`
    const deploy = `
      const url = process.env.COMMANDRY_URL + '/api/v10/applications/' + process.env.CLIENT_ID + '/guilds/8001/commands'
      const headers = { authorization: 'Bot ' + process.env.TOKEN, 'content-type': 'application/json' }
      await fetch(url, { method: 'PUT', headers, body: '${JSON.stringify([ping])}' })`
    const files = { 'server.mjs': needs8001 + deploy + server }
    expect(await fuzzServer(files, '--guild', '8001')).toMatchObject(ending(0, /✓ 6 uses of 1 command/))
    expect(await fuzzServer(files, '--guild', 'x')).toMatchObject(failing(2, /"x" is not an id/))
    const url = await listening((_request, response) => response.end())
    expect(await call(['fuzz', '--wait', '1s', '--url', url, '--guild', '8002'], { env })).toMatchObject(
      failing(2, /The bot is in the server 8002 only: if it has another id in its code, add --guild ID/),
    )
  })

  it('says what to name or to run first, when the bot deploys no command', async () => {
    const url = await listening((_request, response) => response.end())
    const cwd = await directoryOf({ 'package.json': { scripts: { 'deploy-commands': 'node x.js' } } })
    const ended = await call(['fuzz', '--wait', '1s', '--url', url], { cwd, env })
    const expected =
      /has not deployed a command within 1 s; name its definitions, .+ or run its deploy script first, commandry fuzz -- "npm run deploy-commands && node bot.js"/
    expect(ended).toMatchObject(failing(2, expected))
  })
})
