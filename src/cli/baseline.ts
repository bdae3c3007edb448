/** What a plan compares with: the commands in a snapshot, or those that a service returns. */
import { openApplication, type ApplicationSettings } from '../command/application.ts'
import type { ApplicationCommand } from '../command/definition.ts'
import { IntegrationType } from '../command/types.ts'
import { parseCommand } from '../command/parse.ts'
import { SNAPSHOT_FORMAT } from '../registry/snapshot-rules.ts'
import { isObject, type JsonObject } from '../core/json.ts'
import type { Issue } from '../core/report.ts'
import { compareSnowflakes, isSnowflake } from '../core/snowflake.ts'
import { describeValue } from '../core/text.ts'
import { formatIssues } from '../command/format-issues.ts'
import { parsePermissions } from '../permission/entry-list.ts'
import type { GuildCommandPermissions } from '../permission/entry.ts'
import { commandOf } from '../registry/record.ts'
import { scopeOf, type Scope } from '../registry/scope.ts'
import { readSnapshot } from '../registry/read-snapshot.ts'
import type { ApplicationSnapshot, PermissionsSnapshot } from '../registry/read-snapshot.ts'
import type { Io } from './io.ts'
import { pathText } from '../authoring/words.ts'
import { CommandError } from './errors.ts'
import { loadJson } from './load.ts'
import type { Service } from './remote.ts'

/** The deployed commands of an application, as far as they are known. */
export interface Baseline {
  /** The file, or the address of the service. */
  readonly name: string
  /** The scope of the plan. */
  readonly scope: Scope
  readonly snapshot: ApplicationSnapshot
  /** What a service returned; absent for a file, which has everything but the settings of the application. */
  readonly service?: ServiceFacts
}

/** What a service returned. It does not return the creates of the day. */
interface ServiceFacts {
  /** The commands in its response. */
  readonly bodies: readonly JsonObject[]
  /** The settings of the application; `undefined` if they are unknown. */
  readonly settings: ApplicationSettings | undefined
  /** The guilds whose permissions of global commands were read. */
  readonly guilds: readonly string[]
  /** Why the permissions of the guild could not be read; `undefined` if they were. */
  readonly permissionsError: string | undefined
}

/** The application in a file of `commandry export`. @throws CommandError when it cannot be used */
export async function readBaselineFile(
  io: Io,
  file: string,
  applicationId: string | undefined,
  guildId: string | undefined,
): Promise<Baseline> {
  const body = await loadJson(io, file).catch((error: CommandError) => {
    const hint = /^[^/\\]+:\d+(?:\/|$)/.test(file) ? '; an address begins with http://' : ''
    throw new CommandError(error.message + hint)
  })
  const snapshot = checkSnapshot(file, body)
  const { application_id } = snapshot
  if (applicationId !== undefined && applicationId !== application_id)
    throw new CommandError(`${file}: is a snapshot of application ${application_id}, not of ${applicationId}`)
  return { name: file, scope: scopeOf(application_id, guildId), snapshot }
}

/** The application of a service. @throws CommandError when a request fails or its response cannot be read */
export async function fetchBaseline(
  service: Service,
  scope: Scope,
  permissionsIn: readonly string[],
): Promise<Baseline> {
  const { applicationId } = scope
  const bodies = commandsIn(service, await service.commands(scope))
  const commands = bodies.map((body) => readCommand(service, body, scope))
  const settings = readSettings(await service.application(), applicationId)
  const guilds: PermissionsSnapshot[] = []
  let permissionsError: string | undefined
  for (const guildId of scope.kind === 'guild' ? [scope.guildId] : permissionsIn) {
    try {
      const sets = await service.permissions(applicationId, guildId)
      guilds.push(readPermissions(service, sets, guildId, commands))
    } catch (error) {
      // A plan for a guild is useful without its permissions, which the token may not read.
      const refusal = error instanceof CommandError ? error.refusal : undefined
      if (scope.kind === 'global' || refusal?.status !== 403) throw error
      permissionsError = refusal.problem
    }
  }
  const name = service.base
  const snapshot = checkSnapshot(name, snapshotOf(scope, commands, guilds))
  return { name, scope, snapshot, service: { bodies, settings, guilds: permissionsIn, permissionsError } }
}

function checkSnapshot(name: string, body: unknown): ApplicationSnapshot {
  if (!isObject(body))
    throw new CommandError(`${name}: is ${describeValue(body)}; expected a file of "commandry export"`)
  const read = readSnapshot(body)
  if (read.ok) return read.value
  const [{ path, message } = { path: [], message: '' }, ...others] = read.issues
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`
  throw new CommandError(`${name}: ${pathText(path)} ${message}${more}`)
}

// --- Responses of a service -----------------------------------------------------------------------------------

function unreadable(service: Service, what: string, issues: readonly Issue[], body: unknown): CommandError {
  const problem = formatIssues(issues.slice(0, 1), body)
  return service.failure(`returns ${what} that this version cannot read: ${problem}`)
}

type CommandResponse = JsonObject & { readonly id: string }

function commandsIn(service: Service, response: readonly unknown[]): readonly CommandResponse[] {
  return response.map((body) => {
    if (isObject(body) && isSnowflake(body.id)) return body as CommandResponse
    throw service.failure('returns a list with an entry that is not a command')
  })
}

/** A command in the form of this library, to compare it with one of a file. */
function readCommand(service: Service, body: CommandResponse, scope: Scope): ApplicationCommand {
  const { id, version, handler } = body
  const read = parseCommand(body, { scope: scope.kind, application: applicationOf(handler) })
  if (!read.ok) throw unreadable(service, 'a command', read.issues, body)
  return commandOf(scope, read.value, id, isSnowflake(version) ? version : id)
}

/** An application to which everything is allowed. Without a handler it has no Activity, so that none is added by default. */
function applicationOf(handler: unknown): ApplicationSettings {
  return handler === undefined || handler === null ? { ...openApplication, flags: 0 } : openApplication
}

function readSettings(page: unknown, applicationId: string): ApplicationSettings | undefined {
  // The response is about the application of the token, which an open server invents.
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
  service: Service,
  bodies: readonly unknown[],
  guildId: string,
  commands: readonly ApplicationCommand[],
): PermissionsSnapshot {
  const ids = new Set(commands.map(({ id }) => id))
  const sets = bodies.flatMap((body): GuildCommandPermissions[] => {
    // A plan cannot lose permissions of the application or of commands in other scopes.
    if (!isObject(body) || !isSnowflake(body.id) || !ids.has(body.id)) return []
    const read = parsePermissions(body.permissions)
    if (!read.ok) throw unreadable(service, 'permissions', read.issues, body.permissions)
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
        // The real tenures are unknown; any values that agree with those of the permissions will do.
        tenures: commands.map(({ id }) => id),
        creates: { day: '', count: 0 },
        latest: given.reduce((latest, id) => (compareSnowflakes(id, latest) > 0 ? id : latest), '0'),
      },
    ],
    permissions: permissions.filter(({ sets }) => sets.length > 0),
  }
}
