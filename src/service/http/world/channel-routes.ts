/** The endpoints of channels and their overwrites. */
import {
  listOf,
  nullable,
  objectOf,
  optional,
  orNull,
  partial,
  type Reader,
  type ValuesOf,
} from '../../../core/rules/readers.ts'
import { ChannelType } from '../../../model/command-types.ts'
import { PermissionFlag } from '../../../model/permission-flags.ts'
import { HIDDEN_CHANNELS } from '../../../model/platform.ts'
import { isThread, type ChannelOverwrite, type ServerChannel } from '../../../model/server.ts'
import { createChannel, deleteChannel, setChannel, setOverwrite } from '../../world/channels.ts'
import {
  isDirect,
  type AnyChannel,
  type ChannelState,
  type ForumTag,
  type Thread,
} from '../../world/entities.ts'
import { visibleChannels } from '../../world/hidden-channels.ts'
import { showTyping } from '../../world/messages.ts'
import { deleteThread, isForum } from '../../world/threads.ts'
import { directChannel, guildChannel, threadChannel } from '../../world/wire.ts'
import { invalidField, Refused } from '../../refusals.ts'
import { CHANNEL, GUILD } from './paths.ts'
import { bits, flag, id, integer, oneOfNumbers, text } from '../../world/body-fields.ts'
import { changeThread } from './thread-fields.ts'
import { row, type Visit, type WorldRoute } from './visit.ts'

const CHANNELS = `${GUILD}/channels`
const OVERWRITE = `${CHANNEL}/permissions/{overwrite.id}`
const MANAGE_ROLES = ['MANAGE_ROLES'] as const
const MANAGE_CHANNELS = ['MANAGE_CHANNELS'] as const
/** Forums have longer ones. */
const MAX_TOPIC = 1_024
const MAX_CHANNELS = 500
const TAGS_MAX = 20
const MAX_OVERWRITES = 1_000

const TEXT_TYPES: readonly number[] = [
  ChannelType.GUILD_TEXT,
  ChannelType.GUILD_ANNOUNCEMENT,
  ChannelType.GUILD_FORUM,
  ChannelType.GUILD_MEDIA,
]

const overwriteFields = { type: oneOfNumbers(0, 1), allow: nullable(bits), deny: nullable(bits) } as const
const overwrite = objectOf({ id, ...overwriteFields })

const tag = objectOf({
  id: nullable(id),
  name: text(1, 20),
  moderated: nullable(flag),
  emoji_id: nullable(id),
  emoji_name: nullable(text(1, 32)),
})

const name = text(1, 100)
const channelFields = partial(optional, {
  topic: orNull(text(0, 4096)),
  nsfw: orNull(flag),
  parent_id: orNull(id),
  position: orNull(integer(0, 10_000)),
  rate_limit_per_user: orNull(integer(0, 21_600)),
  bitrate: orNull(integer(8_000, 384_000)),
  user_limit: orNull(integer(0, 99)),
  permission_overwrites: orNull(listOf(overwrite)),
  available_tags: orNull(listOf(tag, undefined, TAGS_MAX + 1)),
  default_auto_archive_duration: orNull(oneOfNumbers(60, 1440, 4320, 10_080)),
  default_thread_rate_limit_per_user: orNull(integer(0, 21_600)),
  default_reaction_emoji: orNull(objectOf({ emoji_id: nullable(id), emoji_name: nullable(text(1, 32)) })),
  rtc_region: orNull(text(1, 100)),
  video_quality_mode: orNull(oneOfNumbers(1, 2)),
  default_sort_order: orNull(oneOfNumbers(0, 1)),
  default_forum_layout: oneOfNumbers(0, 1, 2),
  flags: integer(0, 0xffff),
})

const changedChannel = objectOf({ name: optional(name), ...channelFields })

const newChannel = objectOf({
  name,
  ...channelFields,
  // Text, voice, category, announcement, stage, forum and media channels.
  type: optional(orNull(oneOfNumbers(0, 2, 4, 5, 13, 15, 16))),
})

const order = listOf(
  objectOf({
    id,
    position: { read: orNull(integer(0, 10_000)), ofNull: 'read' },
    parent_id: { read: orNull(id), ofNull: 'read' },
    lock_permissions: nullable(flag),
  }),
)

