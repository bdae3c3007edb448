import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { installed } from '../support/installed.ts'

/** An entry of the package as it was packed. Vitest reads `commandry/…` from the source. */
export const importPacked = (entry: string): Promise<object> =>
  import(/* @vite-ignore */ pathToFileURL(join(installed('commandry'), `dist/node/${entry}.js`)).href)
