/**
 * The table of entries. Each is a file of `src`; `npm run docs` writes its exports into `package.json`.
 * `index` is the package itself.
 */
export const entries = `
  index reference http gateway interactions node redirect clock testbed fuzz coverage testing arbitraries vitest jest bun
  storage/sqlite storage/postgres storage/redis storage/text
`
  .trim()
  .split(/\s+/)

/** Entries for one test runner, which provides a module that they import. */
export const runners = ['vitest', 'jest', 'bun']

/** The `exports` of `package.json`, derived from the table. */
export function packageExports() {
  const keyOf = (name) => (name === 'index' ? '.' : `./${name}`)
  return {
    ...Object.fromEntries(entries.map((name) => [keyOf(name), conditionsOf(name)])),
    './package.json': './package.json',
  }
}

function conditionsOf(name) {
  const types = `./dist/node/${name}.d.ts`
  return {
    // For bundlers, also where their code requires it, so that no bundle holds both builds.
    module: { types, default: `./dist/node/${name}.js` },
    require: { types: `./dist/cjs/${name}.d.ts`, default: `./dist/cjs/${name}.cjs` },
    default: { types, default: `./dist/node/${name}.js` },
  }
}
