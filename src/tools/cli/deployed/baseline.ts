/** What a plan compares with: the commands in a snapshot, or those that a service returns. */
import { pathText } from '../../authoring/words.ts'
import { openApplication, type ApplicationSettings } from '../../../model/application.ts'
import type { ApplicationCommand } from '../../../model/command-definition.ts'
import { formatIssues } from '../../../commands/definition/format-issues.ts'
import { parseCommand } from '../../../commands/definition/parse.ts'
import { CommandType, IntegrationType } from '../../../model/command-types.ts'
import { isObject, jsonValue, sameJson, type JsonObject } from '../../../core/json.ts'
import type { Issue } from '../../../core/rules/report.ts'
import { compareSnowflakes, isSnowflake } from '../../../core/snowflake.ts'
import { describeValue } from '../../../core/text.ts'
import { parsePermissions } from '../../../commands/access/entry-list.ts'
import type { GuildCommandPermissions } from '../../../model/permission-entry.ts'
import { readSnapshot } from '../../../commands/registry/read-snapshot.ts'
import { isEntryPoint } from '../../../commands/registry/scope-rules.ts'
import { scopeOf, type Scope } from '../../../commands/registry/scope.ts'
import { SNAPSHOT_FORMAT } from '../../../commands/registry/snapshot-rules.ts'
import type { ApplicationSnapshot, PermissionsSnapshot } from '../../../commands/registry/read-snapshot.ts'
import { commandOf } from '../../../commands/registry/record.ts'
import { NAMELESS_APPLICATION } from '../../../service/http/placeholder-token.ts'
import { CommandError } from '../base/errors.ts'
import type { Io } from '../base/io.ts'
import { loadJson } from '../base/text-file.ts'
import type { Remote } from './remote.ts'

/** The deployed commands of an application, as far as they are known. */
export interface Baseline {
  /** The file, or the address of the service. */
  readonly name: string
  readonly scope: Scope
  readonly snapshot: ApplicationSnapshot
  /** Whether the file is a list of commands, without permissions and counts. */
  readonly isList?: boolean
  /** What a service returned, which is all but the creates of the day; absent for a file. */
  readonly service?: {
    readonly bodies: readonly unknown[]
    readonly settings: ApplicationSettings | undefined
    /** The guilds whose permissions of global commands were read. */
    readonly guilds: readonly string[]
    /** Why the permissions of the guild could not be read. */
    readonly permissionsError: string | undefined
  }
}

/** The application in a file of `commandry export`, or a list of its commands. @throws CommandError when it cannot be used */
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
  if (Array.isArray(body)) return listBaseline(file, body, applicationId, guildId)
  const snapshot = checkSnapshot(file, body)
  const { application_id } = snapshot
  if (applicationId !== undefined && applicationId !== application_id)
    throw new CommandError(`${file}: is a snapshot of application ${application_id}, not of ${applicationId}`)
  return { name: file, scope: scopeOf(application_id, guildId), snapshot }
}

/** The application of a service. @throws CommandError when a request fails or its response cannot be read */
export async function fetchBaseline(
  service: Remote,
  scope: Scope,
  permissionsIn: readonly string[],
): Promise<Baseline> {
  const bodies = await service.commands(scope)
  const commands = bodies.map((body) => checkedCommand(service, body, scope))
  const settings = readSettings(await service.application(), scope.applicationId)
  const permissions: PermissionsSnapshot[] = []
  let permissionsError: string | undefined
  for (const guildId of scope.kind === 'guild' ? [scope.guildId] : permissionsIn) {
    try {
      permissions.push(readPermissions(service, await service.permissions(guildId), guildId, commands))
    } catch (error) {
      // A plan for a guild is useful without its permissions, which the token may not read.
      const refusal = error instanceof CommandError ? error.refusal : undefined
      if (scope.kind === 'global' || refusal?.status !== 403) throw error
      permissionsError = refusal.problem
    }
  }
  const snapshot = snapshotOf(service.base, scope, commands, permissions)
  const known = { bodies, settings, guilds: permissionsIn, permissionsError }
  return { name: service.base, scope, snapshot, service: known }
}

/** The baseline after a write, from the response to it. @throws CommandError for a response that is not a list of commands */
export function baselineAfter(service: Remote, before: Baseline, bodies: readonly unknown[]): Baseline {
  const { scope } = before
  const commands = bodies.map((body) => checkedCommand(service, body, scope))
  const known = before.service && { ...before.service, bodies }
  return {
    name: service.base,
    scope,
    snapshot: snapshotOf(service.base, scope, commands, []),
    ...(known && { service: known }),
  }
}

/** A list of commands, such as a file that `commandry deploy` saves or one of an earlier commit, which may lack ids. */
function listBaseline(
  file: string,
  bodies: readonly unknown[],
  applicationId: string | undefined,
  guildId: string | undefined,
): Baseline {
  const known = bodies.map((body) => isObject(body) && body.application_id).find(isSnowflake)
  const scope = scopeOf(applicationId ?? known ?? NAMELESS_APPLICATION, guildId)
  const commands = bodies.map((body, index) => {
    const read = parseAnything(body, scope)
    if (!read.ok) throw new CommandError(`${file}: ${formatIssues(read.issues.slice(0, 1), body)}`)
    const { id, version } = isObject(body) ? body : {}
    const given = isSnowflake(id) ? id : String(index + 1)
    return commandOf(scope, read.value, given, isSnowflake(version) ? version : given)
  })
  return { name: file, scope, snapshot: snapshotOf(file, scope, commands, []), isList: true }
}

