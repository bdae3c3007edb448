/**
 * Small wrong changes of the source, and a form of each file in which any of them can be switched on while it runs:
 * `a < b` becomes `(mutant(7) ? (a <= b) : (a < b))`.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { relative as relativeTo } from 'node:path'
import ts from 'typescript'

const { SyntaxKind: Kind } = ts
const relative = (file) => relativeTo('.', file)

const operators = new Map([
  [Kind.LessThanToken, '<='],
  [Kind.LessThanEqualsToken, '<'],
  [Kind.GreaterThanToken, '>='],
  [Kind.GreaterThanEqualsToken, '>'],
  [Kind.EqualsEqualsEqualsToken, '!=='],
  [Kind.ExclamationEqualsEqualsToken, '==='],
  [Kind.AmpersandAmpersandToken, '||'],
  [Kind.BarBarToken, '&&'],
  [Kind.MinusToken, '+'],
  [Kind.AsteriskToken, '/'],
  [Kind.SlashToken, '*'],
  [Kind.PercentToken, '*'],
  [Kind.AmpersandToken, '|'],
  [Kind.BarToken, '&'],
])

const methods = new Map([
  ['some', 'every'],
  ['every', 'some'],
  ['startsWith', 'endsWith'],
  ['endsWith', 'startsWith'],
  ['toLowerCase', 'toUpperCase'],
  ['min', 'max'],
  ['max', 'min'],
])

/** Calls that return their first argument, limited or protected. */
const guards = /^(Object\.freeze|deepFreeze|frozen|Math\.min|Math\.max|structuredClone)$/

/**
 * All mutants of `src`, in the order of files and of text. `key` survives edits elsewhere in the file. `kind` is `logic`,
 * `words` or `deletions`; `static` means that the code runs when its module loads.
 */
export function allMutants() {
  const files = ts.sys.readDirectory('src', ['.ts']).map(relative).sort()
  const mutants = []
  const sources = files.map((file) => {
    const text = readFileSync(file, 'utf8')
    const own = mutantsOf(file, text)
    const base = mutants.length
    mutants.push(...own.map((mutant, index) => ({ ...mutant, id: base + index })))
    return { file, base, count: own.length, hash: `${hashOf(text)}/${own.length}` }
  })
  return { sources, mutants }
}

export const hashOf = (text) => createHash('sha256').update(text).digest('hex').slice(0, 16)

function mutantsOf(file, text) {
  const source = parse(file, text)
  const mutants = []
  const seen = new Map()
  visit(source, (node) => {
    for (const change of changesOf(node, source)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source))
      const what = `${oneLine(node.getText(source))} -> ${oneLine(change.text) || 'nothing'}`
      const place = `${file} ${scopeOf(node)}: ${what}`
      const ordinal = (seen.get(place) ?? 0) + 1
      seen.set(place, ordinal)
      const key = ordinal === 1 ? place : `${place} #${ordinal}`
      mutants.push({ file, line: line + 1, kind: change.kind, what, key, static: isStatic(node) })
    }
  })
  return mutants
}

/** The text of a file in which each mutant of `wanted` (a map of positions in the file to ids) can be switched on. */
export function instrument(file, text, wanted) {
  const source = parse(file, text)
  const changes = new Map()
  let position = 0
  visit(source, (node) => {
    const own = changesOf(node, source).map((change) => ({ ...change, id: wanted(position++) }))
    const chosen = own.filter(({ id }) => id !== undefined)
    if (chosen.length > 0) changes.set(node, chosen)
  })
  if (changes.size === 0) return text
  return `globalThis.moduleStarts?.();${render(source, source, changes)}\n;globalThis.moduleEnds?.()`
}

const parse = (file, text) => ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)

function visit(node, found) {
  if (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) return
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isEnumDeclaration(node)) return
  if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return
  found(node)
  ts.forEachChild(node, (child) => visit(child, found))
}

