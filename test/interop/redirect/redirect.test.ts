import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { WebSocketServer } from 'ws'
import { createGateway } from 'commandry/gateway'
import { serve } from 'commandry/node'
import { listening } from '../../support/listening.ts'
import { words } from '../../support/words.ts'
import { redirectInFolder } from '../bots/bot-program.ts'

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const { folder, redirect, imported } = redirectInFolder()
// Loaded before the redirect, so that a name that passes it leads to this machine.
const names = join(folder, 'names.cjs')
writeFileSync(
  names,
  `require('node:dns').lookup = (name, options, done) =>
     options.all ? done(null, [{ address: '127.0.0.9', family: 4 }]) : done(null, '127.0.0.9', 4)`,
)
const service = await serve({
  handler: (request) => Response.json({ host: request.headers.get('host'), url: request.url }),
  gateway: createGateway({ authenticate: () => undefined }),
  ws: { WebSocketServer },
})
/** A proxy, or Discord at its address; it keeps what it receives, and never responds. */
const standIn = createServer((socket) => socket.on('data', (data) => (received += data.toString('latin1'))))
let received = ''
await once(standIn.listen(0, '127.0.0.1'), 'listening')

afterAll(async () => {
  await service.close()
  standIn.close()
})

const run = (script: string, variables?: object) =>
  runNode(['--require', names, '--require', redirect, '--input-type=module', '--eval', script], variables)

function runNode(args: readonly string[], variables: object = { COMMANDRY_URL: service.url }) {
  const { COMMANDRY_URL: _, ...environment } = process.env
  const env = { ...environment, ...variables }
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    // In this folder, so that the packages of the tests can be loaded.
    const options = { cwd: source('.'), env }
    const child = execFile(process.execPath, args, options, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    )
  })
}

const line = () => `commandry: connections to Discord go to ${service.url}, or fail\n`

const head = String.raw`'GET /api HTTP/1.1\r\nHost: discord.com\r\nAuthorization: Bot secret\r\n\r\n'`

/** Runs a script that opens a connection with `open`, and prints its first bytes or the reason of its error. */
const attempt = (open: string, variables?: object) =>
  run(
    `
    import { once } from 'node:events'
    import dns from 'node:dns'
    import http from 'node:http'
    import http2 from 'node:http2'
    import https from 'node:https'
    import net from 'node:net'
    import tls from 'node:tls'
    const port = ${(standIn.address() as AddressInfo).port}
    const proxy = 'http://127.0.0.1:' + port
    const undici = () => import('undici')
    const first = async (emitter, event = 'data') => String(await once(emitter, event))
    const written = (socket) => { socket.write(${head}); return first(socket) }
    const open = async () => { ${open} }
    await open().then((value) => console.log(value), (error) => {
      while (error.cause) error = error.cause
      console.log(error.message)
    })
    process.exit()`,
    variables,
  )

