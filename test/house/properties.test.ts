/** Properties have one owner, test/support/properties.ts, which gives all of them the same seed. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const root = new URL('../', import.meta.url)
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.ts') && !/^(node_modules|bench|\.docs)\//.test(name))

const filesWith = (text: RegExp) =>
  files.filter((name) => text.test(readFileSync(new URL(name, root), 'utf8')))

it('has one module that imports fast-check and the seed, so that a random one reaches every property', () => {
  // The types of the generators are checked as users import them.
  const imports = ['support/properties.ts', 'types/bodies.test-d.ts']
  expect(filesWith(/^import [^\n]*'fast-check'/m)).toEqual(imports)
  expect(filesWith(/\bprocess\.env\W+PROPERTY_SEED/)).toEqual(['support/properties.ts'])
})

it('has one module that gives properties a seed of its own', () => {
  expect(filesWith(/\bnumRuns\b[^}]*\bseed:|\bseed:[^}]*\bnumRuns\b/)).toEqual(['support/properties.ts'])
})
