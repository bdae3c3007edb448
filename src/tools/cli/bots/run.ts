/** `--run`: a program of the user beside a service on this machine, and the commands that it deploys there. */
import { commandKey } from '../../../model/command-definition.ts'
import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { maskPath } from '../../../interactions/bot/mask.ts'
import type { Origin } from '../../authoring/findings.ts'
import {
  withBody,
  type BodyRead,
  type Exchange,
  type Incoming,
  type Outgoing,
} from '../../../core/http-message.ts'
import { isObject, parsedJson } from '../../../core/json.ts'
import { counted, endOfProcess, printable } from '../../../core/text.ts'
import { openAccess } from '../../../service/http/principal.ts'
import { handlerOf } from '../../../service/http/web-handler.ts'
import { serve } from '../../../service/node/serve.ts'
import { openDirectory } from '../../../commands/registry/directory.ts'
import { openProcessClock, type ProcessClock } from '../../../testing/clock/process-clock.ts'
import { CommandRegistry } from '../../../commands/registry/registry.ts'
import { scopeKey, type Scope } from '../../../commands/registry/scope.ts'
import { loadSockets, openServiceOfBots } from './bots.ts'
import { buildAdvice } from '../definitions/run-advice.ts'
import { CommandError } from '../base/errors.ts'
import { warn, withProgress, type Io } from '../base/io.ts'
import { applicationIn, serverIn } from '../../../testing/testbed/programs/placeholders.ts'
import { missingRoutes, type NotSeen } from '../../../model/not-seen.ts'
import { routeTemplate } from '../../../testing/testbed/routes/test-routes.ts'
import { programServer, startBesideService } from './program.ts'

/** A registry that keeps the bodies it is given. */
class Arrivals extends CommandRegistry {
  readonly #lists = new Map<string, { readonly scope: Scope; bodies: readonly unknown[] }>()
  /** Counts what has arrived. */
  changes = 0
  /** Whether the last arrival was one command, after which others may follow. */
  isSingle = false

  override overwrite(scope: Scope, bodies: unknown): ReturnType<CommandRegistry['overwrite']> {
    this.isSingle = false
    this.#keep(scope, () => (Array.isArray(bodies) ? bodies : [bodies]))
    return super.overwrite(scope, bodies)
  }

  override upsert(scope: Scope, body: unknown): ReturnType<CommandRegistry['upsert']> {
    this.isSingle = true
    this.#keep(scope, (list) => [...list.filter((other) => keyOf(other) !== keyOf(body)), body])
    return super.upsert(scope, body)
  }

  override async edit(scope: Scope, commandId: string, body: unknown): ReturnType<CommandRegistry['edit']> {
    const { id, version, application_id, ...current } = await this.get(scope, commandId)
    this.#keep(scope, (list) => {
      const old = list.find((other) => keyOf(other) === keyOf(current)) ?? current
      const edited = { ...(old as object), ...(isObject(body) && body) }
      return list.includes(old) ? list.map((each) => (each === old ? edited : each)) : [...list, edited]
    })
    return super.edit(scope, commandId, body)
  }

  override async delete(scope: Scope, commandId: string): Promise<void> {
    const current = await this.get(scope, commandId)
    this.#keep(scope, (list) => list.filter((other) => keyOf(other) !== keyOf(current)))
    return super.delete(scope, commandId)
  }

  get count(): number {
    return this.deployed.reduce((sum, { source }) => sum + source.definitions.length, 0)
  }

  /** The commands of each scope, also those that the service refused. */
  get deployed() {
    return [...this.#lists.values()].map(({ scope, bodies }) => ({
      scope,
      source: {
        file: scope.kind === 'global' ? 'global commands' : `commands of server ${scope.guildId}`,
        text: null,
        definitions: bodies.map((body, index) => ({ body, path: [index] })),
        fault: null,
        isList: true,
      } satisfies Origin,
    }))
  }

  #keep(scope: Scope, change: (list: readonly unknown[]) => readonly unknown[]): void {
    const key = scopeKey(scope)
    this.changes++
    this.#lists.set(key, { scope, bodies: change(this.#lists.get(key)?.bodies ?? []) })
  }
}

