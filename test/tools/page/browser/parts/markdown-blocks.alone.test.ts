import { describe, expect, it } from 'vitest'
import { BELOW_SQUARE } from '../../../../support/cpu-time.ts'
import { forAnyAsync } from '../../../../support/properties.ts'
import { growthOf, mixture, parts } from '../../../../support/markdown-growth.ts'

describe('Markdown takes time that grows with the text', () => {
  it.each(parts)('of %j', async (part) => {
    expect(await growthOf(part)).toBeLessThanOrEqual(BELOW_SQUARE)
  })

  it('of any mixture', async () => {
    // markdown-blocks.deep.test.ts tries more of them.
    await forAnyAsync([mixture], 10, async (some) => {
      expect(await growthOf(some)).toBeLessThanOrEqual(BELOW_SQUARE)
    })
  })
})
