/** Rules of the style sheet reach every view, so a class of one view must not mean something else in another. */
import { readFileSync, readdirSync } from 'node:fs'
import { expect, it } from 'vitest'

const root = new URL('../../src/tools/page/browser/views/', import.meta.url)
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
const style = readFileSync(new URL('../../style.ts', root), 'utf8')

/** Classes that mean the same in each view that has them. */
const SHARED =
  'about code content dashed difference dim hidden hint list main name no notice plain quiet row scroll toolbar verdict yes'

/** The view of a file: all of a member are one. */
const viewOf = (file: string): string => file.replaceAll('\\', '/').replace(/\/.*/, '')

it('a class that the style sheet has a rule for belongs to one view, or means the same in all', () => {
  const views = new Map<string, Set<string>>()
  for (const file of files) {
    const text = readFileSync(new URL(file, root), 'utf8')
    for (const [, value = ''] of text.matchAll(/\bclass(?:="|: ['`])([^"'`]+)/g))
      for (const name of value.replace(/\$\{[^}]*\}/g, ' ').split(/\s+/))
        if (style.includes(`.${name}`) && name !== '') {
          if (!views.has(name)) views.set(name, new Set())
          views.get(name)!.add(viewOf(file))
        }
  }
  const shared = [...views].filter(([, of]) => of.size > 1).map(([name]) => name)
  expect(shared.sort().join(' ')).toBe(SHARED)
})
