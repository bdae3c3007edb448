/** Registries at work on one place whose documents are restored below them, and what must hold of every write. */
import assert from 'node:assert/strict'
import { CommandRegistry, guildScope, RegistryError, type Store } from 'commandry'
import { app } from './fixtures.ts'
import type { Random } from './random.ts'
import { passed, turn, until } from './waiting.ts'

interface Write {
  readonly by: number
  readonly key: string
  readonly expected: string | null
  readonly revision: string
  readonly text: string
  readonly start: number
  readonly end: number
  /** Whether the registry has not read the document since it wrote it last. */
  readonly isUnread: boolean
}

/** A write whose outcome may be unknown. */
type Attempt = Pick<Write, 'key' | 'expected' | 'text'>

interface Span {
  readonly start: number
  readonly end: number
}

interface Command {
  readonly id: string
}

const commandsOf = (text: string) =>
  new Map(
    (JSON.parse(text) as { readonly commands: readonly Command[] }).commands.map((one) => [one.id, one]),
  )

/** The number of commands in which two documents differ. */
function steps(before: string | undefined, after: string): number {
  const [one, other] = [
    before === undefined ? new Map<string, Command>() : commandsOf(before),
    commandsOf(after),
  ]
  const ids = new Set([...one.keys(), ...other.keys()])
  return [...ids].filter((id) => JSON.stringify(one.get(id)) !== JSON.stringify(other.get(id))).length
}

/** What several stores over the same documents read and wrote. */
export class WriteHistory {
  isOver = false
  readonly writes: Write[] = []
  readonly #attempts: Attempt[] = []
  readonly restores: Span[] = []
  /** The documents by key and revision. */
  readonly #texts = new Map<string, string>()
  /** The revisions that writes returned, with their keys. */
  readonly #given = new Set<string>()
  /** The versions of commands that each registry wrote. */
  readonly #versions = new Set<string>()

  /** Notes what a store does. */
  recorded(store: Store, by: number): Store {
    const unread = new Set<string>()
    return {
      keys: (prefix) => store.keys(prefix),
      read: async (keys) => {
        const entries = await store.read(keys)
        for (const [i, entry] of entries.entries()) {
          unread.delete(keys[i]!)
          if (entry !== undefined) this.#see(keys[i]!, entry.revision, JSON.stringify(entry.value))
        }
        return entries
      },
      write: async (key, expected, value) => {
        const start = performance.now()
        const isUnread = unread.has(key)
        if (value !== undefined) this.#attempts.push({ key, expected, text: JSON.stringify(value) })
        const written = await store.write(key, expected, value)
        if (!written.ok || value === undefined) return written
        const text = JSON.stringify(value)
        const { revision } = written
        assert.ok(!this.#given.has(`${key} ${revision}`), `the revision ${revision} was given again`)
        this.#given.add(`${key} ${revision}`)
        this.#see(key, revision, text)
        for (const [, version] of text.matchAll(/"version":"(\d+)"/g)) this.#versions.add(`${by} ${version}`)
        this.writes.push({ by, key, expected, revision, text, start, end: performance.now(), isUnread })
        unread.add(key)
        return written
      },
    }
  }

  #see(key: string, revision: string, text: string): void {
    const known = this.#texts.get(`${key} ${revision}`)
    assert.ok(known === undefined || known === text, `the revision ${revision} has two documents`)
    this.#texts.set(`${key} ${revision}`, text)
  }

