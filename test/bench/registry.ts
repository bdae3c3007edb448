/** Contests of the registry in memory. Floors: `Map.get`, JSON itself, or the same call beside fewer documents. */
import type { CommandRegistry, Store } from 'commandry'
import { parsing, type Contest, type ContestRow, type Operation } from './contest.ts'
import { fillStore } from './fill.ts'
import { app, full, small } from './payloads.ts'

const APPLICATION = '1001'
const OTHERS = 1_000_000

const commandry = () => import('commandry')

/** The same bodies twice, with another description, so that each turn of writing changes what is stored. */
const turns = (body: object): readonly [object, object] => [
  { ...body, description: 'Answers with pong' },
  { ...body, description: 'Answers with ping' },
]

function mapGet(): Operation {
  const ids = Array.from({ length: 128 }, (_, i) =>
    String(1_000_000_000_000_000_000n + BigInt(i) * 4_194_304n),
  )
  const commands = new Map(ids.map((id) => [id, { id, ...small }]))
  // An id that was asked for is another string than the key.
  const asked = JSON.parse(JSON.stringify(ids)) as string[]
  return (turn) => commands.get(asked[turn & 127]!)
}

interface KeyValues {
  serialize: unknown
  deserialize: unknown
  get(key: string): Promise<unknown>
  set(key: string, value: unknown): Promise<unknown>
}

/** Without serialization, since a registry in memory has none either. */
async function keyv(): Promise<KeyValues> {
  const { Keyv } = (await import('keyv' as string)) as { readonly Keyv: new () => KeyValues }
  const values = new Keyv()
  values.serialize = values.deserialize = undefined
  return values
}

/** A registry with commands in the global scope, created from a text as it comes from the wire. */
async function registryWith(bodies: readonly object[]) {
  const { CommandRegistry, globalScope } = await commandry()
  const registry = new CommandRegistry()
  const scope = globalScope(APPLICATION)
  const text = JSON.stringify(bodies)
  const commands = await registry.overwrite(scope, JSON.parse(text))
  return { registry, scope, text, commands }
}

const named = (count: number) => Array.from({ length: count }, (_, i) => ({ ...small, name: `command_${i}` }))

const get: Contest = {
  'Map.get': mapGet,
  commandry: async () => {
    const { registry, scope, commands } = await registryWith(named(100))
    const { id } = JSON.parse(JSON.stringify(commands[50])) as { id: string }
    return () => registry.get(scope, id)
  },
  keyv: async () => {
    const values = await keyv()
    await values.set('id', small)
    return () => values.get('id')
  },
}

const upsert = (count: number): Contest => ({
  'Map.get': mapGet,
  commandry: async () => {
    const { registry, scope, commands } = await registryWith(named(count))
    const bodies = turns({ ...small, name: commands[count >> 1]!.name })
    return (turn) => registry.upsert(scope, bodies[turn & 1])
  },
  keyv: async () => {
    const values = await keyv()
    const bodies = turns(small)
    return (turn) => values.set('id', bodies[turn & 1])
  },
})

/** A scope at its limits: 100 slash commands near 8,000 characters in all locales, and 31 that have only names. */
const upsertFull: Contest = {
  parse: parsing(full(0)),
  commandry: async () => {
    const slash = Array.from({ length: 100 }, (_, i) => full(i))
    const menus = [2, 3].flatMap((type) =>
      Array.from({ length: 15 }, (_, i) => ({ type, name: `Menu ${i}` })),
    )
    const { registry, scope } = await registryWith([...slash, ...menus, { type: 4, name: 'Launch' }])
    const bodies = turns(slash[50]!)
    return (turn) => registry.upsert(scope, bodies[turn & 1])
  },
}

const overwrite: Contest = {
  parse: parsing(app()),
  commandry: async () => {
    const { registry, scope, text } = await registryWith(app())
    const bodies = JSON.parse(text) as object[]
    const sets = [bodies, bodies.map((body) => ({ ...body, nsfw: true }))]
    return (turn) => registry.overwrite(scope, sets[turn & 1])
  },
}

const list = (isLocalized: boolean): Contest => ({
  stringify: async () => {
    const { commands } = await registryWith(app())
    return () => JSON.stringify(commands)
  },
  commandry: async () => {
    const { registry, scope } = await registryWith(app())
    return isLocalized ? () => registry.list(scope, { locale: 'de' }) : () => registry.list(scope)
  },
})

