/**
 * Finds whether options of a command may share a name, for a few nanoseconds a name: reading collects a hash of each name, and
 * one loop over all of them looks for equal ones. It can be wrong only towards "may", and then the exact check runs.
 */

// No valid command has so many names.
const MOST_SLOTS = 524_288
// No hash of a valid name has its lowest bit set.
const NONE = -1
const MOST_GENERATIONS = 1 << 15

export class NameTable {
  /** The hashes of all names, option after option. */
  #hashes = new Int32Array(1024)
  #count = 0
  #last = NONE
  /** The list of each option, its default name, and where its hashes start. */
  readonly #listOf: number[] = []
  readonly #defaultOf: unknown[] = []
  readonly #startOf: number[] = []
  #lists = 0
  #options = 0
  /**
   * Two numbers for each slot: a hash; and the generation, in the upper half, with the option that has it. A slot of an
   * earlier generation is empty.
   */
  #entries = new Int32Array(2048)
  #generation = 0

  /** Forgets all names, for the next command. */
  clear(): void {
    for (let option = 0; option < this.#options; option++) this.#defaultOf[option] = undefined
    this.#count = 0
    this.#lists = 0
    this.#options = 0
  }

  /** Starts another list of options, and returns its number. */
  startList(): number {
    return this.#lists++
  }

  /** Makes the next option of a list the owner of the names that are added next. */
  startOption(list: number, defaultName: unknown): void {
    const option = this.#options++
    this.#listOf[option] = list
    this.#defaultOf[option] = defaultName
    this.#startOf[option] = this.#count
    this.#last = NONE
  }

  /** Adds the hash of a name of the current option, default or localized. */
  add(hash: number): void {
    // Many names are the same in several locales.
    if (hash === this.#last) return
    this.#last = hash
    if (this.#count === this.#hashes.length) {
      const hashes = new Int32Array(2 * this.#count)
      hashes.set(this.#hashes)
      this.#hashes = hashes
    }
    this.#hashes[this.#count++] = hash
  }

  /** Whether two options may share a name, in one list or in two. */
  mayRepeat(): boolean {
    if (this.#options < 2) return false
    let slots = 64
    while (slots < 3 * this.#count) slots *= 2
    if (slots > MOST_SLOTS) return true
    if (this.#entries.length < 2 * slots) this.#entries = new Int32Array(2 * slots)
    if (++this.#generation === MOST_GENERATIONS) {
      this.#entries.fill(0)
      this.#generation = 1
    }
    this.#startOf[this.#options] = this.#count
    for (let option = 0; option < this.#options; option++) {
      const end = this.#startOf[option + 1]!
      for (let i = this.#startOf[option]!; i < end; i++) {
        const hash = this.#hashes[i]!
        const owner = put(this.#entries, slots - 1, this.#generation, hash, option)
        if (owner !== option && !this.#mayShare(hash, option, owner, slots - 1)) return true
      }
    }
    return false
  }

  /**
   * In another list, an option of the same default name may have the same names (2.10-06). Then the name is put into the
   * table once more for its own list, where no other option may have it.
   */
  #mayShare(hash: number, option: number, owner: number, lastSlot: number): boolean {
    const list = this.#listOf[option]!
    if (list === this.#listOf[owner] || this.#defaultOf[option] !== this.#defaultOf[owner]) return false
    const hashInList = Math.imul(hash ^ list, 0x5bd1e995)
    return put(this.#entries, lastSlot, this.#generation, hashInList, option) === option
  }
}

/** Puts a hash into a table of entries unless it is there, and returns the option that has it. */
function put(
  entries: Int32Array,
  lastSlot: number,
  generation: number,
  hash: number,
  option: number,
): number {
  let slot = (hash ^ (hash >>> 16)) & lastSlot
  for (;;) {
    const mark = entries[2 * slot + 1]!
    if (mark >>> 16 !== generation) break
    if (entries[2 * slot] === hash) return mark & 0xffff
    slot = (slot + 1) & lastSlot
  }
  entries[2 * slot] = hash
  entries[2 * slot + 1] = (generation << 16) | option
  return option
}

// Tables are reused, because to allocate one costs more than to read a command.
const spare: NameTable[] = []

/** An empty table. A `toJSON` of a body may validate another command meanwhile, so each reading takes its own. */
export function takeNameTable(): NameTable {
  return spare.pop() ?? new NameTable()
}

/** Gives a table back for the next command. */
export function returnNameTable(table: NameTable): void {
  table.clear()
  spare.push(table)
}