  /** Each write is one step from the document at its revision, and no two writes follow one without a restore between. */
  check(): void {
    const followed = new Map<string, Write>()
    for (const write of this.writes) {
      const { key, expected, text, start } = write
      const at = `${key} ${expected}`
      const count = steps(this.#texts.get(at), text)
      assert.ok(count <= 1, `a write at ${at} changes ${count} commands: it is not based on that document`)
      const other = followed.get(at)
      if (other !== undefined) {
        const isRestored = this.restores.some((one) => one.end >= other.start && one.start <= write.end)
        assert.ok(isRestored, `two writes follow ${at}, at ${other.start} and ${start}`)
      }
      followed.set(at, write)
    }
  }

  /**
   * How many acknowledged writes a database has lost, which has these documents and was written by nobody since. A write
   * without an answer may be in it.
   */
  async lostIn(store: Store): Promise<number> {
    const before = [...this.writes]
    let lost = 0
    for (const key of new Set(before.map((one) => one.key))) {
      const [entry] = await store.read([key])
      const own = before.filter((one) => one.key === key)
      // Writes of one document follow each other, so the last one that began is the last.
      let last = own.reduce<Write | undefined>(
        (a, b) => (a === undefined || b.start > a.start ? b : a),
        undefined,
      )
      const isHere = (write: Write) =>
        entry?.revision === write.revision ||
        this.#attempts.some(
          ({ key: other, expected, text }) =>
            other === key && expected === write.revision && text === JSON.stringify(entry?.value),
        )
      while (last !== undefined && !isHere(last)) {
        const { expected }: Write = last
        lost++
        last = own.find((one) => one.revision === expected)
      }
    }
    return lost
  }

  /** Resolves after some more writes, or when the work is over. */
  async someWrites(count: number): Promise<void> {
    const { length: before } = this.writes
    await until(() => this.isOver || this.writes.length >= before + count)
  }

  /** Whether a registry wrote a version that its caller was given. */
  wrote(by: number, version: string): boolean {
    return this.#versions.has(`${by} ${version}`)
  }
}

interface Work {
  /** A store for each registry, with its own connection. */
  readonly stores: readonly Store[]
  readonly random: Random
  /** Backs up and restores the documents, until the work ends. @param history notes when */
  disturb(history: WriteHistory): Promise<void>
}

export interface Worked {
  readonly history: WriteHistory
  readonly calls: number
  readonly acknowledged: number
  /** Writes without a read before. */
  readonly unread: number
}

const NAMES = 8
const SCOPES = 6

/** Lets registries write while the documents are restored below them. Throws when a write was lost or repeated. */
export async function workUnderRestores({ stores, random, disturb }: Work): Promise<Worked> {
  const history = new WriteHistory()
  let calls = 0
  const acknowledged: { readonly by: number; readonly version: string }[] = []
  const act = async (registry: CommandRegistry, by: number, n: number) => {
    // Mostly one of its own, which it writes alone for some time.
    const scope = guildScope(app, `${2001 + (random.next() < 0.85 ? by % SCOPES : random.below(SCOPES))}`)
    if (random.next() < 0.03) {
      const [command] = await registry.list(scope)
      if (command !== undefined) await registry.delete(scope, command.id)
      return
    }
    const body = { name: `c${random.below(NAMES)}`, description: `${by}-${n}` }
    const { command } = await registry.upsert(scope, body)
    acknowledged.push({ by, version: command.version })
  }
  const workers = stores.map(async (store, by) => {
    const registry = new CommandRegistry({ store: history.recorded(store, by) })
    for (let n = 0; !history.isOver; n++) {
      if (random.next() < 0.05) await passed(random.next() * 30)
      else await turn()
      calls++
      await act(registry, by, n).catch((error: unknown) => {
        // The medium may fail while it is restored, a command be gone, and the creates of the day come to an end.
        if (!(error instanceof RegistryError)) throw error
        if (error.cause instanceof assert.AssertionError) throw error.cause
      })
    }
  })
  await Promise.race([disturb(history), Promise.all(workers)]).finally(() => (history.isOver = true))
  await Promise.all(workers)
  history.check()
  for (const { by, version } of acknowledged)
    assert.ok(history.wrote(by, version), `the acknowledged version ${version} was never written`)
  const unread = history.writes.filter(({ isUnread }) => isUnread).length
  return { history, calls, acknowledged: acknowledged.length, unread }
}

/** Backs up and restores, again and again, with some writes between. */
export async function restoreRepeatedly(
  history: WriteHistory,
  backUp: () => Promise<() => unknown>,
  random: Random,
  rounds: number,
): Promise<void> {
  const someWrites = () => history.someWrites(20 + random.below(60))
  await someWrites()
  let restore = await backUp()
  for (let round = 0; round < rounds; round++) {
    await someWrites()
    const start = performance.now()
    await restore()
    history.restores.push({ start, end: performance.now() })
    await someWrites()
    // An older backup may be restored again.
    if (random.next() < 0.7) restore = await backUp()
  }
}
