/** The declarations of the package, held against the source that they were rolled up from. */
import { join } from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { entries, exportsOf, isValue, originalOf, publicProgram } from '../house/public-program.ts'
import { installed } from '../support/installed.ts'

/** What a symbol says of itself in a hover: its comment and its tags, such as `@deprecated`. */
function saidOf(symbol: ts.Symbol, checker: ts.TypeChecker): string {
  const comment = ts.displayPartsToString(symbol.getDocumentationComment(checker))
  const tags = symbol
    .getJsDocTags(checker)
    .map(({ name, text }) => `@${name} ${ts.displayPartsToString(text)}`)
  return [comment, ...tags].join(' ').replace(/\s+/g, ' ').trim()
}

const isOfTypeScript = (one: ts.Declaration) => /\/(?:typescript|@types)\//.test(one.getSourceFile().fileName)
const isPrivate = ({ declarations = [] }: ts.Symbol) =>
  declarations.some((one) => {
    const name = ts.getNameOfDeclaration(one)
    const isHidden = (ts.getCombinedModifierFlags(one) & ts.ModifierFlags.Private) !== 0
    return isHidden || (name !== undefined && ts.isPrivateIdentifier(name)) || isOfTypeScript(one)
  })

/** An export and its members, each in a line. */
function linesOf(exported: ts.Symbol, checker: ts.TypeChecker): readonly string[] {
  const original = originalOf(exported, checker)
  const isOfValue =
    (original.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface | ts.SymbolFlags.TypeAlias)) === 0
  const type = isOfValue ? checker.getTypeOfSymbol(original) : checker.getDeclaredTypeOfSymbol(original)
  const members = isOfValue ? [] : type.getProperties().filter((one) => !isPrivate(one))
  const kind = isValue(exported, checker) ? 'value' : 'type'
  const called = type
    .getCallSignatures()
    .map(({ parameters }) => `(${parameters.map(({ name }) => name).join(', ')})`)
  return [
    `${kind} ${exported.name}: ${saidOf(original, checker)} ${called.join(' ')}`,
    ...members.map((one) => {
      const isOptional = (one.flags & ts.SymbolFlags.Optional) !== 0
      return `${exported.name}.${one.name.replace(/@\d+$/, '')}${isOptional ? '?' : ''}: ${saidOf(one, checker)}`
    }),
  ]
}

it.each(['node', 'cjs'])(
  'dist/%s declares every name with the members, comments and tags of the source',
  (folder) => {
    const source = publicProgram()
    const fileOf = (entry: string) =>
      join(installed('commandry'), 'dist', folder, entries[entry]!.replace(/ts$/, 'd.ts'))
    const packed = ts.createProgram(Object.keys(entries).map(fileOf), {
      ...source.getCompilerOptions(),
      noEmit: true,
    })
    const checker = packed.getTypeChecker()
    let count = 0
    for (const entry of Object.keys(entries)) {
      const module = checker.getSymbolAtLocation(packed.getSourceFile(fileOf(entry))!)
      const found = (module === undefined ? [] : checker.getExportsOfModule(module)).flatMap((one) =>
        linesOf(one, checker),
      )
      const expected = exportsOf(source, entry).flatMap((one) => linesOf(one, source.getTypeChecker()))
      expect(found.sort(), entry).toEqual(expected.sort())
      count += found.length
    }
    expect(count).toBeGreaterThan(1_000)
  },
)
