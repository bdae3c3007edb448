/** `commandry/redirect` as the package has it. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync, type BuildOptions } from 'esbuild'

const source = fileURLToPath(new URL('../../src/redirect.ts', import.meta.url))

/**
 * Builds `commandry/redirect` in a folder with the layout of the package, where it and other programs load it in the
 * threads and processes that they start. Returns the file to require and the one to import.
 */
export function buildRedirect(folder: string): { readonly required: string; readonly imported: string } {
  const [required, imported] = [join(folder, 'cjs/redirect.cjs'), join(folder, 'node/redirect.mjs')]
  const options = { entryPoints: [source], bundle: true, platform: 'node' } satisfies BuildOptions
  buildSync({
    ...options,
    outfile: required,
    format: 'cjs',
    define: { 'import.meta.url': 'moduleUrl' },
    banner: { js: `const moduleUrl = require('node:url').pathToFileURL(__filename)` },
  })
  buildSync({ ...options, outfile: imported, format: 'esm' })
  return { required, imported }
}
