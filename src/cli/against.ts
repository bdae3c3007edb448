/** What a plan is made against: an application as a snapshot has it, or as a service answers it. */
import { openApplication, type ApplicationSettings } from '../command/application.ts'
import type { ApplicationCommand } from '../command/definition.ts'
import { IntegrationType } from '../command/types.ts'
import { parseCommand } from '../command/parse.ts'
import { SNAPSHOT_FORMAT } from '../registry/snapshot-rules.ts'
import { isObject } from '../core/json.ts'
import { compareSnowflakes, isSnowflake } from '../core/snowflake.ts'
import { describeValue } from '../core/text.ts'
import { formatIssues } from '../command/format-issues.ts'
import { parsePermissions } from '../permission/entry-list.ts'
import type { GuildCommandPermissions } from '../permission/entry.ts'
import { commandOf } from '../registry/plan.ts'
import type { Scope } from '../registry/scope.ts'
import { readSnapshot } from '../registry/read-snapshot.ts'
import type { ApplicationSnapshot, PermissionsSnapshot } from '../registry/snapshot.ts'
import type { Io } from './io.ts'
import { FileError } from './errors.ts'
import { loadJson, placeOf } from './load.ts'
import { ServiceError, type Service } from './remote.ts'

/** What there is cannot be used; the message says why, in a line that names it. */
export class AgainstError extends Error {
  override readonly name = 'AgainstError'
}

/** An application as far as it could be seen. */
export interface Held {
  /** The file, or the address of the service. */
  readonly name: string
  readonly snapshot: ApplicationSnapshot
  /** What the service says of the application; `undefined` when it says nothing. */
  readonly settings: ApplicationSettings | undefined
  /** Whether nothing is missing: neither the creates of the day nor the permissions of any guild. */
  readonly whole: boolean
  /** Guilds in which permissions were read, where not all were. */
  readonly guilds: readonly string[]
  /** The commands as the service answered them; `undefined` for a file. */
  readonly answered?: unknown
  /** Why the permissions of the guild could not be read; `undefined` when nothing was in the way. */
  readonly unread: string | undefined
}

/** An application out of a file of `commandry export`. @throws AgainstError */
export async function heldInFile(io: Io, file: string, applicationId: string | undefined): Promise<Held> {
  let body: unknown
  try {
    body = await loadJson(io, file)
  } catch (error) {
    if (error instanceof FileError) throw new AgainstError(`${file}: ${error.message}`)
    throw error
  }
  const snapshot = checked(file, body)
  const { application_id } = snapshot
  if (applicationId !== undefined && applicationId !== application_id)
    throw new AgainstError(`${file}: is a snapshot of application ${application_id}, not of ${applicationId}`)
  return { name: file, snapshot, settings: undefined, whole: true, guilds: [], unread: undefined }
}

/** An application as a service answers it. @throws AgainstError */
export async function heldByService(
  service: Service,
  scope: Scope,
  permissionsIn: readonly string[],
): Promise<Held> {
  const name = service.base
  try {
    const { applicationId } = scope
    const answered = await service.commands(scope)
    const commands = readCommands(answered, scope)
    const settings = readSettings(await service.application(), applicationId)
    const guilds: PermissionsSnapshot[] = []
    let unread: string | undefined
    for (const guildId of scope.kind === 'guild' ? [scope.guildId] : permissionsIn) {
      try {
        guilds.push(readPermissions(await service.permissions(applicationId, guildId), guildId, commands))
      } catch (error) {
        // Who names a guild wants to know; who plans for one may have a token that sees its commands only.
        if (scope.kind === 'global' || !(error instanceof ServiceError) || error.status !== 403) throw error
        unread = error.message
      }
    }
    const snapshot = checked(name, snapshotOf(scope, commands, guilds))
    return { name, snapshot, settings, whole: false, guilds: permissionsIn, unread, answered }
  } catch (error) {
    if (error instanceof ServiceError) throw new AgainstError(`${name}: ${error.message}`)
    throw error
  }
}

