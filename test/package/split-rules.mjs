/**
 * Splits rules for bundlers. Readers take a rule by its name and use its check and its message; the summary, the example,
 * the repairs and the error on the wire are used through the lists of rules. So where a module has
 *
 *     const a = rule({ code, check, message, summary, wire, breaks })
 *     const rules = [a]
 *
 * the build for bundlers moves the latter properties into the list, in a call that a bundler drops together with the list:
 *
 *     const a = rule({ code, check, message })
 *     const rules = (() => [rule({ ...a, summary, wire, breaks })])()
 *
 * Rules that functions make, and rules that no list of their module has, stay whole.
 */
import ts from 'typescript'

const MOVED = ['summary', 'breaks', 'fix', 'offers', 'wire', 'at', 'on']

/** A transformer for `program.emit`. */
export const splitRules = (context) => (file) => {
  const { factory } = context
  const constants = file.statements
    .filter(ts.isVariableStatement)
    .flatMap((one) => one.declarationList.declarations)
  /** The calls that make rules, by the name of the rule. */
  const calls = new Map(
    constants
      .filter(({ initializer }) => isRule(initializer))
      .map(({ name, initializer }) => [nameOf(name), initializer]),
  )
  const isMovable = (rule) => calls.has(nameOf(rule))
  const lists = constants.filter(({ initializer }) => listOf(initializer)?.elements.some(isMovable))
  const listed = lists.flatMap(({ initializer }) => listOf(initializer).elements.map(nameOf))

  /** A call that makes a rule, with other properties. */
  function ruleOf(call, properties) {
    const definition = factory.updateObjectLiteralExpression(call.arguments[0], properties)
    return factory.updateCallExpression(call, call.expression, undefined, [definition])
  }

  const shortened = (call) =>
    ruleOf(
      call,
      propertiesOf(call).filter((property) => !isMoved(property)),
    )

  const completed = (rule) => {
    const call = calls.get(nameOf(rule))
    return ruleOf(call, [factory.createSpreadAssignment(rule), ...propertiesOf(call).filter(isMoved)])
  }

  /** A list with the moved properties of its rules. */
  function completedList(list) {
    const elements = list.elements.map((rule) => (isMovable(rule) ? completed(rule) : rule))
    const made = factory.createReturnStatement(factory.updateArrayLiteralExpression(list, elements))
    const call = factory.createImmediatelyInvokedArrowFunction([made])
    return ts.addSyntheticLeadingComment(call, ts.SyntaxKind.MultiLineCommentTrivia, ' @__PURE__ ')
  }

  function visit(node) {
    if (!constants.includes(node)) return ts.visitEachChild(node, visit, context)
    const { name, initializer } = node
    let changed = initializer
    if (isMovable(name) && listed.includes(nameOf(name))) changed = shortened(initializer)
    if (lists.includes(node)) changed = completedList(listOf(initializer))
    return factory.updateVariableDeclaration(node, name, undefined, undefined, changed)
  }
  return lists.length === 0 ? file : ts.visitEachChild(file, visit, context)
}

const propertiesOf = (call) => call.arguments[0].properties

const isMoved = ({ name }) => name !== undefined && MOVED.includes(nameOf(name))

const nameOf = (node) => (ts.isIdentifier(node) ? node.text : undefined)

const isRule = (value) =>
  value !== undefined && ts.isCallExpression(value) && /^(rule|warning)$/.test(nameOf(value.expression))

/** The list that a constant is, perhaps `as const`. */
function listOf(value) {
  const list = value !== undefined && ts.isAsExpression(value) ? value.expression : value
  return list !== undefined && ts.isArrayLiteralExpression(list) ? list : undefined
}
