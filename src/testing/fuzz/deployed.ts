/** The commands that a bot has deployed, as a run uses them. */
import { areSeenTogether } from '../../commands/access/availability.ts'
import { globalScope, guildScope } from '../../commands/registry/scope.ts'
import { isHandledByService } from '../../interactions/client/service-checks.ts'
import { quoted } from '../../core/text.ts'
import { commandKey, type ApplicationCommand } from '../../model/command-definition.ts'
import { CommandType } from '../../model/command-types.ts'
import type { ServerSettings } from '../../model/server.ts'
import type { Testbed } from '../testbed/bed.ts'
import type { NotSeen } from '../../model/not-seen.ts'
import { subjectsOf, type UsePlace, type Subject } from './planned-uses.ts'

/** The commands that people in a server reach, and those that they see twice. */
export async function deployedIn(bed: Testbed, server: ServerSettings) {
  const { registry, applicationId } = bed
  const ofServer = await registry.list(guildScope(applicationId, server.id))
  const global = await registry.list(globalScope(applicationId))
  const inServer = new Map(
    ofServer.map((command) => [commandKey(command), { ...command, guild_id: server.id }]),
  )
  // A person who types a name reaches the command of the server.
  const isCovered = (command: ApplicationCommand) => inServer.has(commandKey(command))
  const commands = [...global.filter((command) => !isCovered(command)), ...ofServer]
  return {
    // An Activity that the service launches does not reach the bot.
    subjects: subjectsOf(commands.filter((command) => !isHandledByService(command))),
    /** The names of the global commands that the server has too. */
    covered: global
      .filter(isCovered)
      .filter((command) => areSeenTogether(command, inServer.get(commandKey(command))!))
      .map(nameOf),
  }
}

/** The servers in which no person uses commands, and the commands of each. @param only the names of those that are meant */
export async function deployedElsewhere(
  { registry, applicationId, servers }: Testbed,
  first: ServerSettings,
  only: readonly string[] | undefined,
): Promise<readonly NotSeen[]> {
  const others = servers.filter(({ id }) => id !== first.id)
  const commands = others.map(async ({ id, name: server }) => {
    const own = subjectsNamed(subjectsOf(await registry.list(guildScope(applicationId, id))), only)
    return own.map(({ name }) => ({ kind: 'command' as const, name, reason: `deployed in ${server} alone` }))
  })
  const reason = `people use the bot in ${first.name} alone`
  return [
    ...others.map(({ name }) => ({ kind: 'server' as const, name, reason })),
    ...(await Promise.all(commands)).flat(),
  ]
}

/** The people and places in which each command can be used. */
export async function placesIn(
  bed: Testbed,
  { members, channels, id: server }: ServerSettings,
  installed: UsePlace['installed'],
) {
  const people = members.filter(({ user }) => user.bot !== true).map(({ user }) => user.username)
  const places = [...channels.map(({ name }) => name), 'dm'].flatMap((channel) =>
    people.map((as) => ({ as, channel, ...(installed && { installed }) })),
  )
  const visible = await Promise.all(
    places.map(async (place) => {
      const { as, ...where } = place
      const entries = await bed.as(as, { server, ...where }).suggestions('')
      return { place, paths: entries.map((entry) => (entry.kind === 'command' ? entry.path : '')) }
    }),
  )
  return ({ type, path }: Subject): readonly Omit<UsePlace, 'locale'>[] =>
    visible
      .filter(({ paths }) => type === CommandType.PRIMARY_ENTRY_POINT || paths.includes(path))
      .map(({ place }) => place)
}

/** The commands with these names; all without names. */
export function subjectsNamed(
  subjects: readonly Subject[],
  names: readonly string[] | undefined,
): readonly Subject[] {
  return names === undefined
    ? subjects
    : subjects.filter((subject) => names.some((name) => isNamed(subject, name)))
}

const isNamed = ({ path }: Subject, name: string) => `${path} `.startsWith(`${name.replace(/^\//, '')} `)

/** @throws TypeError for a name that no command has */
export function checkCommandNames(subjects: readonly Subject[], names: readonly string[] = []): void {
  const unknown = names.find((name) => !subjects.some((subject) => isNamed(subject, name)))
  if (unknown === undefined) return
  const known = subjects.map(({ name }) => name).join(', ')
  const remedy = unknown.includes(',') ? '; name each command on its own: --only /a --only /b' : ''
  throw new TypeError(`only: the bot has no command ${quoted(unknown)}; it has ${known}${remedy}`)
}

function nameOf({ type, name }: ApplicationCommand): string {
  return `${type === CommandType.CHAT_INPUT ? '/' : ''}${name}`
}
