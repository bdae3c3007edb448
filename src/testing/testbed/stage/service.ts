/** The service as the testbed, `commandry serve` and `--run` host it: its routes, and the bots and people of its servers. */
import { BotSession } from '../../../interactions/bot/bot-session.ts'
import { pendingAnswers, type PendingAnswers } from '../../../interactions/bot/pending.ts'
import type { Exchange } from '../../../core/http-message.ts'
import { createExchange } from '../../../service/http/exchange.ts'
import { worldRoutes } from '../../../service/http/world/world-routes.ts'
import { openStage, type Stage, type StageOptions } from './stage.ts'

/** What serves the commands. */
type CommandOptions = Pick<StageOptions, 'registry' | 'applications' | 'authenticate' | 'clock'>

/** The people of the servers, and how bots are reached. */
interface ServerOptions extends Omit<StageOptions, keyof CommandOptions | 'answers'> {
  /** The address of the gateway, for a client that used this name of the service. */
  readonly gatewayAt: (host: string | null) => string
}

interface OpenService<OwnStage extends Stage | undefined> {
  readonly answers: PendingAnswers
  readonly session: BotSession
  /** The routes of commands, and those of the servers. */
  readonly exchange: Exchange
  readonly stage: OwnStage
}

/** @param servers without it, the service has the routes of commands alone, and no bot logs in */
export function openService(commands: CommandOptions, servers: ServerOptions): OpenService<Stage>
export function openService(commands: CommandOptions, servers?: ServerOptions): OpenService<Stage | undefined>
export function openService(
  commands: CommandOptions,
  servers?: ServerOptions,
): OpenService<Stage | undefined> {
  const { clock, ...rest } = commands
  const answers = pendingAnswers({ clock, bot: (id) => servers?.people.world.user(id) })
  const served = { ...rest, answers }
  if (servers === undefined) {
    const session = new BotSession({ ...served, clock })
    return { answers, session, exchange: createExchange(served), stage: undefined }
  }
  const { gatewayAt, ...bots } = servers
  const stage = openStage({ ...served, clock, ...bots })
  const { world } = servers.people
  const sessionStartLimit = (applicationId: string) => stage.gateway.sessionStartLimit(applicationId)
  const exchange = createExchange({ ...served, world, gateway: gatewayAt, sessionStartLimit }, worldRoutes)
  return { answers, session: stage.session, exchange, stage }
}
