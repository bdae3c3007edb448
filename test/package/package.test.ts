import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { publint } from 'publint'
import { describe, expect, it } from 'vitest'
import * as commandry from 'commandry'
import * as http from 'commandry/http'
import * as interactions from 'commandry/interactions'
import { newDirectory } from '../support/directory.ts'
import { installed } from '../support/installed.ts'
import { entries, runners } from './entries.mjs'

// The package that `npm run test:install` packed and unpacked.
const packed = installed('commandry')
const files = readdirSync(packed, { recursive: true, encoding: 'utf8' })
const tarball = files.find((name) => /^commandry-.*\.tgz$/.test(name))!
const read = (name: string) => readFileSync(join(packed, name), 'utf8')

/** The names of the modules that a file imports or requires when it is loaded. */
const MODULES = /\bfrom "([^"]+)"|\brequire\("([^"]+)"\)/g

/** What a program prints that Node runs. */
const printed = (args: readonly string[], cwd?: string) =>
  execFileSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, cwd })

const classes = [commandry, interactions, http]
  .flatMap((entry) => Object.entries(entry))
  .filter(([, value]) => typeof value === 'function' && /^class\b/.test(String(value)))
  .map(([name]) => name)

describe('the packed package', () => {
  it.each(['node', 'cjs'])('defines every exported class in exactly one file of dist/%s', (folder) => {
    expect(classes.length).toBeGreaterThan(5)
    const code = files.filter((name) => name.startsWith(`dist/${folder}/`) && /\.c?js$/.test(name)).map(read)
    for (const name of classes) {
      const definition = new RegExp(`(?:^|=> )(?:export )?class ${name}\\b`, 'm')
      expect(code.filter((text) => definition.test(text)).length, name).toBe(1)
    }
  })

  it('works as ESM, as CommonJS and as a command', () => {
    const script = fileURLToPath(new URL('smoke.mjs', import.meta.url))
    expect(printed([script])).toContain('commandry works')
  })

  it('has no bundle over 1 % larger than that of the source, or over 5 % larger than recorded', () => {
    const script = fileURLToPath(new URL('size.mjs', import.meta.url))
    expect(() => printed([script])).not.toThrow()
  })

  // A reading of the smallest command takes a quarter more when its fields are defined: V8 does not inline that.
  const builds = ['node/library.js', 'cjs/library.cjs']
  it.each(builds)('sets the fields of a report in its constructor, in dist/%s', (name) => {
    expect(read(`dist/${name}`)).toMatch(/class Report \{\s+constructor\(\) \{\s+this\.errors = \[\]/)
  })

  // What everybody downloads. Half a percent more than it takes: a page or a build that stands in it twice is 3 % and more.
  it('takes at most 1,284,000 bytes and 290 files', () => {
    expect(statSync(join(packed, tarball)).size).toBeLessThanOrEqual(1_284_000)
    const isFile = (name: string) => name !== tarball && statSync(join(packed, name)).isFile()
    expect(files.filter(isFile).length).toBeLessThanOrEqual(290)
  })

  it.each([
    // Preloaded into every bot that is started with them.
    ['redirect', 25],
    ['clock', 28],
    // What every command of the command line loads before its own modules.
    ['cli', 10],
    ['run-command-line', 300],
  ])('loads little for dist/node/%s.js: at most %i KB', (name, most) => {
    const loaded = new Set([`dist/node/${name}.js`])
    for (const file of loaded)
      for (const [, other] of read(file).matchAll(/\bfrom "(\.\/[^"]+)"/g))
        loaded.add(`dist/node/${other!.slice(2)}`)
    const bytes = [...loaded].reduce((sum, file) => sum + read(file).length, 0)
    expect(bytes).toBeLessThanOrEqual(most * 1000)
  })

  // Browsers and Workers do not have them, and a bundler refuses them unless it builds for Node.
  it.each(['node', 'cjs'])(
    'needs no module of Node in dist/%s, but for entries that are for Node',
    (folder) => {
      const ofNode = ['node', 'redirect', 'clock', 'testbed', 'fuzz', 'coverage', ...runners]
      const extension = folder === 'node' ? 'js' : 'cjs'
      for (const entry of entries.filter((name) => !ofNode.includes(name))) {
        const loaded = new Set([`dist/${folder}/${entry}.${extension}`])
        const needed = new Set<string>()
        for (const file of loaded)
          for (const [, imported, required] of read(file).matchAll(MODULES)) {
            const name = imported ?? required!
            if (name.startsWith('.')) loaded.add(join(dirname(file), name))
            else if (name.startsWith('node:')) needed.add(`${name} in ${file}`)
          }
        expect([...needed], entry).toEqual([])
      }
    },
  )

  it('leaves maps, the source and the pages for contributors in the repository', () => {
    const left = /\.map$|^src|^docs\/(images|decisions|architecture|conformance|performance|CONTRIBUTING)/
    expect(files.filter((name) => left.test(name))).toEqual([])
  })

  it('has a command line that needs no other package', () => {
    // In a folder of its own, where no package of this project is found.
    const folder = newDirectory()
    cpSync(join(packed, 'dist'), join(folder, 'dist'), { recursive: true })
    cpSync(join(packed, 'package.json'), join(folder, 'package.json'))
    const version = printed([join(folder, 'dist/node/cli.js'), '--version'])
    rmSync(folder, { recursive: true })
    expect(version.split('\n')[0]).toBe((JSON.parse(read('package.json')) as { version: string }).version)
  })

  it('names the function in stack traces', () => {
    const code = `try { require('commandry').globalScope('x') } catch (error) { console.log(error.stack) }`
    const cwd = fileURLToPath(new URL('..', import.meta.url))
    expect(printed(['-e', code], cwd)).toMatch(
      /at (?:Object\.)?globalScope \(.*dist[/\\]cjs[/\\]library\.cjs:\d+:\d+\)/,
    )
  })

  it('serves, as ES modules, a registry of the CommonJS copy, which has other classes', () => {
    const code = `
      const { CommandRegistry } = require('commandry')
      const registry = new CommandRegistry()
      Promise.all([import('commandry'), import('commandry/http')]).then(async ([library, { createHandler, tokenDirectory }]) => {
        const authenticate = tokenDirectory([{ type: 'Bot', token: 'x', applicationId: '1' }])
        const handler = createHandler({ registry, authenticate })
        const ask = async (path, init) =>
          (await handler(new Request('http://localhost/api/v10/applications/1/commands' + path, init))).status
        const body = JSON.stringify([{ name: 'ping', description: 'Answers' }])
        const headers = { Authorization: 'Bot x', 'Content-Type': 'application/json' }
        const statuses = [await ask('', { method: 'PUT', headers, body }), await ask('/9', { headers })]
        console.log(registry instanceof library.CommandRegistry, ...statuses)
      })`
    const cwd = fileURLToPath(new URL('..', import.meta.url))
    expect(printed(['-e', code], cwd)).toBe('false 200 404\n')
  })

  it('has one file of declarations for each entry, with the comments of the source', () => {
    const names = files.filter((name) => name.startsWith('dist/node/') && name.endsWith('.d.ts'))
    expect(names.sort()).toEqual(entries.map((name) => `dist/node/${name}.d.ts`).sort())
    expect(read('dist/cjs/index.d.ts')).toContain('* Validates the body of one command')
  })

  it('has declarations that refer to files of the package', () => {
    for (const name of files.filter((file) => file.endsWith('.d.ts') && file.startsWith('dist'))) {
      for (const [, target] of read(name).matchAll(/(?:from |import\()["'](\.[^"']+)["']/g)) {
        expect(
          existsSync(join(packed, dirname(name), target!.replace(/\.js$/, '.d.ts'))),
          `${name}: ${target}`,
        ).toBe(true)
      }
    }
  })

  it('has the docs, the adapters that they show, the changelog and the license', () => {
    const stores = ['mariadb', 'd1', 'nats'].map((name) => `docs/examples/${name}-store.ts`)
    expect(files).toEqual(
      expect.arrayContaining(['README.md', 'CHANGELOG.md', 'LICENSE', 'docs/get-started.md', ...stores]),
    )
  })

  it('has no findings of publint', async () => {
    expect((await publint({ pkgDir: packed, strict: true })).messages).toEqual([])
  })

  it('has no findings of attw, under old and new resolution', () => {
    const program = join(installed('@arethetypeswrong/cli'), 'dist/index.js')
    const { analysis } = JSON.parse(printed([program, join(packed, tarball), '--format', 'json'])) as any
    expect(analysis.problems).toEqual([])
  })
})
