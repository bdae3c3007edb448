/** The last requests that came in and the last interactions that went out, in memory. */
import { typedName } from '../authoring/words.ts'
import type { ApplicationCommand } from '../command/definition.ts'
import { BoundedMap } from '../core/bounded-map.ts'
import { Emitter } from '../core/emitter.ts'
import { isObject, parsedJson } from '../core/json.ts'
import { maskBody, maskPath } from '../core/mask.ts'
import { counted } from '../core/text.ts'
import type { BodyRead, Exchange, Incoming } from '../http/message.ts'
import { readCredentials } from '../http/principal.ts'
import { differencesOf, differenceText } from '../registry/differences.ts'
import type { CommandEvent, PermissionsEvent, RegistryEvent } from '../registry/events.ts'
import type { CommandRegistry } from '../registry/registry.ts'
import { guildScope, scopeKey, scopeOf, type Scope } from '../registry/scope.ts'
import type { Notification, RecordedRequest, SavedRequest } from './answers.ts'
import { fieldErrors, problemsIn } from './problems.ts'

/** The most requests that are kept. */
const MOST_REQUESTS = 500
/** The most characters of all bodies that are kept. */
const MOST_CHARACTERS = 16 * 1024 * 1024

function sizeOf({ request, response }: RecordedRequest): number {
  return Math.max(request.length + response.length, Math.floor(MOST_CHARACTERS / MOST_REQUESTS))
}

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
  readonly #requests = new BoundedMap<number, SavedRequest>(MOST_CHARACTERS, sizeOf)
  readonly #openWrites = new Set<OpenWrite>()
  readonly #notifications = new Emitter<Notification>((error) => console.error(error))
  readonly #unsubscribe: () => void
  #lastId = 0

  constructor(registry: CommandRegistry) {
    this.#registry = registry
    this.#unsubscribe = registry.subscribe((event) => this.#receive(event))
  }

  /** All requests, oldest first. */
  all(): readonly SavedRequest[] {
    return [...this.#requests.values()]
  }

  find(id: number): RecordedRequest | undefined {
    return this.#requests.get(id)
  }

  clear(): void {
    this.#requests.clear()
  }

  /** Calls a listener with every notification, until the returned function is called. */
  subscribe(listener: (notification: Notification) => void): () => void {
    return this.#notifications.add(listener)
  }

  publish(notification: Notification): void {
    this.#notifications.publish([notification])
  }

  close(): void {
    this.#unsubscribe()
  }

  /** @param request its path and bodies without secrets */
  add(request: Omit<RecordedRequest, 'id'>): void {
    const id = ++this.#lastId
    const recorded = { ...request, id }
    // Here, because validating every refused body again for each list takes long.
    const codes = [...new Set(problemsIn(recorded).map(({ code }) => code))]
    this.#requests.set(id, { ...recorded, codes })
    this.publish({ type: 'request', id })
  }

  /** An exchange that passes every request on and records it. */
  wrap(exchange: Exchange): Exchange {
    return async (incoming) => {
      const { method } = incoming
      const time = Date.now()
      const started = performance.now()
      const write = await this.#openWrite(incoming)
      let body: BodyRead = new Uint8Array()
      const answer = await exchange({
        method,
        path: incoming.path,
        query: incoming.query,
        header: (name) => incoming.header(name),
        body: async (most) => (body = await incoming.body(most)),
        abandon: () => incoming.abandon(),
      })
      if (write !== undefined) this.#openWrites.delete(write)
      const { events = [], before } = write ?? {}
      const { status } = answer
      const response = answer.body instanceof ReadableStream ? '' : maskBody(answer.body ?? '')
      this.add({
        time,
        direction: 'in',
        method,
        path: maskPath(incoming.path, incoming.query),
        status,
        response,
        milliseconds: Math.round(performance.now() - started),
        credential: readCredentials(incoming.header('authorization'))?.type ?? '',
        summary: summaryOf(status, response, events),
        events: events.map(eventText),
        request: typeof body === 'string' ? '' : maskBody(body),
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
