import { expect, it } from 'vitest'
import { rules } from 'commandry/reference'
import { read } from '../../support/markdown.ts'
import { ruleSection } from '../../support/rules-page.ts'

it.each(rules.filter(({ on }) => on === 'callback'))(
  'has the limit, the message and the error of docs/rules.md: $code',
  (rule) => {
    expect(read('docs/rules.md')).toContain(ruleSection(rule).join('\n'))
    expect([null, 'value', 'text', 'key']).toContain(rule.about)
  },
)
