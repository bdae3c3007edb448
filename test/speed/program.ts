/**
 * Prints what calls of the library do, as JSON: how many blocks of its code run, which V8 counts, how many bytes they
 * allocate, and how many the values that they return keep. None depends on the machine or on what else it does.
 */
import { Session } from 'node:inspector/promises'
import { CommandRegistry, globalScope, memoryStore, validateCommand, validateCommands } from 'commandry'
import { fillStore } from '../bench/fill.ts'
import { app, longName, middle, small, unknownKeys, unknownLocales, wrong } from '../bench/payloads.ts'

export interface Cost {
  readonly blocks: number
  readonly bytes: number
}

export interface Counts {
  readonly costs: Readonly<Record<string, Cost>>
  readonly keptShare: number
}

type Call = () => unknown

// Before any call: of a function that was compiled earlier, V8 does not count the blocks.
const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })

const OTHERS = 10_000
const APPLICATION = '1001'
const scope = globalScope(APPLICATION)
const fromWire = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

async function registryOf(count: number) {
  const registry = new CommandRegistry()
  const bodies = Array.from({ length: count }, (_, i) => ({ ...small, name: `command_${i}` }))
  const commands = await registry.overwrite(scope, bodies)
  let turn = 0
  return {
    get: () => registry.get(scope, commands[count >> 1]!.id),
    list: () => registry.list(scope),
    upsert: () => registry.upsert(scope, { ...bodies[count >> 1], description: `changed ${turn++ % 2}` }),
  }
}

/** Calls on an application beside many others in one memory store. */
async function beside() {
  const store = memoryStore()
  const registry = new CommandRegistry({ store })
  await registry.overwrite(scope, [small])
  await fillStore(store, APPLICATION, 0, OTHERS)
  const snapshot = await registry.snapshot(APPLICATION)
  return {
    keys: async () => {
      for await (const _ of store.keys(`scope/${APPLICATION}/`));
    },
    plan: () => registry.plan(scope, [{ ...small, nsfw: true }]),
    snapshot: () => registry.snapshot(APPLICATION),
    restore: () => registry.restore(snapshot),
  }
}

const bodies = fromWire({ small, middle, wrong, longName, unknownKeys, unknownLocales, app: app() })
const [one, hundred, crowd] = [await registryOf(1), await registryOf(100), await beside()]

const calls: Readonly<Record<string, Call>> = {
  'validate S': () => validateCommand(bodies.small).ok,
  'validate M': () => validateCommand(bodies.middle).ok,
  'validate APP': () => validateCommands(bodies.app).ok,
  'validate 349 faults, ok alone': () => validateCommand(bodies.wrong).ok,
  'validate a name of 4 MB': () => validateCommand(bodies.longName).ok,
  'validate 100,000 unknown keys': () => validateCommand(bodies.unknownKeys).ok,
  'validate 100,000 unknown locales': () => validateCommand(bodies.unknownLocales).ok,
  get: one.get,
  list: one.list,
  'upsert in a scope of 1': one.upsert,
  'get in a scope of 100': hundred.get,
  'list of 100': hundred.list,
  'upsert in a scope of 100': hundred.upsert,
  'keys beside 10,000 others': crowd.keys,
  'plan beside 10,000 others': crowd.plan,
  'snapshot beside 10,000 others': crowd.snapshot,
  'restore beside 10,000 others': crowd.restore,
}

async function blocksOf(call: Call): Promise<number> {
  // Reading the counts sets them to zero.
  await session.post('Profiler.takePreciseCoverage')
  await call()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  let blocks = 0
  for (const { url, functions } of result)
    if (url === import.meta.url)
      for (const { ranges } of functions) for (const { count } of ranges) blocks += count
  return blocks
}

const collect = (globalThis as unknown as { gc(): void }).gc
/** Enough that a page more or less is nothing, and little enough that nothing is collected meanwhile. */
const MEASURED_BYTES = 32_000_000
const MAX_CALLS = 20_000

/** The mean of many calls: V8 also counts the end of each page of memory, where no further object fits. */
async function bytesOf(call: Call): Promise<number> {
  collect()
  const before = process.memoryUsage().heapUsed
  let bytes = 0
  let calls = 0
  for (let batch = 1; bytes < MEASURED_BYTES && calls < MAX_CALLS; batch *= 2) {
    for (let i = 0; i < batch; i++) await call()
    calls += batch
    bytes = process.memoryUsage().heapUsed - before
  }
  return Math.round(bytes / calls)
}

/** The bytes that a thousand results of a call keep. */
function keptBytes(call: () => unknown): number {
  call()
  collect()
  const before = process.memoryUsage().heapUsed
  const kept = Array.from({ length: 1_000 }, call)
  collect()
  return (process.memoryUsage().heapUsed - before) / kept.length
}

/** The memory of taken values, as a multiple of that of the parsed bodies. */
function keptShare(body: unknown): number {
  const text = JSON.stringify(body)
  const value = () => {
    const read = validateCommand(JSON.parse(text))
    return read.ok && read.value
  }
  return keptBytes(value) / keptBytes(() => JSON.parse(text))
}

const costs: Record<string, Cost> = {}
for (const [name, call] of Object.entries(calls)) {
  for (let warm = 0; warm < 3; warm++) await call()
  costs[name] = { blocks: await blocksOf(call), bytes: await bytesOf(call) }
}
session.disconnect()
process.stdout.write(JSON.stringify({ costs, keptShare: keptShare(middle) }))
