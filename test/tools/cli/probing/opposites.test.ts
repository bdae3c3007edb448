import { expect, it, vi } from 'vitest'
import { call } from '../program.ts'
import { discord, SERVER, withoutVersions } from './discord.ts'
import { expectFound, rows } from './plant.ts'

it('commandry vectors --against discord finds every decision in this service', async () => {
  const { run } = await discord()
  const { code, out, err } = await run()
  expect(out).toContain(`${rows.length} as decided, 0 otherwise, 0 not observed`)
  expect([code, err]).toEqual([0, ''])
})

it('commandry vectors --against URL compares the decisions of a service with messages', async () => {
  const { bed, state } = await discord()
  vi.unstubAllGlobals()
  const before = withoutVersions(await state())
  const at = ['--against', `${bed.rest}/v10`, '--application', bed.applicationId, '--guild', SERVER]
  const { code, out, err } = await call(['vectors', ...at])
  expect(out).toMatch(/^(\d+) of \1 probes are as decided; 0 otherwise, 0 not observed$/m)
  expect([code, err]).toEqual([0, ''])
  expect(withoutVersions(await state())).toEqual(before)
})

it.each(['even', 'odd'])(
  'commandry vectors --against discord finds the opposite of each %s row, and no other',
  (half) => expectFound((index) => index % 2 === (half === 'odd' ? 1 : 0)),
)
