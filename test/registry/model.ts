import fc from 'fast-check'
import { expect } from 'vitest'
import {
  CommandRegistry,
  globalScope,
  guildScope,
  Limits,
  type ApplicationCommand,
  type CommandPermission,
  type GuildCommandPermissions,
  type RegistryErrorCode,
  type Scope,
  type Store,
} from 'commandry'
import { codeOf } from '../support/attempt.ts'
import { handClock, HOUR } from '../support/clock.ts'
import { app } from '../support/fixtures.ts'
import { several } from '../support/bodies.ts'

/** A command of the model. Its permissions belong to it and end with it. */
interface Known {
  id: string
  type: number
  name: string
  description: string
  permissions: Map<string, readonly CommandPermission[]>
}

interface ScopeModel {
  commands: Known[]
  creates: Map<number, number>
}

/** An operation on the registry; numbers select among the existing commands. */
export type Move =
  | { kind: 'upsert'; scope: number; body: Spec }
  | { kind: 'edit'; scope: number; target: number; patch: Partial<Spec> }
  | { kind: 'delete'; scope: number; target: number }
  | { kind: 'overwrite'; scope: number; bodies: readonly Item[] }
  | { kind: 'flood'; scope: number; count: number; prefix: string }
  | { kind: 'permit'; guild: number; target: number; entries: readonly CommandPermission[] }
  | { kind: 'wait'; hours: number }

type MoveOf<Kind extends Move['kind']> = Extract<Move, { kind: Kind }>

interface Spec {
  readonly type: number
  readonly name: string
  readonly description: string
}

/** An item of an overwrite, perhaps with the id of an existing command. */
type Item = Spec & { readonly target?: number | undefined }

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

const max: Readonly<Record<number, number>> = {
  1: Limits.CHAT_INPUT_COMMANDS,
  2: Limits.USER_COMMANDS,
  3: Limits.MESSAGE_COMMANDS,
  4: Limits.PRIMARY_ENTRY_POINT_COMMANDS,
}

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

/** The calls of a registry that the model compares. */
export interface Calls {
  list(scope: Scope): Promise<readonly ApplicationCommand[]>
  upsert(scope: Scope, body: object): Promise<{ command: ApplicationCommand; created: boolean }>
  edit(scope: Scope, id: string, patch: object): Promise<unknown>
  delete(scope: Scope, id: string): Promise<unknown>
  overwrite(scope: Scope, bodies: readonly object[]): Promise<readonly ApplicationCommand[]>
  listPermissions(app: string, guild: string): Promise<readonly GuildCommandPermissions[]>
  setPermissions(app: string, guild: string, id: string, entries: object): Promise<unknown>
}

/**
 * Runs operations on a registry over a store, and compares it with plain maps after each.
 *
 * @param reach another way to the registry than its own calls
 */
export async function compareWithModel(
  store: Store,
  list: readonly Move[],
  reach?: (registry: CommandRegistry) => Calls,
): Promise<void> {
  const comparison = new Comparison(store, reach)
  for (const move of list) await comparison.run(move)
}

/** The code that an operation was refused with, and the one of the model; undefined where it succeeds. */
interface Outcome {
  readonly code: RegistryErrorCode | undefined
  readonly expected: string | undefined
}

/** A registry, and plain maps of what it should store. */
class Comparison {
  readonly clock = handClock()
  readonly registry: Calls
  readonly state: ScopeModel[] = scopes.map(() => ({ commands: [], creates: new Map() }))
  readonly appPermissions = new Map<string, readonly CommandPermission[]>()
  readonly usedIds = new Set<string>()
  events = 0

  constructor(store: Store, reach: (registry: CommandRegistry) => Calls = (registry) => registry) {
    const registry = new CommandRegistry({ store, clock: this.clock })
    registry.subscribe(() => void this.events++)
    this.registry = reach(registry)
  }

  async run(move: Move): Promise<void> {
    const before = this.events
    const { code, expected } = await this.step(move)
    expect(code, move.kind).toBe(expected)
    if (code !== undefined) expect(this.events, `a refused ${move.kind} published something`).toBe(before)
    await this.compare()
  }