/** Commands of one type and name replace each other. A body without a name is never the same as another. */
function keyOf(body: unknown): unknown {
  return isObject(body) && typeof body.name === 'string' ? commandKey(body) : {}
}

const ONLINE_POLL = 100

// A bot that has not deployed yet may be logging in, and a script may pause between commands that it creates one by one,
// so they may be quiet for longer.
const LOGIN = 10

/** Milliseconds of the clock of a bot that pass at once when it is silent. */
const NEXT_MINUTE = 60_000

/** Bytes of a request that changes commands. */
const MAX_BODY = 8 * 1024 * 1024

/** How a program ended or was stopped, and the kind of gap that this leaves in the commands that it has deployed. */
type Ending = readonly [how: string, gap?: 'program' | 'silence']

/** What a program deploys, and what it may have deployed or tried to deploy beside that. */
interface Deployed {
  readonly deployed: Arrivals['deployed']
  readonly notSeen: readonly NotSeen[]
}

/** The surroundings of a program whose only server has this id. */
export function inServer(io: Io, serverId: string | undefined): Io {
  return serverId === undefined ? io : { ...io, env: { ...io.env, GUILD_ID: serverId } }
}

/**
 * The commands that a program deploys: it runs until it ends, or until it has deployed and sends no more requests.
 *
 * @param say what the owner of the server writes once a bot is logged in
 * @throws CommandError when it deploys nothing
 */
export async function deployedBy(
  io: Io,
  command: string,
  isVerbose: boolean,
  say: readonly string[] = [],
): Promise<Deployed> {
  const { limits } = io
  const registry = new Arrivals()
  const servers = [programServer(io)]
  const clock = await openProcessClock()
  // A program that only deploys needs no gateway.
  const sockets = await loadSockets(io).catch(() => undefined)
  const { bots, exchange } = openServiceOfBots(sockets, {
    ...{ registry, authenticate: openAccess(), applications: openDirectory },
    ...{ servers, clock },
  })
  const withRoutes = bots?.withRoutes(exchange) ?? exchange
  const traffic = watchTraffic(io, registry, clock, withRoutes)
  const handler = handlerOf(bots?.withPeople(traffic.exchange) ?? traffic.exchange)
  const serving = await serve({ handler, hosts: [], ...bots?.listener })
  bots?.listening(serving.url)
  const service = { url: serving.url, applicationId: applicationIn(io.env), clock }
  const program = startBesideService(io, command, service, isVerbose ? 'stderr' : 'keep')
  if (bots !== undefined) void sayAll(serving.url, say)
  const lastLines = () => (isVerbose ? '' : program.lines())
  const ended = program.ended.then((code): Ending => {
    return code === 0 ? [endOfProcess(code)] : [endOfProcess(code), 'program']
  })
  const interrupted = io.interrupted().then((): never => {
    throw new CommandError('interrupted')
  })
  const silent = LOGIN * limits.quiet
  const silentTimer = setTimeout(() => {
    if (traffic.requests > 0) return
    const advice = 'a server that only listens deploys with another program or script, so name that'
    warn(io, `${printable(command)} runs, but has sent nothing for ${silent / 1_000} s; ${advice}`)
  }, silent)
  let outcome: Ending
  let deployed: Arrivals['deployed']
  try {
    const text = () => `${command}: ${counted(registry.count, 'command')} so far`
    outcome = await withProgress(io, text, Promise.race([ended, traffic.stopped, interrupted]))
    // A bot may delete its commands when it is stopped.
    deployed = registry.deployed
  } finally {
    await program.stop()
    clearTimeout(silentTimer)
    traffic.close()
    bots?.close()
    clock.close()
    await serving.close()
  }
  const [how, gap] = outcome
  if (deployed.every(({ source }) => source.definitions.length === 0)) {
    const last = lastLines()
    const head = `${printable(command)} deployed no command and ${how}${buildAdvice(io.cwd, program.lines())}`
    // The program's own words are mostly the reason.
    const words = last === '' ? '' : `. Its last lines:\n${last}\n`
    const why = whyNothing(traffic, program.lines(), sockets !== undefined, serverIn(io.env))
    throw new CommandError([head + words, why].filter(Boolean).join(words === '' ? '; ' : ''))
  }
  // Why it failed is in the program's own words.
  if (gap === 'program') warn(io, [`${printable(command)} ${how}`, lastLines()].filter(Boolean).join('\n'))
  const ofEnd = gap === undefined ? [] : [{ kind: gap, name: command, reason: how }]
  return { deployed, notSeen: [...ofEnd, ...traffic.refused.values(), ...missingRoutes(traffic.routes)] }
}

