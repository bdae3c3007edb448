/** What `npm run docs` writes, read as users read it and held against the package. */
import { Ajv } from 'ajv'
import { expect, it } from 'vitest'
import { entries, runners } from './entries.mjs'
import { importPacked } from './packed.ts'
import { read } from '../support/markdown.ts'

/** The cells of the rows of a table whose first cell is code. */
const rowsOf = (page: string) =>
  Array.from(page.matchAll(/^\| `(\S+)` +\| `(\S+)` +\| \[.*?\]\((.*?)\)/gm), (row) => row.slice(1))

it('docs/names.md has each value of each entry of the package, with a page that has it', async () => {
  const rows = rowsOf(read('docs/names.md'))
  for (const [name, , page] of rows) expect(read(`docs/${page}`), name).toMatch(new RegExp(`\\b${name}\\b`))
  for (const entry of entries.filter((one) => ![...runners, 'redirect', 'clock'].includes(one))) {
    const door = entry === 'index' ? 'commandry' : `commandry/${entry}`
    const listed = rows.filter(([, own]) => own === door).map(([name]) => name)
    const exported = Object.keys(await importPacked(entry)).filter((name) => name !== 'default')
    expect(listed.sort(), door).toEqual(exported.sort())
  }
})

interface Section {
  readonly code: string
  readonly path: string
  readonly wrong: unknown
  readonly message: string
  readonly right: unknown
}

const parsed = (text: string | undefined): unknown =>
  text === undefined || text.endsWith('…') ? undefined : JSON.parse(text)

/** The sections of docs/rules.md whose bodies are shown whole. */
function sections(): readonly Section[] {
  const text = read('docs/rules.md')
  return text
    .split(/^### /m)
    .slice(1)
    .map((part) => {
      const [, code = ''] = /^<a id="\S+"><\/a>`(\S+)`/.exec(part) ?? []
      const [, path = '', wrong] = /^- Wrong(?: at `(\S+)`)?: `(.*)`$/m.exec(part) ?? []
      const [, message = ''] = /^- Message: (.*)$/m.exec(part) ?? []
      const [, right] = /^- Right: `(.*)`$/m.exec(part) ?? []
      return { code, path, wrong: parsed(wrong), message, right: parsed(right) }
    })
}

/** About a text elsewhere in the body, which the page does not show. */
const ELSEWHERE = ['options.unique_localized', 'localization.default']

/** A body with a value in place of that at a path. */
function withValue(body: any, [first, ...rest]: readonly string[], value: unknown): unknown {
  if (first === undefined) return value
  const copy = Array.isArray(body) ? [...body] : { ...body }
  copy[first] = withValue(copy[first], rest, value)
  return copy
}

it('docs/rules.md has bodies of commands that the package refuses and accepts as it says', async () => {
  const { validateCommand } = (await importPacked('index')) as typeof import('commandry')
  const { rules } = (await importPacked('reference')) as typeof import('commandry/reference')
  const { violating } = (await importPacked('testing')) as typeof import('commandry/testing')
  const all = sections()
  expect(all.map(({ code }) => code).sort()).toEqual(rules.map(({ code }) => code as string).sort())
  const codes = new Map(rules.map((rule) => [rule.code as string, rule]))
  const isShown = ({ code, wrong }: Section) =>
    wrong !== undefined && !ELSEWHERE.includes(code) && codes.get(code)!.on === 'command'
  const shown = all.filter(isShown)
  expect(shown.length).toBeGreaterThan(60)
  for (const { code, path, wrong, message, right } of shown) {
    const { body, context } = violating(codes.get(code)!.code)
    // A page shows the object or the list around the problem.
    const around = path.split('.').slice(0, -1)
    const judged = (part: unknown) => {
      const result = validateCommand(withValue(body, around, part), context as object)
      const found = [...(result.ok ? [] : result.issues), ...result.warnings]
      return found.map((one) => [one.code, one.path.join('.'), one.message])
    }
    expect(judged(wrong)).toContainEqual([code, path, message])
    if (right !== undefined) expect([code, judged(right)]).toEqual([code, []])
  }
})

it('docs/commands.schema.json takes what docs/rules.md shows as right, and refuses names that it shows as wrong', () => {
  const schema = JSON.parse(read('docs/commands.schema.json'))
  const check = new Ajv({ strict: false, validateFormats: false }).compile(schema)
  const ofNames = sections().filter(({ code }) =>
    /^(?:name\.length|command\.type|options\.count)$/.test(code),
  )
  expect(ofNames).toHaveLength(3)
  for (const { code, wrong, right } of ofNames) {
    if (right !== undefined) expect([code, check([right]), check.errors]).toEqual([code, true, null])
    if (wrong !== undefined) expect([code, check([wrong])]).toEqual([code, false])
  }
})
