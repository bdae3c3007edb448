import { mkdir, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { check, directoryOf, ending } from '../program.ts'
import { checkFiles, helloModule, issuesOf } from '../checked-files.ts'

describe('commandry check of modules', () => {
  it('names the remedy for clients that are not generated', async () => {
    const files = {
      'package.json': { type: 'module' },
      'node_modules/@prisma/client/package.json': { name: '@prisma/client', main: 'index.js' },
      'node_modules/@prisma/client/index.js': 'module.exports = {}',
      'c/a.cjs': "require('.prisma/client')",
      'c/b.js': "import { PrismaClient } from '@prisma/client'",
    }
    const { out } = await checkFiles(files, 'c')
    expect(out.match(/; run "npx prisma generate"/g)).toHaveLength(2)
  })

  it('reports a missing package once for all modules that import it', async () => {
    const files = { 'c/a.mjs': 'import "not-installed"', 'c/b.mjs': 'import "not-installed"' }
    expect((await checkFiles(files, 'c')).out).toContain(
      "Cannot find package 'not-installed'; install the packages of the project (and 1 other file with the same error)",
    )
  })

  it('refuses connections to other machines, and names the module', async () => {
    const files = {
      'c/deploy.mjs': "await fetch('https://discord.invalid/api')",
      'c/hello.mjs': `fetch('https://discord.invalid/api'); ${helloModule}`,
    }
    const { code, out } = await checkFiles(files, 'c')
    expect([code, out]).toEqual([0, expect.stringContaining('✓ 1 command in 1 file')])
    expect(out).toContain('c/deploy.mjs (connects to discord.invalid)')
    expect(out).toContain('note: c/hello.mjs connects to discord.invalid while it loads')
  })

  it('names the folder for an alias of a tsconfig.json that is not in the current one', async () => {
    const files = { 'packages/b/tsconfig.json': {}, 'packages/b/c/a.mjs': 'import "@/names"' }
    expect((await checkFiles(files, 'packages/b/c')).out).toContain(
      "Cannot find package '@/names'; if it is an alias of packages/b/tsconfig.json, run commandry in packages/b",
    )
  })

  it('advises the script whose words deploy, and the module that connects before another', async () => {
    const scripts = { start: 'node server.js', sync: 'slash-up sync' }
    const code = 'export const start = () => {}'
    expect((await checkFiles({ 'package.json': { scripts }, 'c/a.mjs': code }, 'c')).out).toContain(
      '"npm run sync"',
    )
    const files = { 'src/bot.mjs': code, 'src/login.mjs': "await fetch('https://discord.invalid/api')" }
    expect((await checkFiles(files, 'src')).out).toContain('"node src/login.mjs"')
  })

  it('counts every file that fails', async () => {
    const files = {
      'c/a.mjs': 'import "not-installed"',
      'c/b.mjs': 'import "not-installed"',
      'c/d.mjs': helloModule,
    }
    expect((await checkFiles(files, 'c')).out).toContain('1 error in 2 of 3 files')
  })

  it('refuses those connections in the threads that a module starts', async () => {
    const threadOf = (code: string, options = '') => `
      import { Worker, SHARE_ENV } from 'node:worker_threads'
      const worker = new Worker(${JSON.stringify(code)}, { eval: true, stdout: true${options} })
      const text = await new Promise((resolve) => worker.stdout.once('data', (data) => resolve(String(data))))
      throw new Error(text.slice(0, 60))`
    const code = `require('net').connect(80, '192.0.2.1').on('error', (error) => process.stdout.write(error.message))`
    const nested = `new (require('worker_threads').Worker)(${JSON.stringify(code)}, { eval: true })`
    const { out } = await checkFiles(
      {
        'c/plain.mjs': threadOf(code),
        'c/shared.mjs': threadOf(code, ', env: SHARE_ENV'),
        'c/nested.mjs': threadOf(nested),
      },
      'c',
      '--format',
      'json',
    )
    const messages = (JSON.parse(out) as { files: { issues: { message: string }[] }[] }).files.flatMap(
      ({ issues }) => issues.map(({ message }) => message),
    )
    expect(messages).toEqual([
      'cannot be loaded: commandry refuses the connection to 192.0.2.1:80: files of c (and 2 other files with the same error)',
    ])
  })

  it('ends a module that never returns, and loads the others', async () => {
    const cwd = await directoryOf({ 'c/a.mjs': 'for (;;);', 'c/b.mjs': helloModule })
    const { out } = await check(cwd, ['c', '--format', 'json'], { limits: { load: 10_000 } })
    expect(JSON.parse(out).files).toMatchObject([
      { file: 'c/a.mjs', issues: [{ message: 'has not finished loading after 10 s' }] },
      { file: 'c/b.mjs', commands: 1, issues: [] },
    ])
  })

  it("loads TypeScript with the ES module of the project's tsx", async () => {
    const hooks = `export async function load(url, context, next) {
      if (!url.endsWith('.ts')) return next(url, context)
      return { format: 'module', source: ${JSON.stringify(helloModule)}, shortCircuit: true }
    }`
    const register = `import { register as hook } from 'node:module'
      export const register = () => hook(new URL('hooks.mjs', import.meta.url))`
    const api = { import: './esm.mjs', require: './esm.cjs' }
    const files = {
      'node_modules/tsx/package.json': { name: 'tsx', exports: { './esm/api': api } },
      'node_modules/tsx/esm.cjs': 'exports.register = () => { throw new Error("its files are not found") }',
      'node_modules/tsx/esm.mjs': register,
      'node_modules/tsx/hooks.mjs': hooks,
      'hello.ts': 'type Name = string; await null',
    }
    expect(await checkFiles(files, 'hello.ts')).toMatchObject(ending(0, '✓ 1 command in 1 file'))
  })

  it.each(['commonjs', 'module'])("loads TypeScript of a %s with the project's compiler", async (type) => {
    const isModule = `
      import { createRequire } from 'node:module'
      import { fileURLToPath } from 'node:url'
      const require = createRequire(import.meta.url)
      const __filename = fileURLToPath(import.meta.url)
      require('../base.ts')`
    const compilerOptions = { experimentalDecorators: true, paths: { '@/*': ['./src/*'] }, sourceRoot: 'a' }
    const cwd = await directoryOf({
      'package.json': { type },
      'tsconfig.json': { compilerOptions },
      'src/kind.ts': 'export interface Kind { name: string }; export enum Type { Text = 3 }',
      'src/base.ts': "export * from './kind'; export const named = (_: object) => {}",
      'src/c/hello.ts': `import { Type, named, type Kind } from '@/base.js'
        @named class Hello implements Kind { constructor(public name: string) {} }
        const options = [{ type: Type.Text, name: 'a', description: 'b' }]
        ${type === 'module' ? isModule : ''}
        if (!__filename.endsWith('hello.ts')) throw new Error('no place')
        export default { ...new Hello('hello'), description: 'a', options }`,
      'src/c/broken.ts': "import type { Kind } from './kind'\n\nthrow new Error('boom')",
      'src/c/late.ts': 'export const later = async () => await null; await later()',
      'src/c/lost.ts': "import '@/missing'",
      'src/c/runtime.ts': "import 'bun'",
    })
    await mkdir(join(cwd, 'node_modules'))
    await symlink(
      dirname(dirname(createRequire(import.meta.url).resolve('typescript'))),
      join(cwd, 'node_modules/typescript'),
    )
    const { out } = await check(cwd, ['src/c', '--format', 'json'], { limits: { load: 20_000 } })
    expect(JSON.parse(out).files).toMatchObject([
      { file: 'src/c/broken.ts', issues: [{ line: 3, message: 'cannot be loaded: boom' }] },
      { file: 'src/c/hello.ts', commands: 1, issues: [] },
      { file: 'src/c/late.ts', issues: [{ message: expect.stringContaining('an await at its top level') }] },
      { file: 'src/c/lost.ts', issues: [{ message: "cannot be loaded: Cannot find module '@/missing'" }] },
      { file: 'src/c/runtime.ts', issues: [{ message: expect.stringContaining('bunx --bun commandry') }] },
    ])
  })

  const isLoaded = 'typescript' in process.features && process.features.typescript !== false
  it.skipIf(isLoaded)(
    `explains how to load TypeScript${isLoaded ? ` (skipped: Node ${process.versions.node} loads it)` : ''}`,
    async () => {
      const [, [message]] = await issuesOf(`export const a: number = 1`, 'module.ts')
      expect(message).toContain('NODE_OPTIONS="--import tsx"')
    },
  )
})
