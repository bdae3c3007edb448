/** Collects the objects of ids for `resolved`. */
import { objectMaps } from './complete.ts'
import type { Resolved } from './payload.ts'

/** The maps of `resolved`. Keys are ids, so they cannot be names of inherited properties. */
export class ResolvedMaps {
  readonly #maps: { [Kind in keyof Resolved]?: { [id: string]: object } } = {}

  /** Adds an object. */
  put<Kind extends keyof Resolved>(
    kind: Kind,
    id: string,
    object: NonNullable<Resolved[Kind]>[string],
  ): void {
    const map: { [id: string]: object } = (this.#maps[kind] ??= {})
    map[id] = object
  }

  /** The maps that have entries; undefined if none has. */
  get(): Resolved | undefined {
    const filled = objectMaps.filter((kind) => this.#maps[kind] !== undefined)
    if (filled.length === 0) return undefined
    return Object.fromEntries(filled.map((kind) => [kind, this.#maps[kind]])) as Resolved
  }
}
