import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { call, start } from '../../tools/cli/program.ts'
import { installed } from '../../support/installed.ts'

const script = fileURLToPath(new URL('digital-twin.mjs', import.meta.url))

it('discord-digital-twin scores what the comparison says', async () => {
  const twin = start(script, [])
  onTestFinished(async () => {
    twin.child.kill()
    await twin.ended
  })
  const url = (await twin.firstLine).trim()
  const { code, out, err } = await call(
    ['vectors', '--against', url, '--application', '1001', '--guild', '2001'],
    { env: { COMMANDRY_TOKEN: 'fake-bot-token' } },
  )
  expect([code, err]).toEqual([1, ''])
  const [, passed, total, accepted, refused] =
    /^(\d+) of (\d+) cases pass; (\d+) accepted, (\d+) refused/m.exec(out)!
  const manifest = readFileSync(`${installed('discord-digital-twin')}/package.json`, 'utf8')
  const { version } = JSON.parse(manifest) as { version: string }
  const page = readFileSync(new URL('../../../docs/comparison.md', import.meta.url), 'utf8')
  expect(page.replace(/\s+/g, ' ')).toContain(
    `| discord-digital-twin ${version} | ${passed} of ${total} | ${accepted} | ${refused} |`,
  )
})
