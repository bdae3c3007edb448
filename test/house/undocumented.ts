import ts from 'typescript'
import { allExports, basesOf } from './public-program.ts'

// Any other word after an at sign would end the comment in hovers: `@everyone` stands in backticks.
const tags: readonly string[] = ['deprecated', 'example', 'internal', 'param', 'returns', 'throws']

/**
 * The public names that need a doc comment and have none: `sqliteStore`, `Store.read`. Exports need one, and the members
 * of exported types and classes that the name and the type do not describe: methods with parameters, and optional
 * members, which say what their absence means.
 */
export function undocumented(program: ts.Program): readonly string[] {
  const checker = program.getTypeChecker()
  const isDocumented = (symbol: ts.Symbol, isRequired = true) =>
    (!isRequired || symbol.getDocumentationComment(checker).length > 0) &&
    symbol.getJsDocTags(checker).every(({ name }) => tags.includes(name))
  const all = allExports(program).flatMap((symbol) => [symbol, ...basesOf(symbol, checker)])
  return [...new Set(all)].flatMap((symbol) => {
    const declarations = (symbol.declarations ?? []).filter(isOwn)
    const members = declarations
      .flatMap(membersOf)
      .filter((member) => !isDocumented(symbolOf(member, checker), needsComment(member)))
    const own = declarations.length === 0 || isDocumented(symbol) ? [] : [symbol.name]
    return [...own, ...members.map((member) => `${symbol.name}.${member.name!.getText()}`)]
  })
}

function isOwn(declaration: ts.Declaration): boolean {
  return !declaration.getSourceFile().fileName.includes('/node_modules/')
}

function needsComment(member: Member): boolean {
  if (ts.isMethodSignature(member) || ts.isMethodDeclaration(member)) return member.parameters.length > 0
  return ts.isPropertySignature(member) && member.questionToken !== undefined
}

type Member = ts.ClassElement | ts.TypeElement

function symbolOf(member: Member, checker: ts.TypeChecker): ts.Symbol {
  return checker.getSymbolAtLocation(member.name!)!
}

function membersOf(declaration: ts.Declaration): readonly Member[] {
  if (ts.isInterfaceDeclaration(declaration) || ts.isClassDeclaration(declaration))
    return namedAndPublic(declaration.members)
  if (ts.isTypeAliasDeclaration(declaration)) return membersOfType(declaration.type)
  return []
}

function namedAndPublic(members: readonly Member[]): readonly Member[] {
  return members.filter(
    (member) =>
      member.name !== undefined &&
      !ts.isPrivateIdentifier(member.name) &&
      !(ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Private),
  )
}

/** The members of the object types that a type is made of. */
function membersOfType(type: ts.TypeNode): readonly Member[] {
  if (ts.isTypeLiteralNode(type)) return namedAndPublic(type.members)
  if (ts.isUnionTypeNode(type) || ts.isIntersectionTypeNode(type)) return type.types.flatMap(membersOfType)
  if (ts.isParenthesizedTypeNode(type)) return membersOfType(type.type)
  if (ts.isConditionalTypeNode(type)) return [type.trueType, type.falseType].flatMap(membersOfType)
  return []
}
