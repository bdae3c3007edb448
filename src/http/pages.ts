/** The few pages that clients read when they start, from the application directory. */
import { isEmbedded, supportedInstallations, type ApplicationSettings } from '../command/application.ts'
import { openDirectory, type ApplicationDirectory } from '../registry/directory.ts'
import { RegistryError } from '../registry/error.ts'
import type { Answer } from './message.ts'
import type { Principal } from './principal.ts'
import { json } from './respond.ts'

export interface Pages {
  application(principal: Principal): Promise<Answer>
  user(principal: Principal): Promise<Answer>
  gateway(): Answer
  gatewayOfBot(): Answer
}

/** Well-formed, and certain to lead nowhere: the service has no gateway. */
export const NO_GATEWAY = 'wss://gateway.invalid'

const SESSIONS = { total: 1000, remaining: 1000, reset_after: 0, max_concurrency: 1 }

export function createPages(applications: ApplicationDirectory = openDirectory): Pages {
  async function settingsOf({ applicationId }: Principal): Promise<ApplicationSettings> {
    const settings = await applications.get(applicationId)
    if (settings === undefined) throw new RegistryError('unknown_application')
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
        return json({
          ...userPage(id, `user ${id}`, false),
          ...(locale === undefined ? undefined : { locale }),
        })
      }
      // A bot has its application's id. Client credentials stand for nobody else either.
      return json(userPage(applicationId, nameOf(applicationId, await settingsOf(principal)), true))
    },
    gateway: () => json({ url: NO_GATEWAY }),
    gatewayOfBot: () => json({ url: NO_GATEWAY, shards: 1, session_start_limit: SESSIONS }),
  }
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
