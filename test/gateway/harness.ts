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
  readonly #tasks = new Map<number, { readonly at: number; readonly task: () => void }>()
  #next = 0

  now(): number {
    return this.#now
  }

  after(milliseconds: number, task: () => void): () => void {
    const key = this.#next++
    this.#tasks.set(key, { at: this.#now + milliseconds, task })
    return () => void this.#tasks.delete(key)
  }

  get waiting(): number {
    return this.#tasks.size
  }

  advance(milliseconds: number): void {
    const end = this.#now + milliseconds
    for (;;) {
      const due = [...this.#tasks].filter(([, { at }]) => at <= end).sort(([, a], [, b]) => a.at - b.at)[0]
      if (due === undefined) break
      this.#tasks.delete(due[0])
      this.#now = due[1].at
      due[1].task()
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

  constructor(gateway: Gateway, query = 'v=10&encoding=json') {
    this.connection = gateway.open(
      {
        send: (data) => {
          this.raw.push(data)
          if (typeof data === 'string') this.frames.push(JSON.parse(data))
        },
        close: (code, reason) => {
          this.closedWith = { code, reason }
        },
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
  const connect = (query?: string) => new Client(gateway, query)
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
export const it = test.extend<World & { readonly running: World }>({
  running: ({}, use) => use(world()),
  gateway: ({ running }, use) => use(running.gateway),
  time: ({ running }, use) => use(running.time),
  connect: ({ running }, use) => use(running.connect),
  login: ({ running }, use) => use(running.login),
})

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
