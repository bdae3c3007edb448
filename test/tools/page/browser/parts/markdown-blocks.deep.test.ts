import { expect, it } from 'vitest'
import { BELOW_SQUARE } from '../../../../support/cpu-time.ts'
import { forAnyAsync } from '../../../../support/properties.ts'
import { growthOf, mixture } from '../../../../support/markdown-growth.ts'

it('Markdown takes time that grows with the text, of any of many mixtures', async () => {
  await forAnyAsync([mixture], 200, async (some) => {
    expect(await growthOf(some)).toBeLessThanOrEqual(BELOW_SQUARE)
  })
})
