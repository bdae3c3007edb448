import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { afterAll, describe, expect, it } from 'vitest'
import { entries, runners } from '../package/entries.mjs'
import { exportedResults } from './exported-results.ts'

// A library or a monorepo has `declaration: true`: each result of this package can be exported from it without a type.
const here = fileURLToPath(new URL('.', import.meta.url))
const folder = mkdtempSync(join(here, '.exported-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')

/** Entries that export names, by a name for their files. `vitest`, `jest` and `bun` export none. */
const names = Object.fromEntries(
  entries
    .filter((entry) => ![...runners, 'redirect', 'clock'].includes(entry))
    .map((entry) => [entry.replace('storage/', ''), entry === 'index' ? 'commandry' : `commandry/${entry}`]),
)

const base = { target: 'ES2022', strict: true, skipLibCheck: true, types: [] as string[], declaration: true }

/** What a compiler prints for the files, whose declarations it writes to a folder; empty without errors. */
function compile(version: string, files: readonly string[], options: object): string {
  const compilerOptions = { ...base, emitDeclarationOnly: true, outDir: join(folder, 'out'), ...options }
  const config = join(folder, 'tsconfig.json')
  writeFileSync(config, JSON.stringify({ compilerOptions, files: files.map((file) => `${file}.ts`) }))
  const tsc = fileURLToPath(new URL(`../node_modules/${version}/bin/tsc`, import.meta.url))
  const command = [tsc, '-p', config, '--pretty', 'false']
  const { stdout, stderr } = spawnSync(process.execPath, command, { cwd: folder, encoding: 'utf8' })
  return stdout + stderr
}

// A file for each entry: a compiler names a type by an entry that the file itself leads to.
for (const [name, entry] of Object.entries(names)) {
  const file = join(folder, `${name}.ts`)
  writeFileSync(file, `import * as ${name} from '${entry}'`)
  const program = ts.createProgram([file], {
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ES2022,
    strict: true,
    types: [],
  })
  writeFileSync(file, exportedResults(program, { [name]: entry }))
}
const files = Object.keys(names)
const read = (path: string) => readFileSync(join(folder, path), 'utf8')

const resolutions = [
  ['node16', { module: 'node16' }],
  ['nodenext', { module: 'nodenext' }],
  ['bundler', { module: 'esnext', moduleResolution: 'bundler' }],
] as const

describe.each(['typescript', 'typescript-7'])('%s', (version) => {
  it.each(resolutions)('exports every result of every function with %s', (_, options) => {
    expect(compile(version, files, options)).toBe('')
  })
})

describe('typescript-5.2', () => {
  // Before 5.4 a compiler names a type only by an entry that the file itself imports.
  const entries = ['', '/interactions', '/http', '/reference']
  const imports = entries.map((entry, i) => `import * as all${i} from 'commandry${entry}'\n`)
  const old = files.map((name) => `old-${name}`)
  for (const name of files)
    writeFileSync(join(folder, `old-${name}.ts`), imports.join('') + read(`${name}.ts`))

  it.each(resolutions)(
    'exports them with %s beside imports of the entries that have the types',
    (_, options) => {
      expect(compile('typescript-5.2', old, options)).toBe('')
    },
  )
})

it('covers the functions, the constants and the methods of results', () => {
  const all = files.map((name) => read(`${name}.ts`)).join('\n')
  expect(all.split('\n').length).toBeGreaterThan(900)
  expect(all).toContain('index.globalScope(')
  expect(all).toContain('testing.people')
  expect(all).toMatch(/\.as\(undefined as never\)/)
})

it('has a name for every type that isolatedDeclarations needs', () => {
  const options = { module: 'esnext', moduleResolution: 'bundler' }
  expect(compile('typescript', files, options)).toBe('')
  // Each result once more, with the type that the compiler wrote.
  const annotated = files.map((name) => {
    const types = new Map(
      Array.from(
        read(`out/${name}.d.ts`).matchAll(
          /^export declare const (v\d+)(?::| =) ([^]*?);\n(?=export|import|\/\/|$)/gm,
        ),
      ).map(([, variable, type]) => [variable, type]),
    )
    const added = read(`out/${name}.d.ts`).match(/^import .*$/gm) ?? []
    const imports = added.filter((line) => !line.includes(`as ${name} `))
    const values = read(`${name}.ts`).replace(/^export const (v\d+) =/gm, (line, variable: string) =>
      types.has(variable) ? `export const ${variable}: ${types.get(variable)} =` : line,
    )
    mkdirSync(join(folder, 'annotated'), { recursive: true })
    writeFileSync(join(folder, `annotated/${name}.ts`), [...imports, values].join('\n'))
    return `annotated/${name}`
  })
  expect(compile('typescript', annotated, { ...options, isolatedDeclarations: true, rootDir: folder })).toBe(
    '',
  )
})
