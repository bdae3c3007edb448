import ts from 'typescript'
import { allExports } from './public-program.ts'

/** The options of one function, method or class. */
interface Options {
  readonly name: string
  readonly members: readonly string[]
  /** The public functions and classes that take them. */
  readonly takenBy: readonly string[]
}

/** The exported types whose names end with `Options`. */
export function publicOptions(program: ts.Program): readonly Options[] {
  const checker = program.getTypeChecker()
  const all = allExports(program)
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

/** The public functions, classes and methods that take options, by their own name: `serve`, `CommandRegistry`, `say`. */
export function takersOfOptions(program: ts.Program): ReadonlySet<string> {
  const checker = program.getTypeChecker()
  const takers = new Set<string>()
  const visited = new Set<ts.Type>()
  const take = (name: string, signatures: readonly ts.Signature[]) => {
    for (const signature of signatures) {
      if (signature.parameters.some((parameter) => isOptions(parameter, checker))) takers.add(name)
      visit(checker.getReturnTypeOfSignature(signature))
    }
  }
  /** What a function returns has methods, which are public too. */
  const visit = (type: ts.Type) => {
    const [whole = type] = checker.getTypeArguments(type as ts.TypeReference)
    const own = type.symbol?.name === 'Promise' ? whole : type
    if (visited.has(own) || !isOfSource(own.symbol)) return
    visited.add(own)
    for (const member of checker.getPropertiesOfType(own)) {
      if (!isOfSource(member) || !/^\w+$/.test(member.name) || member.name.startsWith('__')) continue
      take(member.name, checker.getNonNullableType(checker.getTypeOfSymbol(member)).getCallSignatures())
    }
  }
  for (const symbol of allExports(program)) {
    const type = checker.getTypeOfSymbol(symbol)
    take(symbol.name, [...type.getCallSignatures(), ...type.getConstructSignatures()])
  }
  return takers
}

function isOptions(parameter: ts.Symbol, checker: ts.TypeChecker): boolean {
  const type = checker.getNonNullableType(checker.getTypeOfSymbol(parameter))
  const name = type.aliasSymbol?.name ?? type.symbol?.name ?? ''
  return parameter.name === 'options' || /(?:Options?|Context)$/.test(name)
}

function isOfSource(symbol: ts.Symbol | undefined): boolean {
  return symbol?.declarations?.some((one) => one.getSourceFile().fileName.includes('/src/')) ?? false
}