describe('commandry/redirect', () => {
  it.each(
    Object.entries({
      fetch: `console.log(await (await fetch('https://discord.com/api/v10/gateway')).text())`,
      undici: `import { request } from 'undici'
       console.log(await (await request('https://discord.com/api/v10/gateway')).body.text())`,
      'node:https': `import { get } from 'node:https'
       get('https://discord.com/api/v10/gateway', (response) => response.on('data', (data) => console.log(String(data))))`,
    }),
  )('redirects %s to the service', async (_, script) => {
    const { code, stdout, stderr } = await run(script)
    expect({ code, stderr }).toEqual({ code: 0, stderr: line() })
    const url = 'http://discord.com/api/v10/gateway'
    expect(JSON.parse(stdout)).toMatchObject({ host: 'discord.com', url })
  })

  it('redirects many requests on one connection', async () => {
    const { stdout } = await run(`
      const one = async (n) => (await (await fetch('https://discord.com/' + n, { method: 'POST', body: 'x'.repeat(n) })).json()).url
      const all = []
      for (let turn = 0; turn < 3; turn++) all.push(...(await Promise.all(Array.from({ length: 10 }, (_, n) => one(n * 5000)))))
      console.log(all.length, new Set(all).size)`)
    expect(stdout).toBe('30 10\n')
  })

  it.each([
    ['the real gateway', 'wss://gateway.discord.gg/?v=10&encoding=json'],
    ['a regional gateway', 'wss://gateway-us-east1-b.discord.gg/'],
    ['the default port of the service', 'wss://127.0.0.1/?v=10'],
  ])('redirects a WebSocket for %s to the service', async (_, url) => {
    const { stdout } = await run(`
      import { WebSocket } from 'ws'
      const socket = new WebSocket(${JSON.stringify(url)})
      socket.on('message', (data) => { console.log(JSON.parse(data).op); socket.close() })`)
    expect(stdout).toBe('10\n')
  })

  it.each(
    words('www.discord.com canary.discordapp.com CDN.discordapp.com. media.discordapp.net a.discord.media'),
  )('redirects https://%s', async (host) => {
    expect((await attempt(`return (await fetch('https://${host}/')).status`)).stdout).toBe('200\n')
  })

  it.each(
    Object.entries({
      'an address with a TLS name': `return new Promise((resolve) => {
         const socket = tls.connect({ host: '127.0.0.9', port: 443, servername: 'discord.com' }, () => resolve(written(socket)))
       })`,
      'an address with a Host header': `return first((await once(https.get({ host: '127.0.0.9', headers: { host: 'discord.com' } }), 'response'))[0])`,
      'undici with HTTP/2': `const { Agent, request } = await undici()
       return (await request('https://discord.com', { dispatcher: new Agent({ allowH2: true }) })).body.text()`,
    }),
  )('redirects %s', async (_, open) => {
    expect((await attempt(open)).stdout).toContain('"host":"discord.com"')
  })

  it.each(
    Object.entries({
      'REST of discord.js with a ProxyAgent': `const { REST } = await import('@discordjs/rest')
       const { ProxyAgent } = await undici()
       await new REST({ agent: new ProxyAgent(proxy), retries: 0 }).setToken('secret').get('/gateway')`,
      'undici with a ProxyAgent': `const { ProxyAgent, request } = await undici()
       await request('https://discord.com', { dispatcher: new ProxyAgent(proxy) })`,
      'undici with the proxy of the environment': `process.env.HTTPS_PROXY = proxy
       const { EnvHttpProxyAgent, request } = await undici()
       await request('https://discord.com', { dispatcher: new EnvHttpProxyAgent() })`,
      'a CONNECT of node:http': `await first(http.request({ port, method: 'CONNECT', path: 'discord.com:443' }).end(), 'connect')`,
      'a CONNECT in several writes': `const socket = net.connect(port, '127.0.0.1'); await once(socket, 'connect')
       socket.write('CONN'); socket.write('ECT disc'); socket.write('ord.com:443 HTTP/1.1\\r\\n\\r\\n'); await first(socket)`,
      'a CONNECT in corked writes': `const socket = net.connect(port, '127.0.0.1'); await once(socket, 'connect')
       socket.cork(); socket.write('CONN'); socket.write('ECT discord.com:443 HTTP/1.1\\r\\n\\r\\n'); socket.uncork(); await first(socket)`,
      'a TLS name on a socket of its own': `await written(tls.connect({ socket: net.connect(port, '127.0.0.1'), servername: 'discord.com' }))`,
      'a TLSSocket with a name': `const socket = new tls.TLSSocket(net.connect(port, '127.0.0.1')); socket.setServername('gateway.discord.gg'); await written(socket)`,
      'a TLSSocket without a name': `await written(new tls.TLSSocket(net.connect(port, '127.0.0.1')))`,
      'a TCP connection': `await written(net.connect(443, 'discord.com'))`,
      'fetch without TLS': `await fetch('http://discord.com/api', { headers: { authorization: 'Bot secret' } })`,
      'node:http': `await first(http.get('http://canary.discord.com'), 'response')`,
      'an absolute URL to a proxy': `await first(http.get({ port, path: 'http://discord.com/api' }), 'response')`,
      'a bare address without TLS': `await written(net.connect(port, '127.0.0.1'))`,
      'empty lines before a request': `const socket = net.connect(port, '127.0.0.1'); await once(socket, 'connect')
       socket.write('\\r\\n\\r\\n'); socket.write('\\r\\n' + ${head}); await first(socket)`,
      'HTTP/2': `await first(http2.connect('https://discord.com'), 'connect')`,
      'HTTP/2 to a proxy': `http2.connect(proxy).request({ ':authority': 'discord.com' })`,
      'HTTP/2 to an address': `http2.connect(proxy).request({ ':path': '/api', Host: 'discord.com' })`,
      'dns.lookup': `await new Promise((_, reject) => dns.lookup('discord.com', reject))`,
      'a resolver': `await new dns.promises.Resolver().resolve4('gateway.discord.gg')`,
    }),
  )('refuses %s with an error that says why', async (_, open) => {
    received = ''
    const { stdout } = await attempt(open)
    expect(stdout).toMatch(
      /^commandry\/redirect refuses the connection to \S*discord\S+ which it cannot redirect to http/,
    )
    expect(received).not.toMatch(/secret|discord/)
  })

  const child = `fetch('https://discord.com/child').then((r) => r.text()).then(console.log, (e) => console.log(e.cause))`
  it.each(
    Object.entries({
      spawn: `const one = cp.spawn(node, ['-e', code]); return first(one.stdout)`,
      'spawn with an empty environment': `const one = cp.spawn(node, ['-e', code], { env: {} }); return first(one.stdout)`,
      'a shell': `return cp.spawnSync('sh', ['-c', '"$NODE" -e "$CODE"'], { env: { NODE: node, CODE: code }, encoding: 'utf8' }).stdout`,
      'each exec and execFile': `const options = { env: { NODE: node, CODE: code }, encoding: 'utf8' }
       const [shell, direct] = [['"$NODE" -e "$CODE"', options], [node, ['-e', code], options]]
       const { exec, execFile } = cp
       const promised = [promisify(exec)(...shell), promisify(execFile)(...direct)].map(async (one) => (await one).stdout)
       const streamed = [exec(...shell), execFile(...direct)].map((one) => first(one.stdout))
       return [...(await Promise.all([...promised, ...streamed])), cp.execSync(...shell), cp.execFileSync(...direct)].join('')`,
      'fork without options of Node': `return first(cp.fork(file, { execArgv: [], env: {}, silent: true }).stdout)`,
      'spawn after the variables were deleted': `delete process.env.NODE_OPTIONS; delete process.env.COMMANDRY_URL; return cp.execFileSync(node, ['-e', code], { encoding: 'utf8' })`,
      'the class ChildProcess': `const one = new cp.ChildProcess(); one.spawn({ file: node, args: ['node', '-e', code], envPairs: [], stdio: 'pipe' }); return first(one.stdout)`,
      // The program that takes the place of this one, from Node 22.15 on.
      ...('execve' in process && {
        'process.execve': `process.removeAllListeners('warning'); process.execve(node, ['node', '-e', code], {})`,
      }),
      'a worker': `return first(new Worker(code, { eval: true, stdout: true }).stdout)`,
      'a worker without options of Node': `return first(new Worker(code, { eval: true, stdout: true, execArgv: [] }).stdout)`,
      'a worker with an empty environment': `return first(new Worker(code, { eval: true, stdout: true, execArgv: [], env: {} }).stdout)`,
    }),
  )('redirects what %s starts, without another line', async (_, open) => {
    const file = join(folder, 'child.cjs')
    writeFileSync(file, child)
    const { stdout, stderr } = await attempt(
      `const [cp, { Worker }, { promisify }] = await Promise.all(['child_process', 'worker_threads', 'util'].map((name) => import(name)))
       const [node, code, file] = ${JSON.stringify([process.execPath, child, file])}
       ${open}`,
    )
    const lines = stdout.split('\n').filter((text) => text !== '')
    expect(new Set(lines)).toEqual(new Set(['{"host":"discord.com","url":"http://discord.com/child"}']))
    expect(stderr).toBe(line())
  })

  const threads = (redirection: string) => `
    ${redirection}
    const { Worker, SHARE_ENV } = require('worker_threads')
    const code = ${JSON.stringify(child)}
    const nested = (options) => "new (require('worker_threads').Worker)(" + JSON.stringify(code) + ', { eval: true' + options + ' })'
    const starts = {
      file: () => new Worker(process.env.CHILD),
      module: () => new Worker(require('url').pathToFileURL(process.env.CHILD.replace('.cjs', '.mjs'))),
      'data URL': () => new Worker(new URL('data:text/javascript,' + encodeURIComponent(code))),
      text: () => new Worker(code, { eval: true }),
      'shared environment': () => new Worker(code, { eval: true, env: SHARE_ENV }),
      'the same environment': () => new Worker(code, { eval: true, env: process.env }),
      'empty environment': () => new Worker(code, { eval: true, env: {} }),
      'options of Node': () => new Worker(code, { eval: true, execArgv: ['--no-warnings'], env: SHARE_ENV }),
      'no options of Node': () => new Worker(code, { eval: true, execArgv: [] }),
      'a thread of a thread': () => new Worker(nested(''), { eval: true }),
      'a thread of a thread with a shared environment': () => new Worker(nested(', env: SHARE_ENV').replace('SHARE_ENV', "require('worker_threads').SHARE_ENV"), { eval: true, env: SHARE_ENV }),
      subclass: () => new (class Pool extends Worker {})(code, { eval: true }),
      'module hooks': () => {
        const hooks = 'import { writeSync } from "node:fs"; writeSync(1, await fetch("https://discord.com/child").then((r) => r.text(), String))'
        require('module').register('data:text/javascript,' + encodeURIComponent(hooks))
        return new Worker('', { eval: true })
      },
    }
    void (async () => {
      for (const [name, start] of Object.entries(starts)) {
        console.log(name)
        await new Promise((resolve) => start().on('exit', resolve).on('error', (error) => resolve(console.log(error.message))))
      }
    })()`

  it.each<[string, readonly string[], string]>([
    ['--require', ['--require', redirect], ''],
    ['--import', ['--import', imported], ''],
    ['a require in the program', [], `require(${JSON.stringify(redirect)})`],
    [
      '--import, with options that threads cannot have',
      ['--expose-gc', '--max-old-space-size=300', '--title=a b', '--import', imported],
      '',
    ],
  ])('redirects every kind of thread with %s, without another line', async (_, options, redirection) => {
    const [file, program] = [join(folder, 'child.cjs'), join(folder, 'threads.cjs')]
    for (const name of [file, file.replace('.cjs', '.mjs')]) writeFileSync(name, child)
    writeFileSync(program, threads(redirection))
    const { stdout, stderr } = await runNode(['--require', names, ...options, program], {
      COMMANDRY_URL: service.url,
      CHILD: file,
    })
    const lines = stdout.trimEnd().split('\n')
    const seen = Object.fromEntries(
      lines.flatMap((text, index) => (text.startsWith('{') ? [[lines[index - 1], text]] : [])),
    )
    const kinds = [...threads('').matchAll(/^ {6}(?:'(.+)'|(\w+)): \(\) =>/gm)].map(
      ([, quoted, plain]) => quoted ?? plain!,
    )
    expect(kinds).toHaveLength(13)
    expect(seen).toEqual(
      Object.fromEntries(
        kinds.map((kind) => [kind, '{"host":"discord.com","url":"http://discord.com/child"}']),
      ),
    )
    // Node 26 warns of `module.register`, by which the program of this test starts a thread of hooks.
    expect(stderr.replace(/^\(node:\d+\) \[DEP0205\].*\n\(Use .*\n/gm, '')).toBe(line())
  })

  it('refuses threads of a class that the program had before, with the remedy', async () => {
    const { stdout } = await runNode([
      '--eval',
      `
      const { Worker } = require('worker_threads')
      require(${JSON.stringify(redirect)})
      try { new Worker('', { eval: true }) } catch (error) { console.log(error.message) }`,
    ])
    expect(stdout).toMatch(/^commandry refuses a thread .* node --require commandry\/redirect/)
  })

  it('refuses to load from a bundle, which threads and started programs cannot load', async () => {
    const bundle = join(folder, 'bundle/dist/bot.cjs')
    mkdirSync(dirname(bundle), { recursive: true })
    copyFileSync(redirect, bundle)
    const { code, stderr } = await runNode([bundle])
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/commandry is bundled.*; leave the package "commandry" out of the bundle/),
    ])
  })

  it('names a target on another machine in its line', async () => {
    const { stderr } = await run('', { COMMANDRY_URL: 'http://192.0.2.1:8787' })
    expect(stderr).toBe(
      'commandry: connections to Discord go to http://192.0.2.1:8787, or fail; this sends your token to another machine, unencrypted\n',
    )
  })

  it('refuses connections to other machines in the offline mode, in started programs too', async () => {
    const { stdout, stderr } = await attempt(
      `const { execFileSync } = await import('node:child_process')
       const { createSocket } = await import('node:dgram')
       const reasons = [
         fetch('https://discord.com'),
         fetch('http://192.0.2.1'),
         dns.promises.lookup('example.com'),
         new Promise((_, reject) => createSocket('udp4').send('x', 53, '192.0.2.1', reject)),
       ].map((one) => one.catch((error) => (error.cause ?? error).message.split(':').slice(0, 2).join(':')))
       const code = "fetch('https://example.com').catch((error) => console.log(error.cause.message))"
       const started = String(execFileSync(process.execPath, ['-e', code], { env: {} }))
       return [...(await Promise.all(reasons)), started.split(': ')[0], (await fetch('${service.url}')).status].join('\\n')`,
      { COMMANDRY_OFFLINE: '1' },
    )
    const refused = (host: string) => `commandry refuses the connection to ${host}`
    const hosts = ['discord.com:443', '192.0.2.1:80', 'example.com', '192.0.2.1', 'example.com:443']
    expect(stdout.split('\n')).toEqual([
      ...hosts.map((host) => expect.stringContaining(refused(host))),
      '200',
      '',
    ])
    expect(stderr).toBe('')
  })

  it.each([
    ['authority', `connect('http://127.0.0.1:1').request({ ':authority': 'discord.com' })`],
    ['name', `(await import('node:tls')).connect({ port: 1, servername: 'discord.com' })`],
  ])('refuses another machine as the %s of the first connection in the offline mode', async (_, code) => {
    const { stdout } = await attempt(
      `const { connect } = await import('node:http2')
       try { (${code}).on('error', () => {}) } catch (error) { return error.message.split(':')[0] }
       return 'connected'`,
      { COMMANDRY_OFFLINE: '1' },
    )
    expect(stdout).toContain('commandry refuses the connection to discord.com')
  })

  it('does not redirect other connections', async () => {
    // A server that does not speak TLS: a connection that is not redirected fails in the handshake.
    const { port } = new URL(await listening((_request, response) => void response.end('redirected')))
    const { stdout } = await run(`
      for (const url of ['https://127.0.0.1:${port}/', 'https://discord.com.localhost:${port}/', 'https://notdiscord.com:${port}/']) {
        console.log(await fetch(url).then((response) => response.text(), () => 'refused'))
      }`)
    expect(stdout).toBe('refused\nrefused\nrefused\n')
  })

  it.each([
    [
      'is missing',
      undefined,
      /COMMANDRY_URL is not set; expected such as COMMANDRY_URL=http:\/\/127\.0\.0\.1:8787/,
    ],
    ['is not a URL', '127.0.0.1', /COMMANDRY_URL is not an http URL/],
    ['is an https URL', 'https://127.0.0.1:1', /COMMANDRY_URL is not an http URL/],
    ['names Discord', 'http://www.discord.com', /COMMANDRY_URL names Discord itself/],
  ])('refuses to start when the variable %s', async (_, url, message) => {
    const { code, stdout, stderr } = await run(`console.log('started')`, { COMMANDRY_URL: url })
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(message)
  })
})
