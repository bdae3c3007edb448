/**
 * Splits rules for bundlers. Readers take a rule by its name and use its check and its message; the summary, the example
 * and the repairs are used through the lists of rules. So where a module has
 *
 *     const a = rule({ code, check, message, summary, breaks })
 *     const rules = [a]
 *
 * the build for bundlers moves the latter properties into the list, in a call that a bundler drops together with the list:
 *
 *     const a = rule({ code, check, message })
 *     const rules = (() => [Object.freeze({ ...a, summary, breaks })])()
 *
 * Rules that functions make, and rules that no list of their module has, stay whole.
 */
import ts from 'typescript'

const MOVED = ['summary', 'breaks', 'fix', 'offers']

/** A transformer for `program.emit`. */
export const splitRules = (context) => (file) => {
  const { factory } = context
  const constants = file.statements
    .filter(ts.isVariableStatement)
    .flatMap((one) => one.declarationList.declarations)
  /** The properties to move, by the name of the rule. */
  const moved = new Map(
    constants
      .filter(({ initializer }) => isRule(initializer))
      .map(({ name, initializer }) => [nameOf(name), initializer.arguments[0].properties.filter(isMoved)]),
  )
  const isMovable = (rule) => moved.has(nameOf(rule))
  const lists = constants.filter(({ initializer }) => listOf(initializer)?.elements.some(isMovable))
  const listed = lists.flatMap(({ initializer }) => listOf(initializer).elements.map(nameOf))

  /** A rule without the moved properties. */
  function shortened(call) {
    const [definition] = call.arguments
    const kept = definition.properties.filter((property) => !isMoved(property))
    const argument = factory.updateObjectLiteralExpression(definition, kept)
    return factory.updateCallExpression(call, call.expression, undefined, [argument])
  }

  /** A list with the moved properties of its rules. */
  function completed(list) {
    const freeze = factory.createPropertyAccessExpression(factory.createIdentifier('Object'), 'freeze')
    const elements = list.elements.map((rule) => {
      if (!isMovable(rule)) return rule
      const properties = [factory.createSpreadAssignment(rule), ...moved.get(nameOf(rule))]
      const whole = factory.createObjectLiteralExpression(properties, true)
      return factory.createCallExpression(freeze, undefined, [whole])
    })
    const made = factory.createReturnStatement(factory.updateArrayLiteralExpression(list, elements))
    const call = factory.createImmediatelyInvokedArrowFunction([made])
    return ts.addSyntheticLeadingComment(call, ts.SyntaxKind.MultiLineCommentTrivia, ' @__PURE__ ')
  }

  function visit(node) {
    if (!constants.includes(node)) return ts.visitEachChild(node, visit, context)
    const { name, initializer } = node
    let changed = initializer
    if (isMovable(name) && listed.includes(nameOf(name))) changed = shortened(initializer)
    if (lists.includes(node)) changed = completed(listOf(initializer))
    return factory.updateVariableDeclaration(node, name, undefined, undefined, changed)
  }
  return lists.length === 0 ? file : ts.visitEachChild(file, visit, context)
}

const isMoved = ({ name }) => name !== undefined && MOVED.includes(nameOf(name))

const nameOf = (node) => (ts.isIdentifier(node) ? node.text : undefined)

const isRule = (value) =>
  value !== undefined && ts.isCallExpression(value) && /^(rule|warning)$/.test(nameOf(value.expression))

/** The list that a constant is, perhaps `as const`. */
function listOf(value) {
  const list = value !== undefined && ts.isAsExpression(value) ? value.expression : value
  return list !== undefined && ts.isArrayLiteralExpression(list) ? list : undefined
}
