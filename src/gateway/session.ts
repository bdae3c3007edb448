/** The session of a bot. It keeps sent events, so that none is lost when the bot resumes. */
import { checkSnowflake } from '../core/snowflake.ts'
import type { ServerInput } from '../world/demo-server.ts'
import { GatewayOpcode } from './frames.ts'

/** The application of a token, and the data for its bot. */
export interface GatewayApplication {
  readonly id: string
  /** The name of the bot. Default: one that contains the id. */
  readonly name?: string
  /** `ApplicationFlag` bits. Default 0. */
  readonly flags?: number
  /**
   * The servers the bot is in, which READY names and whose events it gets. Absent: READY names none, and the bot gets
   * the events of every server.
   */
  readonly servers?: readonly ServerInput[]
}

/** @throws TypeError when the application or something in its servers has no valid id, without which no client works */
export function checkApplication({ id, servers = [] }: GatewayApplication): void {
  checkSnowflake(id, 'application.id')
  for (const [index, server] of servers.entries()) {
    const at = `servers[${index}]`
    checkSnowflake(server?.id, `${at}.id`)
    const { roles = [], channels = [], members = [] } = server
    for (const [list, items] of Object.entries({ roles, channels })) {
      for (const [item, one] of items.entries()) checkSnowflake(one?.id, `${at}.${list}[${item}].id`)
    }
    for (const [item, member] of members.entries())
      checkSnowflake(member?.user?.id, `${at}.members[${item}].user.id`)
  }
}

/** The largest number of kept events. A bot that missed more must identify again. */
const EVENTS_KEPT = 1_000
/** The largest number of characters of all kept events. */
const CHARACTERS_KEPT = 4 * 1024 * 1024

/** The connection of a session, which receives its frames. */
export interface SessionConnection {
  send(text: string): void
  /** Closes the connection. The session continues unless the code ends it. */
  close(code: number, reason: string): void
  /** Asks the client to reconnect and resume. */
  askToReconnect(): void
}

export class Session {
  readonly id: string
  readonly application: GatewayApplication
  readonly intents: number
  readonly shard: readonly [number, number] | null
  /** The connection; null while there is none. */
  connection: SessionConnection | null = null
  /** Stops the timer that ends a session without a connection. */
  stopExpiry: () => void = () => {}
  #seq = 0
  #kept: string[] = []
  #characters = 0

  constructor(
    id: string,
    application: GatewayApplication,
    { intents, shard }: { readonly intents: number; readonly shard: readonly [number, number] | null },
  ) {
    this.id = id
    this.application = application
    this.intents = intents
    this.shard = shard
  }

  /** The number of the last event. */
  get seq(): number {
    return this.#seq
  }

  /** Sends an event, or keeps it until the bot resumes. */
  dispatch(event: string, data: object): void {
    const text = JSON.stringify({ op: GatewayOpcode.DISPATCH, d: data, s: ++this.#seq, t: event })
    this.#kept.push(text)
    this.#characters += text.length
    while (this.#kept.length > EVENTS_KEPT || this.#characters > CHARACTERS_KEPT) {
      this.#characters -= this.#kept.shift()!.length
    }
    this.connection?.send(text)
  }

  /** The events after a number, in order; undefined if some of them were dropped. */
  since(seq: number): readonly string[] | undefined {
    const missed = this.#seq - seq
    return missed > this.#kept.length ? undefined : this.#kept.slice(this.#kept.length - missed)
  }

  /** Whether events of a server, or of no server (null), go to this session. */
  receives(guildId: string | null): boolean {
    const [id, count] = this.shard ?? [0, 1]
    return guildId === null ? id === 0 : Number((BigInt(guildId) >> 22n) % BigInt(count)) === id
  }
}
