/** The responses that clients read at login, from the application directory. */
import { isEmbedded, supportedInstallations, type ApplicationSettings } from '../command/application.ts'
import { openDirectory, type ApplicationDirectory } from '../registry/directory.ts'
import { describeValue } from '../core/text.ts'
import { RegistryError } from '../registry/error.ts'
import type { Outgoing, Incoming } from './message.ts'
import type { Principal } from './principal.ts'
import { json } from './respond.ts'

/** The responses of the login routes. */
export interface Pages {
  application(principal: Principal): Promise<Outgoing>
  user(principal: Principal): Promise<Outgoing>
  gateway(incoming: Incoming): Outgoing
  gatewayOfBot(incoming: Incoming, principal: Principal): Outgoing
}

/**
 * A WebSocket address such as `ws://127.0.0.1:8788`, or a function from the `Host` header of the request to it (null
 * if there is none), for a service that is reached by several names.
 */
export type GatewayAddress = string | ((host: string | null) => string)

/** A valid address that nothing can answer, for a service without a gateway. */
export const NO_GATEWAY = 'wss://gateway.invalid'

/** Returns the limits on the logins of an application's bot, as `sessionStartLimit` of a gateway does. */
export type SessionStartLimits = (applicationId: string) => {
  /** IDENTIFYs allowed in 24 hours. */
  readonly total: number
  /** The IDENTIFYs left in these 24 hours. */
  readonly remaining: number
  /** Milliseconds until the count is reset. */
  readonly reset_after: number
  /** The number of IDENTIFYs in 5 seconds. */
  readonly max_concurrency: number
}

const SESSIONS = { total: 1000, remaining: 1000, reset_after: 0, max_concurrency: 1 }

/** @throws TypeError when the gateway is not a WebSocket address */
export function createPages(
  applications: ApplicationDirectory = openDirectory,
  gateway: GatewayAddress = NO_GATEWAY,
  sessionStartLimit: SessionStartLimits = () => SESSIONS,
): Pages {
  if (typeof gateway !== 'function' && !isWebSocketUrl(gateway)) {
    throw new TypeError(
      `gateway: expected an address such as "ws://127.0.0.1:8788" or a function, got ${describeValue(gateway)}`,
    )
  }
  const addressFor = (incoming: Incoming) =>
    typeof gateway === 'string' ? gateway : gateway(incoming.header('host'))

  async function settingsOf({ applicationId }: Principal): Promise<ApplicationSettings> {
    const settings: ApplicationSettings | null | undefined = await applications.get(applicationId)
    // Databases return null for a missing row.
    if (settings === undefined || settings === null) throw new RegistryError('unknown_application')
    return settings
  }

  return {
    async application(principal) {
      return json(applicationPage(principal.applicationId, await settingsOf(principal)))
    },
    async user(principal) {
      const { applicationId } = principal
      if (principal.type === 'Bearer' && principal.user !== undefined) {
        const { id, locale } = principal.user
        return json({ ...userPage(id, `user ${id}`, false), ...(locale !== undefined && { locale }) })
      }
      // A bot has its application's id, and so has the user of client credentials.
      return json(userPage(applicationId, nameOf(applicationId, await settingsOf(principal)), true))
    },
    gateway: (incoming) => json({ url: addressFor(incoming) }),
    gatewayOfBot: (incoming, { applicationId }) =>
      json({
        url: addressFor(incoming),
        shards: 1,
        session_start_limit: sessionStartLimit(applicationId),
      }),
  }
}

function isWebSocketUrl(value: unknown): boolean {
  return typeof value === 'string' && /^wss?:\/\//.test(value) && URL.canParse(value)
}

function nameOf(id: string, { name }: ApplicationSettings): string {
  return name ?? `application ${id}`
}

function applicationPage(id: string, settings: ApplicationSettings): object {
  const name = nameOf(id, settings)
  const { flags = 0 } = settings
  return {
    id,
    name,
    icon: null,
    description: '',
    summary: '',
    type: null,
    bot: userPage(id, name, true),
    bot_public: true,
    bot_require_code_grant: false,
    verify_key: '0'.repeat(64),
    flags,
    hook: true,
    team: null,
    owner: userPage(id, name, true),
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

function userPage(id: string, username: string, bot: boolean): object {
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
