import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { runNode } from '../support/programs.ts'

// `commandry/clock` from the package that `npm run test:install` packed, in the runners themselves.
const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))
const folder = path('clock/')
const color = { NO_COLOR: '1' }

describe('commandry/clock', () => {
  const vitest = path('../../node_modules/vitest/vitest.mjs')
  const run = (more: object) => runNode([vitest, 'run', '--root', folder], { ...color, ...more })

  it.each([{ POOL: 'forks' }, { POOL: 'threads' }, { POOL: 'threads', ISOLATE: 'false' }])(
    'moves a bot of discord.js in Vitest: %o',
    async (more) => {
      const { code, output } = await run(more)
      expect(output).toMatch(/Tests +10 passed/)
      expect(code).toBe(0)
    },
  )

  it('refuses contexts of Vitest, whose modules of Node are copies', async () => {
    const { output } = await run({ POOL: 'vmThreads' })
    expect(output).toContain('run vitest with pool "forks" or "threads"')
  })

  const jest = (key: string) => {
    const testRegex = '\\.jest\\.cjs$'
    const config = {
      rootDir: folder,
      testRegex,
      transform: {},
      testTimeout: 10_000,
      [key]: ['commandry/clock'],
    }
    return runNode([path('../node_modules/jest/bin/jest.js'), '-w', '1', '--config', JSON.stringify(config)])
  }

  it('moves a bot of discord.js in Jest, as a file of setupFilesAfterEnv', async () => {
    expect((await jest('setupFilesAfterEnv')).output).toMatch(/Tests: +10 passed, 10 total/)
    expect((await jest('setupFiles')).output).toContain('name it in setupFilesAfterEnv')
  })

  it('moves a bot of discord.js in node:test, as the first import', async () => {
    const { code, output } = await runNode(['--test', '--test-reporter=tap', `${folder}node.mjs`])
    expect(output).toMatch(/^# pass 5$/m)
    expect(code).toBe(0)
  })
})
