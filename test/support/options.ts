import ts from 'typescript'
import { originalOf } from './api-pages.ts'

/** The options of one function, method or class. */
interface Options {
  readonly name: string
  readonly members: readonly string[]
  /** The public functions and classes that take them. */
  readonly takenBy: readonly string[]
}

/**
 * The exported types whose names end with `Options`.
 *
 * @param program whose root files are the entries
 */
export function publicOptions(program: ts.Program): readonly Options[] {
  const checker = program.getTypeChecker()
  const exported = program.getRootFileNames().flatMap((file) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(file)!)
    return module === undefined ? [] : checker.getExportsOfModule(module)
  })
  const all = [...new Set(exported.map((symbol) => originalOf(symbol, checker)))]
  const isType = ({ flags }: ts.Symbol) =>
    (flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.TypeAlias)) !== 0
  return all
    .filter((symbol) => symbol.name.endsWith('Options') && isType(symbol))
    .map((symbol) => ({
      name: symbol.name,
      members: checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol)).map(({ name }) => name),
      takenBy: all
        .filter((other) => !isType(other) && declarationOf(other).includes(symbol.name))
        .map(({ name }) => name),
    }))
}

function declarationOf({ declarations = [] }: ts.Symbol): string {
  return declarations.map((declaration) => declaration.getText()).join('\n')
}

/** Those of the options that no page names beside what takes them: `serve: idleTimeout`. */
export function optionsWithoutPage(options: readonly Options[], pages: readonly string[]): readonly string[] {
  const codes = pages.map((page) => page.match(/^```\w+\n[^]*?^```$|`[^`\n]+`/gm)?.join('\n') ?? '')
  const names = (code: string, name: string) => new RegExp(`(?<![\\w.-])${name}\\b`).test(code)
  return options.flatMap(({ name, members, takenBy }) => {
    const own = codes.filter((code) => takenBy.length === 0 || takenBy.some((one) => names(code, one)))
    return members
      .filter((member) => !own.some((code) => names(code, member)))
      .map((member) => `${name}: ${member}`)
  })
}
