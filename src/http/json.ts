/** Commands as the JSON of an answer. They never change once they are made, so each is written once. */
import type { ApplicationCommand } from '../command/definition.ts'
import type { Locale } from '../locale/locales.ts'
import { listing, type ListView } from '../registry/view.ts'

// Characters and bytes that are remembered at most; then all are forgotten, and what is still asked for comes back.
const MOST = 64 * 1024 * 1024

const encoder = new TextEncoder()

/** With all dictionaries; with the texts of a locale; or with neither. */
type Variant = 'dictionaries' | Locale | 'plain'

/** For a frozen value, what was written of it in each variant. */
type Written<T> = WeakMap<object, Map<Variant, T>>

let commandTexts: Written<string> = new WeakMap()
let listBytes: Written<Uint8Array> = new WeakMap()
let held = 0

/** The JSON of a command, with all its dictionaries. */
export function commandJson(command: ApplicationCommand): string {
  return textOf(command, 'dictionaries')
}

/** The JSON of a list of commands; without a view, with all their dictionaries (clause 2.10-08). */
export function listJson(
  commands: readonly ApplicationCommand[],
  view: ListView | undefined,
): string | Uint8Array {
  const variant = view === undefined ? 'dictionaries' : (view.locale ?? 'plain')
  const known = listBytes.get(commands)?.get(variant)
  if (known !== undefined) return known
  const json = `[${commands.map((command) => textOf(command, variant)).join(',')}]`
  if (!Object.isFrozen(commands)) return json
  const bytes = encoder.encode(json)
  remember(listBytes, commands, variant, bytes)
  return bytes
}

function textOf(command: ApplicationCommand, variant: Variant): string {
  const known = commandTexts.get(command)?.get(variant)
  if (known !== undefined) return known
  const text = JSON.stringify(
    variant === 'dictionaries' ? command : listing(command, variant === 'plain' ? null : variant),
  )
  if (Object.isFrozen(command)) remember(commandTexts, command, variant, text)
  return text
}

function remember<T extends string | Uint8Array>(
  written: Written<T>,
  value: object,
  variant: Variant,
  json: T,
): void {
  held += json.length
  if (held > MOST) {
    commandTexts = new WeakMap()
    listBytes = new WeakMap()
    held = 0
    return
  }
  const variants = written.get(value)
  if (variants === undefined) written.set(value, new Map([[variant, json]]))
  else variants.set(variant, json)
}
