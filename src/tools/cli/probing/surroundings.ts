/** What is at a service before probes are asked, the channel of the run, and how all is as before at the end. */
import { isObject, sameJson, type JsonObject } from '../../../core/json.ts'
import { counted } from '../../../core/text.ts'
import { ApplicationFlag } from '../../../model/application-flags.ts'
import { PermissionFlag } from '../../../model/permission-flags.ts'
import { EVERYWHERE, HERE, type ProbeNeed } from '../../../reference/probes/probe.ts'
import type { ProbeResponse } from '../../../reference/probes/judge.ts'
import { CommandError } from '../base/errors.ts'
import type { Io } from '../base/io.ts'
import { persistently, type ProbeSender } from './sender.ts'

export interface Ids {
  readonly application: string
  readonly guild: string | undefined
}

/** Sends a request as often as its end is uncertain. */
export type Ask = (method: string, path: string, body?: unknown) => Promise<ProbeResponse>

export function askWith(io: Io, send: ProbeSender, isPatient: boolean): Ask {
  return (method, path, body) =>
    persistently(io, isPatient, () => send({ method, path, ...(body !== undefined && { body }) }))
}

/** The commands of a scope, by the path of their list with names for ids. */
export type CommandLists = Readonly<Record<string, readonly JsonObject[]>>

export interface Surroundings {
  readonly commands: CommandLists
  readonly names: Readonly<Record<string, string | undefined>>
  readonly unmet: (need: ProbeNeed) => string | null
}

const listPath = (path: string, { application, guild = '' }: Ids) =>
  path.replace('{application}', application).replace('{guild}', guild)

const listsOf = ({ guild }: Ids) => (guild === undefined ? [EVERYWHERE] : [EVERYWHERE, HERE])

/** @throws CommandError for the token of another application, and a list that cannot be read */
export async function lookAround(ask: Ask, ids: Ids): Promise<Surroundings> {
  const { body: app } = await ask('GET', '/applications/@me')
  const flags = isObject(app) ? Number(app.flags) || 0 : 0
  if (!isObject(app) || app.id !== ids.application)
    throw new CommandError(`the token is not that of application ${ids.application}`)
  const commands: Record<string, readonly JsonObject[]> = {}
  for (const path of listsOf(ids)) commands[path] = await readList(ask, path, ids)
  const entry = commands[EVERYWHERE]!.find(({ type }) => type === 4)
  const { body: me } = await ask('GET', '/users/@me')
  const bot = isObject(me) ? String(me.id) : undefined
  const mayTest = await isManager(ask, ids.guild, bot)
  const needs: Readonly<Record<ProbeNeed, string | null>> = {
    activity:
      (flags & ApplicationFlag.EMBEDDED) !== 0 && entry !== undefined
        ? null
        : 'the application lacks an Activity',
    'no administrator': mayTest
      ? null
      : 'the bot is an administrator, or lacks MANAGE_CHANNELS or MANAGE_ROLES',
    'no members intent':
      (flags & (ApplicationFlag.GATEWAY_GUILD_MEMBERS | ApplicationFlag.GATEWAY_GUILD_MEMBERS_LIMITED)) === 0
        ? null
        : 'the application has the intent GUILD_MEMBERS',
  }
  return {
    commands,
    names: { ...ids, bot, entry: entry === undefined ? undefined : String(entry.id) },
    unmet: (need) => needs[need],
  }
}

async function readList(ask: Ask, path: string, ids: Ids): Promise<readonly JsonObject[]> {
  const { status, body } = await ask('GET', `${listPath(path, ids)}?with_localizations=true`)
  if (Array.isArray(body)) return body.filter(isObject)
  throw new CommandError(`the commands cannot be read: the service responds with ${status}`)
}

