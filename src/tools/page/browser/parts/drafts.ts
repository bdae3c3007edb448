/** What a person has typed or staged and not sent yet. A draft belongs to what it is for, and only success ends it. */
import { service } from './ask.ts'
import { keepText } from './kept-texts.ts'
import { recall } from './parts.ts'

interface Form<T> {
  readonly empty: () => T
  readonly isEmpty: (draft: T) => boolean
  /** How a draft is kept in the browser. Default: it lasts as long as the tab. */
  readonly text?: {
    readonly write: (draft: T) => string
    /** @throws for a text that is damaged, which counts as no draft */
    readonly read: (text: string) => T
  }
}

/** The drafts of one kind, each under the key of what it is for. */
export class Drafts<T> {
  readonly #kind: string
  readonly #form: Form<T>
  readonly #open = new Map<string, T>()
  readonly #sending = new Set<string>()

  constructor(kind: string, form: Form<T>) {
    this.#kind = kind
    this.#form = form
  }

  /** The draft of this tab, else the one that the browser has kept, else an empty one. */
  at(key: string): T {
    if (!this.#open.has(key)) this.#open.set(key, this.#kept(key) ?? this.#form.empty())
    return this.#open.get(key)!
  }

  put(key: string, draft: T): void {
    this.#open.set(key, draft)
    this.keep(key)
  }

  /** Keeps a draft that was changed in place. */
  keep(key: string): void {
    const { text } = this.#form
    const draft = this.at(key)
    if (text !== undefined) keepText(this.#name(key), this.#form.isEmpty(draft) ? null : text.write(draft))
  }

  drop(key: string): void {
    this.#open.delete(key)
    if (this.#form.text !== undefined) keepText(this.#name(key), null)
  }

  /** Gives a draft to another key, which is not kept in the browser, so that its own is empty. */
  move(from: string, to: string): void {
    this.#open.set(to, this.at(from))
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
      const result = await post(this.at(key))
      if (isDone(result)) this.drop(key)
      return result
    } finally {
      this.#sending.delete(key)
    }
  }

  #kept(key: string): T | undefined {
    const { text } = this.#form
    const kept = text === undefined ? null : recall(this.#name(key))
    // An empty text is one that a person has emptied.
    if (kept === null) return undefined
    try {
      return text!.read(kept)
    } catch {
      return undefined
    }
  }

  #name(key: string): string {
    return [service.memory, this.#kind, key].filter((part) => part !== '').join(' ')
  }
}
