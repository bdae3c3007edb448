/**
 * Tests take from a public entry what it exports, so that they stay when the files behind it move; and what one test alone
 * uses stands beside it, not in `test/support`.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../support/markdown.ts'
import { testFiles } from '../support/test-files.ts'

const read = (path: string) => readFileSync(new URL(path, root), 'utf8')

/** The files behind the public entries, with the names that an entry exports of them. */
const exported = new Set<string>()
/** Those that are types there: the class behind one may be imported by a test. */
const types = new Set<string>()
const entries = readdirSync(new URL('src/', root)).filter((file) => file.endsWith('.ts'))
for (const entry of entries)
  for (const [, type, names = '', file] of read(`src/${entry}`).matchAll(
    /^export (type )?\{([^}]*)\} from '\.\/([^']+)'/gm,
  )) {
    for (const name of namesOf(names)) exported.add(`${file} ${name}`)
    if (type !== undefined) for (const name of namesOf(names)) types.add(`${file} ${name}`)
  }

/** The names of a list of imports or exports, as the imported file has them. */
function namesOf(list: string): string[] {
  return list.split(',').flatMap((each) => /^\s*(?:type )?(\w+)/.exec(each)?.[1] ?? [])
}

/** What a test imports of the inner files of `src`: the file and the name. */
function innerImports(path: string, text: string): string[] {
  const imports = text.matchAll(/^import (type )?\{([^}]*)\} from '((?:\.\.\/)+src\/[^']+)'/gm)
  return Array.from(imports).flatMap(([, type, names = '', file = '']) => {
    const inner = posix.join(posix.dirname(path), file).replace(/^src\//, '')
    const all = namesOf(names).map((name) => `${inner} ${name}`)
    return type === undefined ? all.filter((name) => !types.has(name)) : all
  })
}

const tests = testFiles()
  .filter((file) => /\.(?:ts|mjs)$/.test(file))
  .map((file) => `test/${file}`)

describe('tests', () => {
  it('import what a public entry exports from that entry', () => {
    const around = tests.flatMap((path) =>
      innerImports(path, read(path)).flatMap((one) => (exported.has(one) ? [`${path}: ${one}`] : [])),
    )
    expect(around).toEqual([])
  })

  it('would be found otherwise', () => {
    expect(exported.size).toBeGreaterThan(250)
    const wrong = `import {\n  type Access,\n  canUse as may,\n} from '${'../..'}/src/commands/access/access.ts'`
    expect(innerImports('test/commands/one.test.ts', wrong)).toEqual([
      'commands/access/access.ts Access',
      'commands/access/access.ts canUse',
    ])
  })
})

/**
 * How many imports of tests go past the public entries. Each makes a file of `src` dear to move, so the number only goes
 * down. A test of an inner module may have one; several tests that need the same take it from a public entry, from a module
 * of `test/support` that owns it, or assert what users see.
 */
const INNER_IMPORTS = 166

it('tests import no more of the inner files of src than are recorded', () => {
  const inner = /(?:from |import\()'(?:\.\.\/)+src\//g
  const count = tests.reduce((sum, path) => sum + (read(path).match(inner)?.length ?? 0), 0)
  expect(
    count,
    'a further import of an inner file: take it from a public entry or from test/support',
  ).toBeLessThanOrEqual(INNER_IMPORTS)
  expect(INNER_IMPORTS, `there are fewer now: write ${count} as INNER_IMPORTS, so that it stays`).toBe(count)
})

describe('test/support', () => {
  // A program of a test names its file by a URL.
  const importsOf = (path: string) => {
    const imports = read(path).matchAll(/(?:from |import\(|import |new URL\()'(\.[^']+)'/g)
    return new Set(Array.from(imports, ([, file = '']) => posix.join(posix.dirname(path), file)))
  }

  it('has what two files elsewhere import, or the configuration of Vitest', () => {
    const configured = read('vitest.config.ts')
    const users = tests
      .filter((path) => !path.startsWith('test/support/'))
      .flatMap((path) => [...importsOf(path)])
    const unshared = tests.filter(
      (path) =>
        path.startsWith('test/support/') &&
        !configured.includes(path) &&
        users.filter((used) => used === path).length < 2,
    )
    expect(unshared, 'move each beside the one file that uses it').toEqual([])
  })
})
