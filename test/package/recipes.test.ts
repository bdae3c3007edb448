import { execFile } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { newDirectory } from '../support/directory.ts'
import { allExamples, importsOf, isOwn, type Example } from '../support/examples.ts'

const path = (relative: string) => fileURLToPath(new URL(`../../${relative}`, import.meta.url))
const run = promisify(execFile)

/** Further packages that the examples import: in `test/`, but fast-check in the root. */
const packages = ['commandry', 'discord.js', 'express', 'hono', 'msw', 'ws', 'vitest']
const known = new Set([...packages, 'msw/node', 'fast-check'])

const examples = allExamples()
  .filter(({ code }) => importsOf(code).every((one) => isOwn(one) || known.has(one)))
  // `node:test` prints a report of its own.
  .filter(({ code }) => !code.includes("'node:test'"))

const project = newDirectory()
mkdirSync(join(project, 'node_modules/@types'), { recursive: true })
const link = (name: string, target: string) => symlinkSync(path(target), join(project, 'node_modules', name))
for (const name of packages.slice(0, -1)) link(name, `test/node_modules/${name}`)
link('vitest', 'node_modules/vitest')
link('fast-check', 'node_modules/fast-check')
link('@types/node', 'node_modules/@types/node')

afterAll(() => rmSync(project, { recursive: true, force: true }))

/** What a program prints when Node runs it in the fresh project. */
async function printed(name: string, code: string): Promise<string> {
  const file = join(project, name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, code)
  const { stdout } = await run(process.execPath, [file], {
    cwd: project,
    env: { PATH: process.env['PATH'], NO_COLOR: '1' },
  })
  return stdout
}

const nameOf = ({ page, index }: Example) => `${page.replaceAll(/[^a-z]/gi, '-')}-${index}`

/** The same program as CommonJS: `import` becomes `require`, and an async function holds the top level. */
function commonJs(code: string): string {
  const body = code
    .replaceAll(/^import \{([^}]*)\} from '([^']+)'$/gm, (_, names: string, from: string) => {
      return `const {${names.replaceAll(' as ', ': ')}} = require('${from}')`
    })
    .replaceAll(/^import (?:\* as )?(\w+) from '([^']+)'$/gm, "const $1 = require('$2')")
  return `;(async () => {\n${body}\n})()\n`
}

describe('the examples of the docs, with the packed package in a fresh project', () => {
  const programs = examples.filter(({ language }) => language === 'js')

  it.each(programs)('$page, block $index, as an ES module', async (example) => {
    expect(await printed(`${nameOf(example)}.mjs`, example.code)).toBe(example.output ?? '')
  })

  // A block that exports is a module of a recipe, not a program.
  const withoutExports = programs.filter(({ code }) => !/^export /m.test(code))
  it.each(withoutExports)('$page, block $index, as CommonJS', async (example) => {
    expect(await printed(`${nameOf(example)}.cjs`, commonJs(example.code))).toBe(example.output ?? '')
  })

  it('type-check in a TypeScript project', async () => {
    const files = examples
      .filter(({ language }) => language === 'ts')
      .map((example) => {
        const name = `${nameOf(example)}.mts`
        writeFileSync(join(project, name), example.code)
        return name
      })
    expect(files.length).toBeGreaterThan(10)
    const compilerOptions = {
      target: 'es2023',
      lib: ['es2023', 'dom', 'esnext.disposable'],
      module: 'nodenext',
      types: ['node'],
      strict: true,
      noEmit: true,
      skipLibCheck: true,
    }
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
    const compiler = path('node_modules/typescript/bin/tsc')
    const { stdout } = await run(process.execPath, [compiler, '-p', project]).catch(
      (error: { stdout: string }) => error,
    )
    expect(stdout).toBe('')
  })

  it('exist', () => expect(programs.length).toBeGreaterThan(10))
})