/** Watches the requests of a program. `stopped` resolves when it sends none for a while, or runs for too long. */
function watchTraffic({ limits }: Io, registry: Arrivals, clock: ProcessClock, exchange: Exchange) {
  const traffic = {
    ...{ requests: 0, lastRefusal: '', hasLoggedIn: false, routes: new Map<string, number>() },
    /** The refused requests that would have changed commands, until the same request is accepted. */
    refused: new Map<string, NotSeen>(),
  }
  let stop: (outcome: Ending) => void = () => {}
  const stopped = new Promise<Ending>((resolve) => (stop = resolve))
  let quietTimer: NodeJS.Timeout | undefined
  const lateTimer = setTimeout(
    () => stop([`was stopped after ${limits.run / 1_000} s; more commands may be missing`, 'program']),
    limits.run,
  ).unref()
  const answer = async (incoming: Incoming) => {
    traffic.requests++
    let body: BodyRead | undefined
    const response = await exchange(withBody(incoming, async (most) => (body = await incoming.body(most))))
    const name = `${incoming.method} ${maskPath(incoming.path)}`
    if (response.isUnmatched) {
      const route = routeTemplate(name)
      traffic.routes.set(route, (traffic.routes.get(route) ?? 0) + 1)
    }
    if (response.status >= 400) traffic.lastRefusal = `${name} (${response.status})`
    if (isDeploy(incoming)) {
      // A request without a token is refused before its body is read.
      body ??= await incoming.body(MAX_BODY)
      const digest = createHash('sha256').update(body).digest('hex')
      const reason = refusalOf(incoming, response)
      // A library sends the same request again, such as after a limit.
      if (reason === undefined) traffic.refused.delete(`${name} ${digest}`)
      else traffic.refused.set(`${name} ${digest}`, { kind: 'request', name, reason })
    }
    traffic.hasLoggedIn ||= /\/gateway(?:\/bot)?$/.test(incoming.path)
    clearTimeout(quietTimer)
    const mayGoOn = registry.count === 0 || (registry.isSingle && !traffic.hasLoggedIn)
    const quiet = mayGoOn ? LOGIN * limits.quiet : limits.quiet
    quietTimer = setTimeout(() => void endSilence(`sent no request for ${quiet / 1_000} s`), quiet)
    return response
  }
  const endSilence = async (how: string) => {
    const { changes } = registry
    // Of a script, only its end is the end. A bot goes on for ever, so its silence after a whole list is its end, unless
    // a timer of its next minute deploys more.
    const isBot = traffic.hasLoggedIn && !registry.isSingle && clock.movesBots
    const isDone = isBot && (await hasPassed(clock, LOGIN * limits.quiet))
    if (registry.changes === changes) stop(isDone ? [how] : [`${how} and was stopped`, 'silence'])
  }
  return Object.assign(traffic, {
    stopped,
    exchange: answer,
    close() {
      clearTimeout(quietTimer)
      clearTimeout(lateTimer)
    },
  })
}

