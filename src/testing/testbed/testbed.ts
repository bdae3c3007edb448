/** A local service and people, for tests of a bot. */
import { argument, demandText, optionsOf } from '../../core/rules/arguments.ts'
import { optional } from '../../core/rules/readers.ts'
import { systemClock } from '../../core/clock.ts'
import { loadedClock, type MovingClock } from '../../core/timers.ts'
import { API_PATH } from '../../service/http/base-path.ts'
import { placeholderToken } from '../../service/http/placeholder-token.ts'
import { webSocketUrl } from '../../service/node/gateway-sockets.ts'
import { milliseconds, testClock } from '../samples/test-clock.ts'
import { checkedPersonOptions, serverOf } from './people/people.ts'
import { testbedServer } from './people/server-actions.ts'
import { accessOf } from './stage/bot-access.ts'
import { idVariables } from './programs/placeholders.ts'
import { ClockOfBots } from './programs/bot-programs.ts'
import { isListening } from './programs/listening.ts'
import { linesAfter, requestsAfter } from './answers/transcript.ts'
import { channelView } from './people/server-view.ts'
import { openBotService, type BotService } from './bot-service.ts'
import { checkedTestbedOptions, type TestbedOptions } from './testbed-options.ts'
import { partsOf, type Testbed } from './bed.ts'

const readSettledOptions = /* @__PURE__ */ optionsOf<{ readonly timeout?: number }>('settled', {
  timeout: optional(argument('a number of milliseconds', (value) => typeof value === 'number' && value > 0)),
})

/**
 * Starts the service on a free port of this machine. Gateway bots log in with `token`, at `rest` and `gateway`.
 *
 * @throws RegistryError `invalid` when a command is invalid
 * @throws Error when the gateway is used and the package `ws` is not installed
 */
export async function testbed(options: TestbedOptions = {}): Promise<Testbed> {
  return openTestbed(options, loadedClock() ?? standingClock())
}

/** A testbed with a clock. @param isProgram whether the bot is a program whose servers are unknown */
export async function openTestbed(
  options: TestbedOptions,
  given: MovingClock,
  isProgram = false,
): Promise<Testbed> {
  const clock = new ClockOfBots(given)
  const service = await openBotService(checkedTestbedOptions(options), clock, isProgram)
  const bed = bedOf(service)
  const { people, traffic, stage, gateway, endpoint } = service
  const isOnline = () => gateway?.sessions.some(({ connected }) => connected) ?? false
  const { move, watch } = stage
  partsOf.set(bed, { people, traffic, clock, move, watch, isOnline, endpoint })
  return bed
}

/** What a test does with a service. */
function bedOf(service: BotService): Testbed {
  const { applicationId, people, registry, names, routes, stage, traffic, gateway, url, close } = service
  const { watch } = stage
  const { world } = people
  let resetAt = 0
  return {
    rest: url + API_PATH,
    gateway: webSocketUrl(url),
    token: placeholderToken(applicationId),
    applicationId,
    publicKey: service.publicKey,
    registry,
    get people() {
      return people.byUsername
    },
    get requests() {
      return requestsAfter(traffic, resetAt)
    },
    as: (name, person = {}) =>
      stage.actorOf(people.participantOf(applicationId, name, checkedPersonOptions(person))),
    person: (name) => people.person(name),
    get server() {
      return testbedServer(people, people.server(undefined).id)
    },
    get servers() {
      return world.servers.map(({ id }) => testbedServer(people, id))
    },
    channel: (name, place) =>
      channelView(world, people.channel(name, people.server(serverOf('channel', place)))),
    directMessages: (name) => people.directMessages(name, applicationId),
    addServer(input) {
      const server = people.addServer(input)
      service.addBot(server)
      return testbedServer(people, server.id)
    },
    on: (route, handler, once) => routes.on(route, handler, once),
    rateLimit: (route, limit) =>
      routes.limit(route, { ...limit, clock: stage.clock.movesBots ? stage.clock : systemClock }),
    reset() {
      routes.reset()
      resetAt = traffic.lastId
    },
    run: (command) => runBot(service, command),
    async online() {
      const found = await watch.until(() => gateway?.sessions.find(({ connected }) => connected))
      if (found === undefined) throw watch.fail('not_connected', 'the bot did not log in in time')
      // Libraries are ready once they have read their servers.
      await watch.quiet.settled(watch.timeout)
    },
    async deployed(command) {
      demandText(command, 'command')
      const found = await watch.until(() => [...names.values()].find((name) => name === command))
      if (found === undefined) throw watch.fail('not_deployed', `the bot did not deploy ${command} in time`)
    },
    settled: async (given = {}) => stage.settled(readSettledOptions(given).timeout),
    drop() {
      for (const session of gateway?.sessions ?? []) session.drop()
    },
    async advance(duration) {
      const time = milliseconds(duration)
      if (!stage.clock.movesBots) warnOfStandingBot()
      await stage.advance(time)
    },
    access: () => accessOf(world, applicationId, stage.gateway.intentsOf(applicationId), names.size > 0),
    coverage: service.coverage,
    transcript: () => linesAfter(traffic, 0).join('\n'),
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Starts a bot as a program, and waits until it is ready. */
async function runBot(service: BotService, command: string): Promise<void> {
  demandText(command, 'command')
  const { applicationId, people, gateway, publicKey, endpoint, programs, url } = service
  const before = gateway?.sessions.map(({ id }) => id) ?? []
  const isConnected = () =>
    gateway?.sessions.some((one) => one.connected && !before.includes(one.id)) ?? false
  const isReady = async () =>
    endpoint === undefined || endpoint.fetch !== undefined ? isConnected() : isListening(endpoint.url)
  const ids = { applicationId, serverId: people.server(undefined).id }
  // Those of the shell may be of another bot.
  const env = idVariables(applicationId, ids.serverId, publicKey)
  return programs.start(command, { url, ...ids, publicKey, env }, isReady)
}

/** A clock that stands still until it is moved. Bots do not follow it. */
function standingClock(): MovingClock {
  const { now, advance } = testClock(systemClock.now())
  return {
    now,
    movesBots: false,
    advance(milliseconds, onStep) {
      advance(milliseconds)
      onStep?.()
      return Promise.resolve()
    },
  }
}

let hasWarned = false

/** Warns once that dates and timers of the bot stay as they are. */
function warnOfStandingBot(): void {
  if (hasWarned) return
  hasWarned = true
  process.emitWarning(
    'bed.advance moves the clock of the service, but not the timers and dates of the bot; load commandry/clock before the bot to move both',
    { code: 'COMMANDRY_CLOCK' },
  )
}
