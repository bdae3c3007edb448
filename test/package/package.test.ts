import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { publint } from 'publint'
import { describe, expect, it } from 'vitest'
import * as commandry from 'commandry'
import * as http from 'commandry/http'
import * as interactions from 'commandry/interactions'
import * as testing from 'commandry/testing'
import { installed } from '../support/installed.ts'

// The package that `npm run test:install` packed and unpacked.
const packed = installed('commandry')
const files = readdirSync(packed, { recursive: true, encoding: 'utf8' })
const read = (name: string) => readFileSync(join(packed, name), 'utf8')

const classes = [commandry, interactions, http]
  .flatMap((entry) => Object.entries(entry))
  .filter(([, value]) => typeof value === 'function' && /^class\b/.test(String(value)))
  .map(([name]) => name)

describe('the packed package', () => {
  it.each(['esm', 'node', 'cjs'])('defines every exported class in exactly one file of dist/%s', (folder) => {
    expect(classes.length).toBeGreaterThan(5)
    const code = files.filter((name) => name.startsWith(`dist/${folder}/`) && /\.c?js$/.test(name)).map(read)
    for (const name of classes) {
      const definition = new RegExp(`^(?:export )?class ${name}\\b`, 'm')
      expect(code.filter((text) => definition.test(text)).length, name).toBe(1)
    }
  })

  describe('for bundlers, where lists of rules hold what readers do not use', () => {
    const bundled = async (name: string) => (await import(join(packed, `dist/esm/${name}.js`))) as unknown

    it('has the rules of the source', async () => {
      const { rules } = (await bundled('index')) as typeof commandry
      const plain = (value: unknown) =>
        JSON.stringify(value, (_, part: unknown) => (typeof part === 'function' ? 'a function' : part))
      expect(rules.map(plain)).toEqual(commandry.rules.map(plain))
      expect(rules.every(Object.isFrozen)).toBe(true)
      const { violating } = (await bundled('testing')) as typeof testing
      for (const { code } of rules) expect(violating(code)).toEqual(testing.violating(code))
    })

    it('answers every invalid command with the errors of the source', async () => {
      const built = (await bundled('index')) as typeof commandry
      const errors = (library: typeof commandry, { body, context }: testing.Violation) => {
        const read = library.validateCommand(body, context)
        return read.ok ? null : library.toErrorBody(read.issues)
      }
      for (const { code, on } of commandry.rules) {
        if (on !== 'command') continue
        const violation = testing.violating(code)
        expect(errors(built, violation), code).toEqual(errors(commandry, violation))
      }
    })

    it('uses these parts of no rule by its name', () => {
      const code = files
        .filter((name) => /^dist\/esm\/.*\.js$/.test(name))
        .map(read)
        .join('\n')
      const names = [...code.matchAll(/^export const (\w+) = (?:.* )?(?:rule|warning)\(\{/gm)].map(
        ([, name]) => name,
      )
      expect(names.length).toBeGreaterThan(100)
      expect(code).toContain('...choiceCount,')
      expect(code).not.toMatch(
        new RegExp(`\\b(?:${names.join('|')})\\.(?:summary|breaks|fix|offers|wire|at|on)\\b`),
      )
    })
  })

  it('works as ESM, as CommonJS and as a command', () => {
    const script = fileURLToPath(new URL('smoke.mjs', import.meta.url))
    expect(execFileSync(process.execPath, [script], { encoding: 'utf8' })).toContain('commandry works')
  })

  it('has no bundle over 5 % larger than recorded', () => {
    const script = fileURLToPath(new URL('size.mjs', import.meta.url))
    expect(() => execFileSync(process.execPath, [script], { stdio: 'pipe' })).not.toThrow()
  })

  // A reading of the smallest command takes a quarter more when its fields are defined: V8 does not inline that.
  it.each(['esm/core/report.js', 'node/library.js', 'cjs/library.cjs'])(
    'sets the fields of a report in its constructor, in dist/%s',
    (name) => {
      expect(read(`dist/${name}`)).toMatch(/class Report \{\s+constructor\(\) \{\s+this\.path = \[\]/)
    },
  )

  it('has maps of code and declarations that refer to files of the package', () => {
    const maps = files.filter((name) => name.endsWith('.map'))
    expect(maps.length).toBeGreaterThan(300)
    for (const map of maps) {
      const { sources } = JSON.parse(read(map)) as { sources: string[] }
      const missing = sources.filter((source) => !existsSync(join(packed, dirname(map), source)))
      expect(missing, map).toEqual([])
    }
  })

  it('maps stack traces to the source', () => {
    const code = `require('commandry').globalScope('x')`
    const options = { cwd: fileURLToPath(new URL('..', import.meta.url)), encoding: 'utf8' } as const
    const args = ['--enable-source-maps', '-e', `try { ${code} } catch (error) { console.log(error.stack) }`]
    const stack = execFileSync(process.execPath, args, options)
    const frames = [...stack.matchAll(/\(([^()]*\/src\/[^()]*\.ts):\d+:\d+\)/g)]
    expect(frames.map(([, file]) => relative(packed, file!))).toContain('src/registry/scope.ts')
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

  it('has the docs, the changelog and the license', () => {
    expect(files).toEqual(
      expect.arrayContaining(['README.md', 'CHANGELOG.md', 'LICENSE', 'docs/get-started.md']),
    )
  })

  it('has no findings of publint', async () => {
    expect((await publint({ pkgDir: packed, strict: true })).messages).toEqual([])
  })

  it('has no findings of attw, under old and new resolution', () => {
    const program = join(installed('@arethetypeswrong/cli'), 'dist/index.js')
    const tarball = files.find((name) => /^commandry-.*\.tgz$/.test(name))!
    const output = execFileSync(process.execPath, [program, join(packed, tarball), '--format', 'json'], {
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    })
    expect((JSON.parse(output) as { analysis: { problems: unknown[] } }).analysis.problems).toEqual([])
  })
})
