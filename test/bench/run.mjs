/** Bundles a bench and runs it: `node test/bench/run.mjs scaling`. The servers it does not start come from variables. */
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const [name = 'scaling', ...rest] = process.argv.slice(2)
const path = (relative) => fileURLToPath(new URL(relative, import.meta.url))
const sources = name === 'scaling' ? [name, 'load', 'server'] : [name]
const programs = sources.map((each) => path(`../node_modules/.cache/commandry/bench-${each}.mjs`))
for (const [i, each] of sources.entries()) {
  await build({
    entryPoints: [path(`./${each}.ts`)],
    outfile: programs[i],
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    alias: { commandry: path('../../src/index.ts') },
    logLevel: 'error',
  })
}
const { status } = spawnSync(process.execPath, ['--no-warnings', ...programs, ...rest], {
  stdio: 'inherit',
})
for (const each of programs) rmSync(each, { force: true })
process.exitCode = status ?? 1
