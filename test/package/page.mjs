/** Bundles the browser side of the page into `src/page/assets.ts`, the module that the server side imports. */
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { build, transform } from 'esbuild'

const source = (name) => fileURLToPath(new URL(`../../src/page/${name}`, import.meta.url))

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

async function pageAssets() {
  const module = await bundle('style.ts', { format: 'esm' })
  const { style: css } = await import(`data:text/javascript,${encodeURIComponent(module)}`)
  const style = (await transform(css, { loader: 'css', minify: true })).code.trim()
  const code = await bundle('browser/main.ts', { format: 'iife', minify: true })
  // A script ends at the first "</script", wherever it stands.
  const script = code.replaceAll('</script', '<\\/script')
  const values = { script, style, scriptHash: hashOf(script), styleHash: hashOf(style) }
  return Object.entries(values)
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}`)
    .join('\n')
}

const assets = /[\\/]src[\\/]page[\\/]assets\.ts$/

let once

/** For esbuild and tsup. */
export const pagePlugin = {
  name: 'page',
  setup(esbuild) {
    esbuild.onLoad({ filter: assets }, async () => ({ contents: await pageAssets(), loader: 'js' }))
  },
}

/** For rollup, and for Vitest, which runs the source. */
export const rollupPagePlugin = {
  name: 'page',
  /** @type {'pre'} */
  enforce: 'pre',
  /** @param {string} id */
  async load(id) {
    return assets.test(id) ? (once ??= pageAssets()) : undefined
  },
}
