/** A child process that works on a shared place and logs its calls and their results. */
import { writeSync } from 'node:fs'
import {
  type Clock,
  CommandRegistry,
  guildScope,
  RegistryError,
  snowflakes,
  type Store,
  type StoreError,
} from 'commandry'
import type { RegisterInput, RegisterOutput } from '../support/linearizability.ts'
import { seeded, type Random } from '../support/random.ts'
import { perform, type Brief, type Item, type ScopeInput, type ScopeOutput } from '../support/scope-model.ts'
import { openPlace, type Place } from './place.ts'

export interface Task {
  readonly place: Place
  readonly work: 'scope' | 'register'
  readonly seed: number
  /** Infinite when absent: until the process is killed. */
  readonly moves?: number
  readonly app: string
  readonly guild: string
  /** What the registry's clock says when the machine's monotonic clock says `origin` nanoseconds. */
  readonly now: number
  readonly origin: string
  readonly keys: readonly string[]
  /** Whether the process goes on after a failure of the medium. Default: it ends. */
  readonly goesOn?: boolean
  /** Whether the clock of the registry jumps, by up to five hours to either side of the true time. */
  readonly jumps?: boolean
}

/** A line of the log: first the start of a call, then its end. */
export type Line =
  | { readonly n: number; readonly start: number; readonly key?: string; readonly input: unknown }
  | { readonly n: number; readonly end: number; readonly output: unknown }
  /** The medium failed, and the process ended. */
  | { readonly n: number; readonly failed: { readonly mayHaveHappened: boolean; readonly message: string } }

/** The exit code of a process whose medium failed. */
export const MEDIUM_FAILED = 3

const task = JSON.parse(process.argv[2]!) as Task
const origin = BigInt(task.origin)
const elapsed = () => Number(process.hrtime.bigint() - origin)
const random = seeded(task.seed)
const HOURS = 5
const jumps = seeded(task.seed + 1)
let jumped = 0
const clock: Clock = {
  now() {
    if (task.jumps && jumps.next() < 0.1) jumped = (jumps.next() * 2 - 1) * HOURS * 3_600_000
    return task.now + jumped + elapsed() / 1e6
  },
}
let asked = 0

/** Logs a call before and after. Ends the process when the medium fails. */
async function record<Output>(
  input: unknown,
  key: string | undefined,
  call: () => Promise<Output>,
): Promise<void> {
  const n = ++asked
  say({ n, start: elapsed(), ...(key === undefined ? undefined : { key }), input })
  try {
    const output = await call()
    say({ n, end: elapsed(), output })
  } catch (error) {
    if (task.work === 'scope' && !(error instanceof RegistryError)) throw error
    if (error instanceof RegistryError && error.code !== 'storage')
      return say({ n, end: elapsed(), output: { error: error.code } })
    const cause = error instanceof RegistryError ? error.cause : error
    const message = cause instanceof Error ? cause.message : String(cause)
    say({ n, failed: { mayHaveHappened: (cause as Partial<StoreError>).mayHaveHappened !== false, message } })
    if (!task.goesOn) process.exit(MEDIUM_FAILED)
  }
}

function say(line: Line): void {
  writeSync(1, `${JSON.stringify(line)}\n`)
}

async function registerMove(store: Store, last: Map<string, string | null>, value: number): Promise<void> {
  const key = random.pick(task.keys)
  const expected = last.get(key)
  if (expected === undefined || random.next() < 0.4) {
    const input: RegisterInput = { kind: 'read' }
    last.delete(key)
    return record<RegisterOutput>(input, key, async () => {
      const [{ revision, value } = { revision: null, value: null }] = await store.read([key])
      last.set(key, revision)
      return { kind: 'found', revision, value: value as number | null }
    })
  }
  const removes = expected !== null && random.next() < 0.2
  const input: RegisterInput = { kind: 'write', expected, value: removes ? null : value }
  last.delete(key)
  return record<RegisterOutput>(input, key, async () => {
    const written = await store.write(key, expected, removes ? undefined : value)
    if (!written.ok) {
      last.set(key, expected)
      return { kind: 'refused' }
    }
    last.set(key, removes ? null : written.revision)
    return { kind: 'written', revision: written.revision }
  })
}

