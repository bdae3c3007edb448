/** The faults that did not happen again, with how often they happened and were tried. */
import type { FuzzWarning } from './fuzz-report.ts'

/** The times that one step may fail without failing again, after which it is not tried again. */
const MAX_TRIED = 3

export class Warnings {
  readonly #warnings = new Map<string, FuzzWarning>()

  get list(): readonly FuzzWarning[] {
    return [...this.#warnings.values()]
  }

  /** Adds one, or counts it with an earlier one of the same step. */
  add(warning: FuzzWarning): void {
    const key = keyOf(warning)
    const { failed = 0, of = 0 } = this.#warnings.get(key) ?? {}
    const first = this.#warnings.get(key) ?? warning
    this.#warnings.set(key, { ...first, failed: failed + warning.failed, of: of + warning.of })
  }

  /** Whether further tries of a step are not worth their time. */
  isKnown(step: Pick<FuzzWarning, 'command' | 'code' | 'step'>): boolean {
    return (this.#warnings.get(keyOf(step))?.failed ?? 0) >= MAX_TRIED
  }
}

function keyOf({ command, code, step }: Pick<FuzzWarning, 'command' | 'code' | 'step'>): string {
  return JSON.stringify([command, code, step])
}
