/**
 * Builds the package: few files in `dist/node`, for Node and for bundlers, which leave out what nothing uses, and in `dist/cjs`.
 * Modules are shared between entries, so that a class is the same class in each of them. Declarations are rolled up, one
 * file for each entry and those that entries share. rollup and esbuild come with tsup.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { posix, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { transform } from 'esbuild'
import { rollup } from 'rollup'
import { build } from 'tsup'
import ts from 'typescript'
import { entries, runners } from './entries.mjs'
import { rollupPagePlugin } from './page.mjs'
import { markedPure } from './pure.mjs'

process.chdir(fileURLToPath(new URL('../..', import.meta.url)))
rmSync('dist', { recursive: true, force: true })
const { fileNames, options } = ts.getParsedCommandLineOfConfigFile('test/package/tsconfig.json', {}, ts.sys)
const program = ts.createProgram(fileNames, options)
const { diagnostics } = program.emit()
const problems = [...ts.getPreEmitDiagnostics(program), ...diagnostics]
if (problems.length > 0) {
  console.error(ts.formatDiagnosticsWithColorAndContext(problems, ts.createCompilerHost(options)))
  process.exit(1)
}

// TypeScript leaves `.ts` in declarations.
for (const name of readdirSync('dist/declarations', { recursive: true, encoding: 'utf8' })) {
  if (!name.endsWith('.ts')) continue
  const file = `dist/declarations/${name}`
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replace(/(from |import\()(['"]\.[^'"]+)\.ts(?=['"])/g, '$1$2.js'))
}

/** Imported by the entries for test tools, and brought by their users. */
const peers = ['fast-check', 'vitest', '@jest/globals', 'bun:test']

const eraseTypes = {
  name: 'erase types',
  async transform(text, id) {
    const { code } = await transform(text, {
      loader: id.endsWith('.json') ? 'json' : 'ts',
      format: 'esm',
      target: 'es2022',
      tsconfigRaw: { compilerOptions: { useDefineForClassFields: options.useDefineForClassFields } },
      sourcefile: id,
    })
    return { code, map: null }
  },
}

/** Files that act when they are imported: `sideEffects` of package.json, and the programs. */
const acting = new Set(['redirect', 'clock', 'cli', 'loader', ...runners].map((name) => `${name}.js`))

const inputs = Object.fromEntries(entries.map((name) => [name, `src/${name}.ts`]))

/** A module of another bundle in the same folder, by its name there. */
const elsewhere = (name) => ({
  name: 'elsewhere',
  resolveId: (source) => (source.endsWith(`/${name}.ts`) ? { id: `./${name}.js`, external: true } : null),
})

async function writeFewFiles(format, dir, extension, input, plugins = []) {
  const bundle = await rollup({
    input,
    external: [/^node:/, ...peers],
    plugins: [...plugins, rollupPagePlugin, eraseTypes],
    // Those of other packages are taken to have effects, so that joining small files gives no entry a module of Node.
    treeshake: { moduleSideEffects: (_, isExternal) => isExternal },
    logLevel: 'warn',
  })
  const { output } = await bundle.write({
    format,
    exports: 'named',
    dir,
    entryFileNames: `[name].${extension}`,
    chunkFileNames: `[name].${extension}`,
    manualChunks: filesOf(),
    onlyExplicitManualChunks: true,
    experimentalMinChunkSize: SMALL,
    hoistTransitiveImports: false,
    // Jest runs CommonJS where `import()` is refused.
    dynamicImportInCjs: false,
  })
  return new Map(output.filter(({ isEntry }) => isEntry).map((file) => [file.name, file.exports]))
}

/** What entries share with others in a file: preloaded programs load what they need and no more, the root entry one file. */
const FILES = { redirect: 'preloading', clock: 'following', index: 'library' }

/** The file of a module, by the first of these entries that reaches it. */
function filesOf() {
  const fileOf = new Map()
  return (id, { getModuleInfo }) => {
    for (const [name, file] of fileOf.size > 0 ? [] : Object.entries(FILES)) {
      const entry = resolve(`src/${name}.ts`)
      const reached = new Set([entry])
      for (const each of reached)
        for (const other of getModuleInfo(each)?.importedIds ?? []) reached.add(other)
      // These entries act when they are imported.
      if (name !== 'index') reached.delete(entry)
      for (const each of reached) if (!fileOf.has(each)) fileOf.set(each, file)
    }
    return fileOf.get(id)
  }
}

