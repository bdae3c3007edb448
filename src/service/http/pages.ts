/** What clients read at login. */
import { hasBot } from '../world/installation.ts'
import {
  flagsOf,
  isEmbedded,
  supportedInstallations,
  type ApplicationSettings,
} from '../../model/application.ts'
import { PermissionFlag } from '../../model/permission-flags.ts'
import type { ServerUser } from '../../model/server.ts'
import { settingsOf } from '../../commands/registry/directory.ts'
import type { Incoming } from '../../core/http-message.ts'
import type { World } from '../world/world.ts'
import type { Service } from './handler-options.ts'
import type { CheckedPrincipal } from './principal.ts'

export function gatewayAddress({ gateway }: Service, incoming: Incoming): string {
  return typeof gateway === 'string' ? gateway : gateway(incoming.header('host'))
}

/**
 * The application of a token. The owner of a server owns it; without one, the first person who is an administrator, or
 * the first person.
 *
 * @throws RegistryError for an unknown one
 */
export async function applicationPage(
  service: Service,
  { applicationId }: CheckedPrincipal,
): Promise<object> {
  const application = describeApplication(applicationId, await readSettings(service, applicationId))
  const { world } = service
  if (world === null) return application
  const joined = world.servers.filter(({ id }) => hasBot(world, id, applicationId))
  const owner = ownerIn(world)
  return {
    ...application,
    approximate_guild_count: joined.length,
    ...(owner && { owner: describeUser(owner.id, owner.username, false) }),
  }
}

function ownerIn(world: World): ServerUser | undefined {
  const owner = world.servers.map(({ owner_id: id }) => world.user(id ?? '')).find((one) => one !== undefined)
  if (owner !== undefined) return owner
  const people = world.servers.flatMap(({ id, members }) =>
    members.filter(({ user }) => user.bot !== true).map(({ user }) => ({ id, user })),
  )
  const { ADMINISTRATOR } = PermissionFlag
  const administrator = people.find(({ id, user }) => (world.permissions(id, user.id) & ADMINISTRATOR) !== 0n)
  return (administrator ?? people[0])?.user
}

/** The user of a token. @throws RegistryError for an unknown application */
export async function userPage(service: Service, principal: CheckedPrincipal): Promise<object> {
  const { applicationId } = principal
  if (principal.type === 'Bearer' && principal.user !== undefined) {
    const { id, locale } = principal.user
    return { ...describeUser(id, `user ${id}`, false), ...(locale !== undefined && { locale }) }
  }
  // A bot has its application's id, and so has the user of client credentials.
  const settings = await readSettings(service, applicationId)
  const { username = nameOf(applicationId, settings), avatar = null } =
    service.world?.user(applicationId) ?? {}
  return { ...describeUser(applicationId, username, true), avatar }
}

function readSettings({ applications }: Service, applicationId: string): Promise<ApplicationSettings> {
  return settingsOf(applications, { kind: 'global', applicationId })
}

function nameOf(id: string, { name }: ApplicationSettings): string {
  return name ?? `application ${id}`
}

export function describeApplication(id: string, settings: ApplicationSettings): object {
  const name = nameOf(id, settings)
  const bot = describeUser(id, name, true)
  return {
    id,
    name,
    icon: null,
    description: '',
    summary: '',
    type: null,
    ...(settings.bot !== false && { bot }),
    bot_public: true,
    bot_require_code_grant: false,
    verify_key: '0'.repeat(64),
    flags: flagsOf(settings),
    flags_new: String(flagsOf(settings)),
    hook: true,
    team: null,
    owner: bot,
    rpc_origins: [],
    redirect_uris: [],
    tags: [],
    is_discoverable: settings.discoverable ?? false,
    embedded: isEmbedded(settings),
    approximate_guild_count: settings.guilds?.length ?? 0,
    integration_types_config: Object.fromEntries(
      supportedInstallations(settings).map((installation) => [installation, {}]),
    ),
  }
}

export function describeUser(id: string, username: string, bot: boolean): object {
  return {
    id,
    username,
    discriminator: '0000',
    global_name: null,
    avatar: null,
    banner: null,
    accent_color: null,
    bot,
    flags: 0,
    public_flags: 0,
  }
}
