import { existsSync, readdirSync } from 'node:fs'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { read, root } from '../support/markdown.ts'
import { sourceFiles, type SourceFile } from '../support/source-files.ts'

const page = read('docs/architecture.md')
const source = new URL('src/', root)
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts'))

it('the architecture page names only files and folders that exist', () => {
  const paths = Array.from(page.matchAll(/`((?:[\w-]+\/)+[\w.-]+)`/g), ([, path]) => path!)
  expect(paths.length).toBeGreaterThan(30)
  const isFound = (path: string) =>
    [`src/${path}`, `src/${path}.ts`, path].some((one) => existsSync(new URL(one, root)))
  expect(paths.filter((path) => !isFound(path) && !path.startsWith('npm '))).toEqual([])
})

it('the architecture page begins with a picture of all rooms, the later ones on top', () => {
  const picture = /```text\n([^]*?)```/.exec(page)![1]!
  const drawn = picture.split('\n').flatMap((line) => line.slice(0, 27).match(/[a-z]+/g) ?? [])
  const rows = Array.from(page.matchAll(/^\| `([a-z]+)` +\|/gm), ([, room]) => room!)
  expect(rows).toHaveLength(10)
  expect(drawn.filter((room) => !['storage', 'authorization'].includes(room)).reverse()).toEqual(
    rows.filter((room) => !['storage', 'authorization'].includes(room)),
  )
  expect([...drawn].sort()).toEqual([...rows].sort())
})

/** The lines of each function with a body, by `file name`. */
function functions({
  path,
  source,
}: SourceFile): readonly { readonly name: string; readonly lines: number }[] {
  const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line
  const found: { name: string; lines: number }[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const name = (node as ts.FunctionDeclaration).name?.getText(source) ?? 'function'
      const lines = lineOf(node.end) - lineOf(node.getStart(source)) + 1
      found.push({ name: `${path} ${name}`, lines })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

it('no function has more than 80 lines, and no file more than 500', () => {
  const parsed = sourceFiles()
  expect(parsed).toHaveLength(files.length)
  const all = parsed.flatMap(functions)
  expect(all.length).toBeGreaterThan(3_000)
  const long = all.filter(({ lines }) => lines > 80).map(({ name }) => name)
  expect(long).toEqual([])
  const lines = (text: string) => text.split('\n').length - 1
  expect(parsed.filter(({ source }) => lines(source.text) > 500).map(({ path }) => path)).toEqual([])
})

it('no file name is used twice, but for entries, and files that are named as their commands or start a program', () => {
  const names = files
    .filter(
      (file) => file.includes('/') && !/^tools\/cli\/commands\/|\/main\.ts$|^storage\/text\.ts$/.test(file),
    )
    .map((file) => file.split('/').at(-1)!)
  expect(names.length).toBeGreaterThan(400)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})

/** Whether the exports of a file need names that no other file exports. */
const isNamedAlone = (path: string) =>
  // A door exports what others define; questions are named as the browser asks them, generators and builders as what they make, and
  // the rules of shapes as their codes.
  !/^src\/[^/]+$|page\/questions\/\w+-questions\.|testing\/(?:arbitraries\/|samples\/definitions)|core\/rules\/shape-rules\./.test(
    path,
  )

/** The exported functions, classes and types, and constants that are made by a call or a function. */
function exportedNames({ statements }: ts.SourceFile): readonly string[] {
  return statements.flatMap((statement) => {
    const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : []
    if (!modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return []
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations
        .filter(({ initializer: made }) => made && (ts.isArrowFunction(made) || ts.isCallExpression(made)))
        .map(({ name }) => (name as ts.Identifier).text)
    const { name } = statement as ts.FunctionDeclaration
    return name === undefined ? [] : [name.text]
  })
}

it('no two files export functions, classes or types of one name', () => {
  const named = new Map<string, Set<string>>()
  for (const { path, source } of sourceFiles().filter(({ path }) => isNamedAlone(path)))
    for (const name of exportedNames(source)) named.set(name, (named.get(name) ?? new Set()).add(path))
  expect(named.size).toBeGreaterThan(2_000)
  expect([...named].filter(([, { size }]) => size > 1).map(([name, paths]) => [name, ...paths])).toEqual([])
})

it('no import gives a function of another file a further name, but for the rules that a file reads with', () => {
  const renamed = sourceFiles().flatMap(({ path, source: { statements } }) =>
    statements.flatMap((statement) => {
      if (!ts.isImportDeclaration(statement)) return []
      const isOurs = (statement.moduleSpecifier as ts.StringLiteral).text.startsWith('.')
      const bindings = statement.importClause?.namedBindings
      if (!isOurs || bindings === undefined || !ts.isNamedImports(bindings)) return []
      return bindings.elements
        .map(({ name, propertyName }) => ({
          name: name.text,
          of: propertyName && (propertyName as ts.Identifier).text,
        }))
        .filter(({ of }) => of !== undefined && /^[a-z]/.test(of))
        .map(({ name, of }) => `${path}: ${of} as ${name}`)
    }),
  )
  const ofRules = renamed.filter((one) => /Rules as (?:rules|lists)$/.test(one))
  expect(ofRules.length).toBeGreaterThan(3)
  expect(renamed.filter((one) => !ofRules.includes(one))).toEqual([])
})

it('no two decisions have one number', () => {
  const names = readdirSync(new URL('docs/decisions/', root)).filter((name) => /^\d/.test(name))
  expect(names.length).toBeGreaterThan(25)
  const numbers = names.map((name) => name.split('-')[0]!)
  expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([])
  const titles = names.map((name) => /^# (\d+) /.exec(read(`docs/decisions/${name}`))?.[1])
  expect(titles).toEqual(numbers)
})
