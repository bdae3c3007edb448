/** `--run`: a program of the user beside a service on this machine, and the commands that it deploys there. */
import { setTimeout as delay } from 'node:timers/promises'
import { maskPath } from '../bot/mask.ts'
import { pendingAnswers } from '../bot/pending.ts'
import type { Source } from '../authoring/findings.ts'
import { systemClock } from '../core/clock.ts'
import { isObject } from '../core/json.ts'
import { counted, printable } from '../core/text.ts'
import { createExchange } from '../http/exchange.ts'
import { openAccess } from '../http/principal.ts'
import { handlerOf } from '../http/web-handler.ts'
import { serve } from '../node/serve.ts'
import { demoServer } from '../server/demo-server.ts'
import { openDirectory } from '../registry/directory.ts'
import { CommandRegistry } from '../registry/registry.ts'
import { scopeKey, type Scope } from '../registry/scope.ts'
import { loadSockets, openBots } from './bots.ts'
import { CommandError } from './errors.ts'
import { warn, withProgress, type Io } from './io.ts'
import { programApplication, programServer, startProgram } from './program.ts'

/** A registry that keeps the bodies it is given. */
class Arrivals extends CommandRegistry {
  readonly #lists = new Map<string, { readonly scope: Scope; bodies: readonly unknown[] }>()
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
      } satisfies Source,
    }))
  }

  #keep(scope: Scope, change: (list: readonly unknown[]) => readonly unknown[]): void {
    const key = scopeKey(scope)
    this.#lists.set(key, { scope, bodies: change(this.#lists.get(key)?.bodies ?? []) })
  }
}

/** Commands of one type and name replace each other. A body without a name is never the same as another. */
function keyOf(body: unknown): unknown {
  return isObject(body) && typeof body.name === 'string' ? `${String(body.type ?? 1)} ${body.name}` : {}
}

const ONLINE_POLL = 100
/** Alan, an administrator. */
const OWNER = '3003'

// A bot that has not deployed yet may be logging in, and a script may pause between commands that it creates one by one,
// so they may be quiet for longer.
const LOGIN = 10

/** Why a program was stopped, or its exit code. */
type Outcome = number | null | 'quiet' | 'late' | 'interrupted'

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
): Promise<Arrivals['deployed']> {
  const registry = new Arrivals()
  const servers = [{ ...demoServer(programServer(io)), owner_id: OWNER }]
  const answers = pendingAnswers({ clock: systemClock })
  const options = { registry, authenticate: openAccess(), applications: openDirectory, answers }
  // A program that only deploys needs no gateway.
  const sockets = await loadSockets(io).catch(() => undefined)
  const bots = sockets && openBots(sockets, { ...options, servers })
  const exchange = createExchange({ ...options, ...bots?.exchange })
  const traffic = { requests: 0, refusal: '', hasSockets: sockets !== undefined }
  let hasLoggedIn = false
  let quietTimer: NodeJS.Timeout | undefined
  let stop: (outcome: Outcome) => void = () => {}
  const stopped = new Promise<Outcome>((resolve) => (stop = resolve))
  const withPeople = bots?.withPeople(exchange) ?? exchange
  const handler = handlerOf(async (incoming) => {
    if (incoming.path.startsWith('/people/')) return withPeople(incoming)
    traffic.requests++
    const answer = await exchange(incoming)
    if (answer.status >= 400)
      traffic.refusal = `${incoming.method} ${maskPath(incoming.path)} (${answer.status})`
    hasLoggedIn ||= /\/gateway(?:\/bot)?$/.test(incoming.path)
    clearTimeout(quietTimer)
    const mayGoOn = registry.count === 0 || (registry.isSingle && !hasLoggedIn)
    const factor = mayGoOn ? LOGIN : 1
    quietTimer = setTimeout(() => stop('quiet'), factor * io.limits.quiet)
    return answer
  })
  const serving = await serve({ handler, ...bots?.listener })
  bots?.listening(serving.url)
  const service = { url: serving.url, applicationId: programApplication(io) }
  const program = startProgram(io, command, service, isVerbose ? 'stderr' : 'keep')
  if (bots !== undefined) void sayAll(serving.url, say)
  const lateTimer = setTimeout(() => stop('late'), io.limits.run)
  void io.interrupted().then(() => stop('interrupted'))
  let outcome: Outcome
  let deployed: Arrivals['deployed']
  try {
    const text = () => `${command}: ${counted(registry.count, 'command')} so far`
    outcome = await withProgress(io, text, Promise.race([program.ended, stopped]))
    // A bot may delete its commands when it is stopped.
    deployed = registry.deployed
  } finally {
    await program.stop()
    clearTimeout(quietTimer)
    clearTimeout(lateTimer)
    bots?.close()
    await serving.close()
  }
  const last = isVerbose ? '' : program.lines().trimEnd()
  if (outcome === 'interrupted') throw new CommandError('interrupted')
  if (deployed.every(({ source }) => source.definitions.length === 0))
    throw new CommandError(
      `${printable(command)} ${whyNothing(io, outcome, { ...traffic, last })}${last && `\n${last}`}`,
    )
  if (typeof outcome === 'number' && outcome !== 0)
    warn(io, `${printable(command)} ended with code ${outcome}\n${last}`)
  if (outcome === 'late')
    warn(
      io,
      `${printable(command)} was stopped after ${io.limits.run / 1_000} s; more commands may be missing`,
    )
  return deployed
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
    for (const content of texts) await post('say', { as: OWNER, content })
  } catch {
    // The program has ended before.
  }
}

interface Traffic {
  readonly requests: number
  /** The last request that the service refused, and its status. */
  readonly refusal: string
  /** Whether a bot can log in. */
  readonly hasSockets: boolean
  /** The last lines of its output. */
  readonly last: string
}

/** Lines of Node, npm and the compiler about a failure, which is then the reason. */
const FAILURE = /^ *at .*:\d+:\d+\)?$|npm error|\berror TS\d+:/m

function whyNothing({ limits }: Io, outcome: Outcome, traffic: Traffic): string {
  const { requests, refusal, hasSockets, last } = traffic
  const ends: Readonly<Record<string, string>> = {
    quiet: `sent no request for ${(LOGIN * limits.quiet) / 1_000} s`,
    late: `was stopped after ${limits.run / 1_000} s`,
    null: 'was ended by a signal',
  }
  const end = `deployed no command and ${ends[String(outcome)] ?? `ended with code ${outcome}`}`
  if (requests === 0 && FAILURE.test(last)) return `${end}, before it sent a request:`
  if (requests === 0)
    return `${end}; no request of it arrived. Programs of other runtimes than Node, Bun and Deno must use the address in COMMANDRY_URL`
  const refused = refusal && `; the last one that was refused: ${printable(refusal)}`
  const [, server] = /\/guilds\/(\d+) \(404\)$/.exec(refusal) ?? []
  if (server !== undefined) return `${end}${refused}; set GUILD_ID=${server} to give it this server`
  const saying = outcome === 'quiet' ? '; if a message makes it deploy, add --say "!sync"' : ''
  const remedy = hasSockets ? saying : '; bots that log in need the package "ws": npm install ws'
  return `${end} after ${counted(requests, 'request')}${refused}${remedy}`
}
