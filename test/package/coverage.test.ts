/** The reporter of the packed package, which adds up what several test files have used of a bot. */
import { execFile } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))
const folder = path(`../.docs/coverage-${process.pid}`)
const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: __, VITEST: ___, ...env } = process.env

async function run(...args: readonly string[]): Promise<string> {
  const ended = promisify(execFile)(process.execPath, args, { cwd: folder, env: { ...env, NO_COLOR: '1' } })
  const { stdout, stderr } = await ended.catch((error: { stdout: string; stderr: string }) => error)
  return stdout + stderr
}

/** A test of a bot over HTTP that uses one command. */
const testOf = (load: string, line: string) => `
${load}
import { testbed } from 'commandry/testbed'

test('${line}', async () => {
  const commands = ['ban', 'kick', 'warn'].map((name) => ({ name, description: 'x' }))
  const endpoint = () => Response.json({ type: 4, data: { content: 'done' } })
  const bed = await testbed({ commands, endpoint })
  await bed.as('member').use('${line}')
  await bed.close()
})`

beforeAll(() => {
  mkdirSync(folder, { recursive: true })
  const loads = { test: "import { test } from 'vitest'", node: "import { test } from 'node:test'", jest: '' }
  for (const [kind, load] of Object.entries(loads))
    for (const name of ['ban', 'kick'])
      writeFileSync(join(folder, `${name}.${kind}.mjs`), testOf(load, `/${name}`))
  const config = { include: ['*.test.mjs'], reporters: ['default', 'commandry/coverage'] }
  writeFileSync(join(folder, 'vitest.config.mjs'), `export default { test: ${JSON.stringify(config)} }`)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const printed = /2 of 3 commands used, 0 of 0 options given[^]+Commands not used: \/warn/

it('prints the coverage of all files at the end of a run of Vitest', async () => {
  const text = await run(path('../../node_modules/vitest/vitest.mjs'), 'run', '--config', 'vitest.config.mjs')
  expect(text).toMatch(/Tests +2 passed/)
  expect(text).toMatch(printed)
})

it('prints it at the end of a run of Jest', async () => {
  const config = { transform: {}, testRegex: 'jest\\.mjs$', moduleFileExtensions: ['mjs', 'js'] }
  writeFileSync(
    join(folder, 'jest.config.json'),
    JSON.stringify({ ...config, rootDir: folder, reporters: ['default', 'commandry/coverage'] }),
  )
  const jest = path('../node_modules/jest/bin/jest.js')
  const text = await run('--experimental-vm-modules', jest, '--config', 'jest.config.json')
  expect(text).toMatch(/Tests: +2 passed/)
  expect(text).toMatch(printed)
})

it('prints it at the end of a run of node:test, whose files are processes', async () => {
  const reporters = ['spec', 'commandry/coverage'].flatMap((name) => [
    `--test-reporter=${name}`,
    '--test-reporter-destination=stdout',
  ])
  const text = await run('--test', ...reporters, 'ban.node.mjs', 'kick.node.mjs')
  expect(text).toMatch(/pass 2/)
  expect(text).toMatch(printed)
})
