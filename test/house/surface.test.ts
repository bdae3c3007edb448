import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { root } from '../support/markdown.ts'

/** The parts of `surface.d.txt`, which `npm run docs` writes and `docs.test.ts` compares, by their entries. */
const surface = new Map(
  readFileSync(new URL('surface.d.txt', import.meta.url), 'utf8')
    .split(/^\/\/ (?=commandry)/m)
    .slice(1)
    .map((part): [string, string] => {
      const [entry = ''] = part.split('\n', 1)
      return [entry, part.slice(entry.length)]
    }),
)

/** The doors that need nothing besides. */
const doors = [
  ['commandry', () => import('commandry')],
  ['commandry/arbitraries', () => import('commandry/arbitraries')],
  ['commandry/fuzz', () => import('commandry/fuzz')],
  ['commandry/coverage', () => import('commandry/coverage')],
  ['commandry/gateway', () => import('commandry/gateway')],
  ['commandry/http', () => import('commandry/http')],
  ['commandry/interactions', () => import('commandry/interactions')],
  ['commandry/node', () => import('commandry/node')],
  ['commandry/reference', () => import('commandry/reference')],
  ['commandry/testbed', () => import('commandry/testbed')],
  ['commandry/testing', () => import('commandry/testing')],
  ['commandry/storage/sqlite', () => import('commandry/storage/sqlite')],
  ['commandry/storage/postgres', () => import('commandry/storage/postgres')],
  ['commandry/storage/redis', () => import('commandry/storage/redis')],
  ['commandry/storage/text', () => import('commandry/storage/text')],
] as const

it.each(doors)('the public surface of %s is the listed one', async (name, load) => {
  const values = namesOf(
    name,
    /^export (?:(?:abstract )?class|const|function) (\w+)|^export \{ (?:\w+ as )?(\w+) \}/gm,
  )
  expect(Object.keys(await load()).sort()).toEqual(values.sort())
})

it('the public surface is exactly what the package exports, without run-time dependencies', () => {
  const manifest = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
    exports: Record<string, unknown>
    dependencies?: unknown
  }
  const entries = Object.keys(manifest.exports).filter((key) => key !== './package.json')
  expect(entries.map((key) => `commandry${key.slice(1)}`)).toEqual([...surface.keys()])
  expect(manifest.dependencies).toBeUndefined()
})

// A library that is used by libraries needs a name for each type of its results (`test/types/exported-results.test.ts`).
it('the public surface has at most 392 names, types included, of which 130 in the root entry', () => {
  const [root = 0, ...others] = Array.from(surface.keys(), (entry) => namesOf(entry, anyName).length)
  expect(root).toBeGreaterThan(80)
  expect(root).toBeLessThanOrEqual(130)
  expect(others.reduce((sum, count) => sum + count, root)).toBeLessThanOrEqual(392)
})

const anyName = /^export (?:[a-z]+ )*(\w+)|^export (?:type )?\{ (?:\w+ as )?(\w+) \}/gm

/** The names of an entry whose lines match. */
function namesOf(entry: string, line: RegExp): string[] {
  const matches = surface.get(entry)!.matchAll(line)
  return [...new Set(Array.from(matches, ([, declared, listed]) => (declared ?? listed)!))]
}

it.each(doors)('every value of %s is frozen, with all that is in it', async (_, load) => {
  const open: string[] = []
  const look = (value: unknown, name: string) => {
    if (typeof value !== 'object' || value === null || value instanceof RegExp) return
    if (!Object.isFrozen(value)) open.push(name)
    for (const [key, inner] of Object.entries(value)) look(inner, `${name}.${key}`)
  }
  for (const [name, value] of Object.entries(await load())) look(value, name)
  expect(open).toEqual([])
})
