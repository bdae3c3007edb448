/**
 * Finds in passing whether options of a command may share a name: a table of hashes that costs a few nanoseconds a name.
 * It can be wrong only towards "may", and then the exact check runs.
 */

const SLOTS = 32_768
const MOST_FILLED = SLOTS * 0.75
// So many equal names make the exact check worth its cost.
const MOST_EQUAL = 64

export class NameTable {
  readonly #hashes = new Int32Array(SLOTS)
  /** For each slot: the generation, the list, the option and whether the name is a default one; see `#mark`. */
  readonly #marks = new Int32Array(SLOTS)
  #generation = 0
  #filled = 0
  #lists = 0
  #option = 0
  /** Whether two options may share a name, in one list or in two. */
  mayRepeat = false

  /** Forgets all names, for the next command. */
  clear(): void {
    this.mayRepeat = false
    this.#filled = 0
    this.#lists = 0
    if (++this.#generation >= 1 << 15) {
      this.#marks.fill(0)
      this.#generation = 1
    }
  }

  /** Starts another list of options, and returns its number. */
  startList(): number {
    return this.#lists++
  }

  /** Makes an option of a list the owner of the names that are added next. */
  startOption(list: number, index: number): void {
    this.#option = (list << 5) | index
  }

  /** Adds the hash of a name of the current option, default or localized. */
  add(hash: number, isDefault: boolean): void {
    if (this.mayRepeat) return
    const option = this.#option
    const generation = this.#generation
    let equal = 0
    let slot = (hash ^ (hash >>> 16)) & (SLOTS - 1)
    for (;;) {
      const mark = this.#marks[slot]!
      if (mark >>> 16 !== generation) {
        this.#hashes[slot] = hash
        this.#marks[slot] = (generation << 16) | (option << 1) | (isDefault ? 1 : 0)
        if (++this.#filled > MOST_FILLED) this.mayRepeat = true
        return
      }
      if (this.#hashes[slot] === hash) {
        const other = (mark >>> 1) & 0x7fff
        if (other === option) return
        const inOneList = other >>> 5 === option >>> 5
        // Default names may repeat in other lists (clause 2.10-06).
        const isAllowed = !inOneList && isDefault && (mark & 1) === 1
        if (!isAllowed || ++equal > MOST_EQUAL) {
          this.mayRepeat = true
          return
        }
      }
      slot = (slot + 1) & (SLOTS - 1)
    }
  }
}

// Tables are reused, because to allocate one costs more than to read a command.
const spare: NameTable[] = []

/** An empty table. A `toJSON` of a body may validate another command meanwhile, so each reading takes its own. */
export function takeNameTable(): NameTable {
  const table = spare.pop() ?? new NameTable()
  table.clear()
  return table
}

/** Gives a table back for the next command. */
export function returnNameTable(table: NameTable): void {
  spare.push(table)
}
