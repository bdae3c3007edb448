import type { Route } from './routes.ts'

/** A path that some routes have. */
export interface Match {
  readonly methods: ReadonlyMap<string, Route>
  /** The value of the `Allow` header. */
  readonly allow: string
  /** The names in braces, as the service writes them: `application_id`. */
  readonly names: readonly string[]
  /** What stands in their places, decoded. */
  readonly values: readonly string[]
}

/** The methods of a path, or `undefined` when no route has it. */
export type Router = (path: string) => Match | undefined

interface Node {
  readonly literals: Map<string, Node>
  named: Node | null
  readonly names: readonly string[]
  readonly methods: Map<string, Route>
  allow: string
}

/**
 * A router for a table. A segment that is written out goes before one in braces, so `commands/permissions` is
 * never a command. Segments are never empty, so a path does not end in a slash.
 */
export function router(routes: readonly Route[], basePath: string): Router {
  const root = node([])
  for (const route of routes) {
    let at = root
    for (const segment of route.path.slice(1).split('/')) at = step(at, segment)
    at.methods.set(route.method, route)
    at.allow = allowed([...at.methods.keys()])
  }
  const start = `${basePath}/`
  return (path) => {
    if (!path.startsWith(start)) return undefined
    const values: string[] = []
    let at = root
    for (const segment of path.slice(start.length).split('/')) {
      const text = decoded(segment)
      const literal = at.literals.get(text)
      if (literal !== undefined) at = literal
      else if (at.named !== null && text !== '') {
        at = at.named
        values.push(text)
      } else return undefined
    }
    const { methods, allow, names } = at
    return methods.size === 0 ? undefined : { methods, allow, names, values }
  }
}

function node(names: readonly string[]): Node {
  return { literals: new Map(), named: null, names, methods: new Map(), allow: '' }
}

function step(at: Node, segment: string): Node {
  if (segment.startsWith('{'))
    return (at.named ??= node([...at.names, segment.slice(1, -1).replace('.', '_')]))
  let next = at.literals.get(segment)
  if (next === undefined) at.literals.set(segment, (next = node(at.names)))
  return next
}

function allowed(methods: readonly string[]): string {
  return [...methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'].join(
    ', ',
  )
}

function decoded(segment: string): string {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
