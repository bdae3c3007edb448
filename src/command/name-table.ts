/**
 * Finds whether options of a command may share a name, for a few nanoseconds a name: reading collects a hash of each name, and
 * one loop over all of them looks for equal ones. It can be wrong only towards "may", and then the exact check runs.
 */

// No valid command has so many names.
const MOST_SLOTS = 524_288
// No hash of a valid name has its lowest bit set.
const NONE = -1

export class NameTable {
  /** Two numbers for each name: its hash and its option. */
  #names = new Int32Array(2048)
  /** How many of these numbers are in use. */
  #end = 0
  #last = NONE
  /** The list of each option, and its default name. */
  readonly #listOf: number[] = []
  readonly #defaultOf: unknown[] = []
  #lists = 0
  #options = 0
  /**
   * For each slot of the table, the end of a name in `#names`; 0 for none. With the hashes themselves in it, the table of
   * a large command is too large for the caches of processors.
   */
  #slots = new Int32Array(1024)

  /** Forgets all names, for the next command. */
  clear(): void {
    for (let option = 0; option < this.#options; option++) this.#defaultOf[option] = undefined
    this.#end = 0
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
    this.#last = NONE
  }

  /** Adds the hash of a name of the current option, default or localized. */
  add(hash: number): void {
    // Many names are the same in several locales.
    if (hash === this.#last) return
    this.#last = hash
    this.#append(hash, this.#options - 1)
  }

  #append(hash: number, option: number): void {
    if (this.#end === this.#names.length) {
      const names = new Int32Array(2 * this.#end)
      names.set(this.#names)
      this.#names = names
    }
    this.#names[this.#end++] = hash
    this.#names[this.#end++] = option
  }

  /** Whether two options may share a name, in one list or in two. */
  mayRepeat(): boolean {
    if (this.#options < 2) return false
    const end = this.#end
    let slots = 64
    while (slots < 1.5 * end) slots *= 2
    if (slots > MOST_SLOTS) return true
    if (this.#slots.length < slots) this.#slots = new Int32Array(slots)
    else this.#slots.fill(0, 0, slots)
    for (let name = 0; name < end; name += 2) {
      const option = this.#names[name + 1]!
      const owner = put(this.#names, name, this.#slots, slots - 1)
      if (owner !== option && !this.#mayShare(name, owner, slots - 1)) return true
    }
    return false
  }

  /**
   * In another list, an option of the same default name may have the same names (2.10-06). Then the name is put into the
   * table once more for its own list, where no other option may have it.
   */
  #mayShare(name: number, owner: number, lastSlot: number): boolean {
    const option = this.#names[name + 1]!
    const list = this.#listOf[option]!
    if (list === this.#listOf[owner] || this.#defaultOf[option] !== this.#defaultOf[owner]) return false
    const inList = this.#end
    this.#append(Math.imul(this.#names[name]! ^ list, 0x5bd1e995), option)
    return put(this.#names, inList, this.#slots, lastSlot) === option
  }
}

/** Puts a name into a table unless its hash is there, and returns the option that has it. */
function put(names: Int32Array, name: number, slots: Int32Array, lastSlot: number): number {
  const hash = names[name]!
  let slot = (hash ^ (hash >>> 16)) & lastSlot
  for (let end = slots[slot]!; end !== 0; end = slots[slot]!) {
    if (names[end - 2] === hash) return names[end - 1]!
    slot = (slot + 1) & lastSlot
  }
  slots[slot] = name + 2
  return names[name + 1]!
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
