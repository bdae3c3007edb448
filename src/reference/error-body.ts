/** Issues as the service writes them on the wire (clause 7-01). */
import { demandIssues } from '../core/rules/arguments.ts'
import { ruleOf } from './catalogue.ts'
import type { Issue } from '../core/rules/report.ts'
import type { Path, Rule, WireError } from '../core/rules/rule.ts'
import {
  INVALID_FORM_BODY,
  type ErrorBody,
  type ErrorLeaf,
  type ErrorNode,
} from '../core/rules/error-tree.ts'

/** A node while it is built. A `Map`, because keys come from the body and may be called anything. */
interface Node {
  readonly errors: { readonly error: WireError; readonly below: Path }[]
  readonly children: Map<string, Node>
}

/**
 * The service's nested error object for a list of issues: every issue at its place, all at once. Real clients
 * read a node's own errors and then do not look at its children, so where a node would have both, its errors
 * move down: to the field they are about, and those that are about none to the first leaf.
 */
export function toErrorBody(issues: readonly Issue[]): ErrorBody {
  demandIssues(issues, 'issues')
  return { message: 'Invalid Form Body', code: INVALID_FORM_BODY, errors: errorTree(issues, ruleOf) }
}

/** The errors of `toErrorBody`, also for issues of rules that are not in the catalogue. */
export function errorTree(issues: readonly Issue[], findRule: (code: string) => Rule | undefined): ErrorNode {
  const root: Node = { errors: [], children: new Map() }
  for (const issue of issues) {
    const rule = findRule(issue.code)
    if (rule?.level === 'warning')
      throw new TypeError(`${issue.code} is a warning; warnings have no form on the wire`)
    const error = rule?.wire?.(issue.params, issue.path) ?? {
      code: 'BASE_TYPE_INVALID',
      message: issue.message,
    }
    insert(root, errorPath(issue, rule), error)
  }
  return finish(root, [])
}

/** The path of an error, and the path below it where the error goes if other errors are deeper. */
interface Placement {
  readonly at: Path
  readonly below: Path
}

function errorPath({ path, params }: Issue, rule: Rule | undefined): Placement {
  const place = typeof rule?.at === 'function' ? rule.at(path) : (rule?.at ?? null)
  if (place === 'body') return { at: [], below: path }
  if (place === 'parent') return { at: path.slice(0, -1), below: path.slice(-1) }
  // Clients read a key of this name as the errors of its node.
  const end = path.indexOf('_errors')
  if (end >= 0) return { at: path.slice(0, end), below: [] }
  if (place === null) return { at: path, below: [] }
  if (typeof place === 'object') return { at: path, below: [place.field] }
  // Surplus items are not read, so nothing else stands at the first of them.
  return { at: path, below: [Number(params.max ?? rule?.limit?.max)] }
}

function insert(root: Node, { at, below }: Placement, error: WireError): void {
  let node = root
  for (const step of at) {
    const key = String(step)
    let next = node.children.get(key)
    if (next === undefined) node.children.set(key, (next = { errors: [], children: new Map() }))
    node = next
  }
  node.errors.push({ error, below })
}

/** A leaf with each error once: several commands that are too large are one error of the body. */
function leafOf(errors: readonly WireError[]): ErrorLeaf {
  const distinct = new Map(errors.map((error) => [JSON.stringify(error), error]))
  return { _errors: [...distinct.values()] }
}

/** A node as plain JSON; `inherited` are the errors of the nodes above that found no place there. */
function finish(node: Node, inherited: readonly WireError[]): ErrorNode {
  if (node.children.size === 0) return leafOf([...inherited, ...node.errors.map(({ error }) => error)])
  const unplaced = [...inherited]
  for (const { error, below } of node.errors) {
    const [step, ...rest] = below
    if (step === undefined) unplaced.push(error)
    else insert(node, { at: [step], below: rest }, error)
  }
  const entries = [...node.children].map(([key, child], index): [string, ErrorNode] => [
    key,
    finish(child, index === 0 ? unplaced : []),
  ])
  // fromEntries defines keys rather than assigning them, so that `__proto__` is a key like any other.
  return Object.fromEntries(entries)
}
