import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { clauses } from '../support/clauses.ts'
import { examplesWith, expectShown, pages } from '../support/examples.ts'
import { testFiles } from '../support/test-files.ts'
import { intents, routes, worldRoutes } from '../support/service-tables.ts'
import type { Route } from '../support/service-tables.ts'
import { read, root } from '../support/markdown.ts'
import { exportedValues, pageOfNames } from './exported-values.ts'
import { call } from '../tools/cli/program.ts'
import { dayOfRoute, seenAtDiscord, type Vectors } from './seen.ts'
import { optionsWithoutPage, publicOptions, takersOfOptions } from './options.ts'
import { publicProgram } from './public-program.ts'
import { surfaceText } from './surface.ts'
import { undocumented } from './undocumented.ts'

const program = publicProgram()

const textsOfTests = () =>
  testFiles()
    .filter((name) => /\.(test|model)\.ts$/.test(name))
    .map((name) => read(`test/${name}`))

it('doc comments describe every public export, and each public member that its name and type do not describe', () => {
  expect(undocumented(program)).toEqual([])
})

it('a page for users names every option of every function', () => {
  const isForUsers = (page: string) =>
    !/^docs\/(?:decisions|CONTRIBUTING|architecture|conformance|performance|rules|coverage)/.test(page)
  const options = publicOptions(program)
  expect(options.length).toBeGreaterThan(10)
  expect(optionsWithoutPage(options, pages.filter(isForUsers).map(read))).toEqual([])
})

/** Their examples need a server. */
const NEEDS_SERVER = ['postgresStore', 'redisStore']

it('a page for users has each exported value, in an example that is run', async () => {
  const isForUsers = (page: string) =>
    !/^docs\/(?:decisions|CONTRIBUTING|architecture|conformance|performance|rules|coverage|names)/.test(page)
  const values = exportedValues(program, pages.filter(isForUsers))
  expect(values.length).toBeGreaterThan(120)
  expect(values.filter(({ page }) => page === null).map(({ name }) => name)).toEqual([])
  const others = values.filter(({ isRun, name }) => !isRun && !NEEDS_SERVER.includes(name))
  expect(others.map(({ name, entry }) => `${entry} ${name}`)).toEqual([])
  await expect(pageOfNames(values)).toMatchFileSnapshot('../../docs/names.md')
})

/** Read by themselves, and with fields that further ones may stand beside. */
const OTHER_ARGUMENTS = ['Actor', 'ChatClient', 'StoreError', 'effectivePermissions']

