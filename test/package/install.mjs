/**
 * Packs the package and unpacks it where the tests import it from: `test/node_modules/commandry`. Beside it, what a bundler
 * makes of it, which leaves out every statement that is marked as free of effects and whose value nothing uses.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { entries } from './entries.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const target = fileURLToPath(new URL('../node_modules/commandry', import.meta.url))
rmSync(target, { recursive: true, force: true })
mkdirSync(target, { recursive: true })

// `prepack` builds it.
const options = {
  cwd: root,
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'inherit'],
  shell: process.platform === 'win32',
}
const packed = JSON.parse(
  execFileSync('npm', ['pack', '--json', '--silent', '--pack-destination', target], options),
)
const { filename, entryCount, size } = Object.values(packed)[0]
execFileSync('tar', ['-xzf', filename, '--strip-components=1'], { cwd: target })
console.log(`${filename}: ${entryCount} files, ${size} bytes`)

const bundled = fileURLToPath(new URL('../node_modules/commandry-bundled', import.meta.url))
rmSync(bundled, { recursive: true, force: true })
await build({
  entryPoints: Object.fromEntries(entries.map((name) => [name, `${target}/dist/node/${name}.js`])),
  outdir: `${bundled}/esm`,
  bundle: true,
  splitting: true,
  format: 'esm',
  target: 'es2022',
  charset: 'utf8',
  tsconfigRaw: {},
  external: ['node:*', 'fast-check', 'vitest', '@jest/globals', 'bun:test'],
  logLevel: 'warning',
})
// Programs that a test starts are given the files of the package.
symlinkSync(`${target}/dist/cjs`, `${bundled}/cjs`, 'junction')
