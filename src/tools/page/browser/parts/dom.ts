/** Elements described as markup, and the smallest change of the document to match them. */

interface Properties {
  /** Identifies a list item, so that an item that moves stays the same element. */
  key?: string | number
  /** Called with the element once it is in the document. */
  mounted?: (element: Element) => void
  [name: string]: unknown
}

interface ElementDescription {
  readonly tag: string
  readonly properties: Properties
  readonly children: readonly Child[]
}

export type Child = ElementDescription | string | number | false | null | undefined | readonly Child[]

// --- Markup -----------------------------------------------------------------------------------------------------

/** A part of a template: gives a value, a child or properties for the values of the holes. */
type Part = (values: readonly unknown[]) => unknown

const HOLE = '\0'
const TAGS_AND_TEXTS = /<(\/?)(\w+)\b((?:"[^"]*"|[^"<>])*?)(\/?)>|([^<]+)/g
const ATTRIBUTES = /\.{3}\0|([\w-]+)(?:=(?:"([^"]*)"|([^\s"]+)))?/g

const templates = new WeakMap<TemplateStringsArray, readonly Part[]>()

/**
 * Describes elements: `<p class="note">${text}</p>`. Values never become markup. `${…}` is an attribute's value, a part
 * of a quoted one, or children; `...${…}` is an object of attributes. `key` and `mounted` are those of `Properties`.
 */
export function h(strings: TemplateStringsArray, ...values: readonly unknown[]): Child {
  let parts = templates.get(strings)
  if (parts === undefined) templates.set(strings, (parts = compile(strings.join(HOLE))))
  return parts.map((part) => part(values) as Child)
}

function compile(source: string): readonly Part[] {
  let holes = 0
  const hole = (): Part => {
    const index = holes++
    return (values) => values[index]
  }
  const joined = (text: string): Part => {
    const [first = '', ...rest] = text.split(HOLE)
    const parts = rest.map((piece) => [hole(), piece] as const)
    // A text on its own keeps `false`, as ARIA writes it.
    const written = (value: unknown) => (text !== HOLE && !value && value !== 0 ? '' : String(value))
    return (values) => parts.reduce((sum, [part, piece]) => sum + written(part(values)) + piece, first)
  }
  const attribute = ([whole, name = '', quoted, bare]: RegExpMatchArray): Part => {
    if (whole.startsWith('...')) return hole()
    const isFlag = quoted === undefined && bare === undefined
    const value = isFlag ? () => true : bare === HOLE ? hole() : joined(quoted ?? bare!)
    return (values) => ({ [name]: value(values) })
  }
  const open: Part[][] = [[]]
  for (const [, isEnd, tag = '', attributes = '', isEmpty, text] of source.matchAll(TAGS_AND_TEXTS)) {
    const siblings = open.at(-1)!
    if (text !== undefined) {
      for (const [index, piece] of text.split(HOLE).entries()) {
        if (index > 0) siblings.push(hole())
        const words = piece.replace(/\s+/g, (space, at: number) => {
          if (!space.includes('\n')) return space
          return at === 0 || at + space.length === piece.length ? '' : ' '
        })
        if (words !== '') siblings.push(() => words)
      }
    } else if (isEnd) open.pop()
    else {
      const properties = Array.from(attributes.matchAll(ATTRIBUTES), attribute)
      const children: Part[] = []
      siblings.push((values) => ({
        tag,
        properties: Object.assign({}, ...properties.map((part) => part(values))),
        children: children.map((part) => part(values)),
      }))
      if (!isEmpty) open.push(children)
    }
  }
  return open[0]!
}

// --- The document -----------------------------------------------------------------------------------------------

type Flat = ElementDescription | string

const described = new WeakMap<Node, Flat>()

/** Equal for two descriptions of which one node can have first the one and then the other. */
const kindOf = (child: Flat | undefined): string =>
  typeof child === 'object' ? `${child.tag} ${child.properties.key}` : typeof child

function flat(children: readonly Child[]): Flat[] {
  const drawn = (children.flat(20) as Child[]).filter((child) => child || child === 0 || child === '')
  return drawn.map((child) => (typeof child === 'object' ? (child as ElementDescription) : String(child)))
}

