import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { CommandRegistry, globalScope, memoryStore, type Store } from 'commandry'
import { buildProgram } from '../storage/processes.ts'
import type { Cost, Counts } from './program.ts'

// What a busy machine cannot change: how much of the library's code runs, what it allocates, and how often it waits.
// How long that takes is for `node test/bench/run.mjs`.

async function countedCosts(): Promise<Counts> {
  const { file, remove } = await buildProgram('test/speed/program.ts')
  try {
    // Without compilers, which remove allocations when they get to it and whose code counts as allocated, and with every
    // function counted.
    const counting = ['--no-opt', '--no-sparkplug', '--no-lazy-feedback-allocation', '--no-flush-bytecode']
    const args = [...counting, '--expose-gc', '--single-threaded-gc', '--max-semi-space-size=128', file]
    const { stdout } = await promisify(execFile)(process.execPath, args)
    return JSON.parse(stdout) as Counts
  } finally {
    remove()
  }
}

// Guards growth: what a call must not reach. A plain change may cost a third more; a second pass, a copy of every key or a
// search of the whole store costs several times more.
const TOLERANCE = 1.5

const recorded: Readonly<Record<string, Cost>> = {
  'validate S': { blocks: 90, bytes: 1_160 },
  'validate M': { blocks: 3_235, bytes: 42_833 },
  'validate APP': { blocks: 78_413, bytes: 1_157_813 },
  'validate 349 faults, ok alone': { blocks: 54_631, bytes: 532_138 },
  'validate a name of 4 MB': { blocks: 238, bytes: 3_778 },
  'validate 100,000 unknown keys': { blocks: 577_893, bytes: 11_441_456 },
  'validate 100,000 unknown locales': { blocks: 642_103, bytes: 16_530_005 },
  get: { blocks: 34, bytes: 2_521 },
  list: { blocks: 29, bytes: 2_513 },
  'upsert in a scope of 1': { blocks: 224, bytes: 9_150 },
  'get in a scope of 100': { blocks: 86, bytes: 2_521 },
  'list of 100': { blocks: 29, bytes: 2_513 },
  'upsert in a scope of 100': { blocks: 474, bytes: 10_670 },
  'keys beside 10,000 others': { blocks: 61, bytes: 2_233 },
  'plan beside 10,000 others': { blocks: 438, bytes: 20_383 },
  'snapshot beside 10,000 others': { blocks: 169, bytes: 14_700 },
  'restore beside 10,000 others': { blocks: 957, bytes: 31_959 },
}

describe('the work of a call', () => {
  let counts: Counts
  beforeAll(async () => void (counts = await countedCosts()))

  it.each(Object.entries(recorded))('does not grow: %s', (name, { blocks, bytes }) => {
    expect(counts.costs[name]!.blocks).toBeLessThanOrEqual(blocks * TOLERANCE)
    expect(counts.costs[name]!.bytes).toBeLessThanOrEqual(bytes * TOLERANCE)
  })

  it('keeps taken values in little more memory than parsed bodies', () => {
    expect(counts.keptShare).toBeLessThanOrEqual(1.25 * TOLERANCE)
  })
})

describe('the waiting of a call', () => {
  const scope = globalScope('1001')
  const body = { name: 'ping', description: 'Replies' }

  /** A memory store that notes its calls. */
  function notedStore(): { readonly store: Store; readonly notes: string[] } {
    const store = memoryStore()
    const notes: string[] = []
    return {
      notes,
      store: {
        read: (keys) => (notes.push(`read ${keys.length}`), store.read(keys)),
        write: (...args) => (notes.push('write'), store.write(...args)),
        keys: (prefix) => (notes.push('keys'), store.keys(prefix)),
      },
    }
  }

  /** How many times the queue of promises has to be emptied until the call is settled. */
  async function turnsOf(call: Promise<unknown>): Promise<number> {
    let isSettled = false
    void call.then(() => (isSettled = true))
    let turns = 0
    for (; !isSettled; turns++) await null
    return turns
  }

  it.each<
    readonly [string, readonly string[], number, (registry: CommandRegistry, id: string) => Promise<unknown>]
  >([
    ['get', ['read 1'], 6, (registry, id) => registry.get(scope, id)],
    ['list', ['read 1'], 6, (registry) => registry.list(scope)],
    ['upsert', ['read 1', 'write'], 8, (registry) => registry.upsert(scope, { ...body, nsfw: true })],
    ['upsert without a change', ['read 1'], 7, (registry) => registry.upsert(scope, body)],
    ['overwrite', ['read 1', 'write'], 8, (registry) => registry.overwrite(scope, [{ ...body, nsfw: true }])],
  ])('is as recorded: %s', async (_, calls, turns, call) => {
    const { store, notes } = notedStore()
    const registry = new CommandRegistry({ store })
    const { command } = await registry.upsert(scope, body)
    notes.length = 0
    expect(await turnsOf(call(registry, command.id))).toBeLessThanOrEqual(turns)
    expect(notes).toEqual(calls)
  })
})
