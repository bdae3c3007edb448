/**
 * Commands as JSON for reads. They never change, so each is written once and kept. Responses to writes are not kept: a
 * weak map of commands that are soon replaced makes each garbage collection slower.
 */
import { bytesOfText } from '../../core/bounded-map.ts'
import type { ApplicationCommand } from '../../model/command-definition.ts'
import { listing, type ListView } from '../../commands/registry/list-view.ts'

// The texts that are kept at most. Beyond that all are dropped, and those still in use return.
const MAX_COMMAND_TEXT_BYTES = 64 * 1024 * 1024

const encoder = new TextEncoder()

type Text = string | Uint8Array

export class CommandTexts {
  /** The JSON of frozen commands and lists, by variant: with all dictionaries, with a locale's texts, or with neither. */
  #kept = new WeakMap<object, Map<string, Text>>()
  #size = 0

  /** A command; without a view, with all its dictionaries. */
  command(command: ApplicationCommand, view?: ListView): string {
    return this.#keep(command, view, () =>
      JSON.stringify(view === undefined ? command : listing(command, view.locale)),
    )
  }

  /** A list of commands; without a view, with all their dictionaries (clause 2.10-08). */
  list(commands: readonly ApplicationCommand[], view: ListView | undefined): Uint8Array {
    return this.#keep(commands, view, () =>
      encoder.encode(`[${commands.map((command) => this.command(command, view)).join(',')}]`),
    )
  }

  #keep<T extends Text>(value: object, view: ListView | undefined, write: () => T): T {
    const variant = view === undefined ? 'dictionaries' : (view.locale ?? 'plain')
    const variants = this.#kept.get(value)
    const kept = variants?.get(variant)
    if (kept !== undefined) return kept as T
    const json = write()
    if (!Object.isFrozen(value)) return json
    this.#size += typeof json === 'string' ? bytesOfText(json) : json.length
    if (this.#size > MAX_COMMAND_TEXT_BYTES) {
      this.#kept = new WeakMap()
      this.#size = 0
    } else this.#kept.set(value, (variants ?? new Map<string, Text>()).set(variant, json))
    return json
  }
}