function checked(name: string, body: unknown): ApplicationSnapshot {
  const read = readSnapshot(body)
  if (read.ok) return read.value
  const [{ path, message } = { path: [], message: '' }, ...others] = read.issues
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`
  throw new AgainstError(`${name}: ${placeOf(path)} ${message}${more}`)
}

// --- What a service answers -----------------------------------------------------------------------------------

/** The commands as this library would answer them, so that they can be compared with what it makes of a file. */
function readCommands(bodies: unknown, scope: Scope): readonly ApplicationCommand[] {
  if (!Array.isArray(bodies))
    throw new ServiceError(`answers ${describeValue(bodies)} where commands are listed`)
  return bodies.map((body: unknown) => {
    if (!isObject(body) || !isSnowflake(body.id))
      throw new ServiceError('lists something among its commands that is none')
    const read = parseCommand(body, { scope: scope.kind, application: applicationOf(body.handler) })
    if (!read.ok)
      throw new ServiceError(
        `has what this version cannot read: ${formatIssues(read.issues.slice(0, 1), body)}`,
      )
    return commandOf(scope, read.value, body.id, isSnowflake(body.version) ? body.version : body.id)
  })
}

/** Everything allowed, but an Activity only for who has a handler: without one, none must come in by default. */
function applicationOf(handler: unknown): ApplicationSettings {
  return handler === undefined || handler === null ? { ...openApplication, flags: 0 } : openApplication
}

function readSettings(page: unknown, applicationId: string): ApplicationSettings | undefined {
  // The page is of the token's application, which an open server makes up.
  if (!isObject(page) || page.id !== applicationId || !isObject(page.integration_types_config))
    return undefined
  const { flags, is_discoverable, integration_types_config: ways } = page
  return {
    flags: typeof flags === 'number' ? flags : 0,
    discoverable: is_discoverable === true,
    integration_types: Object.values(IntegrationType).filter((way) => Object.hasOwn(ways, way)),
  }
}

function readPermissions(
  bodies: unknown,
  guildId: string,
  commands: readonly ApplicationCommand[],
): PermissionsSnapshot {
  if (!Array.isArray(bodies))
    throw new ServiceError(`answers ${describeValue(bodies)} where permissions are listed`)
  const ids = new Set(commands.map(({ id }) => id))
  const sets = bodies.flatMap((body: unknown): GuildCommandPermissions[] => {
    // Those of the application, and of commands of other scopes, no plan can lose.
    if (!isObject(body) || !isSnowflake(body.id) || !ids.has(body.id)) return []
    const read = parsePermissions(body.permissions)
    if (!read.ok)
      throw new ServiceError(
        `has permissions this version cannot read: ${formatIssues(read.issues.slice(0, 1), body.permissions)}`,
      )
    const { application_id } = commands[0]!
    const set = { id: body.id, application_id, guild_id: guildId, permissions: read.value }
    return read.value.length === 0 ? [] : [set]
  })
  return { guild_id: guildId, sets, tenures: sets.map(({ id }) => id) }
}

function snapshotOf(
  scope: Scope,
  commands: readonly ApplicationCommand[],
  permissions: readonly PermissionsSnapshot[],
): ApplicationSnapshot {
  const given = commands.flatMap(({ id, version }) => [id, version])
  return {
    format: SNAPSHOT_FORMAT,
    application_id: scope.applicationId,
    scopes: [
      {
        guild_id: scope.kind === 'guild' ? scope.guildId : null,
        commands,
        // Since when a command has its name is not told; any value that goes with its permissions will do.
        tenures: commands.map(({ id }) => id),
        creates: { day: '', count: 0 },
        latest: given.reduce((latest, id) => (compareSnowflakes(id, latest) > 0 ? id : latest), '0'),
      },
    ],
    permissions: permissions.filter(({ sets }) => sets.length > 0),
  }
}