  /** Runs one operation on both: the code of its refusal, if any, and that of the model. */
  private async step(move: Move): Promise<Outcome> {
    switch (move.kind) {
      case 'wait':
        this.clock.advance(move.hours * HOUR)
        return { code: undefined, expected: undefined }
      case 'upsert':
        return this.upsert(move)
      case 'edit':
        return this.edit(move)
      case 'delete':
        return this.delete(move)
      case 'flood':
        return this.overwrite(
          move.scope,
          several(move.count, (i) => ({ type: 1, name: `${move.prefix}${i}`, description: 'one' })),
        )
      case 'overwrite':
        return this.overwrite(move.scope, move.bodies)
      case 'permit':
        return this.permit(move)
    }
  }

  private day(): number {
    return Math.floor(this.clock.now() / (24 * HOUR))
  }

  private async upsert(move: MoveOf<'upsert'>): Promise<Outcome> {
    const kept = this.state[move.scope]!
    const existing = find(kept, move.body)
    let made: ApplicationCommand[] = []
    const code = await codeOf(async () => {
      const { command, created } = await this.registry.upsert(scopes[move.scope]!, body(move.body))
      expect(created).toBe(existing === undefined)
      made = [command]
    })
    const changed = existing && { ...existing, description: storedDescription(move.body) }
    const expected = this.replace(kept, move.scope, (commands) =>
      changed === undefined
        ? [...commands, fresh(move.body)]
        : commands.map((command) => (command === existing ? changed : command)),
    )
    this.learn(kept, made)
    return { code, expected: move.body.type === 4 && move.scope > 0 ? 'invalid' : expected }
  }

  private async edit(move: MoveOf<'edit'>): Promise<Outcome> {
    const kept = this.state[move.scope]!
    const target = pick(kept, move.target)
    const patch = target && target.type !== 1 ? { ...move.patch, description: undefined } : move.patch
    const code = await codeOf(() => this.registry.edit(scopes[move.scope]!, target?.id ?? '5', patch))
    if (target === undefined) return { code, expected: 'unknown_command' }
    const name = patch.name ?? target.name
    const taken = find(kept, { type: target.type, name })
    if (taken !== undefined && taken !== target) return { code, expected: 'name_taken' }
    if (name !== target.name) target.permissions.clear()
    target.name = name
    target.description = patch.description ?? target.description
    return { code, expected: undefined }
  }

  private async delete(move: MoveOf<'delete'>): Promise<Outcome> {
    const kept = this.state[move.scope]!
    const target = pick(kept, move.target)
    const code = await codeOf(() => this.registry.delete(scopes[move.scope]!, target?.id ?? '5'))
    kept.commands = kept.commands.filter((command) => command !== target)
    return { code, expected: target === undefined ? 'unknown_command' : undefined }
  }

  private async permit(move: MoveOf<'permit'>): Promise<Outcome> {
    const guild = guilds[move.guild]!
    const candidates = [...this.state[0]!.commands, ...this.state[move.guild + 1]!.commands]
    const target = candidates[move.target]
    const id = move.target === 20 ? app : (target?.id ?? '5')
    const code = await codeOf(() => this.registry.setPermissions(app, guild, id, move.entries))
    if (id === '5') return { code, expected: 'unknown_command' }
    const holder = id === app ? this.appPermissions : target!.permissions
    if (move.entries.length === 0) holder.delete(guild)
    else holder.set(guild, move.entries)
    return { code, expected: undefined }
  }

