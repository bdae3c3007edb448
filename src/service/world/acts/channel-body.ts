/** The bodies of channels: their fields, and what becomes of them. */
import {
  listOf,
  nullable,
  objectOf,
  optional,
  orNull,
  partial,
  type ValuesOf,
} from '../../../core/rules/readers.ts'
import { countCharacters } from '../../../core/text.ts'
import { ChannelType } from '../../../model/command-types.ts'
import { invalidField, Refused } from '../../refusals.ts'
import { bodyFlag, bodyId, integerIn, aNumberOf, textBetween } from '../body-fields.ts'
import type { ChannelState, ForumTag, ServerState } from '../entities.ts'
import { isForum } from '../threads.ts'
import type { World } from '../world.ts'
import { completeOverwrites, overwriteOfList } from './overwrite-acts.ts'

/** Forums have longer ones. */
const MAX_TOPIC = 1_024
const TAGS_MAX = 20

const TEXT_TYPES: readonly number[] = [
  ChannelType.GUILD_TEXT,
  ChannelType.GUILD_ANNOUNCEMENT,
  ChannelType.GUILD_FORUM,
  ChannelType.GUILD_MEDIA,
]

const tag = objectOf({
  id: nullable(bodyId),
  name: textBetween(1, 20),
  moderated: nullable(bodyFlag),
  emoji_id: nullable(bodyId),
  emoji_name: nullable(textBetween(1, 32)),
})

const name = textBetween(1, 100)
const channelFields = partial(optional, {
  topic: orNull(textBetween(0, 4096)),
  nsfw: orNull(bodyFlag),
  parent_id: orNull(bodyId),
  position: orNull(integerIn(0, 10_000)),
  rate_limit_per_user: orNull(integerIn(0, 21_600)),
  bitrate: orNull(integerIn(8_000, 384_000)),
  user_limit: orNull(integerIn(0, 99)),
  permission_overwrites: orNull(listOf(overwriteOfList)),
  available_tags: orNull(listOf(tag, undefined, TAGS_MAX + 1)),
  default_auto_archive_duration: orNull(aNumberOf(60, 1440, 4320, 10_080)),
  default_thread_rate_limit_per_user: orNull(integerIn(0, 21_600)),
  default_reaction_emoji: orNull(
    objectOf({ emoji_id: nullable(bodyId), emoji_name: nullable(textBetween(1, 32)) }),
  ),
  rtc_region: orNull(textBetween(1, 100)),
  video_quality_mode: orNull(aNumberOf(1, 2)),
  default_sort_order: orNull(aNumberOf(0, 1)),
  default_forum_layout: aNumberOf(0, 1, 2),
  flags: integerIn(0, 0xffff),
})

export const ofChangedChannel = objectOf({ name: optional(name), ...channelFields })

export const ofNewChannel = objectOf({
  name,
  ...channelFields,
  // Text, voice, category, announcement, stage, forum and media channels.
  type: optional(orNull(aNumberOf(0, 2, 4, 5, 13, 15, 16))),
})

export const ofChannelOrder = listOf(
  objectOf({
    id: bodyId,
    position: { read: orNull(integerIn(0, 10_000)), ofNull: 'read' },
    parent_id: { read: orNull(bodyId), ofNull: 'read' },
    lock_permissions: nullable(bodyFlag),
  }),
)

type ChannelBody = ValuesOf<typeof channelFields> & { readonly name?: string; readonly type?: number | null }

const typeOf = ({ type }: ChannelBody, before?: ChannelState) =>
  type ?? before?.type ?? ChannelType.GUILD_TEXT

/** @throws Refused for a parent that a channel cannot have, too many tags or one twice, and a topic that is too long */
export function checkChannel(body: ChannelBody, server: ServerState, before?: ChannelState): void {
  checkCategory(server, body.parent_id, typeOf(body, before))
  if ((body.available_tags?.length ?? 0) > TAGS_MAX)
    throw invalidField('available_tags', `Must be ${TAGS_MAX} or fewer in length.`, 'BASE_TYPE_MAX_LENGTH')
  const names = body.available_tags?.map(({ name }) => name) ?? []
  if (new Set(names).size < names.length) throw new Refused('duplicate_tag')
  if (countCharacters(body.topic ?? '') > MAX_TOPIC && !isForum({ type: typeOf(body, before) }))
    throw invalidField('topic', `Must be between 0 and ${MAX_TOPIC} in length.`, 'BASE_TYPE_BAD_LENGTH')
}

/** @throws Refused for a parent that is not a category of the server, and for one of a category */
export function checkCategory(
  { channels }: ServerState,
  parent: string | null | undefined,
  type: number | undefined,
): void {
  if (parent && type === ChannelType.GUILD_CATEGORY)
    throw invalidField('parent_id', 'Categories cannot have subcategories', 'CHANNEL_PARENT_INVALID')
  const category = channels.find((channel) => channel.id === parent)
  if (parent && category?.type !== ChannelType.GUILD_CATEGORY)
    throw invalidField('parent_id', 'Category does not exist', 'CHANNEL_PARENT_INVALID')
}

/** The names of channels of text as Discord writes them: in lower case, with hyphens in place of spaces. */
const textName = (name: string) => name.trim().toLowerCase().replace(/\s+/g, '-')

const REMOVABLE = ['topic', 'parent_id', 'default_reaction_emoji', 'default_sort_order', 'rtc_region']

/** The fields of a channel of a body. A null removes some of them, and is as absent for others. */
export function fieldsOfChannel(
  world: World,
  body: ChannelBody,
  before?: ChannelState,
): Partial<Omit<ChannelState, 'id'>> {
  const {
    permission_overwrites: overwrites,
    available_tags: tags,
    default_reaction_emoji: emoji,
    name,
    ...given
  } = body
  const kept = Object.entries(given).filter(([name, value]) => value !== null || REMOVABLE.includes(name))
  return {
    ...Object.fromEntries(kept),
    ...(name !== undefined && { name: TEXT_TYPES.includes(typeOf(body, before)) ? textName(name) : name }),
    ...(emoji !== undefined && {
      default_reaction_emoji: emoji && { emoji_id: null, emoji_name: null, ...emoji },
    }),
    ...(tags && { available_tags: tags.map((one) => completeTag(world, one)) }),
    ...(overwrites !== undefined && { permission_overwrites: completeOverwrites(overwrites ?? []) }),
  }
}

function completeTag(world: World, given: Partial<ForumTag> & Pick<ForumTag, 'name'>): ForumTag {
  return { moderated: false, emoji_id: null, emoji_name: null, ...given, id: given.id ?? world.nextId() }
}
