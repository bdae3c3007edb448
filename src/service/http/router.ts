import { basePathsOf } from './base-path.ts'

export interface Pattern {
  /** In capitals. */
  readonly method: string
  /** Below the base path. A name in braces, such as `{guild.id}`, matches one segment. */
  readonly path: string
}

export interface Match<Route extends Pattern> {
  readonly methods: ReadonlyMap<string, Route>
  readonly allow: string
  /** The decoded segments by the names of a route. A dot of a name is an underscore here: `application_id`. */
  readonly paramsOf: (route: Route) => PathParams
}

/** Segments of a path by name; a name that the path does not have is absent. */
export type PathParams = Readonly<Partial<Record<string, string>>>

export type Router<Route extends Pattern> = (path: string) => Match<Route> | undefined

interface Node<Route> {
  readonly literals: Map<string, Node<Route>>
  named: Node<Route> | null
  readonly methods: Map<string, Route>
}

/**
 * A router for a table. Literal segments take precedence over named ones, so `commands/permissions` is never a
 * command. Segments are never empty, so a path does not end with a slash.
 */
export function router<Route extends Pattern>(routes: readonly Route[], basePath: string): Router<Route> {
  const root = createNode<Route>()
  for (const route of routes) {
    let node = root
    for (const segment of route.path.slice(1).split('/')) node = child(node, segment)
    node.methods.set(route.method, route)
  }
  const starts = basePathsOf(basePath).map((path) => `${path}/`)
  return (path) => {
    const start = starts.find((one) => path.startsWith(one))
    if (start === undefined) return undefined
    const values: string[] = []
    let node = root
    for (const segment of path.slice(start.length).split('/')) {
      const text = decoded(segment)
      const literal = node.literals.get(text)
      if (literal !== undefined) node = literal
      else if (node.named !== null && text !== '') {
        node = node.named
        values.push(text)
      } else return undefined
    }
    const { methods } = node
    if (methods.size === 0) return undefined
    const allowed = [...methods.keys(), 'OPTIONS'].join(', ').replace('GET', 'GET, HEAD')
    const paramsOf = ({ path: own }: Route) => {
      const names = Array.from(own.matchAll(/\{([^}]+)\}/g), ([, name]) => name!.replace('.', '_'))
      return Object.fromEntries(names.map((name, index) => [name, values[index]!]))
    }
    return { methods, allow: allowed, paramsOf }
  }
}

function createNode<Route>(): Node<Route> {
  return { literals: new Map(), named: null, methods: new Map() }
}

function child<Route>(node: Node<Route>, segment: string): Node<Route> {
  if (segment.startsWith('{')) return (node.named ??= createNode())
  const next = node.literals.get(segment) ?? createNode()
  node.literals.set(segment, next)
  return next
}

function decoded(segment: string): string {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