/** Stores that the collector may not remove. */
const kept: object[] = []

/**
 * One call in a store with a million other applications, and in one without. Each process holds both stores: V8's
 * collector visits every page of the heap, so garbage costs more in a large one, whatever fills it.
 */
const beside = (
  prepare: (registry: CommandRegistry, store: Store) => Operation | Promise<Operation>,
): Contest => {
  const make = (isFull: boolean) => async () => {
    const { CommandRegistry, globalScope, memoryStore } = await commandry()
    const full = memoryStore()
    const empty = memoryStore()
    for (const store of [full, empty])
      await new CommandRegistry({ store }).overwrite(globalScope(APPLICATION), [small])
    await fillStore(full, APPLICATION, 0, OTHERS)
    kept.push(full)
    const store = isFull ? full : empty
    return prepare(new CommandRegistry({ store }), store)
  }
  return { alone: make(false), commandry: make(true) }
}

const calls: Readonly<Record<string, Contest>> = {
  plan: beside(async (registry) => {
    const { globalScope } = await commandry()
    const bodies = turns(small)
    return (turn) => registry.plan(globalScope(APPLICATION), [bodies[turn & 1]])
  }),
  snapshot: beside((registry) => () => registry.snapshot(APPLICATION)),
  restore: beside(async (registry) => {
    const snapshot = await registry.snapshot(APPLICATION)
    return () => registry.restore(snapshot)
  }),
  keys: beside((_, store) => async () => {
    let count = 0
    for await (const key of store.keys(`scope/${APPLICATION}/`)) count += key.length
    return count
  }),
}

const GUILD = '2001'
const role = (i: number) => String(3000 + i)
const roles = [role(7), role(42)]
const entries = Array.from({ length: 100 }, (_, i) => ({ id: role(i), type: 1, permission: i % 2 === 0 }))

/** 130 commands of a guild, each with 100 permission entries, of which two are for roles of the member. */
async function picker(): Promise<Operation> {
  const { CommandRegistry, guildScope } = await commandry()
  const registry = new CommandRegistry()
  const commands = await registry.overwrite(guildScope(APPLICATION, GUILD), app())
  for (const { id } of commands) await registry.setPermissions(APPLICATION, GUILD, id, entries)
  const viewer = {
    applicationId: APPLICATION,
    guildId: GUILD,
    channel: { id: '4001', type: 0 },
    member: { user: { id: '5001' }, roles, permissions: '2147483648' },
    locale: 'de',
  } as never
  const { commands: visible } = await registry.commandsFor(viewer)
  if (visible.length === 0) throw new Error('the picker is empty')
  return () => registry.commandsFor(viewer)
}

/** The least that decides the same: each entry is visited once, and compared with the roles of the member. */
function visitEntries(): Operation {
  const commands = app().map((command) => ({
    command,
    entries: entries.map((entry) => ({ ...entry })),
  }))
  const own = new Set(roles)
  return () => {
    const visible: object[] = []
    for (const { command, entries } of commands) {
      let isAllowed = false
      for (const { id, permission } of entries) if (own.has(id) && permission) isAllowed = true
      if (isAllowed) visible.push(command)
    }
    return visible
  }
}

export const registryRows: readonly ContestRow[] = [
  { figure: '`get`', goal: 17, contest: () => get },
  { figure: '`upsert`, scope of 1', goal: 200, contest: () => upsert(1) },
  { figure: '`upsert`, scope of 100', goal: 300, contest: () => upsert(100) },
  { figure: '`upsert`, 131 full', contest: () => upsertFull },
  { figure: '`overwrite` of 130', goal: 1.2, contest: () => overwrite },
  { figure: '`list` of 130', goal: 0.01, contest: () => list(false) },
  { figure: '`list` localized', goal: 0.5, contest: () => list(true) },
  { figure: '`commandsFor` 130', contest: () => ({ visit: visitEntries, commandry: picker }) },
  ...Object.entries(calls).map(([name, contest]) => ({
    figure: `\`${name}\` beside 1,000,000`,
    goal: 1.2,
    contest: () => contest,
  })),
]
