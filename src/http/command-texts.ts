/**
 * Commands as JSON for reads. They never change, so each is written once and kept. Responses to writes are not kept: a
 * weak map of commands that are soon replaced makes each garbage collection slower.
 */
import type { ApplicationCommand } from '../command/definition.ts'
import { listing, type ListView } from '../registry/view.ts'

// Characters and bytes that are kept at most. Beyond that all are dropped, and those still in use return.
const MAX_KEPT = 64 * 1024 * 1024

const encoder = new TextEncoder()

/** The JSON of a frozen value by variant: with all dictionaries, with the texts of a locale, or with neither. */
type Kept<T> = WeakMap<object, Map<string, T>>

export class CommandTexts {
  #commands: Kept<string> = new WeakMap()
  #lists: Kept<Uint8Array> = new WeakMap()
  #size = 0

  /** A command; without a view, with all its dictionaries. */
  command(command: ApplicationCommand, view?: ListView): string {
    return this.#kept(this.#commands, command, view, () =>
      JSON.stringify(view === undefined ? command : listing(command, view.locale)),
    )
  }

  /** A list of commands; without a view, with all their dictionaries (clause 2.10-08). */
  list(commands: readonly ApplicationCommand[], view: ListView | undefined): Uint8Array {
    return this.#kept(this.#lists, commands, view, () =>
      encoder.encode(`[${commands.map((command) => this.command(command, view)).join(',')}]`),
    )
  }

  #kept<T extends string | Uint8Array>(
    all: Kept<T>,
    value: object,
    view: ListView | undefined,
    write: () => T,
  ): T {
    const variant = view === undefined ? 'dictionaries' : (view.locale ?? 'plain')
    const kept = all.get(value)?.get(variant)
    if (kept !== undefined) return kept
    const json = write()
    if (!Object.isFrozen(value)) return json
    this.#size += json.length
    if (this.#size > MAX_KEPT) {
      this.#commands = new WeakMap()
      this.#lists = new WeakMap()
      this.#size = 0
    } else all.set(value, (all.get(value) ?? new Map<string, T>()).set(variant, json))
    return json
  }
}
