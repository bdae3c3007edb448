/** `commandry serve --gateway`: bots log in, and programs on this machine use them as people do. */
import type { InteractionCallback } from '../answer/answer-types.ts'
import type { PendingAnswers } from '../answer/pending.ts'
import { isAuthorizedIn, type ApplicationSettings } from '../command/application.ts'
import { systemClock } from '../core/clock.ts'
import { openGateway, type Gateway, type SessionStartLimit, type WorldGateway } from '../gateway/gateway.ts'
import type { GatewayApplication } from '../gateway/session.ts'
import { isHost } from '../http/hosts.ts'
import type { Exchange } from '../http/message.ts'
import type { Authenticate } from '../http/principal.ts'
import type { AnyInteraction } from '../interaction/payload.ts'
import { InteractionType } from '../interaction/types.ts'
import { nodeDeflate, systemScheduler, type WebSocketModule } from '../node/gateway.ts'
import { demoServer, type ServerInput } from '../world/demo-server.ts'
import type { ApplicationDirectory } from '../registry/directory.ts'
import type { CommandRegistry } from '../registry/registry.ts'
import type { World } from '../world/world.ts'
import { People, worldOf } from '../testbed/people.ts'
import { Changes } from '../testbed/changes.ts'
import { Desk } from '../testbed/desk.ts'
import { Log } from '../testbed/log.ts'
import { withPeople } from '../testbed/people-routes.ts'
import { Routes } from '../testbed/routes.ts'
import { loadInstalled } from './drivers.ts'
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

interface Bots {
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
  /** Adds the routes below `/people/` to an exchange. */
  wrap(exchange: Exchange): Exchange
  /** The bot's answer to an interaction of the page. @throws TestbedError when no bot is logged in or answers */
  answerTo(interaction: AnyInteraction): Promise<InteractionCallback>
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
  const cast = new People(worldOf(servers, systemClock))
  const { registry, answers, applications } = options
  const log = new Log({ keepsRequests: false })
  const { world } = cast
  const authenticate = joining(options, world)
  const gateway = gatewayFor({ ...options, authenticate }, world)
  world.follow(answers.conversations)
  world.subscribe(gateway.publish)
  const desk = new Desk({ registry, applications, answers, cast, clock: systemClock, log, gateway })
  const changed = () => desk.changed()
  const remedy = 'answer it with POST /people/route'
  const routes = new Routes({ id: '0', username: 'bot' }, () => remedy)
  const changes = new Changes(cast, systemClock)
  let ownAddress = ''
  return {
    world,
    authenticate,
    // A redirected bot sends the real host, which cannot be reached here without TLS.
    addressFor: (host) =>
      host === null || !isHost(host) || /\bdiscord(?:app)?\./.test(host) ? ownAddress : `ws://${host}`,
    sessionStartLimit: (applicationId) => gateway.sessionStartLimit(applicationId),
    hosts: ['discord.com', 'ptb.discord.com', 'canary.discord.com', 'discordapp.com'],
    listener: { gateway: log.listening(gateway, changed), ws },
    wrap: (exchange) =>
      withPeople(log.recording(routes.around(exchange), changed), { desk, cast, gateway, routes, changes }),
    answerTo: (interaction) =>
      isOfCommand(interaction) ? desk.callbackOf(interaction) : desk.sendForCallback(interaction),
    listening(url) {
      ownAddress = url.replace(/^http/, 'ws')
    },
    close: () => desk.close(),
  }
}

/** The registry publishes the interactions of commands, so they were sent already. */
function isOfCommand({ type }: AnyInteraction): boolean {
  return type !== InteractionType.MESSAGE_COMPONENT && type !== InteractionType.MODAL_SUBMIT
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
    world.addBot({ id, username: settings.name ?? `application ${id}` }, undefined, servers)
    return principal
  }
}

function gatewayFor({ authenticate, applications }: BotsOptions, world: World): WorldGateway {
  return openGateway({
    async authenticate(token): Promise<GatewayApplication | undefined> {
      const principal = await authenticate({ type: 'Bot', token }, { applicationId: null, guildId: null })
      if (principal?.type !== 'Bot') return undefined
      const { applicationId: id } = principal
      const settings: ApplicationSettings | null | undefined = await applications.get(id)
      if (settings === undefined || settings === null) return undefined
      const { name, flags } = settings
      return {
        id,
        // A session lives longer than a state of the servers.
        get servers() {
          return world.servers.filter((server) => isAuthorizedIn(settings, server.id))
        },
        ...(name !== undefined && { name }),
        ...(flags !== undefined && { flags }),
      }
    },
    scheduler: systemScheduler,
    sessionIds: () => crypto.randomUUID(),
    deflate: nodeDeflate,
  })
}
