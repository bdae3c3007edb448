/**
 * For runtimes that take one script: `node embedded.mjs workerd` runs the main job in workerd, which must be on the
 * path, `example` the worker of the docs, and `gateway` a gateway in a Durable Object of it; `node embedded.mjs browser`
 * runs the main job in the Chromium that `.ci/run` installs.
 */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const here = fileURLToPath(new URL('.', import.meta.url))
const directory = mkdtempSync(join(tmpdir(), 'commandry-'))

const mainJob = `import * as domain from 'commandry'
import * as interactions from 'commandry/interactions'
import * as http from 'commandry/http'
import * as testing from 'commandry/testing'
import { mainJob } from './web.mjs'
const job = () => mainJob({ domain, interactions, http, testing })
`

async function bundle(contents, format) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: here },
    bundle: true,
    format,
    // Node modules have no substitute here, so an import of one fails the build.
    platform: 'neutral',
    // For the examples of the docs.
    nodePaths: [join(here, '../node_modules')],
    // Not the paths of test/tsconfig.json, which lead to the source.
    tsconfigRaw: {},
    write: false,
    logLevel: 'error',
  })
  return outputFiles[0].text
}

/** Runs the `test` of a worker. @param settings further settings of the worker, in the language of workerd's files */
async function testInWorkerd(contents, settings = '') {
  writeFileSync(join(directory, 'worker.js'), await bundle(contents, 'esm'))
  writeFileSync(
    join(directory, 'config.capnp'),
    `using Workerd = import "/workerd/workerd.capnp";
    const config :Workerd.Config = (services = [(name = "main", worker = (
      modules = [(name = "worker", esModule = embed "worker.js")],
      compatibilityDate = "2025-01-01",
      ${settings}
    ))]);`,
  )
  execFileSync('workerd', ['test', join(directory, 'config.capnp')], { stdio: 'inherit' })
}

const kinds = {
  workerd: () => testInWorkerd(`${mainJob} export default { test: job }`),

  example: () =>
    testInWorkerd(`
      import worker from '../../docs/examples/http-worker.ts'
      async function test() {
        const env = { BOT_TOKEN: 'secret', APPLICATION_ID: '1001' }
        const headers = { authorization: 'Bot secret', 'content-type': 'application/json' }
        const body = JSON.stringify({ name: 'ping', description: 'Says pong' })
        const url = 'https://worker.example/api/v10/applications/1001/commands'
        const created = await worker.fetch(new Request(url, { method: 'POST', headers, body }), env)
        if (created.status !== 201) throw new Error(await created.text())
        const refused = await worker.fetch(new Request(url), env)
        if (refused.status !== 401) throw new Error(await refused.text())
        console.log('the example answered')
      }
      export default { test }
    `),

  gateway: () =>
    testInWorkerd(
      `export * from './gateway-worker.mjs'
      export { default } from './gateway-worker.mjs'`,
      `durableObjectNamespaces = [(className = "GatewayObject", uniqueKey = "gateway")],
      durableObjectStorage = (inMemory = void),
      bindings = [(name = "gateways", durableObjectNamespace = "GatewayObject")],`,
    ),

  async browser() {
    const script = await bundle(
      `${mainJob} job().then(
        (text) => { document.title = text },
        (error) => { document.title = 'failed: ' + error.stack },
      )`,
      'iife',
    )
    const page = `<!doctype html><meta charset="utf-8"><script>${script.replaceAll('</script', '<\\/script')}</script>`
    const file = join(directory, 'page.html')
    writeFileSync(file, page)
    const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--virtual-time-budget=60000', '--dump-dom']
    const browser = process.env.CHROMIUM ?? 'chromium'
    const { stdout } = spawnSync(browser, [...flags, `--user-data-dir=${directory}`, `file://${file}`], {
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    })
    const [, title] = /<title>([^]*?)<\/title>/.exec(stdout) ?? []
    assert.match(title ?? 'nothing', /^the main job is done/)
  },
}

const kind = process.argv[2]
try {
  await kinds[kind]()
} finally {
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
}
console.log(kind === 'gateway' ? 'a bot logged in' : `the main job is done in ${kind}`)