const texts = ['one', 'two', 'three']

function someItem(choose: Random): Item {
  return choose.next() < 0.75
    ? { type: 2, name: `U${choose.below(24)}`, description: '' }
    : { type: 1, name: `c${choose.below(12)}`, description: choose.pick(texts) }
}

/**
 * Calls at the beginning and the end of a counted run: more user commands than a scope can
 * have, and then more creates than a day allows. So every limit is reached whatever the timing.
 */
function pressingItem(move: number): Item | undefined {
  if (task.moves === undefined) return undefined
  const name = `v${task.seed}x${move}`
  if (move < PRESSING) return { type: 2, name, description: '' }
  return move >= task.moves - 3 * PRESSING && move % 2 === 0
    ? { type: 1, name, description: 'one' }
    : undefined
}

const PRESSING = 20

/** A random call; most of them are about the commands that earlier results had. */
function someCall(known: readonly Brief[], move: number): ScopeInput {
  const pressing = pressingItem(move)
  const chance = pressing === undefined ? random.next() : 0
  const target = known.length > 0 ? random.pick(known) : undefined
  if (chance < 0.34) return { kind: 'upsert', item: pressing ?? someItem(random) }
  if (chance < 0.5 && target !== undefined) return { kind: 'edit', id: target[0], ...someChange(target) }
  if (chance < 0.59 && target !== undefined) return { kind: 'delete', id: target[0] }
  if (chance < 0.62) return { kind: 'overwrite', items: someList(known) }
  if (chance < 0.78) {
    const id = target === undefined || random.next() < 0.2 ? task.app : target[0]
    const entries = Array.from({ length: random.below(3) }, (_, i) => {
      return { id: `${i + 1}${random.below(50)}`, type: 1 as const, permission: true }
    })
    return { kind: 'permit', guild: task.guild, id, entries }
  }
  return { kind: chance < 0.9 ? 'list' : 'permissions' }
}

function someChange([, , type]: Brief): { readonly name?: string; readonly description?: string } {
  const { name, description } = someItem(random)
  const isRename = random.next() < 0.6
  if (type === 1 && name.startsWith('c')) return isRename ? { name } : { description }
  return type === 2 ? { name: `U${random.below(24)}` } : { description: random.pick(texts) }
}

/** Some items match existing commands by id, under other names. */
function someList(known: readonly Brief[]): readonly Item[] {
  const items = new Map<string, Item>()
  for (let i = random.below(14); i > 0; i--) {
    const item = someItem(random)
    items.set(`${item.type} ${item.name}`, item)
  }
  const free = known.filter(([id], i) => known.findIndex((other) => other[0] === id) === i)
  return [...items.values()].map((item): Item => {
    const index = random.next() < 0.4 ? free.findIndex(([, , type]) => type === item.type) : -1
    return index < 0 ? item : { id: free.splice(index, 1)[0]![0], ...item }
  })
}

async function scopeMove(registry: CommandRegistry, known: Brief[], move: number): Promise<void> {
  const input = someCall(known, move)
  await record<ScopeOutput>(input, undefined, async () => {
    const output = await perform(registry, guildScope(task.app, task.guild), input)
    const { commands = [] } = output
    if (input.kind === 'upsert') known.push(...commands)
    if (input.kind === 'list' || input.kind === 'overwrite') known.splice(0, Infinity, ...commands)
    return output
  })
}

const { store, close } = await openPlace(task.place)
// All processes begin together, once their stores are ready.
await store.read(['ready'])
await new Promise<void>((resolve) => {
  process.once('message', () => resolve())
  process.send?.('ready')
})
process.disconnect()
// All with one worker number, so that only the stored latest id keeps ids unique.
const registry = new CommandRegistry({ store, clock, ids: snowflakes({ clock, worker: 0 }) })
const last = new Map<string, string | null>()
const known: Brief[] = []
for (let move = 0; move < (task.moves ?? Infinity); move++) {
  if (task.work === 'register') await registerMove(store, last, task.seed * 1_000_000 + move)
  else await scopeMove(registry, known, move)
}
await close()
// node-redis keeps a connection open that it was making when the client was closed (6.3).
process.exit(0)
