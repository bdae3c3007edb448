/** Properties have one owner, test/support/properties.ts, which gives all of them the same seed. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { testFiles } from '../support/test-files.ts'

const root = new URL('../', import.meta.url)
const files = testFiles().filter((name) => name.endsWith('.ts') && !name.startsWith('bench/'))

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
