/** The commands that a person sees, those that are hidden, and all about one of them. */
import { targetName } from '../../authoring/words.ts'
import { InvocationError } from '../../../interactions/client/invocation-error.ts'
import { findByName } from '../../../interactions/client/names.ts'
import { readValues } from '../../../testing/testbed/people/line.ts'
import type { ApplicationCommand } from '../../../model/command-definition.ts'
import { SIZE_MAX, sizeOf } from '../../../commands/definition/rules/size-rules.ts'
import { commandTypeNames, CommandType } from '../../../model/command-types.ts'
import { listed } from '../../../core/text.ts'
import { checksOf, pick, type PickerSource } from '../../../commands/access/picker.ts'
import { RegistryError } from '../../../commands/registry/registry-error.ts'
import { permissionsFor, readViewer, type Context, type Query } from './query.ts'
import {
  contextNames,
  hiddenReason,
  hiddenSentences,
  requiredPermissions,
  stepsOf,
} from './decision-words.ts'

/**
 * The commands that a person sees, and the hidden ones by `reason`. `local` commands belong to this server alone; those
 * of two scopes are there `twice`.
 */
export async function picker(query: Query, context: Context) {
  const { viewer, server, source } = await readViewer(query, context)
  const { entries, hidden } = pick(viewer, source, { explain: true })
  return {
    entries: entries.map(({ command, ...entry }) => {
      return {
        ...entry,
        id: command.id,
        local: isLocal(command),
        twice: twinOf(command, source) !== undefined,
      }
    }),
    hidden: hidden.map((one) => {
      const { id, type, name } = one.command
      const why = hiddenSentences(one, server)
      const trace = stepsOf(one.access, server)
      return { id, type, name, reason: hiddenReason(one), why, trace }
    }),
  }
}

type Scoped = Pick<ApplicationCommand, 'id' | 'type' | 'name' | 'guild_id'>

const isLocal = ({ guild_id: guild }: Scoped) => guild !== undefined

/** The command of the other scope with the same type and name. People see both. */
function twinOf(command: Scoped, { commands }: PickerSource): ApplicationCommand | undefined {
  const { id, type, name } = command
  return commands.find((one) => one.id !== id && one.type === type && one.name === name)
}

/** One command: whether a person sees it, why, its overrides and its size. @throws RegistryError `unknown_command` */
export async function command(query: Query, context: Context) {
  const { viewer, server, source } = await readViewer(query, context)
  const id = query.id('command')
  const found = source.commands.find((one) => one.id === id)
  if (found === undefined) throw new RegistryError('unknown_command')
  const { hidden } = pick(viewer, { ...source, commands: [found] }, { explain: true })
  const overrides = (of: string, target: string) =>
    permissionsFor(target, source).map((entry) => {
      return { of, target: targetName(entry, server!), allowed: entry.permission }
    })
  return {
    name: found.name,
    type: found.type,
    shown: hidden.length === 0,
    why: hidden[0] === undefined ? [] : hiddenSentences(hidden[0], server),
    trace: stepsOf(checksOf(viewer, source).access(found), server),
    facts: [...commandFacts(found), ...twinFacts(found, source)],
    size: found.type === CommandType.CHAT_INPUT ? { used: sizeOf(found), most: SIZE_MAX } : null,
    overrides: [...overrides('this command', found.id), ...overrides('the whole app', viewer.applicationId)],
  }
}

type Facts = {
  readonly [Field in keyof ApplicationCommand]?: readonly [isGiven: boolean, label: string, value: string]
}

/** The fields that stand elsewhere. */
const SHOWN_ELSEWHERE = /^(?:application_id|options|name|description)/

function commandFacts(found: ApplicationCommand): readonly (readonly [string, string])[] {
  const { type, guild_id: guild, contexts, integration_types: installations } = found
  const isLaunchedHere = found.handler === 2
  const facts: Facts = {
    type: [true, 'Type', `${commandTypeNames[type]} command`],
    guild_id: [true, 'Scope', guild === undefined ? 'global' : `server ${guild}`],
    default_member_permissions: [
      true,
      'Required permissions',
      requiredPermissions(found.default_member_permissions),
    ],
    contexts: [
      guild === undefined,
      'Contexts',
      contexts ? named(contexts, contextNames) : 'servers, bot DM (default)',
    ],
    integration_types: [
      guild === undefined,
      'Installed to',
      named(installations ?? [], ['servers', 'users']),
    ],
    dm_permission: [found.dm_permission === false, 'Deprecated', 'dm_permission is false'],
    default_permission: [found.default_permission === false, 'Deprecated', 'default_permission is false'],
    nsfw: [found.nsfw, 'Age-restricted', 'yes'],
    handler: [
      type === CommandType.PRIMARY_ENTRY_POINT,
      'Handler',
      isLaunchedHere ? 'the service launches the Activity' : 'the app',
    ],
    id: [true, 'Id', found.id],
    version: [true, 'Version', found.version],
  }
  // A field without words of its own is shown as it is.
  const others = Object.entries(found).filter(([field]) => !(field in facts || SHOWN_ELSEWHERE.test(field)))
  return [
    ...Object.values(facts).flatMap(([isGiven, label, value]) => (isGiven ? [[label, value] as const] : [])),
    ...others.map(([field, value]) => [field, JSON.stringify(value)] as const),
  ]
}

function twinFacts(found: Scoped, source: PickerSource): readonly (readonly [string, string])[] {
  const twin = twinOf(found, source)
  if (twin === undefined) return []
  const other = isLocal(twin) ? 'a command of this server' : 'a global command'
  return [['Seen twice', `${other} has the same name (id ${twin.id}); people see both`]]
}

function named(values: readonly number[], names: readonly string[]): string {
  return listed(values.map((value) => names[value] ?? String(value)))
}

/** The values of a whole line such as `user:@alan reason:no spam`, by default name; or the problem of it. */
export async function line(query: Query, context: Context) {
  const { viewer, server, source } = await readViewer(query, context)
  const entry = pick(viewer, source).entries.find(({ path }) => path === query.text('path'))
  if (entry === undefined) throw new TypeError('path: expected that of a command')
  const { people } = context
  const place = server ?? people.server(undefined)
  try {
    const values = readValues(query.text('rest'), entry.options, {
      idOfMention: (name, kinds) => people.idOfMention(name, kinds, place),
      attach: (filename) => filename,
    })
    const unknown = Object.keys(values).find((name) => findByName(entry.options, name) === undefined)
    const problem = unknown === undefined ? '' : `/${entry.path} has no option "${unknown}"`
    const named = Object.entries(values).map(([name, value]) => {
      return { name: findByName(entry.options, name)?.name_default ?? name, value }
    })
    return { values: named, problem }
  } catch (error) {
    if (error instanceof InvocationError) return { values: [], problem: error.message }
    throw error
  }
}