/** Changes the children of an element to the described ones. Elements that stay keep focus, caret and scroll. */
export function patchChildren(parent: Element, children: readonly Child[]): void {
  const old: Record<string, ChildNode[]> = {}
  for (const node of parent.childNodes) (old[kindOf(described.get(node))] ??= []).push(node)
  const wanted = flat(children)
  const nodes = wanted.map((child) => old[kindOf(child)]?.shift() ?? create(child))
  for (const node of Object.values(old).flat()) node.remove()
  for (const [index, node] of nodes.entries()) {
    const present = parent.childNodes[index]
    if (node !== present) parent.insertBefore(node, present ?? null)
    update(node, wanted[index]!)
  }
}

function create(child: Flat): ChildNode {
  return typeof child === 'string' ? document.createTextNode(child) : document.createElement(child.tag)
}

function update(node: ChildNode, child: Flat): void {
  const before = described.get(node)
  if (before === child && typeof child === 'object') return
  described.set(node, child)
  if (typeof child === 'string') {
    if (before !== child) node.nodeValue = child
    return
  }
  const element = node as HTMLElement
  // A select takes a value only once it has the option.
  patchChildren(element, child.children)
  const old = typeof before === 'object' ? before.properties : {}
  for (const name of new Set([...Object.keys(old), ...Object.keys(child.properties)])) {
    set(element, name, child.properties[name], old[name])
  }
  if (before === undefined) child.properties.mounted?.(element)
}

function set(element: HTMLElement, name: string, value: unknown, before: unknown): void {
  if (name === 'key' || name === 'mounted') return
  const target = element as unknown as Record<string, unknown>
  if (name.startsWith('on')) target[name] = value ? drawing(value as Handler) : null
  else if (name === 'value' || name === 'checked') {
    if (target[name] !== value) target[name] = value ?? ''
  } else if (value !== before) {
    if (value === undefined || value === null || value === false) element.removeAttribute(name)
    else element.setAttribute(name, value === true ? '' : String(value))
  }
}

/** The parts that were described last, with what they were described from, the last one used at the end. */
const parts = new Map<string, { readonly inputs: readonly unknown[]; readonly described: Child }>()
const MAX_PARTS = 1_000

/**
 * A part of the page that is described, and compared with the document, only when an input is another one. Must not hold
 * fields: a drawing sets their values again.
 */
export function memo(key: string, inputs: readonly unknown[], describe: () => Child): Child {
  const last = parts.get(key)
  const isSame = last?.inputs.length === inputs.length && last.inputs.every((one, at) => one === inputs[at])
  const found = isSame ? last : { inputs, described: describe() }
  parts.delete(key)
  parts.set(key, found)
  for (const [oldest] of parts) if (parts.size > MAX_PARTS) parts.delete(oldest)
  return found.described
}

// --- Drawing ----------------------------------------------------------------------------------------------------

/** Sentences of the page: above the view until it is dismissed, and for screen readers. */
export const messages = { notice: '', live: '', connected: true }

let render = (): void => {}
let isScheduled = false
let focusId: string | null = null

export function onDraw(callback: () => void): void {
  render = callback
}

/** Draws the page after the current event. Handlers of elements need not call it. */
export function draw(): void {
  if (isScheduled) return
  isScheduled = true
  queueMicrotask(() => {
    isScheduled = false
    render()
    if (focusId === null) return
    const element = document.getElementById(focusId)
    focusId = null
    element?.focus()
  })
}

type Handler = (event: Event) => unknown

/** Whether a key belongs to the word that an input method composes. A timer has no event. */
const isOfInputMethod = (event?: Event): boolean =>
  event?.type === 'keydown' && (event as KeyboardEvent).isComposing

/** A handler that draws the page, again once its promise is settled, and shows why that was rejected. */
export const drawing = (handler: Handler) => (event: Event) => {
  if (isOfInputMethod(event)) return
  draw()
  const result = handler(event)
  if (result instanceof Promise) void result.catch(({ message }: Error) => notify(message)).then(draw)
}

/** Draws the page and then moves the focus: only after something the person did. */
export function drawAndFocus(id: string): void {
  focusId = id
  draw()
}

/** A handler that passes the value of its field on. */
export const typed =
  (change: (value: string) => unknown): Handler =>
  ({ target }) =>
    change((target as HTMLInputElement).value)

export function announce(sentence: string): void {
  messages.live = sentence
  draw()
}

export function notify(sentence: string): void {
  messages.notice = sentence
  draw()
}
