import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocketServer } from 'ws'
import { createGateway } from 'commandry/gateway'
import { serve, systemScheduler, type Serving } from 'commandry/node'
import { listening } from '../support/listening.ts'

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'redirect-'))
const module = join(folder, 'redirect.cjs')
let service: Serving

beforeAll(async () => {
  await build({
    entryPoints: [source('../../src/redirect.ts')],
    outfile: module,
    bundle: true,
    platform: 'node',
    format: 'cjs',
  })
  const gateway = createGateway({
    authenticate: () => undefined,
    scheduler: systemScheduler,
    sessionIds: () => 'session',
  })
  const handler = (request: Request) => Response.json({ host: request.headers.get('host'), url: request.url })
  service = await serve({ handler, gateway, ws: { WebSocketServer } })
})

afterAll(async () => {
  await service.close()
  rmSync(folder, { recursive: true })
})

interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

function run(script: string, url: string | undefined = service.url): Promise<Ran> {
  const { COMMANDRY_URL: _, ...environment } = process.env
  const env = { ...environment, ...(url !== undefined && { COMMANDRY_URL: url }) }
  return new Promise((resolve) => {
    // In this folder, so that the packages of the tests can be loaded.
    const child = execFile(
      process.execPath,
      ['--require', module, '--input-type=module', '--eval', script],
      { cwd: source('.'), env, timeout: 20_000 },
      (_error, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    )
  })
}

const line = () => `commandry: TLS connections to discord.com and discord.gg go to ${service.url}\n`

describe('commandry/redirect', () => {
  it.each([
    ['fetch', `console.log(await (await fetch('https://discord.com/api/v10/gateway')).text())`],
    [
      'undici',
      `import { request } from 'undici'
       console.log(await (await request('https://discord.com/api/v10/gateway')).body.text())`,
    ],
    [
      'node:https',
      `import { get } from 'node:https'
       get('https://discord.com/api/v10/gateway', (response) => response.on('data', (data) => console.log(String(data))))`,
    ],
  ])('redirects %s to the service', async (_, script) => {
    const { code, stdout, stderr } = await run(script)
    expect({ code, stderr }).toEqual({ code: 0, stderr: line() })
    expect(JSON.parse(stdout)).toMatchObject({
      host: 'discord.com',
      url: 'http://discord.com/api/v10/gateway',
    })
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

  it('does not redirect other connections', async () => {
    // A server that does not speak TLS: a connection that is not redirected fails in the handshake.
    const { port } = new URL(await listening((_request, response) => void response.end('redirected')))
    const { stdout } = await run(`
      for (const url of ['https://127.0.0.1:${port}/', 'https://discord.com.localhost:${port}/', 'https://notdiscord.com.localhost:${port}/']) {
        console.log(await fetch(url).then((response) => response.text(), () => 'refused'))
      }`)
    expect(stdout).toBe('refused\nrefused\nrefused\n')
  })

  it.each([
    ['is missing', '', /COMMANDRY_URL is not set; expected such as COMMANDRY_URL=http:\/\/127\.0\.0\.1:8787/],
    ['is not a URL', '127.0.0.1', /COMMANDRY_URL is not an http URL/],
    ['is an https URL', 'https://127.0.0.1:1', /COMMANDRY_URL is not an http URL/],
  ])('refuses to start when the variable %s', async (_, url, message) => {
    const { code, stdout, stderr } = await run(`console.log('started')`, url)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(message)
  })
})
