import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** Builds `commandry/redirect` in a folder as the package has it, and returns the path of the file. */
export async function buildRedirect(folder: string): Promise<string> {
  // Started programs require the file at this place.
  const file = join(folder, 'cjs/redirect.cjs')
  await build({
    entryPoints: [fileURLToPath(new URL('../../src/redirect.ts', import.meta.url))],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    define: { 'import.meta.url': 'moduleUrl' },
    banner: { js: `const moduleUrl = require('node:url').pathToFileURL(__filename)` },
  })
  return file
}
