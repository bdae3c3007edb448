/** A gateway without a network: the test advances the clock, and sockets are lists of sent frames. */
import { test } from 'vitest'
import { createGateway, type Gateway, type GatewayConnection, type GatewayOptions } from 'commandry/gateway'

export const APP = '1001'
export const GUILD = '2001'
export const TOKEN = 'secret'
export const SERVER = { id: GUILD, name: 'Demo', channels: [{ id: '4001', name: 'general', type: 0 }] }

export interface Frame {
  readonly op: number
  readonly d: any
  readonly s: number | null
  readonly t: string | null
}

/** A clock with timers that the test advances. */
export class Time {
  #now = 0
  readonly #waiting = new Set<{ readonly at: number; readonly task: () => void }>()

  now(): number {
    return this.#now
  }

  after(milliseconds: number, task: () => void): () => void {
    const timer = { at: this.#now + milliseconds, task }
    this.#waiting.add(timer)
    return () => void this.#waiting.delete(timer)
  }

  get waiting(): number {
    return this.#waiting.size
  }

  advance(milliseconds: number): void {
    const end = this.#now + milliseconds
    for (;;) {
      const [due] = [...this.#waiting].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)
      if (due === undefined) break
      this.#waiting.delete(due)
      this.#now = due.at
      due.task()
    }
    this.#now = end
  }
}

/** The client's side of one connection. */
export class Client {
  readonly frames: Frame[] = []
  readonly raw: (string | Uint8Array)[] = []
  closedWith: { readonly code: number; readonly reason: string } | null = null
  readonly connection: GatewayConnection

  constructor(gateway: Gateway, query = 'v=10&encoding=json', whenRead?: () => Promise<void>) {
    this.connection = gateway.open(
      {
        send: (data) => {
          this.raw.push(data)
          if (typeof data === 'string') this.frames.push(JSON.parse(data))
        },
        close: (code, reason) => {
          this.closedWith = { code, reason }
        },
        ...(whenRead && { whenRead }),
      },
      query,
      'ws://127.0.0.1:1',
    )
  }

  send(op: number, d: unknown): void {
    this.connection.receive(JSON.stringify({ op, d }))
  }

  /** The frames since the last call. */
  #read = 0
  next(): readonly Frame[] {
    const frames = this.frames.slice(this.#read)
    this.#read = this.frames.length
    return frames
  }

  get events(): readonly Frame[] {
    return this.frames.filter(({ op }) => op === 0)
  }
}

export type World = ReturnType<typeof world>

export function world(options: Partial<GatewayOptions> = {}) {
  const time = new Time()
  let sessions = 0
  const gateway = createGateway({
    authenticate: (token) => (token === TOKEN ? { id: APP, name: 'demo', servers: [SERVER] } : undefined),
    scheduler: time,
    sessionIds: () => `session-${++sessions}`,
    ...options,
  })
  const connect = (query?: string, whenRead?: () => Promise<void>) => new Client(gateway, query, whenRead)
  return {
    gateway,
    time,
    connect,
    /** A client whose IDENTIFY was accepted. */
    async login(identify: object = {}) {
      const client = connect()
      client.send(2, { token: TOKEN, intents: 1, properties: {}, ...identify })
      await settled()
      // What follows READY waits.
      if (client.events.length > 0) time.advance(50)
      return client
    },
  }
}

/** Tests of a gateway with default options: `it('…', async ({ login }) => …)`. */
export const it = test
  .extend('running', () => world())
  .extend('gateway', ({ running }) => running.gateway)
  .extend('time', ({ running }) => running.time)
  .extend('connect', ({ running }) => running.connect)
  .extend('login', ({ running }) => running.login)

/** Runs the callbacks of settled promises. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await Promise.resolve()
}

let ids = 8000
export function interaction(guildId: string | null = GUILD, application = APP) {
  const id = String(++ids)
  const place = guildId !== null && { guild_id: guildId }
  return { id, application_id: application, type: 2, token: `token-${id}`, ...place, data: { name: 'ping' } }
}
