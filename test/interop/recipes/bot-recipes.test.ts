/** The recipes of the docs, run as readers run them. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { recipeFiles } from '../../support/examples.ts'
import { root } from '../../support/markdown.ts'
import { findPython } from '../python/python.ts'
import { servingGateway } from '../gateway/serve-gateway.ts'

for (const recipe of ['discord-js', 'http-bot']) {
  describe(`docs/recipes/${recipe}.md`, async () => {
    await import(/* @vite-ignore */ `${recipeFiles(recipe)}bot.test.mjs`)
  })
}

const python = findPython('discord, pytest')

describe.skipIf(python === undefined)(
  python === undefined
    ? 'docs/recipes/discord-py.md (skipped: discord.py and pytest are not installed)'
    : 'docs/recipes/discord-py.md',
  () => {
    it('passes with pytest', async () => {
      const PYTHONPATH = fileURLToPath(new URL('docs/python', root))
      const env = { ...process.env, PYTHONPATH, COMMANDRY_URL: await servingGateway() }
      const options = { cwd: recipeFiles('discord-py'), env }
      const { stdout } = await promisify(execFile)(
        python!,
        ['-m', 'pytest', '-q', '-p', 'no:cacheprovider'],
        options,
      )
      expect(stdout).toMatch(/^2 passed/m)
    })
  },
)
