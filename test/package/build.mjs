/**
 * Builds the package: `dist/esm` has one file for each module, for bundlers; `dist/node` and `dist/cjs` have few files,
 * which start fast in Node. Modules are shared between entries, so that a class is the same class in each of them.
 * rollup and esbuild come with tsup.
 */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { transform } from 'esbuild'
import { rollup } from 'rollup'
import ts from 'typescript'
import { entries } from './entries.mjs'
import { rollupPagePlugin } from './page.mjs'
import { splitRules } from './split-rules.mjs'

process.chdir(fileURLToPath(new URL('../..', import.meta.url)))
rmSync('dist', { recursive: true, force: true })
const { fileNames, options } = ts.getParsedCommandLineOfConfigFile('test/package/tsconfig.json', {}, ts.sys)
const program = ts.createProgram(fileNames, options)
const { diagnostics } = program.emit(undefined, undefined, undefined, false, { before: [splitRules] })
const problems = [...ts.getPreEmitDiagnostics(program), ...diagnostics]
if (problems.length > 0) {
  console.error(ts.formatDiagnosticsWithColorAndContext(problems, ts.createCompilerHost(options)))
  process.exit(1)
}

const assets = 'dist/esm/page/assets.js'
if (existsSync(assets)) writeFileSync(assets, await rollupPagePlugin.load('src/page/assets.ts'))

// TypeScript leaves `.ts` in declarations. The new text is as long as the old, so the maps stay right.
for (const name of readdirSync('dist/esm', { recursive: true, encoding: 'utf8' })) {
  if (!/\.d\.ts(\.map)?$/.test(name)) continue
  const file = `dist/esm/${name}`
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replace(/(from |import\()(['"]\.[^'"]+)\.ts(?=['"])/g, '$1$2.js'))
  // Where TypeScript reads them as declarations of CommonJS.
  cpSync(file, `dist/cjs/${name}`)
}
writeFileSync('dist/cjs/package.json', '{ "type": "commonjs", "sideEffects": false }\n')

const eraseTypes = {
  name: 'erase types',
  transform: (code, id) =>
    transform(code, {
      loader: id.endsWith('.json') ? 'json' : 'ts',
      format: 'esm',
      target: 'es2022',
      tsconfigRaw: { compilerOptions: { useDefineForClassFields: options.useDefineForClassFields } },
      sourcemap: true,
      sourcefile: id,
    }),
}

async function writeFewFiles(format, dir, extension, names) {
  const bundle = await rollup({
    input: Object.fromEntries(names.map((name) => [name, `src/${name}.ts`])),
    external: [/^node:/, 'fast-check', 'vitest', '@jest/globals', 'bun:test'],
    plugins: [rollupPagePlugin, eraseTypes],
    treeshake: { moduleSideEffects: false },
  })
  await bundle.write({
    format,
    dir,
    entryFileNames: `[name].${extension}`,
    chunkFileNames: `[name].${extension}`,
    // What the root entry needs is one file; every further file costs Node about a millisecond.
    manualChunks: { library: ['src/index.ts'] },
    hoistTransitiveImports: false,
    sourcemap: true,
    // `src` is part of the package: maps refer to it instead of repeating it.
    sourcemapExcludeSources: true,
  })
}

await writeFewFiles('esm', 'dist/node', 'js', [...entries, 'cli'])
await writeFewFiles('cjs', 'dist/cjs', 'cjs', entries)
