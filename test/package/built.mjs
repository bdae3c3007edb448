/**
 * What the project `built` of Vitest needs: it runs the tests of public names on what a bundler makes of the package, so that
 * a build that changes what a name does fails them.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const path = (relative) => fileURLToPath(new URL(`../../${relative}`, import.meta.url))
const built = path('test/node_modules/commandry-bundled/esm/')

/** A test of files of `src`, by a path. */
const OF_SOURCE = /^(?!\s*(?:\/\/|\/?\*)).*\bsrc\//m

/** The files of tests that name no file of `src`. The command line of `test/tools` runs from the source. */
export const publicTests = () =>
  readdirSync(path('test'), { recursive: true, encoding: 'utf8' })
    .map((name) => `test/${name.replaceAll('\\', '/')}`)
    .filter((name) => /^(?!.*node_modules|test\/tools\/).*\.test\.ts$/.test(name))
    .filter((name) => !OF_SOURCE.test(readFileSync(path(name), 'utf8')))

export const builtAlias = [
  { find: /^commandry$/, replacement: `${built}index.js` },
  { find: /^commandry\/(.*)$/, replacement: `${built}$1.js` },
]

const hasDeadlines = (code) => code.includes('HEADERS_TIMEOUT: 1e4')

/** Gives the set-up of the tests the deadlines of the package, which it makes longer. */
export const builtDeadlines = {
  name: 'deadlines of the package',
  /** @type {'pre'} */
  enforce: 'pre',
  resolveId: (source) => (source === '../../src/core/deadlines.ts' ? '\0deadlines' : null),
  load(id) {
    if (id !== '\0deadlines') return null
    const files = readdirSync(built).filter((name) => name.endsWith('.js'))
    const file = files.find((name) => hasDeadlines(readFileSync(built + name, 'utf8')))
    return `export { packed as deadlines } from ${JSON.stringify(built + file)}`
  },
  transform: (code, id) =>
    id.startsWith(built) && hasDeadlines(code)
      ? { code: `${code}\nexport { deadlines as packed }`, map: null }
      : null,
}
