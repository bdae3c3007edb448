import { brotliCompressSync, gzipSync } from 'node:zlib'
import { build } from 'esbuild'

/**
 * The bytes of a module, bundled and minified with all that it imports.
 *
 * @param resolveDir where its imports are resolved from
 * @param plugins of esbuild
 */
export async function bundledSize(contents, resolveDir, plugins = []) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir },
    plugins,
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    // Not the paths of test/tsconfig.json, which lead to the source.
    tsconfigRaw: {},
    external: ['node:*', 'fast-check', 'vitest', '@jest/globals', 'bun:test'],
  })
  const bytes = outputFiles[0].contents
  return {
    minified: bytes.length,
    gzip: gzipSync(bytes, { level: 9 }).length,
    brotli: brotliCompressSync(bytes).length,
  }
}
