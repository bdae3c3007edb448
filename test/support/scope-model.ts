/** A sequential model of a scope's commands and permissions, for the check of recorded histories. */
import type { ApplicationCommand, CommandPermission } from 'commandry'
import { Limits } from 'commandry/reference'
import type { GuildCommandPermissions, Scope } from 'commandry'
import type { SequentialModel } from './linearizability.ts'

/** The calls of a registry that the model covers. */
export interface Calls {
  list(scope: Scope): Promise<readonly ApplicationCommand[]>
  upsert(scope: Scope, body: object): Promise<{ command: ApplicationCommand; created: boolean }>
  edit(scope: Scope, id: string, patch: object): Promise<ApplicationCommand>
  delete(scope: Scope, id: string): Promise<unknown>
  overwrite(scope: Scope, bodies: readonly object[]): Promise<readonly ApplicationCommand[]>
  listPermissions(app: string, guild: string): Promise<readonly GuildCommandPermissions[]>
  setPermissions(app: string, guild: string, id: string, entries: object): Promise<unknown>
}

/** The fields of a command in the histories. */
export type Brief = readonly [id: string, version: string, type: number, name: string, description: string]

export interface Item {
  readonly id?: string
  readonly type: number
  readonly name: string
  readonly description: string
}

export type ScopeInput =
  | { readonly kind: 'list' | 'permissions' }
  | { readonly kind: 'upsert'; readonly item: Item }
  | { readonly kind: 'edit'; readonly id: string; readonly name?: string; readonly description?: string }
  | { readonly kind: 'delete'; readonly id: string }
  | { readonly kind: 'overwrite'; readonly items: readonly Item[] }
  | {
      readonly kind: 'permit'
      readonly guild: string
      readonly id: string
      readonly entries: readonly CommandPermission[]
    }

/** The permissions of a command, or of the application, in a guild. */
export type PermissionSet = readonly [id: string, entries: readonly CommandPermission[], guild: string]

export interface ScopeOutput {
  /** The code the call was refused with. */
  readonly error?: string
  readonly commands?: readonly Brief[]
  readonly created?: boolean
  /** Sorted by id. */
  readonly sets?: readonly PermissionSet[]
}

export interface ScopeState {
  readonly commands: readonly Brief[]
  readonly creates: number
  readonly latest: string
  /** The sets of its commands; a global command can have one in each guild. */
  readonly permissions: readonly PermissionSet[]
}

export function briefOf({ id, version, type, name, description }: ApplicationCommand): Brief {
  return [id, version, type, name, description]
}

function bodyOf({ description, ...item }: Item): object {
  return item.type === 1 ? { ...item, description } : item
}

export const sortedById = (sets: readonly PermissionSet[]) => sets.toSorted(([a], [b]) => (a < b ? -1 : 1))

/** The permissions of all commands that a guild has. */
export async function setsOf(calls: Calls, app: string, guild: string): Promise<readonly PermissionSet[]> {
  const sets = await calls.listPermissions(app, guild)
  return sortedById(sets.map(({ id, permissions }) => [id, permissions, guild]))
}

/** Makes a call of a history. */
export async function perform(calls: Calls, scope: Scope, input: ScopeInput): Promise<ScopeOutput> {
  switch (input.kind) {
    case 'list':
      return { commands: (await calls.list(scope)).map(briefOf) }
    case 'permissions':
      return { sets: await setsOf(calls, scope.applicationId, scope.kind === 'guild' ? scope.guildId : '') }
    case 'upsert': {
      const { command, created } = await calls.upsert(scope, bodyOf(input.item))
      return { commands: [briefOf(command)], created }
    }
    case 'edit': {
      const { kind, id, ...change } = input
      return { commands: [briefOf(await calls.edit(scope, id, change))] }
    }
    case 'overwrite':
      return { commands: (await calls.overwrite(scope, input.items.map(bodyOf))).map(briefOf) }
    case 'delete':
      await calls.delete(scope, input.id)
      return {}
    case 'permit':
      await calls.setPermissions(scope.applicationId, input.guild, input.id, input.entries)
      return {}
  }
}

const MAX: Readonly<Record<number, number>> = {
  1: Limits.CHAT_INPUT_COMMANDS,
  2: Limits.USER_COMMANDS,
  3: Limits.MESSAGE_COMMANDS,
  4: Limits.PRIMARY_ENTRY_POINT_COMMANDS,
}
const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
const later = (a: string, b: string) => BigInt(a) > BigInt(b)

