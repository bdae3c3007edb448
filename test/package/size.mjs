/**
 * Bundles the package as its users do, minified, and prints the bytes: `npm run size`. Fails when one is over 1 % larger than
 * the same bundle of `src`, from which the build must lose nothing that bundlers go by, or over 5 % larger than recorded
 * in `sizes.json`; `npm run size -- --record` writes that file anew.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { bundledSize } from './bundled-size.mjs'
import { entries, runners } from './entries.mjs'
import { pagePlugin } from './page.mjs'

const file = new URL('sizes.json', import.meta.url)
const recorded = JSON.parse(readFileSync(file, 'utf8'))
const TOLERANCE = 1.05
const TOLERANCE_TO_SOURCE = 1.01

/** These export nothing; they act when they are imported. */
const acts = (entry) => ['redirect', ...runners].some((name) => entry === `commandry/${name}`)

/** Reads the entries from `src`, which has no builds. */
const fromSource = {
  name: 'from source',
  setup(esbuild) {
    esbuild.onResolve({ filter: /^commandry(?:\/|$)/ }, ({ path }) => {
      const entry = path === 'commandry' ? 'index' : path.slice('commandry/'.length)
      // `sideEffects` of package.json names files of `dist`.
      const sideEffects = acts(path) || path === 'commandry/clock'
      return { path: fileURLToPath(new URL(`../../src/${entry}.ts`, import.meta.url)), sideEffects }
    })
  },
}

/** What is bundled: a few parts of the root entry, then every entry as a whole. */
const cases = {
  'one constant (OptionType)': `export { OptionType } from 'commandry'`,
  validateCommand: `export { validateCommand } from 'commandry'`,
  CommandRegistry: `export { CommandRegistry } from 'commandry'`,
  ...Object.fromEntries(
    entries.map((name) => {
      const entry = name === 'index' ? 'commandry' : `commandry/${name}`
      return [entry, acts(entry) ? `import '${entry}'` : `export * from '${entry}'`]
    }),
  ),
}

const here = fileURLToPath(new URL('.', import.meta.url))
const measured = {}
const table = {}
const grown = []
for (const [name, code] of Object.entries(cases)) {
  const size = (measured[name] = await bundledSize(code, here))
  const { gzip } = await bundledSize(code, here, [fromSource, pagePlugin])
  table[name] = { ...size, 'gzip of src': gzip }
  const limits = [
    ['of src', gzip * TOLERANCE_TO_SOURCE],
    ['recorded', (recorded[name]?.gzip ?? 0) * TOLERANCE],
  ]
  for (const [what, limit] of limits)
    if (size.gzip > limit)
      grown.push(`${name}: ${size.gzip} bytes gzip, at most ${Math.floor(limit)} ${what}`)
}
console.table(table)
if (process.argv.includes('--record')) writeFileSync(file, `${JSON.stringify(measured, null, 2)}\n`)
else if (grown.length > 0) {
  console.error(`too large; npm run size -- --record accepts what is recorded:\n${grown.join('\n')}`)
  process.exitCode = 1
}
