/** `commandry serve --gateway`: bots log in, and programs on this machine use them as people do. */
import type { InteractionCallback } from '../answer/answer-types.ts'
import type { PendingAnswers } from '../answer/pending.ts'
import { systemClock } from '../core/clock.ts'
import { createGateway, type Gateway } from '../gateway/gateway.ts'
import type { GatewayApplication } from '../gateway/session.ts'
import type { Exchange } from '../http/message.ts'
import type { Authenticate } from '../http/principal.ts'
import type { AnyInteraction } from '../interaction/payload.ts'
import { InteractionType } from '../interaction/types.ts'
import { nodeDeflate, systemScheduler, type WebSocketModule } from '../node/gateway.ts'
import { completeServer, demoServer, type ServerInput } from '../permission/server.ts'
import type { ApplicationDirectory } from '../registry/directory.ts'
import type { CommandRegistry } from '../registry/registry.ts'
import { Cast } from '../testbed/cast.ts'
import { Desk } from '../testbed/desk.ts'
import { Log } from '../testbed/log.ts'
import { withPeople } from '../testbed/people-routes.ts'
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
  /** The address of the gateway, for a client that used this name of the service. */
  addressFor(host: string | null): string
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
  const cast = new Cast(servers.map(completeServer))
  const { registry, answers } = options
  const log = new Log()
  const gateway = gatewayFor(options, cast)
  const desk = new Desk({ registry, answers, cast, clock: systemClock, log, gateway })
  const changed = () => desk.changed()
  let ownAddress = ''
  return {
    // A redirected bot sends the real host, which cannot be reached here without TLS.
    addressFor: (host) => (host === null || /\bdiscord(?:app)?\./.test(host) ? ownAddress : `ws://${host}`),
    hosts: ['discord.com', 'ptb.discord.com', 'canary.discord.com', 'discordapp.com'],
    listener: { gateway: log.listening(gateway, changed), ws },
    wrap: (exchange) => withPeople(log.recording(exchange, changed), { desk, cast, gateway }),
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

function gatewayFor({ authenticate, applications }: BotsOptions, cast: Cast): Gateway {
  return createGateway({
    async authenticate(token): Promise<GatewayApplication | undefined> {
      const principal = await authenticate({ type: 'Bot', token }, { applicationId: null, guildId: null })
      if (principal?.type !== 'Bot') return undefined
      const { applicationId: id } = principal
      const settings = await applications.get(id)
      if (settings === undefined) return undefined
      const { name, flags } = settings
      return {
        id,
        servers: cast.servers,
        ...(name !== undefined && { name }),
        ...(flags !== undefined && { flags }),
      }
    },
    scheduler: systemScheduler,
    sessionIds: () => crypto.randomUUID(),
    deflate: nodeDeflate,
  })
}
