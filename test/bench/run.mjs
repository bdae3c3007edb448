/**
 * Bundles a bench and runs it: `node test/bench/run.mjs [table|scaling] …`. They measure a fresh build of the package, as
 * its users run it; with `--built`, `dist` as it is. `--against FOLDER` measures what people wait for beside an earlier
 * version, which is built in that folder.
 */
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const rest = process.argv.slice(2)
const name = rest[0]?.startsWith('-') === false ? rest.shift() : 'table'
const sources = {
  table: ['table', 'contender', 'first-call', 'memory', 'waiting', 'page', 'soak'],
  scaling: ['scaling', 'scaling-process'],
}[name]
if (sources === undefined) throw new Error(`"${name}" is not a bench; use "table" or "scaling"`)

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url))
const outdir = path(`../node_modules/.cache/commandry/bench-${process.pid}`)

/** @param dist a URL of a built package, which the programs import */
const builtPackage = (dist) => ({
  name: 'the built package',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^commandry(\/|$)/ }, ({ path }) => ({
      path: `${dist}/node/${path.slice('commandry/'.length) || 'index'}.js`,
      external: true,
    })),
})

/** Bundles the programs of a bench for a built package. */
const bundle = (dist, outdir) =>
  build({
    entryPoints: sources.map((each) => path(`./${each}.ts`)),
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    // Not the paths of test/tsconfig.json, which are for types.
    tsconfigRaw: {},
    plugins: [builtPackage(dist)],
    logLevel: 'error',
  })

if (!rest.includes('--built')) {
  const { status } = spawnSync(process.execPath, [path('../package/build.mjs')], { stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}
const against = rest.indexOf('--against')
try {
  await bundle(new URL('../../dist', import.meta.url).href, outdir)
  if (against !== -1) await bundle(pathToFileURL(resolve(rest[against + 1], 'dist')).href, `${outdir}/before`)
  const programs = sources.map((each) => `${outdir}/${each}.mjs`)
  const { status } = spawnSync(process.execPath, ['--no-warnings', ...programs, ...rest], {
    stdio: 'inherit',
    cwd: path('..'),
  })
  process.exitCode = status ?? 1
} finally {
  rmSync(outdir, { recursive: true, force: true })
}
