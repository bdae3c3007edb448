/** The last requests that came in and the last interactions that went out, in memory. */
import type { ApplicationCommand } from '../command/definition.ts'
import { isObject } from '../core/json.ts'
import type { Change, Exchanged } from './answers.ts'
import { fieldErrors } from './field-errors.ts'
import { typedName } from './typed-name.ts'
import { counted } from '../core/text.ts'
import type { Outgoing, BodyRead, Exchange, Incoming } from '../http/message.ts'
import { readCredentials } from '../http/principal.ts'
import { differencesOf, differenceText } from '../registry/differences.ts'
import type { RegistryEvent } from '../registry/events.ts'
import type { CommandRegistry } from '../registry/registry.ts'
import { globalScope, guildScope, type Scope } from '../registry/scope.ts'

// Rows that are kept, and characters of a body.
const MOST_ROWS = 500
const MOST_BODY = 65_536

interface Pending {
  readonly scope: Scope | null
  readonly before: ReadonlyMap<string, ApplicationCommand>
  readonly events: RegistryEvent[]
}

/** Records what passes an exchange, and what its registry publishes. */
export class Recorder {
  readonly #registry: CommandRegistry
  readonly #basePath: string
  readonly #rows: Exchanged[] = []
  readonly #pending = new Set<Pending>()
  readonly #listeners = new Set<(change: Change) => void>()
  readonly #unsubscribe: () => void
  #last = 0

  constructor(registry: CommandRegistry, basePath: string) {
    this.#registry = registry
    this.#basePath = basePath
    this.#unsubscribe = registry.subscribe((event) => this.#hear(event))
  }

  /** Every exchange with its bodies, oldest first. */
  all(): readonly Exchanged[] {
    return this.#rows
  }

  find(id: number): Exchanged | undefined {
    return this.#rows.find((row) => row.id === id)
  }

  clear(): void {
    this.#rows.length = 0
  }

  /** Calls a listener with every change; what it returns ends that. */
  subscribe(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Passes a change on to every listener. */
  tell(change: Change): void {
    for (const listener of this.#listeners) listener(change)
  }

  close(): void {
    this.#unsubscribe()
    this.#listeners.clear()
  }

  /** Adds an exchange that went out. */
  add(row: Omit<Exchanged, 'id'>): void {
    this.#keep(row)
  }

  /** An exchange that passes everything on and keeps a record of it. */
  wrap(exchange: Exchange): Exchange {
    return async (incoming) => {
      const time = Date.now()
      const started = performance.now()
      const pending = await this.#start(incoming)
      let request: BodyRead = new Uint8Array()
      const answer = await exchange({
        method: incoming.method,
        path: incoming.path,
        query: incoming.query,
        header: (name) => incoming.header(name),
        body: async (most) => (request = await incoming.body(most)),
        abandon: () => incoming.abandon(),
      })
      this.#pending.delete(pending)
      const changes = pending.events.flatMap((event) => changesOf(event, pending.before))
      const { status } = answer
      const response = textOf(answer.body)
      this.#keep({
        ...{ time, direction: 'in', method: incoming.method, path: masked(incoming), status },
        milliseconds: Math.round(performance.now() - started),
        credential: readCredentials(incoming.header('authorization'))?.type ?? '',
        summary: summaryOf(answer, response, pending.events, this.#hint(incoming, status)),
        events: pending.events.map(eventText),
        ...{ request: typeof request === 'string' ? '' : textOf(request), response, changes },
      })
      return answer
    }
  }

  async #start({ method, path }: Incoming): Promise<Pending> {
    const scope = method === 'GET' || method === 'HEAD' ? null : scopeOf(path)
    const before = new Map<string, ApplicationCommand>()
    if (scope !== null) {
      // What cannot be read now is answered with its own error in a moment.
      const list = await this.#registry.list(scope).catch(() => [])
      for (const command of list) before.set(command.id, command)
    }
    const pending: Pending = { scope, before, events: [] }
    if (scope !== null) this.#pending.add(pending)
    return pending
  }

  /** An event belongs to the oldest write that is under way in its scope. */
  #hear(event: RegistryEvent): void {
    if (event.type === 'interaction_created') return
    const [applicationId, guildId] =
      event.type === 'permissions_updated'
        ? [event.applicationId, event.guildId]
        : [event.scope.applicationId, event.scope.kind === 'guild' ? event.scope.guildId : undefined]
    for (const { scope, events } of this.#pending) {
      const same = scope?.applicationId === applicationId
      if (!same || (scope.kind === 'guild' ? scope.guildId : undefined) !== guildId) continue
      events.push(event)
      break
    }
    this.tell({ type: 'commands' })
  }

  #keep(row: Omit<Exchanged, 'id'>): void {
    const id = ++this.#last
    this.#rows.push({ ...row, id })
    if (this.#rows.length > MOST_ROWS) this.#rows.shift()
    this.tell({ type: 'request', id })
  }

  /** What to do about a path that the service does not have. */
  #hint({ path }: Incoming, status: number): string {
    if (status !== 404 || path.startsWith(`${this.#basePath}/`)) return ''
    return `the service answers below ${this.#basePath}`
  }
}

function scopeOf(path: string): Scope | null {
  const found = /\/applications\/([0-9]{1,20})(?:\/guilds\/([0-9]{1,20}))?\//.exec(path)
  try {
    if (found === null) return null
    return found[2] === undefined ? globalScope(found[1]!) : guildScope(found[1]!, found[2])
  } catch {
    return null
  }
}

/** A path without the tokens of interactions and webhooks, and without characters that a terminal would act on. */
function masked({ path, query }: Incoming): string {
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

function eventText(event: RegistryEvent): string {
  if (event.type === 'permissions_updated') return `permissions_updated in ${event.guildId}`
  return `${event.type} ${typedName(event.command)}`
}

function changesOf(event: RegistryEvent, before: ReadonlyMap<string, ApplicationCommand>): readonly string[] {
  if (
    event.type !== 'command_created' &&
    event.type !== 'command_updated' &&
    event.type !== 'command_deleted'
  ) {
    return []
  }
  const { command: after } = event
  const label = typedName(after)
  if (event.type === 'command_created') return [`+ ${label}`]
  if (event.type === 'command_deleted') return [`- ${label}`]
  const old = before.get(after.id)
  if (old === undefined) return [`~ ${label}`]
  const fields = Object.keys(after).filter((field) => field !== 'version')
  return [
    `~ ${label}`,
    ...differencesOf({ before: old, after, fields }).map((one) => `    ${differenceText(one)}`),
  ]
}

function summaryOf(
  { status }: Outgoing,
  response: string,
  events: readonly RegistryEvent[],
  hint: string,
): string {
  if (hint !== '') return hint
  if (status >= 400) return problemText(response)
  const count = (type: RegistryEvent['type']) => events.filter((event) => event.type === type).length
  const counts = [count('command_created'), count('command_updated'), count('command_deleted')]
  if (counts.some((number) => number > 0)) return `+${counts[0]} ~${counts[1]} -${counts[2]}`
  return count('permissions_updated') > 0 ? 'permissions' : ''
}

function problemText(response: string): string {
  try {
    const body: unknown = JSON.parse(response)
    if (!isObject(body)) return ''
    const issues = fieldErrors(body.errors).length
    if (issues > 0) return counted(issues, 'issue')
    return typeof body.message === 'string' ? body.message : ''
  } catch {
    return ''
  }
}
