import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { beforeAll, describe, expect, it } from 'vitest'
import { CommandRegistry, globalScope, memoryStore, type Store } from 'commandry'
import type { Cost } from './program.ts'

// What a busy machine cannot change: how much of the library's code runs, what it allocates, and how often it waits.
// How long that takes is for `node test/bench/run.mjs`.

const root = fileURLToPath(new URL('../..', import.meta.url))

async function countedCosts(): Promise<Record<string, Cost>> {
  const directory = await mkdtemp(join(tmpdir(), 'commandry-'))
  try {
    const outfile = join(directory, 'program.mjs')
    await build({
      entryPoints: [join(root, 'test/speed/program.ts')],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      alias: { commandry: join(root, 'src/index.ts') },
    })
    // Without compilers, which remove allocations when they get to it and whose code counts as allocated, and with every
    // function counted.
    const counting = ['--no-opt', '--no-sparkplug', '--no-lazy-feedback-allocation', '--no-flush-bytecode']
    const args = [...counting, '--expose-gc', '--single-threaded-gc', '--max-semi-space-size=128', outfile]
    const { stdout } = await promisify(execFile)(process.execPath, args)
    return JSON.parse(stdout) as Record<string, Cost>
  } finally {
    await rm(directory, { recursive: true })
  }
}

// The most of Node 20 and 24. One version repeats its figures exactly; Node 24 counts fewer blocks, and its objects
// differ in size by up to a sixth. So the tolerance is only for changes that are worth it: raise the record then.
const TOLERANCE = 1.1

const recorded: Readonly<Record<string, Cost>> = {
  'validate S': { blocks: 41, bytes: 777 },
  'validate M': { blocks: 2_604, bytes: 12_297 },
  'validate APP': { blocks: 68_524, bytes: 247_930 },
  'validate 349 faults, ok alone': { blocks: 15_515, bytes: 285_926 },
  'validate a name of 4 MB': { blocks: 173, bytes: 2_560 },
  'validate 100,000 unknown keys': { blocks: 714_042, bytes: 2_714_036 },
  'validate 100,000 unknown locales': { blocks: 714_052, bytes: 2_215_511 },
  get: { blocks: 18, bytes: 1_184 },
  list: { blocks: 17, bytes: 1_177 },
  'upsert in a scope of 1': { blocks: 103, bytes: 4_733 },
  'get in a scope of 100': { blocks: 18, bytes: 1_184 },
  'list of 100': { blocks: 17, bytes: 1_177 },
  'upsert in a scope of 100': { blocks: 155, bytes: 6_318 },
  'keys beside 10,000 others': { blocks: 61, bytes: 2_243 },
  'plan beside 10,000 others': { blocks: 339, bytes: 15_016 },
  'snapshot beside 10,000 others': { blocks: 215, bytes: 7_402 },
  'restore beside 10,000 others': { blocks: 857, bytes: 21_468 },
}

describe('the work of a call', () => {
  let costs: Record<string, Cost>
  beforeAll(async () => void (costs = await countedCosts()))

  it.each(Object.entries(recorded))('does not grow: %s', (name, { blocks, bytes }) => {
    expect(costs[name]!.blocks).toBeLessThanOrEqual(blocks * TOLERANCE)
    expect(costs[name]!.bytes).toBeLessThanOrEqual(bytes * TOLERANCE)
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
    ['get', ['read 1'], 2, (registry, id) => registry.get(scope, id)],
    ['list', ['read 1'], 2, (registry) => registry.list(scope)],
    ['upsert', ['read 1', 'write'], 4, (registry) => registry.upsert(scope, { ...body, nsfw: true })],
    ['upsert without a change', ['read 1'], 3, (registry) => registry.upsert(scope, body)],
    ['overwrite', ['read 1', 'write'], 5, (registry) => registry.overwrite(scope, [{ ...body, nsfw: true }])],
  ])('is as recorded: %s', async (_, calls, turns, call) => {
    const { store, notes } = notedStore()
    const registry = new CommandRegistry({ store })
    const { command } = await registry.upsert(scope, body)
    notes.length = 0
    expect(await turnsOf(call(registry, command.id))).toBeLessThanOrEqual(turns)
    expect(notes).toEqual(calls)
  })
})
