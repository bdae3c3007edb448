import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { afterAll, describe, expect, it } from 'vitest'

// Against the declarations that `npm run test:install` packed, from inside `test/`, where the package is installed.
const here = fileURLToPath(new URL('.', import.meta.url))
const folder = mkdtempSync(join(here, '.compilers-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const compilers = {
  'TypeScript 5.2': fileURLToPath(new URL('../node_modules/typescript-5.2/bin/tsc', import.meta.url)),
  'TypeScript 6': fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url)),
  'TypeScript 7': fileURLToPath(new URL('../node_modules/typescript-7/bin/tsc', import.meta.url)),
}

const base = {
  target: 'ES2022',
  lib: ['ES2023', 'DOM', 'DOM.Iterable'],
  module: 'ESNext',
  moduleResolution: 'Bundler',
  strict: true,
  noEmit: true,
  types: [] as string[],
}

/** The output of a compiler for some files; empty without errors. */
function compile(
  compiler: string,
  files: Readonly<Record<string, string>>,
  options: object,
  ...args: string[]
) {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const config = join(folder, 'tsconfig.json')
  const compilerOptions = { ...base, ...options }
  writeFileSync(config, JSON.stringify({ compilerOptions, files: Object.keys(files) }))
  const command = [compiler, '-p', config, ...args]
  const { stdout, stderr } = spawnSync(process.execPath, command, { cwd: folder, encoding: 'utf8' })
  return stdout + stderr
}

const own = (name: string) =>
  readFileSync(join(here, name), 'utf8').replace("'./commands.ts'", "'./commands'")
const definitions = {
  'commands.ts': own('commands.ts'),
  'definitions.ts': own('definitions.test-d.ts'),
  'uses.ts': own('uses.test-d.ts'),
  'bodies.ts': own('bodies.test-d.ts'),
  'errors.ts': own('errors.test-d.ts'),
}

describe.each(Object.entries(compilers))('%s', (_, compiler) => {
  it.each([true, false])('accepts and rejects the same, exactOptionalPropertyTypes: %s', (exact) => {
    const options = { exactOptionalPropertyTypes: exact, skipLibCheck: true }
    // Before 5.3 the lists of a definition are read-only, which other packages do not take.
    const isOld = compiler === compilers['TypeScript 5.2']
    const bodies = isOld
      ? definitions['bodies.ts'].replace(/^export const outward.*$/m, '')
      : definitions['bodies.ts']
    expect(compile(compiler, { ...definitions, 'bodies.ts': bodies }, options)).toBe('')
    const fault = `${definitions['definitions.ts']}\ndefineCommand({ name: 'x', description: 'x', nam: 1 })`
    expect(compile(compiler, { 'fault.ts': fault }, options)).toMatch(
      /^fault\.ts\(\d+,\d+\): error .*\bnam\b/,
    )
  })

  it('reads the declarations, those of the runners without types of any runner', () => {
    const entries = ['', '/http', '/gateway', '/interactions', '/testing', '/arbitraries', '/jest', '/bun']
    const text = entries.map((entry) => `import 'commandry${entry}'`).join('\n')
    expect(
      compile(compiler, { 'entries.ts': text }, { skipLibCheck: compiler === compilers['TypeScript 5.2'] }),
    ).toBe('')
  })
})

it('needs no library of browsers beside the types of Node', () => {
  const text = ['', '/http', '/interactions', '/node', '/testbed', '/testing']
    .map((entry) => `import 'commandry${entry}'`)
    .join('\n')
  const options = { lib: ['ES2022'], types: ['node'], typeRoots: [join(here, '../node_modules/@types')] }
  expect(compile(compilers['TypeScript 6'], { 'node.ts': text }, options)).toBe('')
})

const isEverything = 'expect({}).toBeValidCommand(); expect([]).not.toBeValidCommands({ warnings: "error" })'
const wrong = '// @ts-expect-error not a code\nexpect({}).toBreakRule("nothing")'

it.each([
  ['commandry/vitest', "import { expect } from 'vitest'", []],
  ['commandry/jest', "import { expect } from '@jest/globals'", []],
  ['commandry/jest', '', ['jest']],
  ['commandry/bun', "import { expect } from 'bun:test'", ['bun']],
])('%s adds the types of the matchers to %s', (entry, runner, types) => {
  const text = `import '${entry}'\n${runner}\n${isEverything}\n${wrong}\nexport {}`
  const options = { skipLibCheck: true, types, typeRoots: [join(here, '../node_modules/@types')] }
  expect(compile(compilers['TypeScript 6'], { 'runner.ts': text }, options)).toBe('')
})

// Not the time, which depends on the machine: 2.7 s on a busy one.
it('checks 100 commands of 10 options with fewer than 120,000 instantiations', () => {
  const option = (i: number) =>
    `{ type: ${[3, 4, 5, 10][i % 4]}, name: 'o${i}', description: 'x', required: ${i < 5} }`
  const options = Array.from({ length: 10 }, (_, i) => option(i)).join(', ')
  const commands = Array.from(
    { length: 100 },
    (_, i) =>
      `export const c${i} = defineCommand({ name: 'c${i}', description: 'x', options: [${options}] })`,
  )
  const text = `import { defineCommand } from 'commandry'\n${commands.join('\n')}`
  const printed = compile(
    compilers['TypeScript 6'],
    { 'many.ts': text },
    { skipLibCheck: true },
    '--extendedDiagnostics',
  )
  const number = (name: string) => Number(new RegExp(`^${name}: +([\\d.]+)`, 'm').exec(printed)?.[1])
  expect(printed).not.toContain('error')
  expect(number('Instantiations')).toBeLessThan(120_000)
})

it('names types in hovers instead of spelling out the rule codes', () => {
  const file = join(folder, 'hover.ts')
  writeFileSync(
    file,
    "import { validateCommand } from 'commandry'\nexport const result = validateCommand({})\nexport const issues = result.ok ? [] : result.issues\n",
  )
  const program = ts.createProgram([file], {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    strict: true,
    skipLibCheck: true,
    types: [],
  })
  const checker = program.getTypeChecker()
  const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(file)!)!)
  const shown = exported.map((one) => checker.typeToString(checker.getTypeOfSymbol(one)))
  expect(shown).toEqual([
    'Validation<CommandDefinition, RegistryRuleCode>',
    'readonly Issue<RegistryRuleCode>[]',
  ])
})

it('an editor strikes out deprecated fields of a command', () => {
  const file = join(folder, 'deprecated.ts')
  const text = `import { defineCommand } from 'commandry'\ndefineCommand({ name: 'ping', description: 'Pong',  })`
  writeFileSync(file, text)
  const options = {
    ...ts.getDefaultCompilerOptions(),
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    module: ts.ModuleKind.ESNext,
  }
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: (name) => {
      const text = ts.sys.readFile(name)
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
    },
    getCurrentDirectory: () => folder,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
  })
  const entries = service.getCompletionsAtPosition(file, text.length - ' })'.length, {})?.entries ?? []
  const isStruck = ({ kindModifiers = '' }: ts.CompletionEntry) => kindModifiers.includes('deprecated')
  expect(entries.map(({ name }) => name)).toContain('contexts')
  expect(entries.filter(isStruck).map(({ name }) => name)).toEqual(['default_permission', 'dm_permission'])
})