  private async overwrite(index: number, bodies: readonly Item[]): Promise<Outcome> {
    const kept = this.state[index]!
    const items = bodies.map((spec) => ({
      spec,
      chosen: spec.target === undefined ? undefined : pick(kept, spec.target),
    }))
    let made: readonly ApplicationCommand[] = []
    const code = await codeOf(async () => {
      made = await this.registry.overwrite(
        scopes[index]!,
        items.map(({ spec, chosen }) => ({ ...body(spec), ...(chosen && { id: chosen.id }) })),
      )
    })
    const chosenIds = items.flatMap(({ chosen }) => (chosen ? [chosen.id] : []))
    const identities = items.map(({ spec }) => `${spec.type} ${spec.name}`)
    const invalid =
      new Set(chosenIds).size < chosenIds.length ||
      new Set(identities).size < identities.length ||
      items.some(
        ({ spec, chosen }) => (spec.type === 4 && index > 0) || (chosen && chosen.type !== spec.type),
      )
    if (invalid) return { code, expected: 'invalid' }
    const hasEntry = (list: readonly { readonly type: number }[]) => list.some(({ type }) => type === 4)
    if (hasEntry(kept.commands) && !hasEntry(bodies)) return { code, expected: 'entry_point_required' }
    const expected = this.replace(kept, index, (commands) => {
      const free = commands.filter(({ id }) => !chosenIds.includes(id))
      return items.map(({ spec, chosen }) => {
        const match = chosen ?? free.find(({ type, name }) => type === spec.type && name === spec.name)
        if (match === undefined) return fresh(spec)
        const permissions = match.name === spec.name ? match.permissions : new Map()
        return { ...match, name: spec.name, description: storedDescription(spec), permissions }
      })
    })
    this.learn(kept, made)
    return { code, expected }
  }

  /** Applies the next commands if the limits allow it, else returns the exceeded limit. */
  private replace(
    kept: ScopeModel,
    index: number,
    next: (commands: readonly Known[]) => Known[],
  ): string | undefined {
    const commands = next(kept.commands)
    for (const type of [1, 2, 3, 4]) {
      if (commands.filter((command) => command.type === type).length > max[type]!) return 'too_many_commands'
    }
    const created = commands.filter(({ id }) => id === '').length
    const used = kept.creates.get(this.day()) ?? 0
    if (created > 0 && used + created > Limits.DAILY_CREATES) return 'daily_creates_exhausted'
    if (commands.some(({ type }) => type === 4) && index > 0) return 'invalid'
    kept.creates.set(this.day(), used + created)
    kept.commands = commands
    return undefined
  }

  /** The registry chooses the ids of new commands; they must be new. */
  private learn(kept: ScopeModel, made: readonly ApplicationCommand[]): void {
    for (const { id, type, name } of made) {
      const command = kept.commands.find((known) => known.type === type && known.name === name)!
      if (command.id === '') {
        expect(this.usedIds.has(id)).toBe(false)
        this.usedIds.add(id)
        command.id = id
      } else expect(id).toBe(command.id)
    }
  }

  private async compare(): Promise<void> {
    for (const [index, scope] of scopes.entries()) {
      const known = this.state[index]!.commands.map(({ permissions: _, ...command }) => command)
      const listed = await this.registry.list(scope)
      expect(listed.map(({ id, type, name, description }) => ({ id, type, name, description }))).toEqual(
        known,
      )
    }
    for (const [index, guild] of guilds.entries()) {
      const listed = await this.registry.listPermissions(app, guild)
      const expected = [...this.state[0]!.commands, ...this.state[index + 1]!.commands].flatMap(
        ({ id, permissions }) => (permissions.has(guild) ? [[id, permissions.get(guild)]] : []),
      )
      if (this.appPermissions.has(guild)) expected.push([app, this.appPermissions.get(guild)])
      expect(sorted(listed.map(({ id, permissions }) => [id, permissions]))).toEqual(sorted(expected))
    }
  }
}

function body({ type, name, description }: Spec): object {
  return type === 1 ? { type, name, description } : { type, name }
}

/** The stored description: only slash commands keep the given one. */
function storedDescription({ type, description }: Spec): string {
  return type === 1 ? description : ''
}

function fresh(spec: Spec): Known {
  const { type, name } = spec
  return { id: '', type, name, description: storedDescription(spec), permissions: new Map() }
}

function find(kept: ScopeModel, { type, name }: Pick<Spec, 'type' | 'name'>): Known | undefined {
  return kept.commands.find((command) => command.type === type && command.name === name)
}

function pick(kept: ScopeModel, number: number): Known | undefined {
  return kept.commands[number]
}

function sorted(list: readonly unknown[]): string[] {
  return list.map((item) => JSON.stringify(item)).sort()
}