/** The overwrites with these fields. @throws Refused when they change permissions that the bot does not have */
function completeOverwrites(
  visit: Visit,
  given: readonly ValuesOf<typeof overwriteFields & { id: typeof id }>[],
  before: ServerChannel['permission_overwrites'] = [],
): readonly ChannelOverwrite[] {
  if (given.length > MAX_OVERWRITES) throw new Refused('too_many_overwrites', `${MAX_OVERWRITES}`)
  const after = given.map(({ id, type, allow = '0', deny = '0' }) => ({ id, type, allow, deny }))
  const own = [visit.botId, ...visit.memberOf(visit.botId).roles]
  const manages = ({ id, allow }: ChannelOverwrite) =>
    own.includes(id) && (BigInt(allow) & PermissionFlag.MANAGE_ROLES) !== 0n
  if (before.some(manages)) return after
  for (const { id, allow, deny } of after) {
    const old = before.find((one) => one.id === id)
    visit.needAll(
      visit.server,
      (BigInt(allow) ^ BigInt(old?.allow ?? 0)) | (BigInt(deny) ^ BigInt(old?.deny ?? 0)),
    )
  }
  return after
}

/** The names of channels of text as Discord writes them: in lower case, with hyphens in place of spaces. */
const textName = (name: string) => name.trim().toLowerCase().replace(/\s+/g, '-')

const REMOVABLE = ['topic', 'parent_id', 'default_reaction_emoji', 'default_sort_order', 'rtc_region']

/** The fields of a channel of a body. A null removes some of them, and is as absent for others. */
function readChannel(
  visit: Visit,
  fields: Reader<ValuesOf<typeof channelFields> & { readonly name?: string; readonly type?: number | null }>,
  before?: ChannelState,
): Partial<Omit<ChannelState, 'id'>> {
  const {
    permission_overwrites: overwrites,
    available_tags: tags,
    default_reaction_emoji: emoji,
    name,
    ...given
  } = visit.body(fields)
  const type = given.type ?? before?.type ?? ChannelType.GUILD_TEXT
  checkCategory(visit, given.parent_id, type)
  if ((tags?.length ?? 0) > TAGS_MAX)
    throw invalidField('available_tags', `Must be ${TAGS_MAX} or fewer in length.`, 'BASE_TYPE_MAX_LENGTH')
  if ((given.topic?.length ?? 0) > MAX_TOPIC && !isForum({ type }))
    throw invalidField('topic', `Must be between 0 and ${MAX_TOPIC} in length.`, 'BASE_TYPE_BAD_LENGTH')
  const kept = Object.entries(given).filter(([name, value]) => value !== null || REMOVABLE.includes(name))
  return {
    ...Object.fromEntries(kept),
    ...(name !== undefined && { name: TEXT_TYPES.includes(type) ? textName(name) : name }),
    ...(emoji !== undefined && {
      default_reaction_emoji: emoji && { emoji_id: null, emoji_name: null, ...emoji },
    }),
    ...(tags && { available_tags: tags.map((one) => completeTag(visit, one)) }),
    ...(overwrites !== undefined && {
      permission_overwrites: completeOverwrites(visit, overwrites ?? [], before?.permission_overwrites),
    }),
  }
}

/** @throws Refused for a parent that is not a category of the server */
function checkCategory({ server }: Visit, parent: string | null | undefined, type?: number): void {
  if (parent && type === ChannelType.GUILD_CATEGORY)
    throw invalidField('parent_id', 'Categories cannot have subcategories', 'CHANNEL_PARENT_INVALID')
  const category = server.channels.find((channel) => channel.id === parent)
  if (parent && category?.type !== ChannelType.GUILD_CATEGORY)
    throw invalidField('parent_id', 'Category does not exist', 'CHANNEL_PARENT_INVALID')
}

function completeTag({ world }: Visit, given: Partial<ForumTag> & Pick<ForumTag, 'name'>): ForumTag {
  return { moderated: false, emoji_id: null, emoji_name: null, ...given, id: given.id ?? world.nextId() }
}

/** A channel of any kind in the form of the wire. */
function wireChannel({ world, botId }: Visit, channel: AnyChannel): object {
  if (isDirect(channel)) return directChannel(channel)
  if (isThread(channel)) return threadChannel(channel as Thread, botId)
  const { guild_id: guildId, ...own } = channel
  const index = world.server(guildId)!.channels.findIndex((one) => one.id === channel.id)
  return guildChannel(own as ChannelState, guildId, index)
}

/** Moves channels, with the overwrites of their new category if they say so. */
function orderChannels(visit: Visit): void {
  const { world } = visit
  const moved = visit.body(order)
  for (const { id: channelId, parent_id: parent } of moved) {
    if (!visit.server.channels.some((one) => one.id === channelId)) throw new Refused('unknown_channel')
    checkCategory(visit, parent, visit.server.channels.find((one) => one.id === channelId)?.type)
  }
  for (const { id: channelId, position, parent_id: parent, lock_permissions: locked } of moved) {
    const category = locked === true && visit.server.channels.find((one) => one.id === parent)
    setChannel(world, channelId, {
      ...(position != null && { position }),
      ...(parent !== undefined && { parent_id: parent }),
      ...(category && { permission_overwrites: category.permission_overwrites ?? [] }),
    })
  }
}

