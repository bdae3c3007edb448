import { expect, test } from 'vitest'
import { runNode } from '../support/programs.ts'

test('a round that hangs is reported with what each process does, and ends the run', async () => {
  const only = ['--built', '--minutes', '0', '--only', 'documents, undisturbed, SQLite']
  const whole = await runNode(['test/torture/run.mjs', ...only])
  expect(whole).toMatchObject({ code: 0, output: expect.stringContaining('0 rounds lost something') })
  // Shorter than any round.
  const hung = await runNode(['test/torture/run.mjs', ...only, '--limit', '0'])
  expect(hung.code).toBe(1)
  expect(hung.output).toMatch(/^histories of documents.*: did not end within 0 minutes\nprocess 1 /)
  expect(hung.output).toContain('1 rounds lost something')
})
