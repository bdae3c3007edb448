/**
 * Bundles the package as its users do, minified, and prints the bytes: `npm run size`. Fails when one is over 5 % larger
 * than recorded in `sizes.json`; `npm run size -- --record` writes that file anew.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { bundledSize } from './bundled-size.mjs'
import { entries, runners } from './entries.mjs'

const file = new URL('sizes.json', import.meta.url)
const recorded = JSON.parse(readFileSync(file, 'utf8'))
const TOLERANCE = 1.05

/** What is bundled: a few parts of the root entry, then every entry as a whole. */
const cases = {
  'one constant (OptionType)': `export { OptionType } from 'commandry'`,
  validateCommand: `export { validateCommand } from 'commandry'`,
  CommandRegistry: `export { CommandRegistry } from 'commandry'`,
  ...Object.fromEntries(
    entries.map((name) => {
      const entry = name === 'index' ? 'commandry' : `commandry/${name}`
      // These export nothing; they act when they are imported.
      const acts = ['redirect', ...runners].includes(name)
      return [entry, acts ? `import '${entry}'` : `export * from '${entry}'`]
    }),
  ),
}

const here = fileURLToPath(new URL('.', import.meta.url))
const measured = {}
const grown = []
for (const [name, code] of Object.entries(cases)) {
  const size = (measured[name] = await bundledSize(code, here))
  const before = recorded[name]?.gzip ?? 0
  if (size.gzip > before * TOLERANCE) grown.push(`${name}: ${size.gzip} bytes gzip, recorded ${before}`)
}
console.table(measured)
if (process.argv.includes('--record')) writeFileSync(file, `${JSON.stringify(measured, null, 2)}\n`)
else if (grown.length > 0) {
  console.error(`larger than recorded by over 5 %; npm run size -- --record accepts it:\n${grown.join('\n')}`)
  process.exitCode = 1
}
