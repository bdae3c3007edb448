/** What a person has typed or staged and not sent yet. A draft belongs to what it is for, and only success ends it. */
import { isObject, parsedJson } from '../../../../core/json.ts'
import { service } from './ask.ts'
import { draw, h, type Child } from './dom.ts'
import { isDropped, keepText } from './kept-texts.ts'
import { button, recall } from './parts.ts'

/** A draft as it is kept. A field is what a person changes at once, such as the text of one option. */
export type DraftFields = ReadonlyMap<string, unknown>

interface Form<T> {
  readonly empty: () => T
  readonly isEmpty: (draft: T) => boolean
  /** How a draft is kept in the browser. Default: it lasts as long as the tab. */
  readonly kept?: {
    /** What it is, above the view where two tabs differ. Without one, the last tab is right. */
    readonly title?: string
    /** Whether it has one field, the text. */
    readonly isText?: boolean
    readonly write: (draft: T) => DraftFields
    /** @param before the draft of this tab @throws for a text that is damaged, which counts as no draft */
    readonly read: (fields: DraftFields, before: T) => T
  }
}

interface Open<T> {
  draft: T
  /** The fields as the browser had them when this tab last read or wrote them. */
  base: DraftFields
  /** The texts of other tabs, for fields that this tab has changed too. */
  others: DraftFields
}

/** The form of drafts that are one text. */
export const textForm = (title: string) => ({
  empty: () => null,
  isEmpty: (draft: string | null) => draft === null,
  kept: {
    title,
    isText: true,
    write: (draft: string | null): DraftFields => new Map([['', draft]]),
    read: (fields: DraftFields) => String(fields.get('')),
  },
})

/**
 * Adds the changes of another tab to those of this one. Where both have changed a field, this tab keeps its own, and `others`
 * has the other one.
 *
 * @param base the fields before both changes
 */
export function mergeFields(base: DraftFields, own: DraftFields, stored: DraftFields) {
  const fields = new Map(own)
  const others = new Map<string, unknown>()
  for (const name of new Set([...base.keys(), ...stored.keys()])) {
    const [was, mine, other] = [base, own, stored].map((one) => JSON.stringify(one.get(name)))
    if (other === was || other === mine) continue
    if (mine !== undefined && mine !== was) others.set(name, stored.get(name))
    else if (other === undefined) fields.delete(name)
    else fields.set(name, stored.get(name))
  }
  return { fields, others }
}

const all: Drafts<any>[] = []

/** The drafts of one kind, each under the key of what it is for. Tabs share those that the browser keeps. */
export class Drafts<T> {
  readonly #kind: string
  readonly #form: Form<T>
  readonly #open = new Map<string, Open<T>>()
  readonly #sending = new Set<string>()

  constructor(kind: string, form: Form<T>) {
    this.#kind = kind
    this.#form = form
    all.push(this)
  }

  /** The draft of this tab with the changes of the others. It is empty at first. */
  at(key: string): T {
    return this.#at(key).draft
  }

  put(key: string, draft: T): void {
    this.#at(key).draft = draft
    this.keep(key)
  }

  /** Keeps a draft that was changed in place. */
  keep(key: string): void {
    const open = this.#at(key)
    this.#update(key, open)
    this.#write(key, open)
  }

