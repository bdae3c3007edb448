/** Bundles the browser side of the page into `src/tools/page/assets.ts`, the module that the server side imports. */
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { build, transform } from 'esbuild'

const source = (name) => fileURLToPath(new URL(`../../src/tools/page/${name}`, import.meta.url))

const hashOf = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

async function bundle(name, options) {
  const { outputFiles } = await build({
    entryPoints: [source(name)],
    bundle: true,
    write: false,
    target: 'es2022',
    charset: 'utf8',
    ...options,
  })
  return outputFiles[0].text.trim()
}

const scriptOf = async (name, plugins = []) =>
  // A script ends at the first "</script", wherever it stands.
  (await bundle(name, { format: 'iife', minify: true, plugins })).replaceAll('</script', '<\\/script')

/** Leaves out what is for bots, which a page as one file has not. */
const withoutBots = {
  name: 'without bots',
  setup(esbuild) {
    // A page as one file reaches no endpoint: the empty state is all that its views ask for.
    esbuild.onLoad({ filter: /[\\/]page[\\/]questions[\\/]bot\.ts$/ }, () => ({
      contents: `export const connectBot = () => ({ state: async () => ({ url: '', publicKey: '', problems: null }) })`,
      loader: 'js',
    }))
    // Nor does it record tests and scenes, which start a bot.
    esbuild.onLoad({ filter: /[\\/]page[\\/]questions[\\/]record-questions\.ts$/ }, () => ({
      contents: `export const record = () => ({ isOn: false, steps: 0, isFull: false })
        export const [recorded, tests, keep, runTests] = ['', null, null, null].map((answer) => () => answer)`,
      loader: 'js',
    }))
    // People of a page attach no files of a disk by their paths.
    esbuild.onResolve({ filter: /^node:(fs|path)$/ }, ({ path }) => ({ path, namespace: 'none' }))
    esbuild.onLoad({ filter: /.*/, namespace: 'none' }, () => ({
      contents: 'export const [readFileSync, statSync, basename, isAbsolute, normalize] = []',
      loader: 'js',
    }))
  },
}

const moduleOf = (values) =>
  Object.entries(values)
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}`)
    .join('\n')

async function pageAssets() {
  const module = await bundle('style.ts', { format: 'esm' })
  const { style: css } = await import(`data:text/javascript,${encodeURIComponent(module)}`)
  const style = (await transform(css, { loader: 'css', minify: true })).code.trim()
  const script = await scriptOf('browser/entry.ts')
  return moduleOf({ script, style, scriptHash: hashOf(script), styleHash: hashOf(style) })
}

async function engineAssets() {
  const engine = await scriptOf('browser/engine.ts', [withoutBots])
  const packedEngine = brotliCompressSync(engine).toString('base64')
  return moduleOf({ packedEngine, engineHash: hashOf(engine) })
}

/** The modules that the build replaces, by name, each made once. */
const makers = { assets: pageAssets, 'engine-assets': engineAssets }
const made = new Map()
const replaced = /[\\/]src[\\/]tools[\\/]page[\\/](assets|engine-assets)\.ts$/

/** The content of a module that the build replaces; undefined for other modules. */
export function pageModule(path) {
  const [, name] = replaced.exec(path) ?? []
  if (name !== undefined && !made.has(name)) made.set(name, makers[name]())
  return made.get(name)
}

/** For esbuild and tsup. */
export const pagePlugin = {
  name: 'page',
  setup(esbuild) {
    esbuild.onLoad({ filter: replaced }, async ({ path }) => ({
      contents: await pageModule(path),
      loader: 'js',
    }))
  },
}

/** For rollup, and for Vitest, which runs the source. */
export const rollupPagePlugin = {
  name: 'page',
  /** @type {'pre'} */
  enforce: 'pre',
  load: pageModule,
}