it('tests walk the options of every public function, class and method', () => {
  const walks = textsOfTests().filter((text) => /^describeOptions\(/m.test(text))
  const isWalked = (name: string) => walks.some((text) => text.includes(`'${name}'`))
  const names = [...takersOfOptions(program)]
  expect(names.length).toBeGreaterThan(50)
  expect(names.filter((name) => !isWalked(name)).sort()).toEqual(OTHER_ARGUMENTS)
})

it('surface.d.txt lists every public name with its signature', async () => {
  const text = await surfaceText(program)
  await expect(text, '`npm run docs` writes the list of the public names anew').toMatchFileSnapshot(
    './surface.d.txt',
  )
})

it('conformance lists every clause, each with a test that has its number in the title', () => {
  const rows = Array.from(read('docs/conformance.md').matchAll(/^\| *([0-9.]+-\d\d) *\|/gm), ([, id]) => id)
  expect(rows).toEqual(clauses)
  const tests = textsOfTests().join('\n')
  expect(clauses.filter((id) => !tests.includes(`[${id}]`))).toEqual([])
})

describe('coverage', () => {
  const text = read('docs/coverage.md')
  const withList = (page: string, name: string, lines: readonly string[]) =>
    page.replace(
      new RegExp(`(<!-- ${name}: .*? -->\\n)[^]*?(<!-- end of ${name} -->)`),
      (_, start: string, end: string) => `${start}\n${lines.map((line) => `- ${line}\n`).join('')}\n${end}`,
    )

  it('lists the routes of the service and the events of the gateway', async () => {
    const sources = readdirSync(new URL('src/service/gateway/', root)).map((name) =>
      read(`src/service/gateway/${name}`),
    )
    const events = sources.flatMap((code) =>
      Array.from(
        code.matchAll(/(?:dispatch|send)\w*\([^()]*'([A-Z][A-Z_]+)'/g),
        ([, event]) => `\`${event}\``,
      ),
    )
    const ofWorld = Object.keys(intents).map((event) => `\`${event}\``)
    const vectors = JSON.parse((await call(['vectors'])).out) as Vectors
    const dayOf = (route: Route) => dayOfRoute(route, vectors, seenAtDiscord)
    const lineOf = (route: Route) => {
      const day = dayOf(route)
      return `\`${route.method} ${route.path}\`: ${route.summary}${day === undefined ? '' : `; seen at Discord on ${day}`}`
    }
    const answered = [...routes, ...worldRoutes].filter((route) => dayOf(route) !== undefined).length
    const seen = `${answered} of ${routes.length + worldRoutes.length} routes were seen at Discord, by \`commandry vectors --against discord\``
    for (const list of [events, ofWorld, routes]) expect(list.length).toBeGreaterThan(5)
    const lists = { routes, 'server routes': worldRoutes }
    const withRoutes = Object.entries(lists).reduce(
      (page, [name, rows]) => withList(page, name, rows.map(lineOf)),
      text,
    )
    const withSeen = withList(withRoutes, 'seen', [seen])
    const expected = withList(withSeen, 'events', [...new Set([...events, ...ofWorld])].sort())
    await expect(expected).toMatchFileSnapshot('../../docs/coverage.md')
  })
})

/** A link or a picture to a file of the repository. */
const link = /(!?)\[(?:[^[\]]|\[[^\]]*\])*\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g

const { files } = JSON.parse(read('package.json')) as { files: readonly string[] }
const isWithin = (file: string, entry: string) => file === entry || file.startsWith(`${entry}/`)

/** Whether a file of the repository is in the package. */
function isPacked(file: string): boolean {
  if (files.some((entry) => entry.startsWith('!') && isWithin(file, entry.slice(1)))) return false
  return ['README.md', 'LICENSE', ...files].some((entry) => isWithin(file, entry))
}

describe('pages', () => {
  it('have relative links that resolve, in a checkout and in the package', () => {
    for (const page of [...pages, 'docs/llms.txt']) {
      for (const [, mark, target] of read(page).matchAll(link)) {
        const file = new URL(target!, new URL(page, root)).pathname.slice(root.pathname.length)
        expect(() => readFileSync(new URL(file, root)), `${page}: ${target}`).not.toThrow()
        // Of a picture that is not in the package, readers see the text.
        if (mark === '!' || !isPacked(page)) continue
        // Contributors have a checkout.
        if (page === 'README.md' && file === 'docs/CONTRIBUTING.md') continue
        expect(isPacked(file), `${page}: ${target} is not in the package`).toBe(true)
      }
    }
  })

  it('keep the README under 120 lines', () => {
    expect(read('README.md').trimEnd().split('\n').length).toBeLessThan(120)
  })

  it('name, for what was found, a test that exists', () => {
    const rows = read('docs/reliability.md').matchAll(/`(test\/\S+\.test\.ts)`: (.*?) *\|\n/g)
    const guards = Array.from(rows, ([, file, title]) => ({ file: file!, title: title! }))
    expect(guards.length).toBeGreaterThan(10)
    expect(guards.filter(({ file, title }) => !read(file).includes(title))).toEqual([])
  })

  // The rows of bounds and of what was found do not count: tests hold both tables complete.
  // 29,800 until every exported value had an example, scenes their page, and more codes a row; 32,250 until pages said what
  // was not seen, and what `text()` shows; 33,000 until they said what a person cannot grant, and what each act returns.
  it('have at most 33,300 hand-written words', () => {
    const generated = ['docs/rules.md', 'docs/conformance.md', 'docs/platform.md', 'docs/names.md']
    const words = pages
      .filter((page) => !generated.includes(page) && page !== 'README.md')
      // A bench writes the record of docs/performance.md.
      .map((page) => read(page).replace(/<!-- recorded:[^]*<!-- end of the record -->/, ''))
      .map((text) => text.replace(/<!-- [\w ]+: npm run docs -->[^]*?<!-- end of/g, ''))
      .map((text) => text.replace(/^\|.*`(?:[A-Z][A-Z_]{3,}|test\/\S+\.test\.ts)`.*\|$/gm, ''))
      .map((text) => text.match(/\S*[\p{L}\p{N}]\S*/gu)!.length)
    expect(words.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(33_300)
  })
})

describe('examples', () => {
  const examples = examplesWith(() => false)

  it.each(examples)('$page, block $index, runs and prints the shown output', expectShown)

  it('exist', () => {
    expect(examples.map(({ page }) => page)).toEqual(
      expect.arrayContaining(['docs/get-started.md', 'docs/testing.md', 'docs/recipes/permissions.md']),
    )
  })
})