  /** @param ended what it had; a field that has changed since stays. Default: what it has now */
  drop(key: string, ended = this.#fieldsOf(this.at(key))): void {
    const open = this.#at(key)
    this.#update(key, open)
    const isEnded = (name: string, value: unknown) =>
      JSON.stringify(ended.get(name)) === JSON.stringify(value)
    const left = [...this.#fieldsOf(open.draft)].filter(([name, value]) => !isEnded(name, value))
    open.draft = left.length === 0 ? this.#form.empty() : this.#read(new Map(left), this.#form.empty())
    this.#write(key, open)
    if (left.length === 0 && open.others.size === 0) this.#open.delete(key)
  }

  /** Gives a draft to another key, which is not kept in the browser, so that its own is empty. */
  move(from: string, to: string): void {
    this.#open.set(to, { draft: this.at(from), base: new Map(), others: new Map() })
    this.drop(from)
  }

  /** The keys of this tab that begin with a text, oldest first. */
  keys(start: string): readonly string[] {
    return [...this.#open.keys()].filter((key) => key.startsWith(start))
  }

  isEmpty(key: string): boolean {
    return this.#form.isEmpty(this.at(key))
  }

  isSending(key: string): boolean {
    return this.#sending.has(key)
  }

  /**
   * Sends a draft, once at a time. It ends when `isDone` accepts the result; after a refusal or an error it stays.
   *
   * @returns undefined when the draft is being sent already
   */
  async send<R>(key: string, post: (draft: T) => Promise<R>, isDone: (result: R) => boolean = () => true) {
    if (this.#sending.has(key)) return undefined
    this.#sending.add(key)
    try {
      const sent = this.#fieldsOf(this.at(key))
      const result = await post(this.at(key))
      if (isDone(result)) this.drop(key, sent)
      return result
    } finally {
      this.#sending.delete(key)
    }
  }

  /** Takes over what other tabs have kept. @returns whether something is another */
  refresh(): boolean {
    return [...this.#open].filter(([key, open]) => this.#update(key, open)).length > 0
  }

  /** A line for each field that another tab has changed as well. */
  lines(): readonly Child[] {
    return [...this.#open].flatMap(([key, { others }]) =>
      Array.from(others, ([name, other]) => {
        const own = this.#fieldsOf(this.at(key)).get(name)
        const label = [this.#form.kept!.title, ...name.split('\n')].filter(Boolean).join(', ')
        return h`<p class="notice differs" role="status" key="${this.#kind} ${key} ${name}">
          <span>${label}: two tabs have changed it. It is ${excerptOf(own)}; the other tab has ${excerptOf(other)}.</span>
          ${button('Use the other one', () => this.#swap(key, name))}${button('Keep this one', () => this.#keepOther(key, name))}</p>`
      }),
    )
  }

  /** Gives a field what the other tab has, and keeps what it had as the other one. */
  #swap(key: string, name: string): void {
    const open = this.#at(key)
    const own = this.#fieldsOf(open.draft)
    const other = open.others.get(name)
    this.#keepOther(key, name, own.get(name))
    this.put(key, this.#read(new Map([...own, [name, other]]), open.draft))
  }

  #at(key: string): Open<T> {
    const found = this.#open.get(key)
    if (found !== undefined) return found
    const open = { draft: this.#form.empty(), base: new Map(), others: new Map() }
    this.#open.set(key, open)
    this.#update(key, open)
    return open
  }

  /** Takes over what other tabs have changed since this one has read the draft. */
  #update(key: string, open: Open<T>): boolean {
    const { kept } = this.#form
    if (kept === undefined) return false
    const before = open.others.size
    const stored = this.#stored(key, open.base)
    const own = this.#fieldsOf(open.draft)
    const { fields, others } = mergeFields(open.base, own, stored)
    open.others = new Map(Object.entries(parsedJson(recall(this.#nameOfOthers(key)) ?? '{}') as object))
    for (const [name, other] of others) if (kept.title !== undefined) this.#keepOther(key, name, other)
    open.base = stored
    const isChanged = JSON.stringify([...fields]) !== JSON.stringify([...own])
    if (isChanged) open.draft = this.#read(fields, open.draft)
    return isChanged || open.others.size !== before
  }

  /** What the browser keeps. A text that it has dropped for lack of room counts as unchanged. */
  #stored(key: string, base: DraftFields): DraftFields {
    const name = this.#name(key)
    const kept = recall(name)
    if (kept === null) return isDropped(name) ? new Map() : base
    if (this.#form.kept!.isText) return new Map([['', kept]])
    const value = parsedJson(kept)
    return new Map(isObject(value) || Array.isArray(value) ? Object.entries(value as object) : [])
  }

  #write(key: string, open: Open<T>): void {
    const { kept } = this.#form
    if (kept === undefined) return
    const fields = this.#fieldsOf(open.draft)
    const whole = kept.isText ? fields.get('') : JSON.stringify(Object.fromEntries(fields))
    keepText(this.#name(key), fields.size === 0 ? null : String(whole))
    open.base = fields
  }

  /** @param other what the other tab has; undefined ends that */
  #keepOther(key: string, name: string, other?: unknown): void {
    const open = this.#at(key)
    const left = [...open.others].filter(([one]) => one !== name)
    open.others = new Map(other === undefined ? left : [...left, [name, other]])
    const whole = open.others.size === 0 ? null : JSON.stringify(Object.fromEntries(open.others))
    keepText(this.#nameOfOthers(key), whole)
  }

  #fieldsOf(draft: T): DraftFields {
    return this.#form.isEmpty(draft) ? new Map() : (this.#form.kept?.write(draft) ?? new Map())
  }

  #read(fields: DraftFields, before: T): T {
    try {
      const { isText, read } = this.#form.kept!
      return isText && fields.size === 0 ? this.#form.empty() : read(fields, before)
    } catch {
      return this.#form.empty()
    }
  }

  #name(key: string): string {
    return [service.memory, this.#kind, key].filter((part) => part !== '').join(' ')
  }

  #nameOfOthers(key: string): string {
    return `${this.#name(key)} of another tab`
  }
}

/** The beginning of a text, or of what it is. */
function excerptOf(value: unknown): string {
  const words = typeof value === 'boolean' ? (value ? 'allowed' : 'denied') : (value ?? '')
  const text = String(isObject(value) ? value.text : words)
  return `“${text.length > 200 ? `${text.slice(0, 200)}…` : text}”`
}

/** Where two tabs have changed the same, both texts. */
export const differences = (): Child => all.map((drafts) => drafts.lines())

function refreshAll(): void {
  if (all.filter((drafts) => drafts.refresh()).length > 0) draw()
}

addEventListener('storage', refreshAll)
// A page that the back button has brought back has heard of nothing meanwhile.
addEventListener('pageshow', ({ persisted }) => persisted && refreshAll())
