import { describe, expect, it } from 'vitest'
import { blocksOf } from '../../../../../src/tools/page/browser/parts/markdown-blocks.ts'
import { BELOW_SQUARE, growth, timeOf } from '../../../../support/cpu-time.ts'
import { fc, forAnyAsync } from '../../../../support/properties.ts'

const LENGTH = 5_000
const parts = [
  ...['_', '*', '~', '|', '`', '__', '**', '[', '<', '> ', '>>> ', '# ', '- ', '\\', '\n', '```'],
  ...[
    ' _a',
    ' *a',
    '~~a ',
    '||a',
    '__a',
    '`` a ` ',
    '[a',
    '[a](https://x',
    '<https://',
    '</a',
    '<@1',
    '<t:1',
  ],
  ...['**_~~||__', '*a**b***c', '_a __b ', '> _a\n', 'https://x<', '```a\n', '[a](https://x "'],
]
const growthOf = (part: string) =>
  growth(
    LENGTH,
    timeOf((length) => part.repeat(Math.ceil(length / part.length)), blocksOf),
    BELOW_SQUARE,
  )

const mixture = fc
  .array(fc.constantFrom(...parts, 'a', ' '), { minLength: 1, maxLength: 12 })
  .map((some) => some.join(''))

describe('Markdown takes time that grows with the text', () => {
  it.each(parts)('of %j', async (part) => {
    expect(await growthOf(part)).toBeLessThanOrEqual(BELOW_SQUARE)
  })

  it('of any mixture', async () => {
    await forAnyAsync([mixture], 200, async (some) => {
      expect(await growthOf(some)).toBeLessThanOrEqual(BELOW_SQUARE)
    })
  })
})
