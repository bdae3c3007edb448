/** A connection to Redis that gives up on a silent server, and connects again when it is next used. */
import type { NodeRedisClient } from '../storage/redis.ts'
import type { Limits } from './io.ts'
import { limited, TimeoutError } from './limited.ts'

/** A client of either driver. */
export interface DriverClient {
  connect(): PromiseLike<unknown>
  send(args: string[]): PromiseLike<unknown>
  /** Closes in order; may wait for the server. */
  close(): PromiseLike<unknown>
  /** Drops the connection at once. */
  destroy(): void
  /** Calls back when the connection is lost. */
  onLoss(listener: () => void): void
}

/**
 * Opens clients that do not reconnect by themselves: drivers reconnect in their own ways, and some give up for good
 * after a time-out.
 */
export class RedisConnection implements NodeRedisClient {
  readonly #open: () => DriverClient
  readonly #limits: Limits
  #client: Promise<DriverClient> | undefined

  constructor(open: () => DriverClient, limits: Limits) {
    this.#open = open
    this.#limits = limits
  }

  async sendCommand(args: string[]): Promise<unknown> {
    const opening = (this.#client ??= this.#connect())
    const client = await opening
    try {
      return await limited(client.send(args), this.#limits.query, `${args[0]} of Redis`)
    } catch (error) {
      if (error instanceof TimeoutError) this.#drop(client, opening)
      throw error
    }
  }

  async close(): Promise<void> {
    const client = await this.#client?.catch(() => undefined)
    if (client === undefined) return
    try {
      await limited(client.close(), this.#limits.connect, 'closing the connection to Redis')
    } catch {
      client.destroy()
    }
  }

  #connect(): Promise<DriverClient> {
    const client = this.#open()
    const connected = limited(client.connect(), this.#limits.connect, 'connecting to Redis').then(
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
