import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { rules } from 'commandry'
import { fences, read, root } from './support/markdown.ts'
import { rulesPage } from './support/rules-page.ts'

const update = (import.meta as { env?: { MODE?: string } }).env?.MODE === 'docs'
const pages = [
  'README.md',
  ...readdirSync(new URL('docs/', root))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

describe('docs', () => {
  it('the page of rules is what the catalogue says', () => {
    if (update) writeFileSync(new URL('docs/rules.md', root), rulesPage())
    expect(read('docs/rules.md')).toBe(rulesPage())
    for (const { code } of rules) expect(read('docs/rules.md')).toContain(`\`${code}\``)
  })

  it('every relative link leads somewhere', () => {
    for (const page of pages) {
      for (const [, target] of read(page).matchAll(/\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g)) {
        expect(
          () => read(new URL(target!, new URL(page, root)).pathname.slice(root.pathname.length)),
          `${page}: ${target}`,
        ).not.toThrow()
      }
    }
  })

  const examples = pages.flatMap((page) => {
    const blocks = fences(read(page))
    return blocks.flatMap((block, i) => {
      const output = blocks[i + 1]?.language === 'text' ? blocks[i + 1]!.code : null
      return block.language === 'ts' && block.code.includes("from 'commandry")
        ? [{ page, i, code: block.code, output }]
        : []
    })
  })

  it.each(examples)(
    '$page, example $i, runs and prints what the page says',
    async ({ page, i, code, output }) => {
      const directory = new URL('test/.docs/', root)
      mkdirSync(directory, { recursive: true })
      const file = new URL(`${page.replaceAll(/[^a-z]/gi, '-')}-${i}.ts`, directory)
      writeFileSync(file, code)
      const printed: string[] = []
      const { format } = await import('node:util')
      const spy = vi
        .spyOn(console, 'log')
        .mockImplementation((...values: unknown[]) => void printed.push(format(...values)))
      try {
        await import(/* @vite-ignore */ file.pathname)
      } finally {
        spy.mockRestore()
      }
      if (output === null) expect(printed).toEqual([])
      else expect(`${printed.join('\n')}\n`).toBe(output)
    },
  )

  it('there are examples', () => {
    expect(examples.map(({ page }) => page)).toEqual(expect.arrayContaining(['README.md', 'docs/guide.md']))
  })
})
