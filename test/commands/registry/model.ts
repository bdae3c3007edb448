import { expect } from 'vitest'
import { CommandRegistry, globalScope, guildScope } from 'commandry'
import type { CommandPermission, Scope, Store } from 'commandry'
import { attempt } from '../../support/attempt.ts'
import { several } from '../../support/bodies.ts'
import { DAY, handClock, HOUR } from '../../support/clock.ts'
import { app } from '../../support/fixtures.ts'
import { perform, scopeModel, setsOf, sortedById } from '../../support/scope-model.ts'
import type { Calls, Item, ScopeInput, ScopeOutput, ScopeState } from '../../support/scope-model.ts'
import { fc } from '../../support/properties.ts'

/** An operation on the registry; numbers select among the existing commands. */
export type Move =
  | { kind: 'upsert'; scope: number; body: Item }
  | { kind: 'edit'; scope: number; target: number; patch: Partial<Pick<Item, 'name' | 'description'>> }
  | { kind: 'delete'; scope: number; target: number }
  | { kind: 'overwrite'; scope: number; bodies: readonly TargetedItem[] }
  | { kind: 'flood'; scope: number; count: number; prefix: string }
  | { kind: 'permit'; guild: number; target: number; entries: readonly CommandPermission[] }
  | { kind: 'wait'; hours: number }

type MoveOf<Kind extends Move['kind']> = Extract<Move, { kind: Kind }>

/** An item of an overwrite, perhaps with the id of an existing command. */
type TargetedItem = Item & { readonly target?: number | undefined }

/** One kind of operation, which occurs as often as its weight. */
function move<Kind extends Move['kind']>(
  weight: number,
  kind: Kind,
  fields: { [Key in Exclude<keyof MoveOf<Kind>, 'kind'>]: fc.Arbitrary<MoveOf<Kind>[Key]> },
): fc.WeightedArbitrary<Move> {
  const arbitrary: fc.Arbitrary<unknown> = fc.record({ kind: fc.constant(kind), ...fields })
  return { weight, arbitrary: arbitrary as fc.Arbitrary<Move> }
}

export const guilds = ['2001', '2002']
export const scopes: readonly Scope[] = [globalScope(app), ...guilds.map((id) => guildScope(app, id))]

export function moves(maxLength: number): fc.Arbitrary<readonly Move[]> {
  const scope = fc.nat(scopes.length - 1)
  const target = fc.nat(20)
  const spec = {
    type: fc.constantFrom(1, 1, 1, 2, 3, 4),
    name: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    description: fc.constantFrom('one', 'two'),
  }
  const entries = fc.array(
    fc.record({
      id: fc.constantFrom('1', '2', '3'),
      type: fc.constantFrom(1 as const, 2 as const, 3 as const),
      permission: fc.boolean(),
    }),
    { maxLength: 3 },
  )
  const item = fc.record({ ...spec, target: fc.option(target, { nil: undefined }) })
  const patch = fc.record(
    { name: fc.constantFrom('a', 'b', 'c', 'z'), description: spec.description },
    { requiredKeys: [] },
  )
  return fc.array(
    fc.oneof(
      move(5, 'upsert', { scope, body: fc.record(spec) }),
      move(4, 'edit', { scope, target, patch }),
      move(2, 'delete', { scope, target }),
      move(3, 'overwrite', { scope, bodies: fc.array(item, { maxLength: 6 }) }),
      move(2, 'flood', {
        scope,
        count: fc.integer({ min: 60, max: 104 }),
        prefix: fc.constantFrom('x', 'y', 'w', 'v'),
      }),
      move(4, 'permit', { guild: fc.nat(guilds.length - 1), target, entries }),
      move(1, 'wait', { hours: fc.constantFrom(1, 7, 12, 24) }),
    ),
    { maxLength, size: 'max' },
  )
}

const unknownId = '5'

/** The scope of a move and the call that it stands for. */
function callOf(move: Exclude<Move, { kind: 'wait' }>, states: readonly ScopeState[]): [number, ScopeInput] {
  if (move.kind === 'permit') return permit(move, states)
  const { scope } = move
  const { commands } = states[scope]!
  const idOf = (target: number) => commands[target]?.[0] ?? unknownId
  switch (move.kind) {
    case 'upsert':
      return [scope, { kind: 'upsert', item: itemOf(move.body) }]
    case 'edit': {
      // Only slash commands have a description.
      const isSlash = commands[move.target]?.[2] === 1
      const { description, ...patch } = move.patch
      return [scope, { kind: 'edit', id: idOf(move.target), ...(isSlash ? move.patch : patch) }]
    }
    case 'delete':
      return [scope, { kind: 'delete', id: idOf(move.target) }]
    case 'flood': {
      const item = (i: number) => ({ type: 1, name: `${move.prefix}${i}`, description: 'one' })
      return [scope, { kind: 'overwrite', items: several(move.count, item) }]
    }
    case 'overwrite': {
      const items = move.bodies.map(({ target, ...body }) => {
        const id = target === undefined ? undefined : commands[target]?.[0]
        return { ...(id !== undefined && { id }), ...itemOf(body) }
      })
      return [scope, { kind: 'overwrite', items }]
    }
  }
}

