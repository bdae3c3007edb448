/** A description of elements, and the smallest change that makes the document look like it. */

export interface Properties {
  /** Tells list items apart, so that one that moves stays the same element. */
  readonly key?: string | number
  /** Called with the element once it is in the document. */
  readonly mounted?: (element: any) => void
  readonly [name: string]: unknown
}

/** An element as it should be. */
export interface Described {
  readonly tag: string
  readonly properties: Properties
  readonly children: readonly Child[]
}

export type Child = Described | string | number | false | null | undefined | readonly Child[]

/** Describes an element: `h('p.note', { id: 'a' }, 'Text')`. Text never becomes markup. */
export function h(name: string, ...rest: readonly (Properties | Child)[]): Described {
  const [tag = '', ...classes] = name.split('.')
  const [first] = rest
  const isGiven =
    typeof first === 'object' && first !== null && !Array.isArray(first) && !('children' in first)
  const given = isGiven ? (first as Properties) : {}
  const properties = classes.length === 0 ? given : { class: classes.join(' '), ...given }
  return { tag, properties, children: (isGiven ? rest.slice(1) : rest) as readonly Child[] }
}

const described = new WeakMap<Node, Described>()

/** Makes the children of an element what is described. Elements that stay keep focus, caret and scroll position. */
export function patch(parent: Element, children: readonly Child[]): void {
  const wanted = flat(children)
  const keys = new Set(wanted.map(keyOf).filter((key) => key !== undefined))
  const keyed = new Map<unknown, ChildNode>()
  for (const node of [...parent.childNodes]) {
    const key = described.get(node)?.properties.key
    if (key === undefined) continue
    if (keys.has(key)) keyed.set(key, node)
    else node.remove()
  }
  let next = parent.firstChild
  for (const child of wanted) {
    const key = keyOf(child)
    const candidate = key === undefined ? next : (keyed.get(key) ?? null)
    const node = fits(candidate, child) ? candidate : create(child)
    if (node === next) next = next.nextSibling
    else parent.insertBefore(node, next)
    update(node, child)
  }
  while (next !== null) {
    const following: ChildNode | null = next.nextSibling
    next.remove()
    next = following
  }
}

type Flat = Described | string

function flat(children: readonly Child[]): Flat[] {
  return (children.flat(20) as Child[]).flatMap((child) =>
    child === null || child === undefined || child === false
      ? []
      : [typeof child === 'number' ? String(child) : (child as Flat)],
  )
}

function keyOf(child: Flat): string | number | undefined {
  return typeof child === 'string' ? undefined : child.properties.key
}

function fits(node: ChildNode | null, child: Flat): node is ChildNode {
  if (node === null) return false
  if (typeof child === 'string') return node.nodeType === Node.TEXT_NODE
  const last = described.get(node)
  return last?.tag === child.tag && last.properties.key === child.properties.key
}

function create(child: Flat): ChildNode {
  return typeof child === 'string' ? document.createTextNode(child) : document.createElement(child.tag)
}

function update(node: ChildNode, child: Flat): void {
  if (typeof child === 'string') {
    if (node.nodeValue !== child) node.nodeValue = child
    return
  }
  const element = node as HTMLElement
  const before = described.get(node)
  described.set(node, child)
  // A select takes a value only once it has the option.
  patch(element, child.children)
  const old = before?.properties ?? {}
  for (const name of new Set([...Object.keys(old), ...Object.keys(child.properties)])) {
    set(element, name, child.properties[name], old[name])
  }
  if (before === undefined) child.properties.mounted?.(element)
}

function set(element: HTMLElement, name: string, value: unknown, before: unknown): void {
  if (name === 'key' || name === 'mounted') return
  const target = element as unknown as Record<string, unknown>
  if (name.startsWith('on')) target[name] = value ?? null
  else if (name === 'value' || name === 'checked') {
    if (target[name] !== value) target[name] = value ?? ''
  } else if (value !== before) {
    if (value === undefined || value === null || value === false) element.removeAttribute(name)
    else element.setAttribute(name, value === true ? '' : String(value))
  }
}
