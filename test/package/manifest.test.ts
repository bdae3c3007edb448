import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { root } from '../support/markdown.ts'
import { entries, packageExports } from './entries.mjs'

const file = new URL('package.json', root)

it('package.json exports the table of entries, each with a source', async () => {
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as object
  const expected = `${JSON.stringify({ ...manifest, exports: packageExports() }, null, 2)}\n`
  await expect(expected).toMatchFileSnapshot('../../package.json')
})

it('every file directly in src is an entry, except the command line', () => {
  const files = readdirSync(new URL('src/', root)).filter((name) => name.endsWith('.ts'))
  const sources = entries.filter((name) => !name.includes('/')).map((name) => `${name}.ts`)
  expect(files.sort()).toEqual([...sources, 'cli.ts'].sort())
})

it('package.json has no invented address and no run-time dependency', () => {
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as object
  const absent = ['dependencies', 'optionalDependencies', 'repository', 'homepage', 'bugs', 'author']
  expect(Object.keys(manifest).filter((key) => absent.includes(key))).toEqual([])
})
