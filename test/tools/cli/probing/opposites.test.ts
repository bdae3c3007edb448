import { expect, it } from 'vitest'
import { discord } from './discord.ts'
import { expectFound, rows } from './plant.ts'

it('commandry vectors --run discord finds every decision in this service', async () => {
  const { run } = await discord()
  const { code, out, err } = await run()
  expect(out).toContain(`${rows.length} as decided, 0 otherwise, 0 not observed`)
  expect([code, err]).toEqual([0, ''])
})

it.each(['even', 'odd'])(
  'commandry vectors --run discord finds the opposite of each %s row, and no other',
  (half) => expectFound((index) => index % 2 === (half === 'odd' ? 1 : 0)),
)
