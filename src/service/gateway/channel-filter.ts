/** Hides channels from a bot that may not view them, and brings them whole once it may (clause 6-06). */
import type { ServerInput } from '../../model/demo-server.ts'
import type { ServerState } from '../world/entities.ts'
import type { WorldEvent, WorldEventName } from '../world/world-events.ts'
import { hiddenChannel, visibleChannels, type WireChannel } from '../world/hidden-channels.ts'
import { guildChannel, guildOf } from '../world/wire.ts'
import { guildFor } from './intents.ts'

/** The events after which a bot may view other channels than before. */
const CHANGING: ReadonlySet<WorldEventName> = new Set<WorldEventName>([
  'GUILD_MEMBER_UPDATE',
  'GUILD_ROLE_UPDATE',
  'GUILD_ROLE_DELETE',
  'CHANNEL_CREATE',
  'CHANNEL_UPDATE',
  'CHANNEL_DELETE',
  'VOICE_STATE_UPDATE',
])

/** What a session has of the channels of its servers. */
export class ChannelFilter {
  readonly #botId: string
  readonly #intents: number
  readonly #serverOf: (id: string) => ServerInput | undefined
  readonly #now: () => number
  /** The channels that the bot has whole, by server. */
  readonly #visible = new Map<string, ReadonlySet<string>>()

  /** @param serverOf a server with the bot as it is now */
  constructor(
    bot: { readonly id: string; readonly intents: number },
    serverOf: (id: string) => ServerInput | undefined,
    now: () => number,
  ) {
    this.#botId = bot.id
    this.#intents = bot.intents
    this.#serverOf = serverOf
    this.#now = now
  }

  /** A server as the bot gets it when it logs in or joins. */
  guild(server: ServerInput): object {
    const visible = this.#look(server)
    this.#visible.set(server.id, visible)
    const guild = guildFor(guildOf(server, this.#botId), this.#botId, this.#intents)
    return { ...guild, channels: guild.channels.map((one) => shown(one as WireChannel, visible)) }
  }

  /** The data of an event for the bot, if that is not the data that others get; else null. */
  dataOf({ name, guildId, data }: WorldEvent): object | null {
    const server = guildId === null ? undefined : this.#serverOf(guildId)
    if (server === undefined) return null
    if (name === 'GUILD_CREATE') return this.guild(server)
    if (!isOfChannel(name)) return null
    // A deleted channel is as the bot knew it.
    const visible = name === 'CHANNEL_DELETE' ? this.#known(server.id) : this.#look(server)
    const channel = data as WireChannel
    return visible.has(channel.id) ? null : hiddenChannel(channel)
  }

  /** The channels that the bot may view since an event, whole, and those that it may not view any more, hidden. */
  changesAfter({ name, guildId, data }: WorldEvent): readonly object[] {
    const server = guildId === null || !CHANGING.has(name) ? undefined : this.#serverOf(guildId)
    if (server === undefined) return []
    const before = this.#known(server.id)
    const after = this.#look(server)
    this.#visible.set(server.id, after)
    const own = isOfChannel(name) ? (data as WireChannel).id : null
    return (server.channels ?? []).flatMap((channel, index) =>
      channel.id === own || before.has(channel.id) === after.has(channel.id)
        ? []
        : [shown(guildChannel(channel, server.id, index) as WireChannel, after)],
    )
  }

  #known(serverId: string): ReadonlySet<string> {
    return this.#visible.get(serverId) ?? new Set()
  }

  #look(server: ServerInput): ReadonlySet<string> {
    return visibleChannels(server as ServerState, this.#botId, this.#now())
  }
}

function isOfChannel(name: WorldEventName): boolean {
  return name === 'CHANNEL_CREATE' || name === 'CHANNEL_UPDATE' || name === 'CHANNEL_DELETE'
}

function shown(channel: WireChannel, visible: ReadonlySet<string>): object {
  return visible.has(channel.id) ? channel : hiddenChannel(channel)
}