/** Whether a bot may create channels and roles, without being an administrator. */
async function isManager(ask: Ask, guildId: string | undefined, bot: string | undefined): Promise<boolean> {
  if (guildId === undefined || bot === undefined) return false
  const { body: guild } = await ask('GET', `/guilds/${guildId}`)
  const { body: member } = await ask('GET', `/guilds/${guildId}/members/${bot}`)
  if (!isObject(guild) || !Array.isArray(guild.roles)) return false
  const own = isObject(member) && Array.isArray(member.roles) ? member.roles : []
  const bits = guild.roles
    .filter(({ id }) => id === guildId || own.includes(id))
    .reduce((sum, { permissions }) => sum | BigInt(permissions), 0n)
  const needed = PermissionFlag.MANAGE_CHANNELS | PermissionFlag.MANAGE_ROLES
  return (bits & (needed | PermissionFlag.ADMINISTRATOR)) === needed
}

/** The commands as an overwrite takes them, so that each stays the command that it is. */
export function keptBodies(lists: CommandLists): CommandLists {
  const entries = Object.entries(lists).map(([path, commands]) => [path, commands.map(keptBody)])
  return Object.fromEntries(entries)
}

function keptBody({ application_id, guild_id, version, dm_permission, ...command }: JsonObject): JsonObject {
  // The contexts replace it.
  const isOld = dm_permission !== undefined && !Array.isArray(command.contexts)
  return { ...command, ...(isOld && { dm_permission }) }
}

/** @returns the id of a new channel, or why it could not be created */
export async function openChannel(
  ask: Ask,
  guild: string,
  place: string,
): Promise<{ id?: string; why: string }> {
  const topic = 'Of "commandry vectors"; it is deleted at the end.'
  const { status, body } = await ask('POST', `/guilds/${guild}/channels`, { name: place, type: 0, topic })
  const { id, message } = isObject(body) ? body : {}
  return status < 300 && typeof id === 'string'
    ? { id, why: '' }
    : { why: `creating a channel responds with ${status} ${String(message ?? '')}` }
}

/** Deletes the channels of the run and its commands. @returns what is not as before, a sentence each */
export async function restore(
  ask: Ask,
  ids: Ids,
  before: CommandLists,
  place: string,
): Promise<readonly string[]> {
  const problems: string[] = []
  const attempt = async (what: string, action: () => Promise<string | null>) => {
    const problem = await action().catch((error: Error) => error.message)
    if (problem !== null) problems.push(`${what}: ${problem}`)
  }
  for (const [path, commands] of Object.entries(before))
    await attempt(path === HERE ? 'the commands of the server' : 'the global commands', () =>
      restoreList(ask, path, ids, commands),
    )
  if (ids.guild !== undefined)
    await attempt(`a channel named ${place}`, () => deleteChannels(ask, ids.guild!, place))
  return problems
}

async function restoreList(
  ask: Ask,
  path: string,
  ids: Ids,
  before: readonly JsonObject[],
): Promise<string | null> {
  const now = await readList(ask, path, ids)
  if (isSame(before, now)) return null
  const isThere = ({ id }: JsonObject) => now.some((one) => one.id === id)
  const bodies = before.map((one) => {
    const { id, ...rest } = keptBody(one)
    return isThere(one) ? { id, ...rest } : rest
  })
  const { status } = await ask('PUT', listPath(path, ids), bodies)
  if (status >= 300) return `the overwrite responds with ${status}`
  const lost = before.filter((one) => !isThere(one)).length
  if (lost > 0) return `${counted(lost, 'command')} had to be created again, with a new id`
  return isSame(before, await readList(ask, path, ids)) ? null : 'they differ from before'
}

function isSame(before: readonly JsonObject[], now: readonly JsonObject[]): boolean {
  const bodyOf = ({ version, ...command }: JsonObject) => command
  return (
    before.length === now.length &&
    before.every((one) => now.some((other) => one.id === other.id && sameJson(bodyOf(one), bodyOf(other))))
  )
}

async function deleteChannels(ask: Ask, guild: string, place: string): Promise<string | null> {
  const { status, body } = await ask('GET', `/guilds/${guild}/channels`)
  // A service for tests may have no channels.
  if (!Array.isArray(body)) return status === 404 ? null : `the channels respond with ${status}`
  for (const { id } of body.filter((one) => isObject(one) && one.name === place)) {
    const deleted = await ask('DELETE', `/channels/${id}`)
    if (deleted.status >= 300 && deleted.status !== 404) return `deleting responds with ${deleted.status}`
  }
  return null
}
