/** Issues as the service writes them on the wire (service facts 3.2 and 3.3, clause 7-01). */
import { ruleOf } from '../catalogue.ts'
import type { Issue } from '../core/report.ts'
import type { Path, WireError } from '../core/rule.ts'

/** A node of the error tree: a leaf with its errors, or children by field name and decimal index; never both. */
export type ErrorNode = ErrorLeaf | { readonly [key: string]: ErrorNode }

export interface ErrorLeaf {
  readonly _errors: readonly WireError[]
}

/** The body of a refusal. */
export interface ErrorBody {
  readonly message: string
  readonly code: number
  readonly errors?: ErrorNode
}

export const INVALID_FORM_BODY = 50035

/** A node while it is built. A `Map`, because keys come from the body and may be called anything. */
interface Node {
  errors: WireError[]
  readonly children: Map<string, Node>
}

/**
 * The service's nested error object for a list of issues: every issue at its place, all at once. Real clients
 * read a node's own errors and then do not look at its children, so where a node would have both, its errors
 * move down to the first leaf below it.
 */
export function toErrorBody(issues: readonly Issue[]): ErrorBody {
  const root: Node = { errors: [], children: new Map() }
  for (const issue of issues) {
    const rule = ruleOf(issue.code)
    const error = rule?.wire(issue.params) ?? { code: 'BASE_TYPE_INVALID', message: issue.message }
    insert(root, wirePath(issue), error)
  }
  return { message: 'Invalid Form Body', code: INVALID_FORM_BODY, errors: finish(root, []) }
}

/** Where the service reports an issue, when that is not where the issue is. */
function wirePath({ code, path }: Issue): Path {
  // A command that is too large is reported on the whole body, even when it is one of a list.
  if (code === 'command.size') return []
  // The localized names of a command are judged as one, those of an option one by one.
  const isName = code === 'name.characters' || code === 'name.case'
  if (isName && path.at(-2) === 'name_localizations' && !path.includes('options')) return path.slice(0, -1)
  return path
}

function insert(root: Node, path: Path, error: WireError): void {
  let node = root
  for (const step of path) {
    const key = String(step)
    let next = node.children.get(key)
    if (next === undefined) node.children.set(key, (next = { errors: [], children: new Map() }))
    node = next
  }
  const same = ({ code, message }: WireError) => code === error.code && message === error.message
  if (!node.errors.some(same)) node.errors.push(error)
}

/** A node as plain JSON; `inherited` are the errors of the nodes above that found no place there. */
function finish(node: Node, inherited: readonly WireError[]): ErrorNode {
  const errors = [...inherited, ...node.errors]
  if (node.children.size === 0) return { _errors: errors }
  let passed = errors
  const entries = Array.from(node.children, ([key, child]): [string, ErrorNode] => {
    const entry: [string, ErrorNode] = [key, finish(child, passed)]
    passed = []
    return entry
  })
  // fromEntries defines keys rather than assigning them, so that `__proto__` is a key like any other.
  return Object.fromEntries(entries)
}
