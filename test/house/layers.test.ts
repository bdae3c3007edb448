import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../support/markdown.ts'
import { words } from '../support/words.ts'

/**
 * What each room of `src` may import, besides itself. The order is the order of the rooms: every row names only
 * earlier ones.
 */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  core: [],
  model: ['core'],
  storage: ['core'],
  authorization: ['core'],
  commands: words('core model storage'),
  interactions: words('core model storage commands'),
  reference: words('core model commands interactions'),
  service: words('core model storage commands interactions reference'),
  testing: words('core model storage authorization commands interactions reference service'),
  tools: words('core model storage commands interactions reference service testing'),
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

/** Modules that are loaded when they are needed, with which there may be cycles of files, but not of folders. */
const lateImports: Import[] = files.flatMap((from) =>
  Array.from(readFileSync(new URL(from, source), 'utf8').matchAll(/\bimport\('(\.[^']+)'\)/g), ([, to]) => {
    return { from, to: posix.join(posix.dirname(from), to!) }
  }),
)

/** The entries: the files directly in `src`. They may import anything, and only they an entry. */
const entries = files.filter((file) => !file.includes('/'))

const roomOf = (file: string) => file.split('/')[0]!

/** The imports that the table does not allow. */
function outward(list: readonly Import[]): string[] {
  const allowed = ({ from, to }: Import) =>
    entries.includes(from) ||
    !to.endsWith('.ts') ||
    roomOf(to) === roomOf(from) ||
    mayImport[roomOf(from)]!.includes(roomOf(to))
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

describe('layers', () => {
  it('are rooms with a row each, and the entries', () => {
    const found = new Set(files.filter((file) => !entries.includes(file)).map(roomOf))
    expect([...found].sort()).toEqual(Object.keys(mayImport).sort())
    expect(imports.length).toBeGreaterThan(files.length)
  })

  it('import inward only, types included', () => {
    expect(outward(imports)).toEqual([])
    const wrong = { from: 'core/text.ts', to: 'commands/definition/rules/name-rules.ts' }
    expect(outward([...imports, wrong])).toEqual(['core/text.ts -> commands/definition/rules/name-rules.ts'])
  })

  it('import no entry, but from an entry', () => {
    expect(imports.filter(({ from, to }) => entries.includes(to) && !entries.includes(from))).toEqual([])
  })

  it('import the adapter of a database only in the command line, and nothing into the redirect', () => {
    const inner = imports.filter(({ from, to }) => !entries.includes(from) && to.endsWith('.ts'))
    const isAdapter = (file: string) => /^storage\/(?!documents\/|(store|store-error|memory)\.ts$)/.test(file)
    expect(inner.filter(({ from, to }) => isAdapter(to) && !/^(storage|tools\/cli)\//.test(from))).toEqual([])
    const isRedirect = (file: string) => file.startsWith('testing/redirect/')
    expect(inner.filter(({ from, to }) => isRedirect(from) && !isRedirect(to))).toEqual([])
    // Loading another file first would be loading it before the clock. The clocks of processes are moved by the library.
    const isClock = (file: string) => /^testing\/(?:activity\/|clock\/(?!process-clock))/.test(file)
    const taken = inner.filter(({ from, to }) => isClock(from) && !isClock(to)).map(({ to }) => to)
    expect([...new Set(taken)]).toEqual(['core/timers.ts'])
    expect(readFileSync(new URL('testing/clock/moved-clock.ts', source), 'utf8')).toContain(
      "import type { LoadedClock } from '../../core/timers.ts'",
    )
  })

  it('have no cycles', () => {
    expect(() => longestChain(imports)).not.toThrow()
    expect(() =>
      longestChain([...imports, { from: 'core/rules/rule.ts', to: 'core/rules/report.ts' }]),
    ).toThrow(/report.*rule.*report|rule.*report.*rule/)
  })

  it('have no chain of imports longer than 25 files, types included', () => {
    // The page in the browser is a program of its own, which has the types of the answers it asks for.
    const isWire = ({ from, to }: Import) =>
      from.startsWith('tools/page/browser/') && to === 'tools/page/questions/questions.ts'
    const chain = longestChain(imports.filter((one) => !isWire(one)))
    expect(chain.length, chain.join(' -> ')).toBeLessThanOrEqual(25)
  })

  it('have no folders that import each other at any depth, directly or over others', () => {
    const inner = [...imports, ...lateImports].filter(
      ({ from, to }) => !entries.includes(from) && to.endsWith('.ts'),
    )
    /** The imports between folders, each with its first `depth` names, as if a folder were a file. */
    const between = (list: readonly Import[], depth: number): readonly Import[] => {
      const folderOf = (file: string) => `${file.split('/').slice(0, -1).slice(0, depth).join('/')}.ts`
      const all = list.map(({ from, to }) => ({ from: folderOf(from), to: folderOf(to) }))
      return all.filter(({ from, to }) => from !== to)
    }
    for (const depth of [1, 2, 3, 4, 5]) expect(() => longestChain(between(inner, depth))).not.toThrow()
    const wrong = { from: 'tools/cli/base/io.ts', to: 'tools/cli/commands/plan.ts' }
    expect(() => longestChain(between([...inner, wrong], 2))).not.toThrow()
    expect(() => longestChain(between([...inner, wrong], 3))).toThrow(
      /base.* -> .*commands|commands.* -> .*base/,
    )
  })

  it('import Node only in the Node entry and the command line, fast-check only in the generators and the plan of uses, a test runner only in its entry, the types of a compiler only where it loads modules', () => {
    const foreign = imports.filter(({ to }) => !to.startsWith('.') && !to.endsWith('.ts'))
    const runnerOf: Readonly<Record<string, string>> = {
      'vitest.ts': 'vitest',
      'jest.ts': '@jest/globals',
      'bun.ts': 'bun:test',
    }
    const allowed = ({ from, to }: Import) =>
      to.startsWith('node:')
        ? /^(node|cli|redirect|clock|coverage|testbed)\.ts|^(service\/node|tools\/cli|testing\/(activity|redirect|clock|coverage|testbed))\//.test(
            from,
          )
        : (to === 'fast-check' && /^testing\/(arbitraries\/|fuzz\/planned-uses)/.test(from)) ||
          (to === 'typescript' && from === 'tools/cli/definitions/compiler.ts') ||
          runnerOf[from] === to
    expect(foreign.filter((one) => !allowed(one)).map(({ from, to }) => `${from} -> ${to}`)).toEqual([])
  })

  it('start timers by the functions of core/timers.ts, but where the clock is replaced and in programs', () => {
    const starters = files.filter((file) =>
      /(?<![.\w])(?:setTimeout|setInterval|setImmediate)\(/.test(readFileSync(new URL(file, source), 'utf8')),
    )
    expect(starters).toContain('core/timers.ts')
    expect(
      starters.filter((file) => !/^(core\/timers|testing\/(clock|redirect)\/|tools\/)/.test(file)),
    ).toEqual([])
  })

  /** The files of `src` in which an expression is found. */
  const filesWith = (expression: RegExp) =>
    files.filter((file) => expression.test(readFileSync(new URL(file, source), 'utf8'))).sort()

  it('import types alone with `import type`, which loads nothing', () => {
    const typesAlone = /^import \{ type \w+(?:, type \w+)* \} from/m
    expect(filesWith(typesAlone)).toEqual([])
    expect("import { type Io, type Terminal } from './io.ts'").toMatch(typesAlone)
  })

  it('read the clock only in core/clock.ts, and in the page', () => {
    const readers = filesWith(/\bDate\.now\(/)
    expect(readers.filter((file) => !file.startsWith('tools/page/browser/'))).toEqual(['core/clock.ts'])
  })

  it('[5-06] make ids, secrets and what differs by chance in one file each', () => {
    const chance = /\b(?:Math\.random|randomUUID|randomBytes|randomInt|randomFillSync)\(/
    expect(filesWith(chance)).toEqual(['core/random.ts'])
    expect(filesWith(/\bgetRandomValues\(/)).toEqual(['core/secrets.ts'])
    // A snowflake has its time above 22 bits.
    expect(filesWith(/(?<!\b1n )<< 22n|\* 4_?194_?304\b/)).toEqual(['model/id-source.ts'])
    // Callers make sources of their own; the library does not.
    expect(filesWith(/\bcountingFrom\(|\bsnowflakes\(/)).toEqual([
      'model/id-source.ts',
      'model/snowflakes.ts',
    ])
    expect(filesWith(/\bas Secret\b/)).toEqual(['core/secrets.ts'])
  })
})
