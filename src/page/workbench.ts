/** The workbench of `commandry serve`: its page, the questions behind it, and what happens while it is open. */
import { BotSession } from '../bot/session.ts'
import { parsedJson } from '../core/json.ts'
import { deadlineAfter, readBody } from '../http/body.ts'
import { isLoopbackHost } from '../http/hosts.ts'
import type { Exchange, Incoming, Outgoing } from '../core/http-message.ts'
import { json, refuse, refuseError, refuseMethod, withoutBody } from '../http/respond.ts'
import { RegistryError } from '../registry/error.ts'
import { connectBot } from './bot.ts'
import { page, pagePolicy } from './document.ts'
import { Query, type Context } from './query.ts'
import { postQuestions, readQuestions } from './questions.ts'
import { createRecorder, type Recorder } from './recorder.ts'

export interface WorkbenchOptions
  extends Pick<Context, 'registry' | 'store' | 'applications'>, Partial<Pick<Context, 'servers' | 'files'>> {
  /** Where the interactions of the page are sent. Default: nowhere, until the page names an endpoint. */
  readonly session?: BotSession
  /** The address of the endpoint at the start. Default: none. */
  readonly bot?: string
}

export interface Workbench {
  /** Answers `/` and `/ui/…`, and passes everything else on and records it. */
  wrap(exchange: Exchange): Exchange
  /** Ends the streams of open pages, so that a server can close. */
  close(): void
}

type Question = (query: Query, context: Context) => unknown

const reads = new Map(Object.entries<Question>(readQuestions))
const posts = new Map(Object.entries<Question>(postQuestions))

// A definition of 130 commands in every language has less than this.
const LIMITS = { bytes: 8 * 1024 * 1024, depth: 100, deadline: deadlineAfter(30_000) }

/**
 * A workbench for a registry. It answers without a token, so it is for this machine alone: a request under any
 * other name than this machine's, as a page of another origin could send it, gets 404.
 */
export function createWorkbench(options: WorkbenchOptions): Workbench {
  const { servers = [], registry } = options
  const settings = async (applicationId: string) =>
    (await registry.pickerSource({ applicationId })).application
  const { session = new BotSession({ applications: { get: settings } }) } = options
  const recorder = createRecorder(registry, session)
  const streams = liveStreams(recorder)
  const context: Context = {
    files: async () => [],
    ...options,
    servers,
    recorder,
    session,
    bot: connectBot(session, options.bot ?? ''),
  }

  async function respond(incoming: Incoming): Promise<Outgoing> {
    const { path, method } = incoming
    if (!isLoopbackHost(incoming.header('host'))) return refuse('not_found')
    const name = path.slice('/ui/'.length)
    const posted = posts.get(name)
    if (posted !== undefined)
      return method === 'POST' ? post(posted, incoming, context) : refuseMethod('POST')
    if (method !== 'GET' && method !== 'HEAD') return refuseMethod('GET, HEAD')
    if (path === '/') return document
    // Browsers say that a page of another site asks; programs do not send the header.
    const site = incoming.header('sec-fetch-site')
    if (site === 'cross-site' || site === 'same-site') return refuse('not_found')
    if (name === 'changes') return method === 'HEAD' ? refuseMethod('GET') : streams.open()
    const question = reads.get(name)
    if (question === undefined) return refuse('not_found')
    return ask(question, parsedJson(new URLSearchParams(incoming.query).get('q') ?? '{}'), context)
  }

  return {
    wrap(exchange) {
      const recorded = session.traffic.recording(exchange, recorder.watch)
      return async (incoming) => {
        const { path, method } = incoming
        if (path !== '/' && !path.startsWith('/ui/')) return recorded(incoming)
        const answer = await respond(incoming)
        const answered = { ...answer, headers: { ...answer.headers, ...ownHeaders } }
        return method === 'HEAD' ? withoutBody(answered) : answered
      }
    },
    close() {
      streams.close()
      recorder.close()
    },
  }
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

async function post(question: Question, incoming: Incoming, context: Context): Promise<Outgoing> {
  if (!isOwnOrigin(incoming)) return refuse('not_found')
  try {
    const { body } = await readBody(incoming, LIMITS, true)
    return await ask(question, body, context)
  } catch (error) {
    return refuseError(error, false)
  }
}

/** @param fields `undefined` for a text that is not JSON */
async function ask(question: Question, fields: unknown, context: Context): Promise<Outgoing> {
  if (fields === undefined) return refuse('invalid_json')
  try {
    return json((await question(new Query(fields), context)) ?? null)
  } catch (error) {
    const isUnavailable = error instanceof RegistryError && ['storage', 'busy'].includes(error.code)
    if (!isUnavailable && (error instanceof TypeError || error instanceof RegistryError))
      return { ...json({ message: error.message }), status: 400 }
    console.error(error)
    return refuseError(error, false)
  }
}

/** Pages beyond this number get no stream, but can still ask questions. */
const MAX_STREAMS = 50

/** Milliseconds between empty lines, which reveal closed connections. */
const HEARTBEAT = 15_000

/** Server-sent events for open pages: the notifications of a recorder. */
function liveStreams(recorder: Recorder): { open(): Outgoing; close(): void } {
  type Stream = ReadableStreamDefaultController<Uint8Array>
  const encoder = new TextEncoder()
  /** The open streams with the timers of their heartbeats. */
  const timers = new Map<Stream, ReturnType<typeof setInterval>>()
  const send = (stream: Stream, text: string) => stream.enqueue(encoder.encode(text))
  const end = (stream: Stream) => {
    clearInterval(timers.get(stream))
    timers.delete(stream)
  }
  recorder.subscribe((event) => {
    for (const stream of timers.keys()) send(stream, `data: ${JSON.stringify(event)}\n\n`)
  })
  return {
    open() {
      if (timers.size >= MAX_STREAMS) return { status: 503, headers: {}, body: null }
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
    close() {
      for (const stream of timers.keys()) {
        end(stream)
        stream.close()
      }
    },
  }
}
