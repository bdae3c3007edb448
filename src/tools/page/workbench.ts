/** The workbench of `commandry serve`: its page, the questions behind it, and what happens while it is open. */
import { systemClock } from '../../core/clock.ts'
import type { JsonObject } from '../../core/json.ts'
import { completeServer, demoServer } from '../../model/demo-server.ts'
import { followAnswers } from '../../service/world/messages.ts'
import { World } from '../../service/world/world.ts'
import { People } from '../../testing/testbed/people/people.ts'
import { deadlineAfter, readBody } from '../../service/http/body.ts'
import { isLoopbackHost } from '../../service/http/hosts.ts'
import type { Exchange, Incoming, Outgoing } from '../../core/http-message.ts'
import { json, refuse, refuseError, refuseMethod, withoutBody } from '../../service/http/respond.ts'
import { Refused } from '../../service/refusals.ts'
import { scopeKey, type Scope } from '../../commands/registry/scope.ts'
import { RegistryError } from '../../commands/registry/registry-error.ts'
import type { Recording, RecordingSource } from '../../testing/recording/recording.ts'
import { connectBot } from './questions/bot.ts'
import { page, pagePolicy } from './document.ts'
import { Query, type Context } from './questions/query.ts'
import { questions } from './questions/questions.ts'
import { createRecorder, scopeOfPath, type Recorder } from './questions/recorder.ts'
import { createUses } from './questions/uses.ts'

export interface WorkbenchOptions extends Omit<
  Context,
  'bot' | 'people' | 'recording' | 'uses' | 'isOverwritten'
> {
  /** The servers of a gateway, and the people in them. Default: servers of the page's own. */
  readonly people?: People
  /** Default: nothing can be recorded, as in a page without a server. */
  readonly openRecording?: (source: RecordingSource) => Recording
  /** The address of the bot's endpoint at the start; empty for none. */
  readonly bot: string
}

export type Workbench = ReturnType<typeof createWorkbench>

type Question = (query: Query, context: Context) => unknown

const questionsByName = new Map(Object.entries<Question>(questions))

// A definition of 130 commands in every language has less than this.
const LIMITS = { bytes: 8 * 1024 * 1024, deadline: deadlineAfter(30_000) }

/**
 * A workbench for a registry. It answers without a token, so it is for this machine alone: a request under any
 * other name than this machine's, as a page of another origin could send it, gets 404.
 */
export function createWorkbench(options: WorkbenchOptions) {
  const { registry, session } = options
  const { people = ownPeople(options) } = options
  const uses = createUses(session, people.world)
  const { bots, kept, tests } = options
  const recorder = createRecorder(registry, session, { world: people.world, uses, bots, kept, tests })
  const streams = liveStreams(recorder)
  const bot = connectBot(session, options.bot)
  const recording = options.openRecording?.({ session, people, moves: options.bots?.clock.moves })
  /** By the path of a command list, the start of the program in which a request from outside the page overwrote it. */
  const overwritten = new Map<string, number>()
  const isOverwritten = (scope: Scope) =>
    kept?.state.isBot === true && overwritten.get(scopeKey(scope)) === kept.state.starts
  const context: Context = { ...options, bot, people, uses, isOverwritten, ...(recording && { recording }) }

  async function respond(incoming: Incoming): Promise<Outgoing> {
    const { path, method } = incoming
    if (!isLoopbackHost(incoming.header('host'))) return refuse('not_found')
    const name = path.slice('/ui/'.length)
    const question = questionsByName.get(name)
    if (question !== undefined)
      return method === 'POST' ? answer(question, incoming, context) : refuseMethod('POST')
    if (method !== 'GET' && method !== 'HEAD') return refuseMethod('GET, HEAD')
    if (path === '/') return document
    // Browsers say that a page of another site asks; programs do not send the header.
    const site = incoming.header('sec-fetch-site')
    if (name !== 'changes' || site === 'cross-site' || site === 'same-site') return refuse('not_found')
    return method === 'HEAD' ? refuseMethod('GET') : streams.open()
  }

  return {
    /** Answers `/` and `/ui/…`, and passes everything else on and records it. */
    wrap(exchange: Exchange): Exchange {
      const recorded = session.traffic.recording(exchange, recorder.watch)
      return async (incoming) => {
        const { path, method } = incoming
        if (path !== '/' && !path.startsWith('/ui/')) {
          const starts = kept?.state.starts ?? 0
          const answer = await recorded(incoming)
          const scope = method === 'PUT' && path.endsWith('/commands') ? scopeOfPath(path) : null
          if (scope !== null && answer.status === 200 && !isOwnOrigin(incoming))
            overwritten.set(scopeKey(scope), starts)
          return answer
        }
        const answer = await respond(incoming)
        const answered = { ...answer, headers: { ...answer.headers, ...ownHeaders } }
        return method === 'HEAD' ? withoutBody(answered) : answered
      }
    },
    subscribe: recorder.subscribe,
    /** The pages that are open and visible: others have no stream. */
    get pages(): number {
      return streams.count
    },
    /** Ends the streams of open pages, so that a server can close. */
    close(): void {
      streams.close()
      recorder.close()
      uses.close()
      recording?.stop()
    },
  }
}

