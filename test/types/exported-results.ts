import ts from 'typescript'

/**
 * A module that exports everything a user can get from the package: each value of each entry, the result of each
 * function, method and constructor, and each property of such a result, each once.
 *
 * @param program whose root file imports the entries
 * @param entries the names of the entries by the names that the module gives them
 */
export function exportedResults(program: ts.Program, entries: Readonly<Record<string, string>>): string {
  const checker = program.getTypeChecker()
  const root = program.getSourceFile(program.getRootFileNames()[0]!)!
  const lines = Object.entries(entries).map(([name, entry]) => `import * as ${name} from '${entry}'`)
  const visited = new Set<ts.Symbol | ts.Type>()
  let count = 0

  const isOwn = (symbol: ts.Symbol | undefined) =>
    symbol?.declarations?.some((each) => each.getSourceFile().fileName.includes('/commandry/dist/')) === true

  function add(expression: string, type: ts.Type): void {
    const name = `v${count++}`
    lines.push(`export const ${name} = ${expression}`)
    visit(name, type)
  }

  function visit(name: string, full: ts.Type): void {
    const type = checker.getNonNullableType(full)
    const value = type === full ? name : `${name}!`
    const awaited = checker.getAwaitedType(type)
    if (awaited !== undefined && awaited !== type) return add(`await ${value}`, awaited)
    for (const signature of type.getCallSignatures()) addResult(value, signature, type)
    for (const signature of type.getConstructSignatures()) addResult(`new ${name}`, signature, type)
    if (type.isUnion() || !isOwn(type.symbol) || visited.has(type.symbol)) return
    visited.add(type.symbol)
    for (const property of type.getProperties()) {
      if (!/^[a-zA-Z_]\w*$/.test(property.name) || !isOwn(property)) continue
      const isHidden = property.declarations?.some(
        (each) => ts.getCombinedModifierFlags(each) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected),
      )
      if (isHidden) continue
      const propertyType = checker.getTypeOfSymbolAtLocation(property, root)
      const member = `${value}.${property.name}`
      const isMethod = checker.getNonNullableType(propertyType).getCallSignatures().length > 0
      if (isMethod) visit(member, propertyType)
      else add(member, propertyType)
    }
  }

  function addResult(callee: string, signature: ts.Signature, of: ts.Type): void {
    const declaration = signature.declaration as ts.Node | undefined
    if (declaration !== undefined && visited.has(declaration as never)) return
    if (declaration !== undefined) visited.add(declaration as never)
    if (!isOwn(of.symbol) && declaration?.getSourceFile().fileName.includes('/commandry/dist/') !== true)
      return
    const required = signature.parameters.map(requiredArguments).reduce((sum, count) => sum + count, 0)
    const argument = `undefined as ${signature.typeParameters === undefined ? 'never' : 'any'}`
    add(
      `${callee}(${Array(required).fill(argument).join(', ')})`,
      checker.getReturnTypeOfSignature(signature),
    )
  }

  /** How many arguments a parameter needs: a rest parameter as many as its tuple. */
  function requiredArguments(parameter: ts.Symbol): number {
    const declaration = parameter.valueDeclaration as ts.ParameterDeclaration
    if (declaration.questionToken !== undefined || declaration.initializer !== undefined) return 0
    if (declaration.dotDotDotToken === undefined) return 1
    const type = checker.getTypeOfSymbolAtLocation(parameter, root)
    return checker.isTupleType(type) ? (type as ts.TupleTypeReference).target.minLength : 0
  }

  for (const [name, entry] of Object.entries(entries)) {
    const statement = root.statements.find(
      (each): each is ts.ImportDeclaration =>
        ts.isImportDeclaration(each) && (each.moduleSpecifier as ts.StringLiteral).text === entry,
    )!
    const module = checker.getSymbolAtLocation(statement.moduleSpecifier)!
    for (const symbol of checker.getExportsOfModule(module)) {
      const original = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
      const isType = symbol.declarations?.some(
        (one) => ts.isExportSpecifier(one) && ts.isTypeOnlyExportDeclaration(one),
      )
      if (isType || !(original.flags & ts.SymbolFlags.Value)) continue
      const type = checker.getTypeOfSymbolAtLocation(original, root)
      if (type.getCallSignatures().length + type.getConstructSignatures().length > 0)
        visit(`${name}.${symbol.name}`, type)
      else add(`${name}.${symbol.name}`, type)
    }
  }
  return `${lines.join('\n')}\n`
}
