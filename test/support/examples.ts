/** The examples of the docs: each block with code, and the block with its output that follows it. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { format } from 'node:util'
import { expect, vi } from 'vitest'
import { fences, read, root } from './markdown.ts'

/** A block of code of a page, and the output that the page shows; null when it shows none. */
export interface Example {
  readonly page: string
  /** The position among the fenced blocks of its page. */
  readonly index: number
  readonly language: string
  readonly code: string
  readonly output: string | null
}

/** The hand-written pages: the README and everything below `docs`. */
export const pages: readonly string[] = [
  'README.md',
  ...readdirSync(new URL('docs/', root), { recursive: true, encoding: 'utf8' })
    .map((name) => `docs/${name.replaceAll('\\', '/')}`)
    .filter((name) => name.endsWith('.md'))
    .sort(),
]

/** Whether `npm run docs` runs, which writes generated text instead of comparing it. */
export const updating: boolean = process.env.npm_lifecycle_event === 'docs'

/** The examples that use the library and import only these packages besides. */
export function examplesWith(isKnown: (specifier: string) => boolean): readonly Example[] {
  return allExamples().filter(({ code }) => importsOf(code).every((one) => isOwn(one) || isKnown(one)))
}

/** The imports of a block, relative ones included. */
export function importsOf(code: string): readonly string[] {
  return Array.from(code.matchAll(/from '([^']+)'|^import '([^']+)'/gm), ([, from, bare]) => (from ?? bare)!)
}

export function isOwn(specifier: string): boolean {
  return /^(node:|commandry(\/|$))/.test(specifier)
}

export function allExamples(): readonly Example[] {
  return pages.flatMap((page) => {
    const blocks = fences(read(page))
    return blocks.flatMap(({ language, code }, index): readonly Example[] => {
      if (!/^(js|ts)$/.test(language) || !code.includes("from 'commandry")) return []
      const next = blocks[index + 1]
      return [{ page, index, language, code, output: next?.language === 'text' ? next.code : null }]
    })
  })
}

/** The output of an example that runs on the source. */
async function run({ page, index, language, code }: Example): Promise<string> {
  const directory = new URL('test/.docs/', root)
  mkdirSync(directory, { recursive: true })
  const file = new URL(`${page.replaceAll(/[^a-z]/gi, '-')}-${index}.${language}`, directory)
  writeFileSync(file, code)
  const printed: string[] = []
  const spy = vi
    .spyOn(console, 'log')
    .mockImplementation((...values: unknown[]) => void printed.push(format(...values)))
  try {
    await import(/* @vite-ignore */ file.pathname)
  } finally {
    spy.mockRestore()
  }
  return printed.map((line) => `${line}\n`).join('')
}

/** Expects an example to print what its page shows, or writes it there when the docs are generated. */
export async function expectShown(example: Example): Promise<void> {
  const printed = await run(example)
  if (updating) record(example, printed)
  else expect(printed).toBe(example.output ?? '')
}

function record({ page, code, output }: Example, printed: string): void {
  if (output === null) return
  const before = `${code}\`\`\`\n\n\`\`\`text\n`
  const text = read(page)
  writeFileSync(
    new URL(page, root),
    text.replace(`${before}${output}`, () => `${before}${printed}`),
  )
}

/** The folder with the files of a recipe: every block whose first line is a comment with a file name. */
export function recipeFiles(recipe: string): string {
  const folder = new URL(`test/.docs/recipe-${recipe}/`, root)
  for (const { code } of fences(read(`docs/recipes/${recipe}.md`))) {
    const [, name] = /^(?:\/\/|#) ([\w./]+)\n/.exec(code) ?? []
    if (name === undefined) continue
    const file = new URL(name, folder)
    mkdirSync(new URL('.', file), { recursive: true })
    writeFileSync(file, code)
  }
  return fileURLToPath(folder)
}
