/** `commandry serve --gateway`: bots log in, and programs of this machine are the people who use them. */
import type { InteractionCallback } from '../answer/answer-types.ts'
import { pendingAnswers } from '../answer/pending.ts'
import { systemClock } from '../core/clock.ts'
import { createGateway, type Gateway } from '../gateway/gateway.ts'
import type { GatewayApplication } from '../gateway/session.ts'
import type { HandlerOptions } from '../http/options.ts'
import type { Exchange } from '../http/message.ts'
import type { Authenticate } from '../http/principal.ts'
import type { AnyInteraction } from '../interaction/payload.ts'
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

/** Who bots are and where they are. */
export interface BotsOptions {
  readonly registry: CommandRegistry
  readonly authenticate: Authenticate
  readonly applications: ApplicationDirectory
  readonly servers: readonly ServerInput[]
}

export interface Bots {
  /** For the handler: where the gateway is, and where answers go. */
  readonly handler: Pick<HandlerOptions, 'gateway' | 'answers'>
  /** The names that bots ask for which were redirected here; no website has them. */
  readonly hosts: readonly string[]
  /** For the listener. */
  readonly listener: { readonly gateway: Pick<Gateway, 'open' | 'close'>; readonly ws: WebSocketModule }
  /** Adds the people of this machine to an exchange. */
  wrap(exchange: Exchange): Exchange
  /** The bot's answer to an interaction of the page. @throws TestbedError when it is not logged in or does not answer */
  answerTo(interaction: AnyInteraction): Promise<InteractionCallback>
  /** Says where the service listens: `http://127.0.0.1:8787`. */
  listening(url: string): void
  close(): void
}

/** @throws CommandError when there is no package `ws` */
export async function loadSockets(io: Io): Promise<WebSocketModule> {
  type Loaded = Partial<WebSocketModule> & { readonly default?: WebSocketModule }
  const ws = (await loadInstalled(io, 'ws')) as Loaded | undefined
  // As a module of CommonJS it has its names below `default`.
  const found = ws?.WebSocketServer === undefined ? ws?.default : (ws as WebSocketModule)
  if (found !== undefined) return found
  throw new CommandError('--gateway needs the package "ws"; install it with "npm install ws"')
}

export function openBots(ws: WebSocketModule, options: BotsOptions): Bots {
  const servers = options.servers.length === 0 ? [demoServer()] : options.servers
  const cast = new Cast(servers.map(completeServer))
  const answers = pendingAnswers({ clock: systemClock })
  const log = new Log()
  const gateway = gatewayFor(options, cast)
  const desk = new Desk({ registry: options.registry, answers, cast, clock: systemClock, log, gateway })
  const changed = () => desk.changed()
  let own = ''
  return {
    // A bot that was redirected here names the real host, which does not lead here without TLS.
    handler: {
      answers,
      gateway: (host) => (host === null || /\bdiscord(?:app)?\./.test(host) ? own : `ws://${host}`),
    },
    hosts: ['discord.com', 'ptb.discord.com', 'canary.discord.com', 'discordapp.com'],
    listener: { gateway: log.listening(gateway, changed), ws },
    wrap: (exchange) => withPeople(log.recording(exchange, changed), { desk, cast, gateway }),
    answerTo: (interaction) => desk.callbackOf(interaction),
    listening(url) {
      own = url.replace(/^http/, 'ws')
    },
    close: () => desk.close(),
  }
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
