/** The folder of a discord.js bot, as its guide lays it out. */
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { call } from '../../tools/cli/program.ts'

const cwd = fileURLToPath(new URL('./bot', import.meta.url))

const limits = { load: 30_000 }

it('commandry check of a discord.js bot finds no problem in its commands', async () => {
  const { code, out } = await call(['check', 'commands', '--warnings-as-errors'], { cwd, limits })
  expect([code, out]).toEqual([0, expect.stringMatching(/^✓ 3 commands in 3 files: no problems found/)])
})

it('commandry check of a discord.js bot finds no command in its events, which is an error', async () => {
  const { code, out } = await call(['check', 'commands', 'events'], { cwd, limits })
  expect([code, out]).toEqual([1, expect.stringMatching(/^events\n +error +no command found/m)])
})

it('commandry check of a discord.js bot reports problems that the builders accept, at their paths', async () => {
  const { code, out } = await call(['check', 'faults.js', '--format', 'json'], {
    cwd,
    limits,
  })
  const [{ issues }] = JSON.parse(out).files
  expect(code).toBe(1)
  expect(
    issues.map(({ code: rule, path }: { code: string; path: unknown[] }) => [rule, path.join('.')]),
  ).toEqual([
    ['options.order', '0.data.options.1'],
    ['options.unique', '1.data.options.1'],
  ])
})