/** Sets permissions of a global command, of one of the guild, or of the application. */
function permit(
  { guild, target, entries }: MoveOf<'permit'>,
  states: readonly ScopeState[],
): [number, ScopeInput] {
  const candidates = [0, guild + 1].flatMap((scope) => states[scope]!.commands.map(([id]) => ({ scope, id })))
  const { scope, id } =
    target === 20 ? { scope: 0, id: app } : (candidates[target] ?? { scope: 0, id: unknownId })
  return [scope, { kind: 'permit', guild: guilds[guild]!, id, entries }]
}

function itemOf({ type, name, description }: Item): Item {
  return { type, name, description: type === 1 ? description : '' }
}

/** The code that a call is refused with because of what the model of one scope does not cover. */
function refusal(input: ScopeInput, scope: number, { commands }: ScopeState): string | undefined {
  const items = input.kind === 'upsert' ? [input.item] : input.kind === 'overwrite' ? input.items : []
  const isRepeated = (keys: readonly unknown[]) => new Set(keys).size < keys.length
  const isInvalid =
    isRepeated(items.flatMap(({ id }) => id ?? [])) ||
    isRepeated(items.map(({ type, name }) => `${type} ${name}`)) ||
    items.some(({ type }) => type === 4 && scope > 0) ||
    items.some(({ id, type }) => commands.some((command) => command[0] === id && command[2] !== type))
  if (isInvalid) return 'invalid'
  const entryPoint = commands.find(([, , type]) => type === 4)
  const lacksEntryPoint =
    entryPoint !== undefined &&
    !items.some(({ type, id, name }) => type === 4 && (id === entryPoint[0] || name === entryPoint[3]))
  return input.kind === 'overwrite' && lacksEntryPoint ? 'entry_point_required' : undefined
}

/**
 * Runs operations on a registry over a store, and compares it with the model of each scope after each.
 *
 * @param reach another way to the registry than its own calls
 */
export async function compareWithModel(
  store: Store,
  list: readonly Move[],
  reach: (registry: CommandRegistry) => Calls = (registry) => registry,
): Promise<void> {
  const clock = handClock()
  const registry = new CommandRegistry({ store, clock })
  let events = 0
  registry.subscribe(() => void events++)
  const calls = reach(registry)
  const model = scopeModel(app, { commands: [], creates: 0, latest: '0', permissions: [] })
  let states = scopes.map(() => model.initial)
  /** The scope that each id was given in. */
  const givenIn = new Map<string, number>()

  async function call(scope: number, input: ScopeInput): Promise<ScopeOutput> {
    let output: ScopeOutput = {}
    const error = await attempt(async () => {
      output = await perform(calls, scopes[scope]!, input)
    })
    return error === undefined ? output : { error: error.code }
  }

  async function run(move: Exclude<Move, { kind: 'wait' }>): Promise<void> {
    const before = events
    const [scope, input] = callOf(move, states)
    const output = await call(scope, input)
    const expected = refusal(input, scope, states[scope]!)
    if (expected !== undefined) expect(output).toEqual({ error: expected })
    else {
      const next = model.step(states[scope]!, input, output)
      expect(next, JSON.stringify({ input, output, state: states[scope] })).toBeDefined()
      states = states.with(scope, next!)
    }
    expect(output.error).not.toBe('busy')
    if (output.error !== undefined) expect(events, `a refused ${move.kind} published something`).toBe(before)
    for (const [id] of output.commands ?? []) {
      expect(givenIn.get(id) ?? scope).toBe(scope)
      givenIn.set(id, scope)
    }
  }

  for (const move of list) {
    if (move.kind === 'wait') {
      const day = Math.floor(clock.now() / DAY)
      clock.advance(move.hours * HOUR)
      if (Math.floor(clock.now() / DAY) > day) states = states.map((state) => ({ ...state, creates: 0 }))
    } else await run(move)
    for (const [scope, { commands }] of states.entries())
      expect(await call(scope, { kind: 'list' })).toEqual({ commands })
    for (const guild of guilds) {
      const sets = states.flatMap(({ permissions }) => permissions.filter((set) => set[2] === guild))
      expect(await setsOf(calls, app, guild)).toEqual(sortedById(sets))
    }
  }
}