function render(node, source, changes) {
  const text = source.text
  let out = ''
  let at = node.getStart(source)
  ts.forEachChild(node, (child) => {
    const start = child.getStart(source)
    if (start < at) return
    out += text.slice(at, start) + render(child, source, changes)
    at = child.end
  })
  out += text.slice(at, node.end)
  for (const { id, text, statement } of changes.get(node) ?? [])
    out = statement
      ? `if (!globalThis.mutant?.(${id})) { ${out} }`
      : `(globalThis.mutant?.(${id}) ? (${text}) : (${out}))`
  // The source has no semicolons, and a statement must not become the call of the one before.
  if (ts.isExpressionStatement(node) && out.startsWith('(') && isInList(node)) out = `;${out}`
  return out
}

/** The changes of one node: `text` replaces an expression; with `statement` the whole statement is left out. */
function changesOf(node, source) {
  if (ts.isStatement(node)) return deletionsOf(node)
  if (!ts.isExpression(node) || !canWrap(node)) return []
  const text = node.getText(source)
  const logic = logicOf(node, source).map((change) => ({ kind: 'logic', text: change }))
  const words = isWord(node, text) ? [{ kind: 'words', text: "'mutant'" }] : []
  const unguarded =
    ts.isCallExpression(node) &&
    guards.test(node.expression.getText(source)) &&
    !ts.isSpreadElement(node.arguments[0])
  const deletions = unguarded ? [{ kind: 'deletions', text: node.arguments[0].getText(source) }] : []
  return [...logic, ...words, ...deletions].filter((change) => change.text !== text)
}

function logicOf(node, source) {
  const changes = []
  const { parent } = node
  if (isCondition(node)) changes.push(...(ts.isWhileStatement(parent) ? ['false'] : ['true', 'false']))
  if (ts.isBinaryExpression(node)) changes.push(...binaryChanges(node, source))
  if (ts.isPrefixUnaryExpression(node) && node.operator === Kind.ExclamationToken)
    changes.push(node.operand.getText(source))
  if (node.kind === Kind.TrueKeyword) changes.push('false')
  if (node.kind === Kind.FalseKeyword) changes.push('true')
  if (ts.isNumericLiteral(node) && !ts.isPropertyAssignment(parent))
    changes.push(`${Number(node.text.replaceAll('_', '')) + 1}`)
  if (isReturned(node)) changes.push('undefined')
  if ((ts.isParameter(parent) || ts.isBindingElement(parent)) && parent.initializer === node)
    changes.push('undefined')
  if (ts.isOptionalChain(node)) changes.push(...withoutQuestions(node, source))
  const renamed = renamedCall(node, source)
  return renamed === undefined ? changes : [...changes, renamed]
}

function binaryChanges(node, source) {
  const [left, right] = [node.left, node.right].map((side) => {
    const text = side.getText(source)
    return ts.isBinaryExpression(side) ? `(${text})` : text
  })
  const kind = node.operatorToken.kind
  if (kind === Kind.QuestionQuestionToken) return [left, right]
  if (kind === Kind.PlusToken)
    return ts.isNumericLiteral(node.left) || ts.isNumericLiteral(node.right) ? [`${left} - ${right}`] : []
  const operator = operators.get(kind)
  return operator === undefined ? [] : [`${left} ${operator} ${right}`]
}

/** A chain with one of its `?.` taken away, for each. */
function withoutQuestions(node, source) {
  const start = node.getStart(source)
  const text = node.getText(source)
  const changes = []
  for (let link = node; ts.isOptionalChain(link); link = link.expression) {
    if (link.questionDotToken === undefined) continue
    const at = link.questionDotToken.getStart(source) - start
    const dot = ts.isPropertyAccessExpression(link) ? '.' : ''
    changes.push(text.slice(0, at) + dot + text.slice(at + 2))
  }
  return changes
}

function renamedCall(node, source) {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined
  const { name } = node.expression
  const method = methods.get(name.text)
  if (method === undefined || ts.isOptionalChain(node)) return undefined
  const at = name.getStart(source) - node.getStart(source)
  const text = node.getText(source)
  return text.slice(0, at) + method + text.slice(at + name.text.length)
}

