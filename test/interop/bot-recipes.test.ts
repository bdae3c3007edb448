/** The recipes of the docs, run as readers run them. */
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { call, withDrivers } from '../cli/program.ts'
import { fences, read, root } from '../support/markdown.ts'
import { findPython } from './python.ts'

/** Writes the files of a recipe: every block whose first line is a comment with a file name. */
function filesOf(recipe: string): string {
  const folder = new URL(`test/.docs/recipe-${recipe}/`, root)
  mkdirSync(folder, { recursive: true })
  for (const { code } of fences(read(`docs/recipes/${recipe}.md`))) {
    const [, name] = /^(?:\/\/|#) ([\w.]+)\n/.exec(code) ?? []
    if (name !== undefined) writeFileSync(new URL(name, folder), code)
  }
  return fileURLToPath(folder)
}

for (const recipe of ['discord-js', 'http-bot']) {
  describe(`docs/recipes/${recipe}.md`, async () => {
    await import(/* @vite-ignore */ `${filesOf(recipe)}bot.test.mjs`)
  })
}

const python = findPython('discord, pytest')

describe.skipIf(python === undefined)(
  python === undefined
    ? 'docs/recipes/discord-py.md (skipped: discord.py and pytest are not installed)'
    : 'docs/recipes/discord-py.md',
  () => {
    it('passes with pytest', async () => {
      const service = call(['serve', '--gateway', '--port', '0'], { cwd: await withDrivers({}, 'ws') })
      const [, url] = /(http:\/\/\S+)\/api\/v10/.exec(await service.firstLine) ?? []
      const env = { ...process.env, SERVICE: url }
      const options = { cwd: filesOf('discord-py'), env }
      const { stdout } = await promisify(execFile)(
        python!,
        ['-m', 'pytest', '-q', '-p', 'no:cacheprovider'],
        options,
      )
      service.interrupt()
      await service
      expect(stdout).toMatch(/^2 passed/m)
    })
  },
)
