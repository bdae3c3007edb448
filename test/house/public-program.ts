/** The public entries, compiled, and their symbols. */
import ts from 'typescript'
import { fileURLToPath } from 'node:url'
import { read, root } from '../support/markdown.ts'

/** The files of the entries below `src`, by their import name. */
export const entries: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys((JSON.parse(read('package.json')) as { exports: object }).exports)
    .filter((key) => !key.endsWith('.json'))
    .map((key) =>
      key === '.' ? ['commandry', 'index.ts'] : [`commandry/${key.slice(2)}`, `${key.slice(2)}.ts`],
    ),
)

const path = (relative: string) => fileURLToPath(new URL(relative, root))

/** The compiled entries, which takes long on a busy machine. */
export function publicProgram(): ts.Program {
  const config = ts.readConfigFile(path('tsconfig.json'), (file) => ts.sys.readFile(file))
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, path('.'))
  const files = Object.values(entries).map((file) => path(`src/${file}`))
  return ts.createProgram(files, {
    ...options,
    types: ['node'],
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    allowImportingTsExtensions: true,
  })
}

/** What an entry exports, as it names it. */
export function exportsOf(program: ts.Program, entry: string): readonly ts.Symbol[] {
  const checker = program.getTypeChecker()
  const module = checker.getSymbolAtLocation(program.getSourceFile(path(`src/${entries[entry]!}`))!)
  return module === undefined ? [] : checker.getExportsOfModule(module)
}

/** What all entries export, each symbol once. */
export function allExports(program: ts.Program): readonly ts.Symbol[] {
  const exported = Object.keys(entries).flatMap((entry) => exportsOf(program, entry))
  return [...new Set(exported.map((symbol) => originalOf(symbol, program.getTypeChecker())))]
}

/** The symbol that an export names. */
export function originalOf(exported: ts.Symbol, checker: ts.TypeChecker): ts.Symbol {
  return exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
}

/** What an interface extends, directly and indirectly. */
export function basesOf(symbol: ts.Symbol, checker: ts.TypeChecker): readonly ts.Symbol[] {
  if (!symbol.declarations?.some(ts.isInterfaceDeclaration)) return []
  const bases = checker.getBaseTypes(checker.getDeclaredTypeOfSymbol(symbol) as ts.InterfaceType)
  return [...new Set(bases.flatMap(({ symbol: base }) => [base, ...basesOf(base, checker)]))]
}

/** Whether an export is a value, and not only the type of one. */
export function isValue(exported: ts.Symbol, checker: ts.TypeChecker): boolean {
  const isTypeOnly = exported.declarations?.some(
    (one) => ts.isExportSpecifier(one) && ts.isTypeOnlyExportDeclaration(one),
  )
  return isTypeOnly !== true && (originalOf(exported, checker).flags & ts.SymbolFlags.Value) !== 0
}