export function scopeModel(
  app: string,
  initial: ScopeState,
): SequentialModel<ScopeState, ScopeInput, ScopeOutput> {
  return {
    initial,
    key: (state) => JSON.stringify(state),
    step(state, input, output) {
      if (output === undefined) throw new Error('every call of these histories ends')
      if (output.error === 'busy') return state
      switch (input.kind) {
        case 'list':
          return same(output.commands, state.commands) ? state : undefined
        case 'permissions':
          return same(output.sets, sortedById(state.permissions)) ? state : undefined
        case 'permit': {
          const known = input.id === app || state.commands.some(([id]) => id === input.id)
          if (!known) return output.error === 'unknown_command' ? state : undefined
          if (output.error !== undefined) return undefined
          const { id, guild, entries } = input
          const others = state.permissions.filter((set) => set[0] !== id || set[2] !== guild)
          return { ...state, permissions: entries.length === 0 ? others : [...others, [id, entries, guild]] }
        }
        case 'delete': {
          const commands = state.commands.filter(([id]) => id !== input.id)
          if (commands.length === state.commands.length)
            return output.error === 'unknown_command' ? state : undefined
          return output.error === undefined ? become(app, state, commands, 0) : undefined
        }
        case 'upsert': {
          const { type, name } = input.item
          const existing = state.commands.find((command) => command[2] === type && command[3] === name)
          if (output.error === undefined && output.created !== (existing === undefined)) return undefined
          const after = existing
            ? state.commands.map((command) => (command === existing ? input.item : command))
            : [...state.commands, input.item]
          return put(app, state, after, existing ? [existing] : [undefined], output)
        }
        case 'edit': {
          const target = state.commands.find(([id]) => id === input.id)
          if (target === undefined) return output.error === 'unknown_command' ? state : undefined
          const [, , type, oldName, oldDescription] = target
          const item = { type, name: input.name ?? oldName, description: input.description ?? oldDescription }
          const taken = state.commands.some(
            (other) => other !== target && other[2] === type && other[3] === item.name,
          )
          if (taken) return output.error === 'name_taken' ? state : undefined
          const after = state.commands.map((command) => (command === target ? item : command))
          return put(app, state, after, [target], output)
        }
        case 'overwrite': {
          const chosen = input.items.map(({ id }) => state.commands.find((command) => command[0] === id))
          const free = state.commands.filter((command) => !chosen.includes(command))
          const matches = input.items.map(
            ({ type, name }, i) =>
              chosen[i] ?? free.find((command) => command[2] === type && command[3] === name),
          )
          return put(app, state, input.items, matches, output)
        }
      }
    },
  }
}

/** Replaces or adds commands as the response states; or refuses for a limit. */
function put(
  app: string,
  state: ScopeState,
  after: readonly (Brief | Item)[],
  matches: readonly (Brief | undefined)[],
  { error, commands: made = [] }: ScopeOutput,
): ScopeState | undefined {
  const created = matches.filter((match) => match === undefined).length
  const typeOf = (one: Brief | Item) => ('type' in one ? one.type : one[2])
  const full = [1, 2, 3, 4].some((type) => after.filter((one) => typeOf(one) === type).length > MAX[type]!)
  const expected = full
    ? 'too_many_commands'
    : created > 0 && state.creates + created > Limits.DAILY_CREATES
      ? 'daily_creates_exhausted'
      : undefined
  if (error !== expected) return undefined
  if (error !== undefined) return state
  let { latest } = state
  let next = 0
  for (const one of after) {
    if (!('type' in one)) continue
    const match = matches[next]
    const answer = made[next++]
    if (answer === undefined || !same(answer.slice(2), [one.type, one.name, one.description]))
      return undefined
    const [id, version] = answer
    if (match === undefined) {
      if (!later(id, latest) || !later(version, id)) return undefined
      latest = version
    } else {
      if (id !== match[0]) return undefined
      const isSame = same(match.slice(2), answer.slice(2))
      if (isSame ? version !== match[1] : !later(version, latest)) return undefined
      if (!isSame) latest = version
    }
  }
  if (made.length !== next) return undefined
  next = 0
  const commands = after.map((one) => ('type' in one ? made[next++]! : one))
  return become(app, { ...state, latest }, commands, created)
}

/** Keeps the permissions of commands that keep their names. */
function become(app: string, state: ScopeState, commands: readonly Brief[], created: number): ScopeState {
  const kept = ([id]: readonly [string, ...unknown[]]) => {
    const before = state.commands.find((command) => command[0] === id)
    return id === app || (before && commands.some((command) => command[0] === id && command[3] === before[3]))
  }
  return {
    ...state,
    commands,
    creates: state.creates + created,
    permissions: state.permissions.filter(kept),
  }
}