/** Removed calls are logic; the rest are deletions: a guard, an assignment, a loop, a `throw`. */
function deletionsOf(node) {
  if (!isInList(node)) return []
  if (ts.isExpressionStatement(node)) {
    const call = ts.isAwaitExpression(node.expression) ? node.expression.expression : node.expression
    if (ts.isStringLiteral(call) || isSuper(call)) return []
    return [{ kind: ts.isCallExpression(call) ? 'logic' : 'deletions', text: '', statement: true }]
  }
  const whole =
    (ts.isIfStatement(node) && node.elseStatement === undefined) ||
    ts.isForOfStatement(node) ||
    (ts.isThrowStatement(node) && !(ts.isBlock(node.parent) && ts.isIfStatement(node.parent.parent)))
  return whole ? [{ kind: 'deletions', text: '', statement: true }] : []
}

const isSuper = (node) => ts.isCallExpression(node) && node.expression.kind === Kind.SuperKeyword

function isInList(node) {
  const { parent } = node
  return ts.isBlock(parent) || ts.isSourceFile(parent) || ts.isCaseOrDefaultClause(parent)
}

/** Whether an expression keeps its meaning in parentheses. */
function canWrap(node) {
  const { parent } = node
  if (ts.isBinaryExpression(parent) && parent.left === node && isAssignment(parent)) return false
  if (ts.isDeleteExpression(parent) || ts.isPostfixUnaryExpression(parent)) return false
  if (ts.isPrefixUnaryExpression(parent) && parent.operator !== Kind.ExclamationToken) return false
  if ((ts.isForOfStatement(parent) || ts.isForInStatement(parent)) && parent.initializer === node)
    return false
  if ((ts.isCallExpression(parent) || ts.isTaggedTemplateExpression(parent)) && isHead(node)) return false
  if (ts.isOptionalChain(parent) && isHead(node) && ts.isOptionalChain(node)) return false
  if (ts.isExpressionWithTypeArguments(parent) || ts.isExpressionWithTypeArguments(node)) return false
  if (ts.isComputedPropertyName(parent) || ts.isOmittedExpression(node)) return false
  return parent.name !== node && parent.propertyName !== node
}

const isHead = (node) => (node.parent.expression ?? node.parent.tag) === node

function isAssignment({ operatorToken: { kind } }) {
  return kind >= Kind.FirstAssignment && kind <= Kind.LastAssignment
}

/** A word such as a name of a field; sentences are not changed: wording is not behaviour. */
function isWord(node, text) {
  const { parent } = node
  if (!ts.isStringLiteral(node) || !/^['"][\w.-]+['"]$/.test(text)) return false
  if (ts.isCallExpression(parent) && parent.expression.kind === Kind.ImportKeyword) return false
  return !ts.isExpressionStatement(parent) && parent.name !== node && !ts.isNewExpression(parent)
}

function isCondition(node) {
  const { parent } = node
  if (node.kind === Kind.TrueKeyword || node.kind === Kind.FalseKeyword) return false
  if (ts.isConditionalExpression(parent)) return parent.condition === node
  return (ts.isIfStatement(parent) || ts.isWhileStatement(parent)) && parent.expression === node
}

function isReturned(node) {
  const { parent } = node
  if (node.kind === Kind.Identifier && node.text === 'undefined') return false
  return ts.isReturnStatement(parent) || (ts.isArrowFunction(parent) && parent.body === node)
}

function isStatic(node) {
  for (let at = node; at !== undefined; at = at.parent) {
    if (ts.isFunctionLike(at)) return false
    if (ts.isPropertyDeclaration(at))
      return at.modifiers?.some(({ kind }) => kind === Kind.StaticKeyword) ?? false
  }
  return true
}

function scopeOf(node) {
  const names = []
  for (let at = node.parent; at !== undefined && !ts.isSourceFile(at); at = at.parent)
    if (!ts.isParameter(at) && at.name !== undefined && ts.isIdentifier(at.name)) names.unshift(at.name.text)
  return names.join('.') || 'module'
}

const oneLine = (text) => text.slice(0, 200).replaceAll(/\s+/g, ' ').trim()
