/** Jobs of croner and node-cron, in a program with `commandry/clock`. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { newDirectory } from '../../support/directory.ts'
import { root } from '../../support/markdown.ts'
import { buildProgram, runNode } from '../../support/programs.ts'

const folder = newDirectory()
afterAll(() => rmSync(folder, { recursive: true }))

it('runs cron jobs at their times within bed.advance', async () => {
  const clock = await buildProgram(new URL('src/clock.ts', root), join(folder, 'clock.cjs'))
  const program = await buildProgram(
    new URL('cron-program.ts', import.meta.url),
    join(folder, 'cron-program.mjs'),
  )
  expect(await runNode(['--require', clock, program])).toEqual({ code: 0, output: 'ran every day\n' })
})
