import { expect, it } from 'vitest'
import { able, discord, withoutVersions } from './discord.ts'

// Each of the first requests, and each fourth of the others, up to a run that ends before.
it('commandry vectors --against discord leaves everything as it was when it is interrupted at any request', async () => {
  let at = 0
  let first = 0
  let interrupt = () => {}
  const { bed, run, state, sent } = await discord(able, async (_, pass, index) => {
    if (index - first === at) interrupt()
    return pass()
  })
  const before = withoutVersions(await state())
  for (let code: number | null = 1; code !== 0; at += at < 12 ? 1 : 4) {
    first = sent.length
    const called = run(['--out', `${at}.json`])
    interrupt = called.interrupt
    code = (await called).code
    expect(withoutVersions(await state())).toEqual(before)
    // There are 200 creates in a day.
    await bed.advance('25h')
  }
  expect(at).toBeGreaterThan(100)
})