// Every further file costs Node about half a millisecond, so small ones are joined.
const SMALL = 5_000
const commandLine = { 'run-command-line': 'src/tools/cli/run-command-line.ts' }
const values = await writeFewFiles('esm', 'dist/node', 'js', { ...inputs, ...commandLine })
await writeFewFiles('cjs', 'dist/cjs', 'cjs', inputs)
// Files of their own, which repeat the little that they need of the library: it takes longer to load than they do.
await writeFewFiles('esm', 'dist/node', 'js', { cli: 'src/cli.ts' }, [elsewhere('run-command-line')])
await writeFewFiles('esm', 'dist/node', 'js', { loader: 'src/tools/cli/definitions/loader.ts' })
writeFileSync('dist/cjs/package.json', '{ "type": "commonjs", "sideEffects": false }\n')

// `dist/cjs` is where TypeScript reads them as declarations of CommonJS.
await build({
  config: false,
  silent: true,
  entry: Object.fromEntries(entries.map((name) => [name, `dist/declarations/${name}.d.ts`])),
  outDir: 'dist/cjs',
  format: 'esm',
  dts: { only: true },
  external: peers,
  tsconfig: 'test/package/tsconfig.json',
})
rmSync('dist/declarations', { recursive: true })
for (const name of readdirSync('dist/cjs', { recursive: true, encoding: 'utf8' })) {
  if (name.endsWith('.d.ts')) referencesFirst(`dist/cjs/${name}`)
}
for (const name of entries) {
  const file = `dist/cjs/${name}.d.ts`
  writeFileSync(file, withMainEntries(name, withTypesMarked(readFileSync(file, 'utf8'), values.get(name))))
}
for (const name of entries) {
  const folder = posix.relative(posix.dirname(`node/${name}`), posix.dirname(`cjs/${name}`))
  writeFileSync(`dist/node/${name}.d.ts`, declarationsOf(name, folder))
}

// The declarations have the comments. esbuild drops them with the white space, which it then puts back.
for (const name of readdirSync('dist', { recursive: true, encoding: 'utf8' })) {
  if (!/\.c?js$/.test(name)) continue
  const code = readFileSync(`dist/${name}`, 'utf8')
  const bare = await transform(code, { minifyWhitespace: true, legalComments: 'none', charset: 'utf8' })
  const { code: short } = await transform(bare.code, { minifySyntax: true, charset: 'utf8' })
  writeFileSync(`dist/${name}`, short)
}

// After that, because it drops these comments too.
for (const name of readdirSync('dist/node', { recursive: true, encoding: 'utf8' })) {
  if (!name.endsWith('.js') || acting.has(name)) continue
  const code = readFileSync(`dist/node/${name}`, 'utf8')
  writeFileSync(`dist/node/${name}`, markedPure(name, code))
}

/** Rolling up leaves references to libraries inside the file, where TypeScript ignores them. */
function referencesFirst(file) {
  const text = readFileSync(file, 'utf8')
  const references = text.match(/^\/\/\/ <reference .*\n/gm) ?? []
  if (references.length > 0) {
    writeFileSync(file, references.join('') + text.replace(/^\/\/\/ <reference .*\n/gm, ''))
  }
}

/** Rolling up declares a class as exported where an entry exports its type alone, so that no value has its name. */
function withTypesMarked(text, values) {
  const marked = (one) => (/^type /.test(one) || values.includes(one.split(' ').at(-1)) ? one : `type ${one}`)
  return text.replace(
    /^export \{ (\w.*) \}/gm,
    (_, list) => `export { ${list.split(', ').map(marked).join(', ')} }`,
  )
}

/**
 * The declarations of an entry as an ES module. They re-export those of CommonJS, so that a type is declared once; but
 * where they import a package, it must be that package's ES module, and a default export of CommonJS would be all of it.
 */
function declarationsOf(name, folder) {
  const text = readFileSync(`dist/cjs/${name}.d.ts`, 'utf8')
  const isOwn = values.get(name).includes('default') || peers.some((peer) => text.includes(`'${peer}'`))
  const own = isOwn
    ? text.replaceAll("'./", `'${folder}/`)
    : `export * from '${folder}/${posix.basename(name)}.js'\n`
  return withMainEntries(name, own)
}

/**
 * Adds imports of the entries that export the types of other entries. A compiler that writes the declarations of a user
 * names a type by an entry that it has read, and refuses a type that it cannot name.
 */
function withMainEntries(name, text) {
  const needed = name.includes('/') ? ['index'] : ['index', 'interactions', 'http', 'reference']
  const paths = needed
    .filter((each) => each !== name && name !== 'index')
    .map((each) => posix.relative(posix.dirname(name), each))
  const lines = paths.map((path) => `import type {} from '${path.startsWith('.') ? path : `./${path}`}.js'\n`)
  const at = /^(?:\/\/\/ .*\n)*/.exec(text)[0].length
  return text.slice(0, at) + lines.join('') + text.slice(at)
}
