/** `commandry serve --gateway`: bots log in, and programs on this machine use them as people do. */
import { isAuthorizedIn } from '../../../model/application.ts'
import type { MovingClock } from '../../../core/timers.ts'
import { isHost } from '../../../service/http/hosts.ts'
import type { Exchange } from '../../../core/http-message.ts'
import type { TokenCheck } from '../../../service/http/principal.ts'
import { nodeDeflate, webSocketUrl, type WebSocketModule } from '../../../service/node/gateway-sockets.ts'
import { demoServer, type ServerInput } from '../../../model/demo-server.ts'
import { findSettings, type ApplicationDirectory } from '../../../commands/registry/directory.ts'
import type { CommandRegistry } from '../../../commands/registry/registry.ts'
import { addBot } from '../../../service/world/members.ts'
import { platformOn } from '../../../model/platform.ts'
import type { World } from '../../../service/world/world.ts'
import { People, worldOf } from '../../../testing/testbed/people/people.ts'
import { withPeople } from '../../../testing/testbed/routes/people-routes.ts'
import { Routes } from '../../../testing/testbed/routes/test-routes.ts'
import { openService, type Stage } from '../../../testing/testbed/stage/stage.ts'
import { loadInstalled } from '../base/stores.ts'
import { CommandError } from '../base/errors.ts'
import type { Io } from '../base/io.ts'
import type { BotsOfPage } from '../../page/questions/query.ts'

interface BotsOptions {
  readonly registry: CommandRegistry
  readonly authenticate: TokenCheck
  readonly applications: ApplicationDirectory
  readonly servers: readonly ServerInput[]
  readonly clock: MovingClock
  /** The day of Discord. Default: today. */
  readonly discord?: string | undefined
}

export type Bots = ReturnType<typeof botsOf>

/** @throws CommandError when the package `ws` is not installed */
export async function loadSockets(io: Io): Promise<WebSocketModule> {
  type Loaded = Partial<WebSocketModule> & { readonly Server?: WebSocketModule['WebSocketServer'] }
  const ws = (await loadInstalled(io, 'ws')) as (Loaded & { readonly default?: Loaded }) | undefined
  // A CommonJS module may have its exports below `default` only, and `ws` 7 has the class as `Server`.
  const all = { ...ws?.default, ...ws }
  const WebSocketServer = all.WebSocketServer ?? all.Server
  if (WebSocketServer !== undefined) return { WebSocketServer }
  throw new CommandError('bots that log in need the package "ws"; install it with "npm install ws"')
}

/** The service of a command, and its bots. @param ws without it, no bot can log in */
export function openServiceOfBots(ws: WebSocketModule | undefined, options: BotsOptions) {
  const { registry, authenticate, applications, clock } = options
  if (ws === undefined)
    return { ...openService({ registry, authenticate, applications, clock }), bots: undefined }
  const servers = options.servers.length === 0 ? [demoServer()] : options.servers
  const people = new People(worldOf(servers, clock, platformOn(options.discord)))
  let ownAddress = ''
  const service = openService(
    // A bot joins the servers of its application when it is first seen.
    { registry, authenticate: joining(options, people.world), applications, clock },
    {
      people,
      routes: new Routes({ id: '0', username: 'bot' }, () => 'answer it with POST /people/route'),
      deflate: nodeDeflate,
      // A redirected bot sends the real host, which cannot be reached here without TLS.
      gatewayAt: (host) =>
        host === null || !isHost(host) || /\bdiscord(?:app)?\./.test(host) ? ownAddress : `ws://${host}`,
    },
  )
  const bots = botsOf(service.stage, ws, (url) => (ownAddress = webSocketUrl(url)))
  return { ...service, bots }
}

function botsOf(stage: Stage, ws: WebSocketModule, listening: (url: string) => void) {
  const { session, gateway, sockets, people, routes, clock } = stage
  const loggedIn = () =>
    gateway.sessions.filter(({ connected }) => connected).map(({ applicationId }) => applicationId)
  const page: BotsOfPage = {
    get online() {
      return [...new Set(loggedIn())]
    },
    subscribe(listener) {
      let known = String(page.online)
      return session.traffic.subscribe(({ kind }) => {
        if (kind !== 'frame' || String(page.online) === known) return
        known = String(page.online)
        listener()
      })
    },
    clock: {
      get movesBots() {
        return clock.movesBots
      },
      advance: stage.advance,
      moves: stage.moves,
    },
  }
  return {
    page,
    people,
    listener: { gateway: sockets, ws },
    /** An exchange in which programs can answer routes that the service does not have. */
    withRoutes: (exchange: Exchange) => routes.around(exchange),
    /** Adds the routes below `/people/` to an exchange. */
    withPeople: (exchange: Exchange) => withPeople(exchange, stage),
    /** Sets the address of the service, such as `http://127.0.0.1:8787`, once it listens. */
    listening(url: string) {
      listening(url)
      stage.listening(url)
    },
    close: stage.close,
  }
}

/** Adds a bot to the servers of its application when it is first authenticated: later it may have left some. */
function joining({ authenticate, applications }: BotsOptions, world: World): TokenCheck {
  return async (credentials, place) => {
    const principal = await authenticate(credentials, place)
    if (principal?.type !== 'Bot') return principal
    const { applicationId: id } = principal
    const settings = await findSettings(applications, id)
    if (settings === undefined || world.seenBots.has(id)) return principal
    world.seenBots.set(id, true)
    const servers = world.servers.filter((server) => isAuthorizedIn(settings, server.id))
    addBot(world, { id, username: settings.name ?? `application ${id}` }, servers)
    return principal
  }
}
