import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { recipeFiles } from '../support/examples.ts'
import { versions } from '../support/versions.ts'

// The entries for test runners, from the package that `npm run test:install` packed, in the runners themselves.
const folder = fileURLToPath(new URL('runners/', import.meta.url))

/** The output of a runner, which exits with a status. */
function run(program: string, args: readonly string[], more: NodeJS.ProcessEnv = {}, cwd = folder, exit = 1) {
  const { NODE_OPTIONS, VITEST, ...rest } = process.env
  const env = { ...rest, NO_COLOR: '1', ...more }
  const { stdout, stderr, status } = spawnSync(program, args, { cwd, env, encoding: 'utf8' })
  const printed = stdout + stderr
  expect(status, printed).toBe(exit)
  return printed
}

const message = /expected a valid command, but\s+command "Ping", name: "Ping" has upper case; write "ping"/

it('commandry/vitest adds the matchers to Vitest', () => {
  const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))
  const printed = run(process.execPath, [vitest, 'run', '--config', 'vitest.config.mjs'])
  expect(printed).toMatch(message)
  expect(printed).toMatch(/Tests +1 failed \| 1 passed/)
})

const jest = fileURLToPath(new URL('../node_modules/jest/bin/jest.js', import.meta.url))
const jestArgs = (more: object) => [
  jest,
  '--config',
  JSON.stringify({
    rootDir: folder,
    testRegex: 'spec\\.cjs$',
    setupFilesAfterEnv: ['commandry/jest'],
    transform: {},
    ...more,
  }),
]

it('commandry/jest adds the matchers to Jest', () => {
  const printed = run(process.execPath, jestArgs({}))
  expect(printed).toMatch(message)
  expect(printed).toMatch(/Tests: +1 failed, 1 passed/)
})

it('commandry/jest works without the globals of Jest, and with ES modules', () => {
  const without = run(process.execPath, jestArgs({ injectGlobals: false }), { WITHOUT_GLOBALS: '1' })
  expect(without).toMatch(/Tests: +1 failed, 1 passed/)
  const modules = jestArgs({ testRegex: 'spec\\.mjs$', moduleFileExtensions: ['mjs', 'js', 'cjs'] })
  const printed = run(process.execPath, ['--experimental-vm-modules', ...modules])
  expect(printed).toMatch(message)
  expect(printed).toMatch(/Tests: +1 failed, 1 passed/)
})

it('commandry/jest explains that it needs Jest', () => {
  const args = ['--input-type=module', '--eval', "import 'commandry/jest'"]
  expect(run(process.execPath, args)).toMatch(
    /Do not import `@jest\/globals` outside of the Jest test environment/,
  )
})

it('commandry/bun adds the matchers to Bun', () => {
  const bun = ['exec', '--yes', `--package=bun@${versions.bun}`, '--', 'bun']
  const printed = run('npm', [...bun, 'test', '--preload', 'commandry/bun', './spec.bun.mjs'])
  expect(printed).toMatch(message)
  expect(printed).toMatch(/1 pass\s+1 fail/)
})

describe('docs/recipes/first-test.md', () => {
  const recipe = recipeFiles('first-test')
  // The checkout is a project of ES modules; that of a reader is not.
  writeFileSync(`${recipe}package.json`, '{ "type": "commonjs" }')
  const passing = (args: readonly string[]) => run(process.execPath, args, {}, recipe, 0)

  it('passes with node:test', () => expect(passing(['--test', '--test-reporter=tap'])).toMatch(/^# pass 1$/m))

  it('passes with Jest', () => expect(passing([jest])).toMatch(/Tests: +2 passed/))
})
