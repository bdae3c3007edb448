import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { findChromium } from '../support/chromium.ts'
import { testFiles } from '../support/test-files.ts'
import { versions } from '../support/versions.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Runs a program and returns its output; rejects with the output when it fails. */
async function run(program: string, ...args: readonly string[]): Promise<string> {
  // Servers do not depend on the runtime, so their tests are skipped. `NODE_OPTIONS` and the like belong to this process.
  const { DATABASE_URL, REDIS_URL, NATS_URL, MARIADB_URL, REQUIRE_SERVERS, NODE_OPTIONS, VITEST, ...env } =
    process.env
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

/**
 * The tests of what Node itself does, which differs between its versions: sockets and streams, timers, the loading of modules,
 * processes, SQLite, the characters of Unicode that a definition may have, and the clients that use them. Registry and
 * world are JavaScript alone: the Node that runs every test is enough for them.
 */
const ofNode = [
  ...[
    'test/service/node/',
    'test/service/http/',
    'test/testing/clock/',
    'test/testing/testbed/',
    'test/core/',
    'test/commands/definition/',
  ],
  ...['test/tools/cli/process', 'test/tools/cli/definitions/modul', 'test/tools/cli/bots/'],
  ...[
    'test/tools/cli/commands/run',
    'test/tools/cli/commands/serve',
    'test/storage/sqlite',
    'test/storage/text',
  ],
  ...['test/interop/redirect/', 'test/interop/gateway/', 'test/interop/discordjs/', 'test/interop/apps/'],
  ...['test/interop/bot-folder/', 'test/interop/rest/'],
]

/** Of these, the routes of the world are such JavaScript. */
const ofWorld = 'test/service/http/world/**'

it('each path of what Node itself does names tests', () => {
  const tests = testFiles()
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => `test/${file}`)
  expect(ofNode.filter((path) => !tests.some((file) => file.startsWith(path)))).toEqual([])
})

describe.each(versions.node)('Node %s', (version) => {
  it('passes the tests of what Node itself does', async () => {
    const check = `if (process.versions.node !== '${version}') process.exit(1)`
    await runWith(`node@${version}`, 'node', '-e', check)
    const projects = ['fast', 'deep', 'alone', 'drivers', 'clients'].flatMap((name) => ['--project', name])
    const vitest = ['node_modules/vitest/vitest.mjs', 'run', ...ofNode, '--exclude', ofWorld, ...projects]
    expect(await runWith(`node@${version}`, 'node', ...vitest)).toMatch(/Tests +\d+ passed/)
  })

  it('imports and requires the package', async () => {
    expect(await runWith(`node@${version}`, 'node', 'test/package/smoke.mjs')).toContain(`Node ${version}`)
  })
})

// Without the paths of the tests' own configuration, with which Bun would load the sources.
const bun = (...args: readonly string[]) => [
  `bun@${versions.bun}`,
  'bun',
  '--tsconfig-override=package.json',
  ...args,
]
const deno = (...args: readonly string[]) => [
  ...[`deno@${versions.deno}`, 'deno', 'run', '--no-config', '--node-modules-dir=manual'],
  ...args,
]
// In the folder of the tests, which has the package `ws`.
const served = (runtime: string, program: string) => [
  ...[runtime, 'sh', '-c'],
  `cd test && node ../dist/node/cli.js serve --gateway --port 0 --run '${program} runtimes/redirected.mjs'`,
]
const redirected = 'redirected 200 1000000000000000000 10'
// Of four threads.
const threads = '200 200 200 200'
const workerd = (job: string) => [`workerd@${versions.workerd}`, 'node', 'test/runtimes/embedded.mjs', job]

describe('other runtimes', () => {
  it.each<[string, string[], string | RegExp]>([
    ['Bun does the main job', bun('test/runtimes/run.mjs'), done],
    ['Bun imports and requires the package', bun('test/package/smoke.mjs'), `Bun ${versions.bun}`],
    ['Bun serves the gateway on its sockets', bun('test/runtimes/gateway.mjs'), loggedIn],
    [
      'bun:sqlite keeps the contract of stores',
      bun('test', './test/runtimes/sqlite.bun.mjs'),
      /\b\d\d pass\n\s*0 fail/,
    ],
    ['Bun is redirected', served(`bun@${versions.bun}`, 'bun'), `${redirected} 200 200 10 ${threads}`],
    [
      'Deno is redirected',
      served(`deno@${versions.deno}`, 'deno run -A --node-modules-dir=manual'),
      `${redirected} ${threads}`,
    ],
    ['Deno does the main job', deno('test/runtimes/run.mjs'), done],
    ['Deno serves the gateway on its sockets', deno('--allow-net', 'test/runtimes/gateway.mjs'), loggedIn],
    ['workerd does the main job', workerd('workerd'), done],
    ['workerd runs the worker of the docs', workerd('example'), 'the example answered'],
    ['workerd serves the gateway on its sockets', workerd('gateway'), loggedIn],
  ])('%s', async (_, [runtime, ...command], printed) => {
    expect(await runWith(runtime!, ...command)).toMatch(printed)
  })

  const missing = findChromium() === undefined && process.env['REQUIRE_SERVERS'] === undefined
  it.skipIf(missing)(`Chromium does the main job${missing ? ' (skipped: there is none)' : ''}`, async () => {
    expect(await run(process.execPath, 'test/runtimes/embedded.mjs', 'browser')).toContain(done)
  })
})