const isOwnThread = ({ channel, botId }: Visit) =>
  !isDirect(channel) && isThread(channel) && (channel as Thread).owner_id === botId

export const channelRoutes: readonly WorldRoute[] = [
  row('GET', CHANNELS, 'The channels of a server that the bot may view', {}, ({ world, server, botId }) => {
    const visible = world.platform.has(HIDDEN_CHANNELS) && visibleChannels(server, botId, world.now())
    return server.channels.flatMap((channel, index) =>
      visible && !visible.has(channel.id) ? [] : [guildChannel(channel, server.id, index)],
    )
  }),
  row('GET', CHANNEL, 'A channel', {}, (visit) => wireChannel(visit, visit.channel)),
  row(
    'PATCH',
    CHANNEL,
    'Change a channel or a thread',
    { needs: MANAGE_CHANNELS, exempt: isOwnThread, event: 'CHANNEL_UPDATE', logs: 'CHANNEL_UPDATE' },
    (visit) => {
      const { world, serverChannel: channel } = visit
      if (isThread(channel)) changeThread(visit)
      else setChannel(world, channel.id, readChannel(visit, changedChannel, channel))
      return wireChannel(visit, visit.channel)
    },
  ),
  row(
    'DELETE',
    CHANNEL,
    'Delete a channel or a thread, or close a DM',
    {
      needs: MANAGE_CHANNELS,
      exempt: ({ channel }) => isDirect(channel),
      event: 'CHANNEL_DELETE',
      logs: 'CHANNEL_DELETE',
    },
    (visit) => {
      // A closed DM opens again with its messages.
      if (isDirect(visit.channel)) return directChannel(visit.channel)
      const { world, serverChannel: channel } = visit
      const deleted = wireChannel(visit, channel)
      if (isThread(channel)) deleteThread(world, channel.id)
      else deleteChannel(world, channel.id)
      return deleted
    },
  ),
  row(
    'POST',
    CHANNELS,
    'Create a channel',
    { needs: MANAGE_CHANNELS, event: 'CHANNEL_CREATE', logs: 'CHANNEL_CREATE', outcome: 'created' },
    (visit) => {
      const { world, server } = visit
      if (server.channels.length >= MAX_CHANNELS) throw new Refused('too_many_channels', `${MAX_CHANNELS}`)
      const given = readChannel(visit, newChannel)
      const category = server.channels.find(({ id: one }) => one === given.parent_id)
      // A channel without overwrites of its own has those of its category.
      const { permission_overwrites: inherited = [] } = category ?? {}
      const fields = { name: '', permission_overwrites: inherited, ...given }
      return wireChannel(visit, { ...createChannel(world, server.id, fields), guild_id: server.id })
    },
  ),
  row(
    'PATCH',
    CHANNELS,
    'Change the order of channels',
    { needs: MANAGE_CHANNELS, body: 'list', event: 'CHANNEL_UPDATE', logs: 'CHANNEL_UPDATE' },
    orderChannels,
  ),
  row(
    'PUT',
    OVERWRITE,
    'Set the permissions of a role or a member in a channel',
    { needs: MANAGE_ROLES, event: 'CHANNEL_UPDATE', logs: 'CHANNEL_OVERWRITE_CREATE' },
    (visit) => {
      const given = visit.body(objectOf(overwriteFields))
      const { serverChannel: channel } = visit
      const target = visit.path('overwrite')
      const { permission_overwrites: before = [] } = channel
      if (before.length >= MAX_OVERWRITES && !before.some((one) => one.id === target))
        throw new Refused('too_many_overwrites', `${MAX_OVERWRITES}`)
      const [changed] = completeOverwrites(visit, [{ ...given, id: target }], before)
      setOverwrite(visit.world, channel, target, changed!)
    },
  ),
  row(
    'DELETE',
    OVERWRITE,
    'Remove the permissions of a role or a member in a channel',
    { needs: MANAGE_ROLES, event: 'CHANNEL_UPDATE', logs: 'CHANNEL_OVERWRITE_DELETE' },
    (visit) => setOverwrite(visit.world, visit.serverChannel, visit.path('overwrite'), null),
  ),
  row(
    'POST',
    `${CHANNEL}/typing`,
    'Show that the bot types',
    { needs: ['SEND_MESSAGES'], event: 'TYPING_START' },
    (visit) => {
      const { channel } = visit
      if (!isDirect(channel) && isForum(channel)) throw new Refused('wrong_channel_type')
      showTyping(visit.world, channel.id, visit.botId)
    },
  ),
]
