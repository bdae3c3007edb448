/** Small wrong changes of a source file, each as an edit of its text. */
import { readFileSync } from 'node:fs'
import ts from 'typescript'

const { SyntaxKind } = ts

const operators = new Map([
  [SyntaxKind.LessThanToken, '<='],
  [SyntaxKind.LessThanEqualsToken, '<'],
  [SyntaxKind.GreaterThanToken, '>='],
  [SyntaxKind.GreaterThanEqualsToken, '>'],
  [SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [SyntaxKind.AmpersandAmpersandToken, '||'],
  [SyntaxKind.BarBarToken, '&&'],
  [SyntaxKind.QuestionQuestionToken, '&&'],
  [SyntaxKind.MinusToken, '+'],
  [SyntaxKind.AsteriskToken, '/'],
  [SyntaxKind.AmpersandToken, '|'],
  [SyntaxKind.BarToken, '&'],
])

const methods = new Map([
  ['some', 'every'],
  ['every', 'some'],
  ['startsWith', 'endsWith'],
  ['toLowerCase', 'toUpperCase'],
])

/**
 * The mutants of a file: `{ file, line, start, end, text }`. Applying one replaces `start` to `end` by `text`.
 * Types, imports and sentences are not changed: wording is not behaviour.
 */
export function mutantsOf(file) {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
  const mutants = []
  const add = (node, text) => {
    const start = node.getStart(source)
    const { line } = source.getLineAndCharacterOfPosition(start)
    mutants.push({ file, line: line + 1, start, end: node.end, text, original: node.getText(source) })
  }
  const visit = (node) => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return
    for (const text of replacements(node, source)) if (text !== node.getText(source)) add(node, text)
    ts.forEachChild(node, visit)
  }
  ts.forEachChild(source, visit)
  return mutants
}

function replacements(node, source) {
  const text = node.getText(source)
  if (ts.isBinaryExpression(node)) {
    const operator = operators.get(node.operatorToken.kind)
    return operator === undefined
      ? []
      : [`${node.left.getText(source)} ${operator} ${node.right.getText(source)}`]
  }
  if (isCondition(node)) return [`!(${text})`]
  if (node.kind === SyntaxKind.TrueKeyword) return ['false']
  if (node.kind === SyntaxKind.FalseKeyword) return ['true']
  if (ts.isNumericLiteral(node) && !ts.isPropertyAssignment(node.parent))
    return [`${Number(text.replaceAll('_', '')) + 1}`]
  if (ts.isStringLiteral(node) && /^['"][\w.-]+['"]$/.test(text) && node.parent.name !== node)
    return [`'mutant'`]
  if (ts.isReturnStatement(node) && node.expression !== undefined) return ['return undefined']
  if (ts.isExpressionStatement(node) && ts.isCallExpression(node.expression)) return [';']
  if (ts.isIdentifier(node) && ts.isPropertyAccessExpression(node.parent) && node.parent.name === node) {
    const method = methods.get(text)
    return method === undefined ? [] : [method]
  }
  return []
}

/** Whether a node is the condition of an `if`, a `while` or a conditional expression. */
function isCondition(node) {
  const { parent } = node
  if (ts.isConditionalExpression(parent)) return parent.condition === node
  return (ts.isIfStatement(parent) || ts.isWhileStatement(parent)) && parent.expression === node
}
