import { describe, expect, it, test } from 'vitest'
import { CommandRegistry, memoryStore, type Store } from 'commandry'
import { app, here as scope } from '../support/fixtures.ts'
import { linearizable, register } from '../support/linearizability.ts'
import type { Operation, RegisterInput, RegisterOutput } from '../support/linearizability.ts'
import { seed } from '../support/properties.ts'
import { seeded } from '../support/random.ts'
import { perform, scopeModel, type ScopeInput, type ScopeOutput } from '../support/scope-model.ts'

type Recorded = Operation<RegisterInput, RegisterOutput>

type Done = Pick<Recorded, 'input' | 'output'>

const read = (value: number | null, revision: string | null): Done => ({
  input: { kind: 'read' },
  output: { kind: 'found', value, revision },
})

/** A write that got a revision, was refused (`null`), or has an unknown end (`undefined`). */
function write(expected: string | null, value: number | null, revision: string | null | undefined): Done {
  const input = { kind: 'write', expected, value } as const
  if (revision === undefined) return { input, output: undefined }
  return { input, output: revision === null ? { kind: 'refused' } : { kind: 'written', revision } }
}

/** An operation between two times. */
const during = (start: number, end: number, done: Done): Recorded => {
  return { start, end: done.output === undefined ? Infinity : end, ...done }
}

/** Operations one after the other. */
const inOrder = (...all: readonly Done[]) => all.map((done, i) => during(2 * i, 2 * i + 1, done))

const created = write(null, 1, 'a')
/** Nobody learns whether it took effect. */
const uncertain = write(null, 1, undefined)

describe('histories of a register', () => {
  test.each<[string, Recorded[]]>([
    ['nothing at all', []],
    ['one after the other', inOrder(created, read(1, 'a'), write('a', 2, 'b'), read(2, 'b'))],
    [
      'a read that overlaps a write sees either',
      [during(0, 9, created), during(1, 2, read(null, null)), during(3, 4, read(1, 'a'))],
    ],
    [
      'of two rivals one wins',
      [during(0, 5, created), during(0, 5, write(null, 2, null)), during(6, 7, read(1, 'a'))],
    ],
    ['removed and made anew', inOrder(created, write('a', null, 'b'), read(null, null), write(null, 2, 'c'))],
    [
      'a write of unknown end took effect',
      inOrder(uncertain, read(null, null), read(1, 'a'), write('a', 2, 'b')),
    ],
    ['a write of unknown end never did', inOrder(uncertain, read(null, null), write(null, 2, 'a'))],
    ['a write of unknown end is why another was refused', inOrder(uncertain, write(null, 2, null))],
    [
      'the order of starts is not the order of effects',
      [during(0, 10, write('a', 2, 'b')), during(1, 2, created)],
    ],
  ])('accepts %s', (_, history) => {
    expect(linearizable(register, history)).toEqual({ linearizable: true })
  })

  test.each<[string, Recorded[]]>([
    ['a stale read', inOrder(created, read(null, null))],
    [
      'a read that goes back',
      [during(0, 9, created), during(1, 2, read(1, 'a')), during(3, 4, read(null, null))],
    ],
    ['a value from nowhere', inOrder(read(7, 'x'))],
    ['two winners', [during(0, 5, created), during(0, 5, write(null, 2, 'b'))]],
    ['no winner', [during(0, 5, write(null, 1, null)), during(0, 5, write(null, 2, null))]],
    ['a lost update', inOrder(created, write('a', 2, 'b'), write('a', 3, 'c'))],
    ['refused at the present revision', inOrder(created, write('a', 2, null))],
    ['a document under the revision of another', inOrder(created, write('a', 2, 'b'), read(1, 'b'))],
    ['an acknowledged write that is gone', inOrder(created, write('a', null, 'b'), read(1, 'a'))],
    [
      'a write of unknown end took effect twice',
      inOrder(uncertain, read(1, 'a'), write('a', null, 'b'), read(1, 'c')),
    ],
    ['two readers who disagree about the order', inOrder(uncertain, read(1, 'a'), read(null, null))],
  ])('rejects %s', (_, history) => {
    expect(linearizable(register, history)).toMatchObject({ linearizable: false })
  })

  it('are accepted for random registers, and rejected with one false result', () => {
    for (let one = seed; one < seed + 60; one++) {
      const random = seeded(one)
      const history = simulate(one, 40)
      expect(linearizable(register, history), `seed ${one}`).toEqual({ linearizable: true })
      const reads = history.filter(({ output }) => output?.kind === 'found' && output.value !== null)
      if (reads.length === 0) continue
      const victim = random.pick(reads)
      const lie = { kind: 'found', value: -1, revision: 'lie' } as const
      const lied = history.map((one) => (one === victim ? { ...one, output: lie } : one))
      expect(linearizable(register, lied), `seed ${one}`).toMatchObject({ linearizable: false })
    }
  })
})

/** Sequential operations, each with a random interval around the moment at which it took effect. */
function simulate(from: number, count: number): Recorded[] {
  const random = seeded(from)
  let state: { value: number | null; revision: string | null } = { value: null, revision: null }
  let unseen = false
  return Array.from({ length: count }, (_, i): Recorded => {
    const moment = 10 * i
    const start = moment - random.next() * 30
    const end = moment + random.next() * 30
    if (unseen || random.next() < 0.4) {
      unseen = false
      return during(start, end, read(state.value, state.revision))
    }
    const expected = random.next() < 0.7 ? state.revision : 'stale'
    const unknown = random.next() < 0.1
    const happens = expected === state.revision && !(unknown && random.next() < 0.5)
    const revision = `r${i}`
    if (happens) state = { value: i, revision }
    // The revision of a write with an unknown end is unknown until it is read.
    unseen = unknown && happens
    return during(start, end, write(expected, i, unknown ? undefined : happens ? revision : null))
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
