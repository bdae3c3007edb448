/**
 * For runtimes that are handed one script: `node embedded.mjs workerd` runs the main job in workerd, which has to be
 * on the path; `node embedded.mjs browser` in the Chromium that `.ci/run` installs.
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

async function bundle(code, format) {
  const { outputFiles } = await build({
    stdin: {
      contents: `import * as domain from 'commandry'
        import * as interactions from 'commandry/interactions'
import * as http from 'commandry/http'
        import * as testing from 'commandry/testing'
        import { mainJob } from './web.mjs'
        const job = () => mainJob({ domain, interactions, http, testing })
        ${code}`,
      resolveDir: here,
    },
    bundle: true,
    format,
    // Nothing stands in for what only Node has: an import of it would not build.
    platform: 'neutral',
    // Not the paths of test/tsconfig.json, which lead to the source.
    tsconfigRaw: {},
    write: false,
    logLevel: 'error',
  })
  return outputFiles[0].text
}

const kinds = {
  async workerd() {
    writeFileSync(join(directory, 'worker.js'), await bundle('export default { test: job }', 'esm'))
    writeFileSync(
      join(directory, 'config.capnp'),
      `using Workerd = import "/workerd/workerd.capnp";
      const config :Workerd.Config = (services = [(name = "main", worker = (
        modules = [(name = "worker", esModule = embed "worker.js")],
        compatibilityDate = "2025-01-01",
      ))]);`,
    )
    execFileSync('workerd', ['test', join(directory, 'config.capnp')], { stdio: 'inherit' })
  },

  async browser() {
    const script = await bundle(
      'job().then((said) => { document.title = said }, (error) => { document.title = `failed: ${error.stack}` })',
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
console.log(`the main job is done in ${kind}`)