/** People of the servers of the configuration, which no bot has joined. */
function ownPeople({ servers, session }: WorkbenchOptions): People {
  const world = new World(servers.length === 0 ? [demoServer()] : servers.map(completeServer), systemClock)
  followAnswers(world, session.messages)
  return new People(world)
}

/** Keep other sites from reading an answer as a script, a style or an image. */
const ownHeaders = { 'X-Content-Type-Options': 'nosniff', 'Cross-Origin-Resource-Policy': 'same-origin' }

const document: Outgoing = {
  status: 200,
  headers: {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': pagePolicy,
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-cache',
  },
  body: page,
}

/** Whether a POST comes from the page itself: browsers say so in one of two headers. */
function isOwnOrigin(incoming: Incoming): boolean {
  const site = incoming.header('sec-fetch-site')
  if (site !== null) return site === 'same-origin'
  return incoming.header('origin') === `http://${incoming.header('host')}`
}

async function answer(question: Question, incoming: Incoming, context: Context): Promise<Outgoing> {
  if (!isOwnOrigin(incoming)) return refuse('not_found')
  try {
    const { body } = await readBody(incoming, LIMITS, true)
    return json((await question(new Query(body as JsonObject), context)) ?? null)
  } catch (error) {
    const isUnavailable = error instanceof RegistryError && ['storage', 'busy'].includes(error.code)
    if (!isUnavailable && (error instanceof TypeError || error instanceof RegistryError))
      return { ...json({ message: error.message }), status: 400 }
    if (!(error instanceof Refused)) console.error(error)
    return refuseError(error, false)
  }
}

/** Pages beyond this number get no stream, but can still ask questions. */
const MAX_STREAMS = 50

/** Milliseconds between empty lines, which reveal closed connections. */
const HEARTBEAT = 15_000

/** Server-sent events for open pages: the notifications of a recorder. */
function liveStreams(recorder: Recorder): { open(): Outgoing; readonly count: number; close(): void } {
  type Stream = ReadableStreamDefaultController<Uint8Array>
  const encoder = new TextEncoder()
  /** The open streams with the timers of their heartbeats. */
  const timers = new Map<Stream, ReturnType<typeof setInterval>>()
  let isClosed = false
  const send = (stream: Stream, text: string) => stream.enqueue(encoder.encode(text))
  const end = (stream: Stream) => {
    clearInterval(timers.get(stream))
    timers.delete(stream)
  }
  recorder.subscribe((event) => {
    for (const stream of timers.keys()) send(stream, `data: ${event}\n\n`)
  })
  return {
    open() {
      // A page connects again as long as its server listens.
      if (isClosed || timers.size >= MAX_STREAMS) return { status: 503, headers: {}, body: null }
      let stream: Stream
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          stream = controller
          timers.set(stream, setInterval(send, HEARTBEAT, stream, ':\n\n'))
          send(stream, 'retry: 1000\n\n')
        },
        cancel: () => end(stream),
      })
      const headers = { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' }
      return { status: 200, headers, body }
    },
    get count() {
      return timers.size
    },
    close() {
      isClosed = true
      for (const stream of timers.keys()) {
        end(stream)
        stream.close()
      }
    },
  }
}