function snapshotOf(
  name: string,
  scope: Scope,
  commands: readonly ApplicationCommand[],
  permissions: readonly PermissionsSnapshot[],
): ApplicationSnapshot {
  const given = commands.flatMap(({ id, version }) => [id, version])
  return checkSnapshot(name, {
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
  } satisfies ApplicationSnapshot)
}

function checkSnapshot(name: string, body: unknown): ApplicationSnapshot {
  if (!isObject(body))
    throw new CommandError(
      `${name}: is ${describeValue(body)}; expected a file of "commandry export", or a list of commands`,
    )
  const read = readSnapshot(body)
  if (read.ok) return read.value
  const [{ path, message } = { path: [], message: '' }, ...others] = read.issues
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`
  throw new CommandError(`${name}: ${pathText(path)} ${message}${more}`)
}

// --- Responses of a service -----------------------------------------------------------------------------------

function unreadable(service: Remote, what: string, issues: readonly Issue[], body: unknown): CommandError {
  const problem = formatIssues(issues.slice(0, 1), body)
  return service.failure(`returns ${what} that this version cannot read: ${problem}`)
}

function checkedCommand(service: Remote, body: unknown, scope: Scope): ApplicationCommand {
  const { id, version } = isObject(body) ? body : {}
  if (!isSnowflake(id)) throw service.failure('returns a list with an entry that is not a command')
  const read = parseAnything(body, scope)
  if (!read.ok) throw unreadable(service, 'a command', read.issues, body)
  return commandOf(scope, read.value, id, isSnowflake(version) ? version : id)
}

/** Reads a command of an application that may do everything. */
function parseAnything(body: unknown, { kind }: Scope): ReturnType<typeof parseCommand> {
  // Without a handler there is no Activity, so that no handler is added by default.
  const hasHandler = isObject(body) && body.handler != null
  return parseCommand(body, {
    scope: kind,
    application: hasHandler ? openApplication : { ...openApplication, flags: 0 },
  })
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
  service: Remote,
  bodies: readonly unknown[],
  guildId: string,
  commands: readonly ApplicationCommand[],
): PermissionsSnapshot {
  const sets = bodies.flatMap((body): GuildCommandPermissions[] => {
    const command = isObject(body) && commands.find(({ id }) => id === body.id)
    // A plan cannot lose permissions of the application or of commands in other scopes.
    if (!command) return []
    const { permissions } = body as JsonObject
    const read = parsePermissions(permissions)
    if (!read.ok) throw unreadable(service, 'permissions', read.issues, permissions)
    const { id, application_id } = command
    return read.value.length === 0 ? [] : [{ id, application_id, guild_id: guildId, permissions: read.value }]
  })
  return { guild_id: guildId, sets, tenures: sets.map(({ id }) => id) }
}

// --- Settings -------------------------------------------------------------------------------------------------

/**
 * The settings of the application, which provide the defaults of its definitions. When unknown, it is assumed to support
 * the installations of its deployed commands and of the definitions.
 *
 * @returns also a sentence about what was assumed, if anything was
 */
export function settingsFor(
  { snapshot, scope, service }: Baseline,
  bodies: readonly unknown[],
): { readonly settings: ApplicationSettings; readonly assumption?: string } {
  const global = snapshot.scopes.find(({ guild_id }) => guild_id === null)
  const deployed = (scope.kind === 'global' && global?.commands) || []
  const definitions = bodies.map((body) => jsonValue(body)).filter(isObject)
  const inOwnOrder = (supported: readonly IntegrationType[]) => inOrderOf(deployed, definitions, supported)
  const given = service?.settings
  if (given !== undefined)
    return { settings: { ...given, integration_types: inOwnOrder(given.integration_types ?? []) } }
  if (deployed.length === 0) return { settings: openApplication }
  const lists = definitions.map((body) => body.integration_types).filter(Array.isArray)
  const known = [...deployed.map(({ integration_types = [] }) => integration_types), ...lists]
  const installations = Object.values(IntegrationType)
  const used = installations.filter((way) => known.some((list) => list.includes(way)))
  const entry = deployed.find(isEntryPoint)
  const isIdle = entry !== undefined && entry.handler === undefined
  const settings = {
    ...openApplication,
    ...(isIdle && definitions.every(({ handler }) => handler == null) && { flags: 0 }),
    integration_types: inOwnOrder(used),
  }
  if (lists.length === definitions.length || used.length === installations.length) return { settings }
  const assumption = `Missing integration_types were assumed to be [${used}], as in the deployed commands.`
  return { settings, assumption }
}

/** Installations in the order that the service gave to commands whose definitions have none. */
function inOrderOf(
  deployed: readonly ApplicationCommand[],
  definitions: readonly JsonObject[],
  supported: readonly IntegrationType[],
): readonly IntegrationType[] {
  const withoutList = definitions.filter(({ integration_types }) => integration_types === undefined)
  const same = deployed
    .filter(({ type, name }) =>
      withoutList.some((body) => body.name === name && (body.type ?? CommandType.CHAT_INPUT) === type),
    )
    .map(({ integration_types = [] }) => integration_types)
    .filter((list) => sameJson(list.toSorted(), supported.toSorted()))
  return same.some((list) => sameJson(list, supported)) ? supported : (same[0] ?? supported)
}
