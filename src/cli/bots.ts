/** `commandry serve --gateway`: bots log in, and programs on this machine use them as people do. */
import type { PendingAnswers } from '../bot/pending.ts'
import type { BotSession } from '../bot/session.ts'
import { isAuthorizedIn, type ApplicationSettings } from '../command/application.ts'
import { systemClock } from '../core/clock.ts'
import type { Gateway } from '../gateway/gateway.ts'
import type { SessionStartLimit } from '../gateway/session.ts'
import { isHost } from '../http/hosts.ts'
import type { Exchange } from '../http/message.ts'
import type { Authenticate } from '../http/principal.ts'
import { nodeDeflate, type WebSocketModule } from '../node/gateway.ts'
import { demoServer, type ServerInput } from '../world/demo-server.ts'
import type { ApplicationDirectory } from '../registry/directory.ts'
import type { CommandRegistry } from '../registry/registry.ts'
import type { World } from '../world/world.ts'
import { People, worldOf } from '../testbed/people.ts'
import { withPeople } from '../testbed/people-routes.ts'
import { Routes } from '../testbed/routes.ts'
import { openStage } from '../testbed/stage.ts'
import { loadInstalled } from './stores.ts'
import { CommandError } from './errors.ts'
import type { Io } from './io.ts'

/** The registry and the settings that bots see. */
interface BotsOptions {
  readonly registry: CommandRegistry
  readonly authenticate: Authenticate
  readonly applications: ApplicationDirectory
  readonly servers: readonly ServerInput[]
  readonly answers: PendingAnswers
}

export interface Bots {
  readonly session: BotSession
  /** The servers, whose members, channels and messages the service serves. */
  readonly world: World
  /** As the one of the options; a bot joins the servers of its application when it is first seen. */
  readonly authenticate: Authenticate
  /** The address of the gateway, for a client that used this name of the service. */
  addressFor(host: string | null): string
  /** The limits on the logins of a bot. */
  sessionStartLimit(applicationId: string): SessionStartLimit
  /** The names in the `Host` header of redirected bots. They are safe to accept: no other website has them. */
  readonly hosts: readonly string[]
  /** Options of the listener. */
  readonly listener: { readonly gateway: Pick<Gateway, 'open' | 'close'>; readonly ws: WebSocketModule }
  /** An exchange in which programs can answer routes that the service does not have. */
  withRoutes(exchange: Exchange): Exchange
  /** Adds the routes below `/people/` to an exchange. */
  withPeople(exchange: Exchange): Exchange
  /** Sets the address of the service, such as `http://127.0.0.1:8787`, once it listens. */
  listening(url: string): void
  close(): void
}

/** @throws CommandError when the package `ws` is not installed */
export async function loadSockets(io: Io): Promise<WebSocketModule> {
  type Loaded = Partial<WebSocketModule> & { readonly default?: WebSocketModule }
  const ws = (await loadInstalled(io, 'ws')) as Loaded | undefined
  // A CommonJS module may have its exports below `default` only.
  const found = ws?.WebSocketServer === undefined ? ws?.default : (ws as WebSocketModule)
  if (found !== undefined) return found
  throw new CommandError('--gateway needs the package "ws"; install it with "npm install ws"')
}

export function openBots(ws: WebSocketModule, options: BotsOptions): Bots {
  const servers = options.servers.length === 0 ? [demoServer()] : options.servers
  const people = new People(worldOf(servers, systemClock))
  const { world } = people
  const authenticate = joining(options, world)
  const routes = new Routes({ id: '0', username: 'bot' }, () => 'answer it with POST /people/route')
  const clock = systemClock
  const stage = openStage({ ...options, authenticate, people, clock, routes, deflate: nodeDeflate })
  const { session, gateway, sockets } = stage
  let ownAddress = ''
  return {
    session,
    world,
    authenticate,
    // A redirected bot sends the real host, which cannot be reached here without TLS.
    addressFor: (host) =>
      host === null || !isHost(host) || /\bdiscord(?:app)?\./.test(host) ? ownAddress : `ws://${host}`,
    sessionStartLimit: (applicationId) => gateway.sessionStartLimit(applicationId),
    hosts: ['discord.com', 'ptb.discord.com', 'canary.discord.com', 'discordapp.com'],
    listener: { gateway: sockets, ws },
    withRoutes: (exchange) => routes.around(exchange),
    withPeople: (exchange) => withPeople(exchange, stage),
    listening(url) {
      ownAddress = url.replace(/^http/, 'ws')
    },
    close: stage.close,
  }
}

/** Adds bots to the servers of their applications when they are authenticated. */
function joining({ authenticate, applications }: BotsOptions, world: World): Authenticate {
  return async (credentials, place) => {
    const principal = await authenticate(credentials, place)
    if (principal?.type !== 'Bot') return principal
    const { applicationId: id } = principal
    const settings: ApplicationSettings | null | undefined = await applications.get(id)
    if (settings === undefined || settings === null) return principal
    const servers = world.servers.filter((server) => isAuthorizedIn(settings, server.id))
    world.addBot({ id, username: settings.name ?? `application ${id}` }, servers)
    return principal
  }
}