/** Moves the clock of a bot to its next minute. @returns false if that takes too long, or the bot does not come to rest */
async function hasPassed(clock: ProcessClock, milliseconds: number): Promise<boolean> {
  const end = new AbortController()
  const late = delay(milliseconds, false, { signal: end.signal }).catch(() => false)
  const moved = clock.advance(NEXT_MINUTE).then(
    () => true,
    () => false,
  )
  return Promise.race([moved, late]).finally(() => end.abort())
}

const CHANGING = ['POST', 'PUT', 'PATCH', 'DELETE']

/** Whether a request is to change commands. */
function isDeploy({ method, path }: Incoming): boolean {
  return CHANGING.includes(method) && /\/commands(?:\/\d+)?\/?$/.test(path)
}

/** Why a request changed nothing that it was to change; undefined if it did. A deletion of a command that is already gone changed what it was to change. */
function refusalOf({ method }: Incoming, { status, body }: Outgoing): string | undefined {
  if (status < 400 || (method === 'DELETE' && status === 404)) return undefined
  const { message } = (typeof body === 'string' ? parsedJson(body) : {}) as { message?: unknown }
  return `refused with ${status}${typeof message === 'string' ? `, ${message}` : ''}`
}
/** Writes as the owner, once a bot is logged in. */
async function sayAll(url: string, texts: readonly string[]): Promise<void> {
  const post = async (action: string, body: object): Promise<unknown> => {
    const answer = await fetch(`${url}/people/${action}`, { method: 'POST', body: JSON.stringify(body) })
    return answer.json()
  }
  const isOnline = async () =>
    ((await post('online', {})) as { connected: boolean }[]).some(({ connected }) => connected)
  try {
    while (texts.length > 0 && !(await isOnline())) await delay(ONLINE_POLL)
    for (const content of texts) await post('say', { as: 'alan', content })
  } catch {
    // The program has ended before.
  }
}

interface Traffic {
  readonly requests: number
  /** The last request that the service refused, and its status. */
  readonly lastRefusal: string
  readonly hasLoggedIn: boolean
}

/** Lines of a runtime, npm, the compiler or a shell about a failure, which is then the reason. */
const FAILURES = [
  /^ *at .*:\d+:\d+\)?$/m,
  // Node ends the report of an uncaught error with its version; the calls inside Node are not among the last lines.
  /^ *(?:Node\.js|Bun) v\d/m,
  /\bat file:\/\//,
  /^ *(?:Syntax|Indentation|Import|ModuleNotFound|Name)Error: /m,
  /can't open file/,
  /npm (?:error|ERR!)/,
  /\berror TS\d+:/,
  /^ *\S*sh: .*(?:not found|denied)$/m,
]

/**
 * What is known beside the program's own words, and the remedy.
 *
 * @param last the last lines of the program's output
 * @param serverId the only server of the program
 */
function whyNothing(
  { requests, lastRefusal, hasLoggedIn }: Traffic,
  last: string,
  hasSockets: boolean,
  serverId: string,
): string {
  if (requests === 0 && FAILURES.some((failure) => failure.test(last)))
    return 'it ended before it sent a request'
  if (requests === 0)
    return 'no request of it arrived. Programs of other runtimes than Node, Bun and Deno must use the address in COMMANDRY_URL; for Python see docs/recipes/discord-py.md of this package'
  const refused = lastRefusal && `; the last one that was refused: ${printable(lastRefusal)}`
  const [, server] = /\/guilds\/(\d+) \(404\)$/.exec(lastRefusal) ?? []
  const head = `it sent ${counted(requests, 'request')}${refused}`
  if (server !== undefined) return `${head}; add --guild ${server} to give it this server`
  const saying = hasLoggedIn
    ? `; its only server is ${serverId}: if it deploys to another, name that with --guild; if a message makes it deploy, add --say "!sync"`
    : ''
  return head + (hasSockets ? saying : '; bots that log in need the package "ws": npm install ws')
}
