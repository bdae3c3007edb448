import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { findChromium } from '../support/chromium.ts'

const MINUTE = 60_000
const root = fileURLToPath(new URL('../..', import.meta.url))

/** Runs a program and returns its output; rejects with the output when it fails. */
async function run(program: string, ...args: readonly string[]): Promise<string> {
  // Servers do not depend on the runtime, so their tests are skipped. `NODE_OPTIONS` and the like belong to this process.
  const { DATABASE_URL, REDIS_URL, NATS_URL, REQUIRE_SERVERS, NODE_OPTIONS, VITEST, ...env } = process.env
  const options = { cwd: root, env: { ...env, NO_COLOR: '1' }, maxBuffer: 64 * 1024 * 1024 }
  try {
    const { stdout, stderr } = await promisify(execFile)(program, args, options)
    return stdout + stderr
  } catch (error) {
    const { message, stdout, stderr } = error as Error & { stdout?: string; stderr?: string }
    throw new Error(`${message}\n${(stdout ?? '').slice(-5_000)}\n${(stderr ?? '').slice(-5_000)}`)
  }
}

/** With a package of a runtime, which npm fetches: docs/decisions/15-runtimes.md. */
const runWith = (runtime: string, ...command: readonly string[]) =>
  run('npm', 'exec', '--yes', `--package=${runtime}`, '--', ...command)

const done = 'the main job is done'
const loggedIn = 'a bot logged in'

describe.each(['22.23.3', '24.9.0'])('Node %s', (version) => {
  it('passes the tests without servers', { timeout: 15 * MINUTE }, async () => {
    const check = `if (process.versions.node !== '${version}') process.exit(1)`
    await runWith(`node@${version}`, 'node', '-e', check)
    const projects = ['fast', 'drivers', 'clients'].flatMap((name) => ['--project', name])
    const vitest = ['node_modules/vitest/vitest.mjs', 'run', ...projects]
    expect(await runWith(`node@${version}`, 'node', ...vitest)).toMatch(/Tests +\d+ passed/)
  })

  it('imports and requires the package', { timeout: 5 * MINUTE }, async () => {
    expect(await runWith(`node@${version}`, 'node', 'test/package/smoke.mjs')).toContain(`Node ${version}`)
  })
})

describe('Bun', () => {
  it('does the main job', { timeout: 5 * MINUTE }, async () => {
    expect(await runWith('bun@1.4.5', 'bun', 'test/runtimes/run.mjs')).toContain(done)
  })

  it('imports and requires the package', { timeout: 5 * MINUTE }, async () => {
    expect(await runWith('bun@1.4.5', 'bun', 'test/package/smoke.mjs')).toContain('Bun 1.4.5')
  })

  it('serves the gateway on its sockets', { timeout: 5 * MINUTE }, async () => {
    expect(await runWith('bun@1.4.5', 'bun', 'test/runtimes/gateway.mjs')).toContain(loggedIn)
  })

  it('passes the contract of stores on bun:sqlite', { timeout: 5 * MINUTE }, async () => {
    const printed = await runWith('bun@1.4.5', 'bun', 'test', './test/runtimes/sqlite.bun.mjs')
    expect(printed).toMatch(/\b\d\d pass\n\s*0 fail/)
  })
})

describe('runtimes with Web standards only', () => {
  it('Deno does the main job', { timeout: 5 * MINUTE }, async () => {
    const flags = ['--no-config', '--node-modules-dir=manual']
    expect(await runWith('deno@2.9.6', 'deno', 'run', ...flags, 'test/runtimes/run.mjs')).toContain(done)
  })

  it('Deno serves the gateway on its own sockets', { timeout: 5 * MINUTE }, async () => {
    const flags = ['--no-config', '--node-modules-dir=manual', '--allow-net']
    const printed = await runWith('deno@2.9.6', 'deno', 'run', ...flags, 'test/runtimes/gateway.mjs')
    expect(printed).toContain(loggedIn)
  })

  it('workerd does the main job', { timeout: 5 * MINUTE }, async () => {
    const script = ['node', 'test/runtimes/embedded.mjs', 'workerd']
    expect(await runWith('workerd@1.20261117.1', ...script)).toContain(done)
  })

  it('workerd serves the gateway on its own sockets', { timeout: 5 * MINUTE }, async () => {
    const script = ['node', 'test/runtimes/embedded.mjs', 'gateway']
    expect(await runWith('workerd@1.20261117.1', ...script)).toContain(loggedIn)
  })

  const missing = findChromium() === undefined && process.env['REQUIRE_SERVERS'] === undefined
  it.skipIf(missing)(`Chromium does the main job${missing ? ' (skipped: there is none)' : ''}`, async () => {
    expect(await run(process.execPath, 'test/runtimes/embedded.mjs', 'browser')).toContain(done)
  })
})
