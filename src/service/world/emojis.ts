/** Emojis of servers and of applications. */
import { logChange } from './audit-log.ts'
import type { OwnEmoji } from './entities.ts'
import { hasBot } from './installation.ts'
import { guildEmoji } from './wire.ts'
import { known, type World } from './world.ts'

type EmojiFields = Pick<OwnEmoji, 'name' | 'roles' | 'animated' | 'user'>

/** The emojis of a server or an application, and how they are replaced. */
export interface EmojiHolder {
  readonly emojis: readonly OwnEmoji[]
  readonly replace: (emojis: readonly OwnEmoji[]) => void
  /** The server whose audit log has the change; null for an application. */
  readonly serverId: string | null
}

export function serverEmojis(world: World, serverId: string): EmojiHolder {
  const { emojis } = known(world.server(serverId))
  const replace = (all: readonly OwnEmoji[]) => {
    world.change(serverId, () => ({ emojis: all }))
    world.publish('GUILD_EMOJIS_UPDATE', serverId, { guild_id: serverId, emojis: all.map(guildEmoji) })
  }
  return { emojis, replace, serverId }
}

export function applicationEmojis(world: World, applicationId: string): EmojiHolder {
  const emojis = world.applicationEmojis.get(applicationId) ?? []
  return { emojis, replace: (all) => void world.applicationEmojis.set(applicationId, all), serverId: null }
}

/** Whether an application may use a custom emoji: it is its own, or of a server of its bot. */
export function hasEmoji(world: World, applicationId: string, emojiId: string): boolean {
  const ofServers = world.servers.filter(({ id }) => hasBot(world, id, applicationId))
  const all = [...ofServers.map(({ emojis }) => emojis), world.applicationEmojis.get(applicationId) ?? []]
  return all.some((emojis) => emojis.some(({ id }) => id === emojiId))
}

export function addEmoji(
  world: World,
  { emojis, replace, serverId }: EmojiHolder,
  fields: EmojiFields,
): OwnEmoji {
  const emoji = { ...fields, id: world.nextId() }
  replace([...emojis, emoji])
  if (serverId !== null) logChange(world, serverId, 'EMOJI_CREATE', emoji.id, null, { name: emoji.name })
  return emoji
}

export function setEmoji(
  world: World,
  { emojis, replace, serverId }: EmojiHolder,
  before: OwnEmoji,
  changes: Partial<Pick<OwnEmoji, 'name' | 'roles'>>,
): OwnEmoji {
  const emoji = { ...before, ...changes }
  replace(emojis.map((one) => (one.id === emoji.id ? emoji : one)))
  if (serverId !== null) logChange(world, serverId, 'EMOJI_UPDATE', emoji.id, before, emoji)
  return emoji
}

export function dropEmoji(
  world: World,
  { emojis, replace, serverId }: EmojiHolder,
  { id, name }: OwnEmoji,
): void {
  replace(emojis.filter((one) => one.id !== id))
  if (serverId !== null) logChange(world, serverId, 'EMOJI_DELETE', id, { name }, null)
}
