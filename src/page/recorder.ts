/** The last requests that came in and the last interactions that went out, in memory. */
import type { ApplicationCommand } from '../command/definition.ts'
import { isObject } from '../core/json.ts'
import { counted } from '../core/text.ts'
import type { Outgoing, BodyRead, Exchange, Incoming } from '../http/message.ts'
import { readCredentials } from '../http/principal.ts'
import { differencesOf, differenceText } from '../registry/differences.ts'
import type { CommandEvent, PermissionsEvent, RegistryEvent } from '../registry/events.ts'
import type { CommandRegistry } from '../registry/registry.ts'
import { guildScope, scopeKey, scopeOf, type Scope } from '../registry/scope.ts'
import type { Notification, RecordedRequest } from './answers.ts'
import { fieldErrors } from './field-errors.ts'
import { parsedJson } from './json-text.ts'
import { typedName } from './typed-name.ts'

/** The most requests that are kept. */
const MOST_REQUESTS = 500
/** The most characters of a body that are kept. */
export const MOST_BODY = 65_536

/** An event that a write causes. */
type WriteEvent = CommandEvent | PermissionsEvent

/** A write that has no response yet. */
interface OpenWrite {
  /** The key of the scope that it writes to. */
  readonly scope: string
  readonly before: ReadonlyMap<string, ApplicationCommand>
  readonly events: WriteEvent[]
}

/** Records the requests of an exchange, with the events of its registry. */
export class Recorder {
  readonly #registry: CommandRegistry
  readonly #basePath: string
  readonly #requests: RecordedRequest[] = []
  readonly #openWrites = new Set<OpenWrite>()
  readonly #listeners = new Set<(notification: Notification) => void>()
  readonly #unsubscribe: () => void
  #lastId = 0

  constructor(registry: CommandRegistry, basePath: string) {
    this.#registry = registry
    this.#basePath = basePath
    this.#unsubscribe = registry.subscribe((event) => this.#receive(event))
  }

  /** All requests, oldest first. */
  all(): readonly RecordedRequest[] {
    return this.#requests
  }

  find(id: number): RecordedRequest | undefined {
    return this.#requests.find((request) => request.id === id)
  }

  clear(): void {
    this.#requests.length = 0
  }

