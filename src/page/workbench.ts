/** The workbench of `commandry serve`: its page, the questions behind it, and what happens while it is open. */
import { BotSession } from '../bot/session.ts'
import { deadlineAfter, readBody } from '../http/body.ts'
import type { Outgoing, Exchange, Incoming } from '../http/message.ts'
import { isLoopbackHost } from '../http/hosts.ts'
import { json, refuse, refuseError, refuseMethod, withoutBody } from '../http/respond.ts'
import { RegistryError } from '../registry/error.ts'
import { BotConnection } from './bot.ts'
import { page, pagePolicy } from './document.ts'
import { parsedJson } from '../core/json.ts'
import { Query } from './query.ts'
import { access } from './questions/access.ts'
import { about } from './questions/about.ts'
import { command } from './questions/command.ts'
import { check, deployed, edit } from './questions/editor.ts'
import { picker, search } from './questions/picker.ts'
import { plan } from './questions/plan.ts'
import { exchanges, request, requests } from './questions/requests.ts'
import { translate, translations } from './questions/translations.ts'
import { act, answer, replies, suggest, use } from './questions/use.ts'
import { Recorder } from './recorder.ts'
import { sampleCommands } from './samples.ts'
import { liveStreams } from './stream.ts'
import type { Context } from './viewer.ts'

export interface WorkbenchOptions extends Pick<Context, 'registry' | 'store' | 'applications'> {
  /** Servers with names; without any there is a demo server. */
  readonly servers?: Context['servers']
  /** Where the interactions of the page are sent. Default: nowhere, until the page names an endpoint. */
  readonly session?: BotSession
  /** The address of the endpoint at the start. Default: none. */
  readonly bot?: string
  /** Reads the files with definitions that the Editor offers. Default: none. */
  readonly files?: Context['files']
}

/** The page in front of a service. */
export interface Workbench {
  /** Answers `/` and `/ui/…`, and passes everything else on and records it. */
  wrap(exchange: Exchange): Exchange
  /** Ends the streams of open pages, so that a server can close. */
  close(): void
}

type Question = (query: Query, context: Context) => unknown

/** The questions of GET requests. */
const readQuestions: ReadonlyMap<string, Question> = new Map(
  Object.entries<Question>({
    about,
    command,
    deployed,
    exchanges,
    picker,
    requests,
    search,
    translations,
    bot: (_query, { bot }) => bot.state(),
    files: (_query, { files }) => files(),
    samples: () => sampleCommands,
  }),
)

/** The questions of POST requests. */
const postQuestions: ReadonlyMap<string, Question> = new Map(
  Object.entries<Question>({
    access,
    act,
    answer,
    check,
    edit,
    plan,
    replies,
    request,
    suggest,
    translate,
    use,
    clear: (_query, { session }) => session.traffic.clear(),
    connect: (query, { bot }) => bot.connect(query.text('url').trim(), query.id('app')),
  }),
)

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
  const recorder = new Recorder(registry, session)
  const streams = liveStreams(recorder)
  const context: Context = {
    files: async () => [],
    ...options,
    servers,
    recorder,
    session,
    bot: new BotConnection(session, options.bot ?? ''),
  }

  async function respond(incoming: Incoming): Promise<Outgoing> {
    const { path, method } = incoming
    if (!isLoopbackHost(incoming.header('host'))) return refuse('not_found')
    const name = path.slice('/ui/'.length)
    const posted = postQuestions.get(name)
    if (posted !== undefined) {
      return method === 'POST' ? post(posted, incoming, context) : refuseMethod('POST')
    }
    if (method !== 'GET' && method !== 'HEAD') return refuseMethod('GET, HEAD')
    if (path === '/') return document
    if (isForeign(incoming)) return refuse('not_found')
    if (name === 'changes') return method === 'HEAD' ? refuseMethod('GET') : streams.open()
    const question = readQuestions.get(name)
    return question === undefined ? refuse('not_found') : ask(question, addressFields(incoming), context)
  }

  return {
    wrap(exchange) {
      const recorded = session.traffic.recording(exchange, recorder.watch)
      return async (incoming) => {
        const { path, method } = incoming
        if (path !== '/' && !path.startsWith('/ui/')) return recorded(incoming)
        const answered = withOwnHeaders(await respond(incoming))
        return method === 'HEAD' ? withoutBody(answered) : answered
      }
    },
    close() {
      streams.close()
      recorder.close()
    },
  }
}

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

/** Keeps other sites from reading an answer as a script, a style or an image. */
function withOwnHeaders(answer: Outgoing): Outgoing {
  const own = { 'X-Content-Type-Options': 'nosniff', 'Cross-Origin-Resource-Policy': 'same-origin' }
  return { ...answer, headers: { ...answer.headers, ...own } }
}

/** Whether a browser says that a page of another site asks. Programs do not send the header. */
function isForeign(incoming: Incoming): boolean {
  return ['cross-site', 'same-site'].includes(incoming.header('sec-fetch-site') ?? '')
}

/** Whether a POST comes from the page itself: browsers say so in one of two headers. */
function isOwnOrigin(incoming: Incoming): boolean {
  const site = incoming.header('sec-fetch-site')
  return site === null
    ? incoming.header('origin') === `http://${incoming.header('host')}`
    : site === 'same-origin'
}

/** The fields of a question in the address; `undefined` if they are not JSON. */
function addressFields({ query }: Incoming): unknown {
  return parsedJson(new URLSearchParams(query).get('q') ?? '{}')
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

async function ask(question: Question, fields: unknown, context: Context): Promise<Outgoing> {
  if (fields === undefined) return refuse('invalid_json')
  try {
    return json((await question(new Query(fields), context)) ?? null)
  } catch (error) {
    if (error instanceof RegistryError && (error.code === 'storage' || error.code === 'busy')) {
      console.error(error)
      return refuse(error.code)
    }
    if (error instanceof TypeError || error instanceof RegistryError) {
      return { ...json({ message: error.message }), status: 400 }
    }
    console.error(error)
    return refuse('server_fault')
  }
}
