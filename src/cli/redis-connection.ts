/** A connection to Redis that closes when the server does not respond, and reconnects on the next use. */
import type { NodeRedisClient } from '../storage/redis.ts'
import { withTimeout, type IoLimits } from './io.ts'

/** A client of either driver. */
export interface DriverClient {
  connect(): PromiseLike<unknown>
  send(args: string[]): PromiseLike<unknown>
  /** Closes cleanly; may wait for the server. */
  close(): PromiseLike<unknown>
  /** Drops the connection at once. */
  destroy(): void
  /** Calls back when the connection is lost. */
  onLoss(listener: () => void): void
}

/**
 * Opens clients that do not reconnect by themselves: drivers differ in how they reconnect, and some stop for good after
 * a timeout.
 */
export class RedisConnection implements NodeRedisClient {
  readonly #open: () => DriverClient
  readonly #limits: IoLimits
  #client: Promise<DriverClient> | undefined

  constructor(open: () => DriverClient, limits: IoLimits) {
    this.#open = open
    this.#limits = limits
  }

  async sendCommand(args: string[]): Promise<unknown> {
    const opening = (this.#client ??= this.#connect())
    const client = await opening
    const drop = () => this.#drop(client, opening)
    return withTimeout(client.send(args), this.#limits.query, `${args[0]} of Redis`, drop)
  }

  async close(): Promise<void> {
    const client = await this.#client?.catch(() => undefined)
    if (client === undefined) return
    try {
      await withTimeout(client.close(), this.#limits.connect, 'closing the connection to Redis')
    } catch {
      client.destroy()
    }
  }

  #connect(): Promise<DriverClient> {
    const client = this.#open()
    const connected = withTimeout(client.connect(), this.#limits.connect, 'connecting to Redis').then(
      () => client,
    )
    client.onLoss(() => this.#forget(connected))
    connected.catch(() => {
      this.#drop(client, connected)
    })
    return connected
  }

  #drop(client: DriverClient, opening: Promise<DriverClient>): void {
    this.#forget(opening)
    try {
      client.destroy()
    } catch {
      // A client that never connected has nothing to drop.
    }
  }

  #forget(opening: Promise<DriverClient>): void {
    if (this.#client === opening) this.#client = undefined
  }
}
