/** The time that Markdown takes, by texts that repeat a part. */
import { blocksOf } from '../../src/tools/page/browser/parts/markdown-blocks.ts'
import { BELOW_SQUARE, growth, timeOf } from './cpu-time.ts'
import { fc } from './properties.ts'

const LENGTH = 5_000
export const parts = [
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
export const growthOf = (part: string) =>
  growth(
    LENGTH,
    timeOf((length) => part.repeat(Math.ceil(length / part.length)), blocksOf),
    BELOW_SQUARE,
  )

export const mixture = fc
  .array(fc.constantFrom(...parts, 'a', ' '), { minLength: 1, maxLength: 12 })
  .map((some) => some.join(''))
