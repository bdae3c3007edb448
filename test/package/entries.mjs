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
  const types = `./dist/esm/${name}.d.ts`
  return {
    // First, so that Node runs the files that a bundler leaves outside and copies, as Nitro does.
    node: {
      require: { types: `./dist/cjs/${name}.d.ts`, default: `./dist/cjs/${name}.cjs` },
      default: { types, default: `./dist/node/${name}.js` },
    },
    // Bundlers for browsers and workers: one file for each module, so that a bundle holds only what it uses.
    module: { types, default: `./dist/esm/${name}.js` },
    require: { types: `./dist/cjs/${name}.d.ts`, default: `./dist/cjs/${name}.cjs` },
    default: { types, default: `./dist/esm/${name}.js` },
  }
}
