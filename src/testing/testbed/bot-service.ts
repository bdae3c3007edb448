/** A service for one bot, on a free port of this machine. */
import { platformOn } from '../../model/platform.ts'
import { createEndpointKeys } from '../../interactions/bot/endpoint.ts'
import type { DefinitionBuilder } from '../../commands/definition/builder.ts'
import { commandKey, type ApplicationCommand, type CommandBody } from '../../model/command-definition.ts'
import { isEmbedded, openApplication, PRIVILEGED } from '../../model/application.ts'
import { withFiles } from '../../service/http/file-routes.ts'
import { handlerOf } from '../../service/http/web-handler.ts'
import { isSnowflake } from '../../core/snowflake.ts'
import type { TokenCheck } from '../../service/http/principal.ts'
import { Refused } from '../../service/refusals.ts'
import { isAppIn } from '../../service/world/installation.ts'
import type { World } from '../../service/world/world.ts'
import { webSocketUrl } from '../../service/node/gateway-sockets.ts'
import { GatewayCloseCode } from '../../service/gateway/frames.ts'
import { serve } from '../../service/node/serve.ts'
import { demoServer } from '../../model/demo-server.ts'
import type { ServerSettings } from '../../model/server.ts'
import { CommandRegistry } from '../../commands/registry/registry.ts'
import { globalScope, guildScope } from '../../commands/registry/scope.ts'
import { scene } from '../samples/scene.ts'
import { keepCoverage } from '../coverage/kept-coverage.ts'
import { People, worldOf } from './people/people.ts'
import { Routes } from './routes/test-routes.ts'
import { openService } from './stage/stage.ts'
import { BotPrograms, ClockOfBots } from './programs/bot-programs.ts'
import type { EndpointOfBot } from './bed.ts'
import type { TestbedOptions } from './testbed-options.ts'

const BOT_NAME = 'testbed'

/** The seed of the keys: always the same, so that a bot can be configured with the public key. */
const ENDPOINT_SEED = '01'.repeat(32)

/** Refuses the commands of a server that has not added the app (clause 1-03). @throws Refused 50001 */
function needAdded(world: World, guildId: string, applicationId: string): void {
  const server = world.server(guildId)
  if (server === undefined) throw new Refused('missing_access', `there is no server ${guildId}`)
  if (!isAppIn(world, guildId, applicationId))
    throw new Refused('missing_access', `the bot is not in ${server.name}`)
}

/**
 * A service for one bot, on a free port.
 *
 * @param isProgram whether the bot is a program whose servers are unknown: it may have commands of any
 */
export async function openBotService(options: TestbedOptions, clock: ClockOfBots, isProgram: boolean) {
  const { applicationId = scene.applicationId, flags = PRIVILEGED } = options
  const { commands, timeout, pace, endpoint } = options
  const applications = { get: (id: string) => ({ ...openApplication, id, flags, name: BOT_NAME }) }
  const registry = new CommandRegistry({ clock, applications })
  const names = deployedNames(registry)
  if (commands !== undefined)
    await registry.overwrite(
      globalScope(applicationId),
      commands as readonly (CommandBody | DefinitionBuilder)[],
    )
  // As when Activities are turned on: the commands that a test deploys may have an entry point of their own.
  if (isEmbedded({ flags })) await registry.enableActivities(applicationId)
  const people = new People(worldOf(options.servers ?? [demoServer()], clock, platformOn(options.discord)))
  const bot = { id: applicationId, username: BOT_NAME }
  const addBot = (server: ServerSettings) => people.addBot(bot, server, options.bot?.roles)
  people.servers.forEach(addBot)
  // Many bots have a token of their own in a file.
  const authenticate: TokenCheck = ({ type }, { applicationId: ofCommands, guildId }) => {
    if (type !== 'Bot') return undefined
    if (ofCommands !== null && guildId !== null && isSnowflake(guildId) && !isProgram)
      needAdded(people.world, guildId, applicationId)
    return { type, applicationId }
  }
  const keys = await createEndpointKeys(ENDPOINT_SEED)
  const delivered = endpoint === undefined ? undefined : endpointOf(endpoint, keys.privateKey)
  const routes = new Routes(bot, (route) => `answer it with bed.on('${route}', …)`, options.routes)
  let url = ''
  const { stage, answers, exchange } = openService(
    { registry, applications, authenticate, clock },
    {
      people,
      routes,
      gatewayAt: () => webSocketUrl(url),
      // All libraries end at this code; at others they try to connect again for ever, also after they were destroyed.
      closeCode: GatewayCloseCode.INVALID_SHARD,
      ...(delivered && { endpoint: delivered }),
      ...(timeout !== undefined && { timeout }),
      ...(pace !== undefined && { pace }),
    },
  )
  const { traffic } = stage.session
  const gateway = endpoint === undefined ? stage.gateway : undefined
  const serving = await serve({
    // What a test fetches is not a request of the bot.
    handler: handlerOf(
      withFiles(traffic.recording(routes.limiting(routes.around(exchange))), answers.conversations.files),
    ),
    // Any token is accepted.
    hosts: [],
    ...(gateway && { gateway: stage.sockets }),
    ...(options.ws && { ws: options.ws }),
  })
  url = serving.url
  stage.listening(url)
  answers.conversations.files.origin = url
  const programs = new BotPrograms(clock)
  const coverage = async () =>
    stage.coverage.coverageOf(await commandsOf(registry, applicationId, people.servers))
  return {
    coverage,
    ...{ applicationId, registry, names, people, addBot, routes, stage, traffic, gateway, url, programs },
    publicKey: keys.publicKey,
    endpoint: delivered,
    async close() {
      await keepCoverage(coverage)
      await programs.stop()
      clock.close()
      stage.close()
      await serving.close()
    },
  }
}

export type BotService = Awaited<ReturnType<typeof openBotService>>

/** The commands of an application: the global ones, and those of servers with names that no other has. */
async function commandsOf(
  registry: CommandRegistry,
  applicationId: string,
  servers: readonly ServerSettings[],
): Promise<readonly ApplicationCommand[]> {
  const scopes = [globalScope(applicationId), ...servers.map(({ id }) => guildScope(applicationId, id))]
  const lists = await Promise.all(scopes.map((scope) => registry.list(scope)))
  return [...new Map(lists.flat().map((command) => [commandKey(command), command])).values()]
}

/** The names of all deployed commands by id, kept up to date. */
function deployedNames(registry: CommandRegistry): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  registry.subscribe((event) => {
    if (event.type === 'command_deleted') names.delete(event.command.id)
    else if ('command' in event && event.type !== 'interaction_created')
      names.set(event.command.id, event.command.name)
  })
  return names
}

function endpointOf(endpoint: NonNullable<TestbedOptions['endpoint']>, privateKey: CryptoKey): EndpointOfBot {
  if (typeof endpoint !== 'function') return { url: endpoint, privateKey }
  const call: typeof fetch = async (url, init) => endpoint(new Request(url, init))
  return { url: 'http://bot.invalid/', privateKey, fetch: call }
}
