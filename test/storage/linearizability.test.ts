import { describe, expect, it, test } from 'vitest'
import { CommandRegistry, memoryStore, type Store } from 'commandry'
import { app, here as scope } from '../support/fixtures.ts'
import { linearizable, register } from '../support/linearizability.ts'
import type { Operation, RegisterInput, RegisterOutput } from '../support/linearizability.ts'
import { seeded } from '../support/random.ts'
import { perform, scopeModel, type ScopeInput, type ScopeOutput } from '../support/scope-model.ts'

type Recorded = Operation<RegisterInput, RegisterOutput>

const read = (start: number, end: number, value: number | null, revision: string | null): Recorded => ({
  start,
  end,
  input: { kind: 'read' },
  output: { kind: 'found', value, revision },
})

/** A write that got a revision, was refused (`null`), or has an unknown end (`undefined`). */
const write = (
  start: number,
  end: number,
  expected: string | null,
  value: number | null,
  revision: string | null | undefined,
): Recorded => ({
  start,
  end: revision === undefined ? Infinity : end,
  input: { kind: 'write', expected, value },
  output:
    revision === undefined
      ? undefined
      : revision === null
        ? { kind: 'refused' }
        : { kind: 'written', revision },
})

describe('histories of a register', () => {
  test.each<[string, Recorded[]]>([
    ['nothing at all', []],
    [
      'one after the other',
      [write(0, 1, null, 1, 'a'), read(2, 3, 1, 'a'), write(4, 5, 'a', 2, 'b'), read(6, 7, 2, 'b')],
    ],
    [
      'a read that overlaps a write sees either',
      [write(0, 9, null, 1, 'a'), read(1, 2, null, null), read(3, 4, 1, 'a')],
    ],
    ['of two rivals one wins', [write(0, 5, null, 1, 'a'), write(0, 5, null, 2, null), read(6, 7, 1, 'a')]],
    [
      'removed and made anew',
      [
        write(0, 1, null, 1, 'a'),
        write(2, 3, 'a', null, 'b'),
        read(4, 5, null, null),
        write(6, 7, null, 2, 'c'),
      ],
    ],
    [
      'a write of unknown end took effect',
      [
        write(0, 1, null, 1, undefined),
        read(5, 6, null, null),
        read(7, 8, 1, 'a'),
        write(9, 10, 'a', 2, 'b'),
      ],
    ],
    [
      'a write of unknown end never did',
      [write(0, 1, null, 1, undefined), read(5, 6, null, null), write(7, 8, null, 2, 'a')],
    ],
    [
      'a write of unknown end is why another was refused',
      [write(0, 1, null, 1, undefined), write(2, 3, null, 2, null)],
    ],
    [
      'the order of starts is not the order of effects',
      [write(0, 10, 'a', 2, 'b'), write(1, 2, null, 1, 'a')],
    ],
  ])('accepts %s', (_, history) => {
    expect(linearizable(register, history)).toEqual({ linearizable: true })
  })

  test.each<[string, Recorded[]]>([
    ['a stale read', [write(0, 1, null, 1, 'a'), read(2, 3, null, null)]],
    ['a read that goes back', [write(0, 9, null, 1, 'a'), read(1, 2, 1, 'a'), read(3, 4, null, null)]],
    ['a value from nowhere', [read(0, 1, 7, 'x')]],
    ['two winners', [write(0, 5, null, 1, 'a'), write(0, 5, null, 2, 'b')]],
    ['no winner', [write(0, 5, null, 1, null), write(0, 5, null, 2, null)]],
    ['a lost update', [write(0, 1, null, 1, 'a'), write(2, 3, 'a', 2, 'b'), write(4, 5, 'a', 3, 'c')]],
    ['refused at the present revision', [write(0, 1, null, 1, 'a'), write(2, 3, 'a', 2, null)]],
    [
      'a document under the revision of another',
      [write(0, 1, null, 1, 'a'), write(2, 3, 'a', 2, 'b'), read(4, 5, 1, 'b')],
    ],
    [
      'an acknowledged write that is gone',
      [write(0, 1, null, 1, 'a'), write(2, 3, 'a', null, 'b'), read(4, 5, 1, 'a')],
    ],
    [
      'a write of unknown end took effect twice',
      [write(0, 1, null, 1, undefined), read(2, 3, 1, 'a'), write(4, 5, 'a', null, 'b'), read(6, 7, 1, 'c')],
    ],
    [
      'two readers who disagree about the order',
      [write(0, 20, null, 1, undefined), read(1, 2, 1, 'a'), read(3, 4, null, null)],
    ],
  ])('rejects %s', (_, history) => {
    expect(linearizable(register, history)).toMatchObject({ linearizable: false })
  })

  it('are accepted for random registers, and rejected with one false result', () => {
    for (let seed = 1; seed <= 60; seed++) {
      const random = seeded(seed)
      const history = simulate(seed, 40)
      expect(linearizable(register, history), `seed ${seed}`).toEqual({ linearizable: true })
      const reads = history.filter(({ output }) => output?.kind === 'found' && output.value !== null)
      if (reads.length === 0) continue
      const victim = random.pick(reads)
      const lie = { kind: 'found', value: -1, revision: 'lie' } as const
      const lied = history.map((one) => (one === victim ? { ...one, output: lie } : one))
      expect(linearizable(register, lied), `seed ${seed}`).toMatchObject({ linearizable: false })
    }
  })
})

