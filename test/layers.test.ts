import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { expect, it } from 'vitest'
import { root } from './support/markdown.ts'
import { words } from './support/words.ts'

/**
 * What each part of `src` may import, besides itself. The order is the order of the rings: every entry names only
 * earlier ones. A key is a folder or a single file; the longest match counts.
 */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  core: [],
  locale: ['core'],
  'storage/store': ['core'],
  storage: ['core', 'storage/store'],
  authorization: ['core'],
  command: ['core', 'locale'],
  server: ['core', 'command'],
  permission: ['core', 'command', 'server'],
  picker: ['core', 'locale', 'command', 'permission', 'server'],
  interaction: ['core', 'locale', 'command', 'permission', 'server'],
  answer: ['core', 'command', 'interaction', 'server'],
  bot: ['core', 'command', 'interaction', 'answer', 'server'],
  world: ['core', 'command', 'server', 'permission', 'interaction', 'answer', 'bot'],
  // The memory store is the default of a registry; the host chooses any other adapter.
  registry: words('server core locale command permission picker interaction storage/store storage/memory'),
  examples: ['core', 'command', 'permission', 'interaction', 'answer', 'registry'],
  reference: ['core', 'locale', 'command', 'permission', 'interaction', 'answer', 'registry', 'examples'],
  authoring: ['core', 'command', 'server', 'permission', 'registry', 'reference'],
  client: words('server core locale command permission picker interaction answer registry reference'),
  redirect: [],
  gateway: ['core', 'command', 'server', 'permission', 'interaction', 'world', 'registry'],
  testing: words(`
    server core authorization command locale permission picker interaction answer storage/store
    storage/store-error registry examples reference authoring client
  `),
  arbitraries: ['core', 'locale', 'command', 'interaction', 'examples'],
  http: words('server core locale command permission interaction answer bot world registry reference'),
  node: ['core', 'http', 'gateway'],
  testbed: words(`
    server core locale command permission interaction answer bot world registry reference client gateway
    testing http node
  `),
  fuzz: words(`
    server world core locale command permission interaction answer bot registry reference client arbitraries testbed
  `),
  page: words(`
    server core locale command permission picker interaction answer bot registry reference client storage/store
    storage/memory http authoring
  `),
  cli: words(`
    server core locale command permission interaction world registry examples reference storage http node
    authoring page gateway answer bot testbed testing redirect fuzz
  `),
}

const source = new URL('src/', root)
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts'))

interface Import {
  readonly from: string
  readonly to: string
}

const imports: Import[] = files.flatMap((from) => {
  const text = readFileSync(new URL(from, source), 'utf8')
  return Array.from(
    text.matchAll(/^(?:import|export)\s+[^;'"]*?from\s+['"]([^'"]+)['"]|^import\s+['"]([^'"]+)['"]/gm),
    ([, named, bare]) => {
      const target = (named ?? bare)!
      const to = target.startsWith('.') ? posix.join(posix.dirname(from), target) : target
      return { from, to }
    },
  )
})

/** The entries: files directly in `src` that are no part of their own. They may import anything. */
const entries = files.filter((file) => !file.includes('/') && !Object.hasOwn(mayImport, file.slice(0, -3)))

function part(file: string): string | undefined {
  const path = file.replace(/\.ts$/, '')
  return Object.keys(mayImport)
    .filter((key) => path === key || path.startsWith(`${key}/`) || path.startsWith(`${key}-`))
    .sort((a, b) => b.length - a.length)[0]
}

function fits(file: string, allowed: string): boolean {
  const path = file.replace(/\.ts$/, '')
  return (
    path === allowed ||
    path.startsWith(`${allowed}/`) ||
    (allowed.includes('/') && path.startsWith(`${allowed}-`))
  )
}

/** The imports that the table does not allow. */
function outward(list: readonly Import[]): string[] {
  const allowed = ({ from, to }: Import) => {
    const own = part(from)!
    return (
      entries.includes(from) ||
      !to.endsWith('.ts') ||
      fits(to, own) ||
      part(to) === own ||
      mayImport[own]!.some((other) => fits(to, other))
    )
  }
  return list.filter((one) => !allowed(one)).map(({ from, to }) => `${from} -> ${to}`)
}

/** The longest chain in which each file imports the next. @throws Error for a cycle, with its files */
function longestChain(list: readonly Import[]): readonly string[] {
  const chains = new Map<string, readonly string[]>()
  const longest = (some: readonly (readonly string[])[]) =>
    some.reduce((one, other) => (other.length > one.length ? other : one), [])
  const chainOf = (file: string, importers: readonly string[]): readonly string[] => {
    const path = [...importers, file]
    if (importers.includes(file)) throw new Error(path.join(' -> '))
    const known = chains.get(file)
    if (known !== undefined) return known
    const imported = list.filter(({ from, to }) => from === file && to.endsWith('.ts'))
    const chain = [file, ...longest(imported.map(({ to }) => chainOf(to, path)))]
    chains.set(file, chain)
    return chain
  }
  return longest(list.map(({ from }) => chainOf(from, [])))
}

it('layers have a part for every file', () => {
  expect(files.filter((file) => !entries.includes(file) && part(file) === undefined)).toEqual([])
  expect(imports.length).toBeGreaterThan(files.length)
})

it('layers import inward only, types included', () => {
  expect(outward(imports)).toEqual([])
  const wrong = { from: 'core/text.ts', to: 'command/name.ts' }
  expect(outward([...imports, wrong])).toEqual(['core/text.ts -> command/name.ts'])
})

it('layers import no entry', () => {
  expect(imports.filter(({ to }) => entries.includes(to))).toEqual([])
})

it('layers have no cycles', () => {
  expect(() => longestChain(imports)).not.toThrow()
  expect(() => longestChain([...imports, { from: 'core/rule.ts', to: 'core/report.ts' }])).toThrow(
    /report.*rule.*report|rule.*report.*rule/,
  )
})

it('layers have no chain of imports longer than 25 files, types included', () => {
  const chain = longestChain(imports)
  expect(chain.length, chain.join(' -> ')).toBeLessThanOrEqual(25)
})

it('layers import Node only in the Node entry and the command line, fast-check only in the generators and the plan of uses, a test runner only in its entry', () => {
  const foreign = imports.filter(({ to }) => !to.startsWith('.') && !to.endsWith('.ts'))
  const runnerOf: Readonly<Record<string, string>> = {
    'vitest.ts': 'vitest',
    'jest.ts': '@jest/globals',
    'bun.ts': 'bun:test',
  }
  const allowed = ({ from, to }: Import) =>
    to.startsWith('node:')
      ? /^(node|cli|redirect|testbed)(\.ts|\/)/.test(from)
      : (to === 'fast-check' && /^arbitraries\/|^fuzz\/plan/.test(from)) || runnerOf[from] === to
  expect(foreign.filter((one) => !allowed(one)).map(({ from, to }) => `${from} -> ${to}`)).toEqual([])
})

it('layers read clocks and random sources only in the files that own them', () => {
  const readers = files.filter((file) =>
    /\bDate\.now\(|\bMath\.random\(/.test(readFileSync(new URL(file, source), 'utf8')),
  )
  expect(readers).toEqual(expect.arrayContaining(['core/clock.ts']))
  const allowed = ['core/clock.ts', 'core/snowflake.ts', 'registry/documents.ts']
  expect(
    readers.filter(
      (file) => !allowed.includes(file) && !/^(node|cli|page|http|storage|permission)/.test(file),
    ),
  ).toEqual([])
})
