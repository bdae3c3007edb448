/**
 * Marks every value of a module of rollup's as free of effects, so that bundlers leave out what nothing uses. The build
 * declares its modules to be so (`moduleSideEffects: false`); a bundler sees it statement by statement.
 */
import ts from 'typescript'

const literals = [ts.SyntaxKind.TrueKeyword, ts.SyntaxKind.FalseKeyword, ts.SyntaxKind.NullKeyword]

/** Whether every bundler sees that an expression has no effects. */
const isPlain = (node) =>
  ts.isStringLiteralLike(node) ||
  ts.isNumericLiteral(node) ||
  ts.isRegularExpressionLiteral(node) ||
  ts.isFunctionExpression(node) ||
  ts.isArrowFunction(node) ||
  literals.includes(node.kind) ||
  (ts.isPrefixUnaryExpression(node) && isPlain(node.operand)) ||
  (ts.isArrayLiteralExpression(node) && node.elements.every(isPlain))

const pure = (text) => `/* @__PURE__ */ (() => ${text.startsWith('{') ? `(${text})` : text})()`

const isFields = ({ name, initializer }) =>
  ts.isObjectBindingPattern(name) &&
  ts.isIdentifier(initializer) &&
  name.elements.every((one) => !one.dotDotDotToken && !one.initializer && ts.isIdentifier(one.name))

/** Whether a module waits for a value, which a function around it could not. */
const waits = (node) =>
  ts.isAwaitExpression(node) ||
  (!ts.isFunctionLike(node) && ts.forEachChild(node, (child) => waits(child) || undefined) === true)

/** What stands for a declaration; undefined where it can stay. */
function declared(one) {
  if (one.initializer === undefined || waits(one.initializer)) return undefined
  if (isFields(one)) {
    const from = one.initializer.text
    return one.name.elements
      .map(
        ({ propertyName, name }) => `${name.text} = ${pure(`${from}.${(propertyName ?? name).getText()}`)}`,
      )
      .join(', ')
  }
  if (!ts.isIdentifier(one.name) || isPlain(one.initializer)) return undefined
  return `${one.name.text} = ${pure(one.initializer.getText())}`
}

const isStatic = (member) =>
  ts.isClassStaticBlockDeclaration(member) ||
  (ts.isPropertyDeclaration(member) &&
    member.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword)) ||
  (member.name !== undefined && ts.isComputedPropertyName(member.name))

export function markedPure(name, code) {
  const source = ts.createSourceFile(name, code, ts.ScriptTarget.Latest, true)
  const edits = []
  const edit = (node, text) => text !== undefined && edits.push([node.getStart(), node.end, text])
  for (const statement of source.statements) {
    if (ts.isVariableStatement(statement))
      for (const one of statement.declarationList.declarations) edit(one, declared(one))
    if (ts.isClassDeclaration(statement)) {
      const base = statement.heritageClauses?.[0]?.types[0]?.expression.getText() ?? 'Error'
      if (statement.members.some(isStatic) || !/^(Type|Range)?Error$/.test(base))
        edit(statement, `const ${statement.name.text} = ${pure(statement.getText())};`)
    }
  }
  return edits.reduceRight((text, [from, to, by]) => text.slice(0, from) + by + text.slice(to), code)
}