/** Sequential operations, each with a random interval around the moment at which it took effect. */
function simulate(seed: number, count: number): Recorded[] {
  const random = seeded(seed)
  let state: { value: number | null; revision: string | null } = { value: null, revision: null }
  let unseen = false
  return Array.from({ length: count }, (_, i): Recorded => {
    const moment = 10 * i
    const start = moment - random.next() * 30
    const end = moment + random.next() * 30
    if (unseen || random.next() < 0.4) {
      unseen = false
      return read(start, end, state.value, state.revision)
    }
    const expected = random.next() < 0.7 ? state.revision : 'stale'
    const unknown = random.next() < 0.1
    const happens = expected === state.revision && !(unknown && random.next() < 0.5)
    const revision = `r${i}`
    if (happens) state = { value: i, revision }
    // The revision of a write with an unknown end is unknown until it is read.
    unseen = unknown && happens
    if (unknown) return write(start, end, expected, i, undefined)
    return write(start, end, expected, i, happens ? revision : null)
  })
}

describe('histories of a scope', () => {
  const model = scopeModel(app, { commands: [], creates: 0, latest: '0', permissions: [] })

  /** Two registries whose calls interleave, over a store that may be incorrect. */
  async function play(broken: (store: Store) => Store): Promise<Operation<ScopeInput, ScopeOutput>[]> {
    const inner = memoryStore()
    let meanwhile: (() => Promise<unknown>) | undefined
    const interrupting: Store = {
      ...inner,
      async read(keys) {
        const entries = await inner.read(keys)
        const between = meanwhile
        meanwhile = undefined
        await between?.()
        return entries
      },
    }
    const registry = new CommandRegistry({ store: broken(interrupting) })
    const rival = new CommandRegistry({ store: broken(inner) })
    let time = 0
    const history: Operation<ScopeInput, ScopeOutput>[] = []
    const call = async (on: CommandRegistry, input: ScopeInput) => {
      const start = ++time
      const output = await perform(on, scope, input)
      history.push({ input, output, start, end: ++time })
    }
    const upsert = (name: string): ScopeInput => ({
      kind: 'upsert',
      item: { type: 1, name, description: 'b' },
    })
    meanwhile = () => call(rival, upsert('b'))
    await call(registry, upsert('a'))
    await call(registry, { kind: 'list' })
    return history
  }

  it('are accepted for a correct store', async () => {
    expect(linearizable(model, await play((store) => store))).toEqual({ linearizable: true })
  })

  it('are rejected for a store that loses updates', async () => {
    const forgetful = (store: Store): Store => ({
      ...store,
      async write(key, _, value) {
        const [entry] = await store.read([key])
        return store.write(key, entry?.revision ?? null, value)
      },
    })
    expect(linearizable(model, await play(forgetful))).toMatchObject({ linearizable: false })
  })
})