  /** Calls a listener with every notification, until the returned function is called. */
  subscribe(listener: (notification: Notification) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  publish(notification: Notification): void {
    for (const listener of this.#listeners) listener(notification)
  }

  close(): void {
    this.#unsubscribe()
    this.#listeners.clear()
  }

  add(request: Omit<RecordedRequest, 'id'>): void {
    const id = ++this.#lastId
    this.#requests.push({ ...request, id })
    if (this.#requests.length > MOST_REQUESTS) this.#requests.shift()
    this.publish({ type: 'request', id })
  }

  /** An exchange that passes every request on and records it. */
  wrap(exchange: Exchange): Exchange {
    return async (incoming) => {
      const { method } = incoming
      const time = Date.now()
      const started = performance.now()
      const write = await this.#openWrite(incoming)
      let request: BodyRead = new Uint8Array()
      const answer = await exchange({
        method,
        path: incoming.path,
        query: incoming.query,
        header: (name) => incoming.header(name),
        body: async (most) => (request = await incoming.body(most)),
        abandon: () => incoming.abandon(),
      })
      if (write !== undefined) this.#openWrites.delete(write)
      const { events = [], before } = write ?? {}
      const { status } = answer
      const response = textOf(answer.body)
      this.add({
        time,
        direction: 'in',
        method,
        path: maskedPath(incoming),
        status,
        response,
        milliseconds: Math.round(performance.now() - started),
        credential: readCredentials(incoming.header('authorization'))?.type ?? '',
        summary: this.#pathHint(incoming, status) || summaryOf(status, response, events),
        events: events.map(eventText),
        request: typeof request === 'string' ? '' : textOf(request),
        changes: events.flatMap((event) => changesOf(event, before)),
      })
      return answer
    }
  }

  /** Collects the events of a write from now on; `undefined` for requests that write nothing. */
  async #openWrite({ method, path }: Incoming): Promise<OpenWrite | undefined> {
    const scope = method === 'GET' || method === 'HEAD' ? null : scopeOfPath(path)
    if (scope === null) return undefined
    // A store that cannot be read fails the request itself.
    const commands = await this.#registry.list(scope).catch(() => [])
    const before = new Map(commands.map((command) => [command.id, command]))
    const write: OpenWrite = { scope: scopeKey(scope), before, events: [] }
    this.#openWrites.add(write)
    return write
  }

  /** Assigns an event to the oldest open write in its scope. */
  #receive(event: RegistryEvent): void {
    if (event.type === 'interaction_created') return
    const scope =
      event.type === 'permissions_updated' ? guildScope(event.applicationId, event.guildId) : event.scope
    const key = scopeKey(scope)
    const write = [...this.#openWrites].find((one) => one.scope === key)
    write?.events.push(event)
    this.publish({ type: 'commands' })
  }

  /** The remedy for a path without the base path; empty for all others. */
  #pathHint({ path }: Incoming, status: number): string {
    if (status !== 404 || path.startsWith(`${this.#basePath}/`)) return ''
    return `the service answers below ${this.#basePath}`
  }
}

function scopeOfPath(path: string): Scope | null {
  const found = /\/applications\/([0-9]{1,20})(?:\/guilds\/([0-9]{1,20}))?\//.exec(path)
  try {
    if (found === null) return null
    return scopeOf(found[1]!, found[2])
  } catch {
    return null
  }
}

/** A path without the tokens of interactions and webhooks, and without characters that a terminal would act on. */
function maskedPath({ path, query }: Incoming): string {
  const whole = query === '' ? path : `${path}?${query}`
  return whole
    .slice(0, 300)
    .replace(/\/(interactions|webhooks)\/([^/?]+)\/[^/?]+/, '/$1/$2/…')
    .replace(/[^!-~…]/g, '?')
}

const decoder = new TextDecoder()

function textOf(body: Outgoing['body']): string {
  if (typeof body === 'string') return body.slice(0, MOST_BODY)
  return body instanceof Uint8Array ? decoder.decode(body.subarray(0, MOST_BODY)) : ''
}

function eventText(event: WriteEvent): string {
  if (event.type === 'permissions_updated') return `permissions_updated in ${event.guildId}`
  return `${event.type} ${typedName(event.command)}`
}

function changesOf(
  event: WriteEvent,
  before: ReadonlyMap<string, ApplicationCommand> | undefined,
): readonly string[] {
  if (event.type === 'permissions_updated') return []
  const after = event.command
  const label = typedName(after)
  if (event.type === 'command_created') return [`+ ${label}`]
  if (event.type === 'command_deleted') return [`- ${label}`]
  const old = before?.get(after.id)
  if (old === undefined) return [`~ ${label}`]
  const fields = Object.keys(after).filter((field) => field !== 'version')
  const differences = differencesOf({ before: old, after, fields })
  return [`~ ${label}`, ...differences.map((one) => `    ${differenceText(one)}`)]
}

function summaryOf(status: number, response: string, events: readonly WriteEvent[]): string {
  if (status >= 400) return problemText(response)
  const count = (type: WriteEvent['type']) => events.filter((event) => event.type === type).length
  const counts = [count('command_created'), count('command_updated'), count('command_deleted')]
  if (counts.some((number) => number > 0)) return `+${counts[0]} ~${counts[1]} -${counts[2]}`
  return count('permissions_updated') > 0 ? 'permissions' : ''
}

function problemText(response: string): string {
  const errors = fieldErrors(response).length
  if (errors > 0) return counted(errors, 'issue')
  const body = parsedJson(response)
  return isObject(body) && typeof body.message === 'string' ? body.message : ''
}
