/**
 * Commands as JSON for reads. They never change, so each is written once and kept. Responses to writes are not kept: a
 * weak map of commands that are soon replaced makes each garbage collection slower.
 */
import type { ApplicationCommand } from '../command/definition.ts'
import type { Locale } from '../locale/locales.ts'
import { listing, type ListView } from '../registry/view.ts'

// Characters and bytes that are kept at most. Beyond that all are dropped, and those still in use return.
const MOST_KEPT = 64 * 1024 * 1024

const encoder = new TextEncoder()

/** With all dictionaries; with the texts of a locale; or with neither. */
type Variant = 'dictionaries' | Locale | 'plain'

/** The JSON of frozen values, by variant. */
type Kept<T> = Map<Variant, WeakMap<object, T>>

/** The JSON of the commands of one service. */
export class CommandTexts {
  readonly #commands: Kept<string> = new Map()
  readonly #lists: Kept<Uint8Array> = new Map()
  #size = 0

  /** A command with all its dictionaries. */
  command(command: ApplicationCommand): string {
    return this.#text(command, 'dictionaries')
  }

  /** A list of commands; without a view, with all their dictionaries (clause 2.10-08). */
  list(commands: readonly ApplicationCommand[], view: ListView | undefined): string | Uint8Array {
    const variant = view === undefined ? 'dictionaries' : (view.locale ?? 'plain')
    const kept = this.#lists.get(variant)?.get(commands)
    if (kept !== undefined) return kept
    const json = `[${commands.map((command) => this.#text(command, variant)).join(',')}]`
    if (!Object.isFrozen(commands)) return json
    const bytes = encoder.encode(json)
    if (this.#hasRoom(bytes.length)) keep(this.#lists, commands, variant, bytes)
    return bytes
  }

  #text(command: ApplicationCommand, variant: Variant): string {
    const kept = this.#commands.get(variant)?.get(command)
    if (kept !== undefined) return kept
    const text = JSON.stringify(
      variant === 'dictionaries' ? command : listing(command, variant === 'plain' ? null : variant),
    )
    if (Object.isFrozen(command) && this.#hasRoom(text.length)) keep(this.#commands, command, variant, text)
    return text
  }

  /** Counts a text that is to be kept; false, and everything is dropped, when there is no room. */
  #hasRoom(length: number): boolean {
    this.#size += length
    if (this.#size <= MOST_KEPT) return true
    this.#commands.clear()
    this.#lists.clear()
    this.#size = 0
    return false
  }
}

function keep<T>(kept: Kept<T>, value: object, variant: Variant, json: T): void {
  let values = kept.get(variant)
  if (values === undefined) kept.set(variant, (values = new WeakMap()))
  values.set(value, json)
}
