/** A registry with commands and permissions, and the documents of its store. */
import { CommandRegistry, globalScope, guildScope, memoryStore } from 'commandry'
import type { ApplicationCommand, ApplicationSnapshot, Store } from 'commandry'
import { handClock } from '../../support/clock.ts'
import { app, guild } from '../../support/fixtures.ts'

export const viaText = (snapshot: ApplicationSnapshot): unknown => JSON.parse(JSON.stringify(snapshot))

/** Every document of a store, as text. */
export async function documents(store: Store): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for await (const key of store.keys('')) found[key] = JSON.stringify((await store.read([key]))[0]!.value)
  return found
}

export async function filled(): Promise<{
  store: Store
  registry: CommandRegistry
  commands: ApplicationCommand[]
}> {
  const store = memoryStore()
  const registry = new CommandRegistry({ store, clock: handClock() })
  const { command: one } = await registry.upsert(globalScope(app), { name: 'one', description: 'b' })
  const { command: two } = await registry.upsert(guildScope(app, guild), { type: 2, name: 'Two' })
  await registry.setPermissions(app, guild, one.id, [{ id: '5', type: 1, permission: true }])
  await registry.setPermissions(app, guild, app, [{ id: '6', type: 2, permission: false }])
  return { store, registry, commands: [one, two] }
}

export type Steps = readonly (string | number)[]

/** Stands for a key that is removed. */
export const missing = Symbol('missing')

/** A copy of a document with another value at a path. */
export function replaced(body: any, [step, ...rest]: Steps, value: unknown): unknown {
  if (step === undefined) return value
  const copy = Array.isArray(body) ? [...body] : { ...body }
  copy[step] = replaced(body[step], rest, value)
  if (copy[step] === missing) delete copy[step]
  return copy
}
