/** The place of a person: servers, channels and people, the conversation, and what the person does in it. */
import { InvocationError } from '../../../interactions/client/invocation-error.ts'
import { ComponentError } from '../../../interactions/usage/component-error.ts'
import type { FileToAttach } from '../../../testing/testbed/answers/attached.ts'
import type { LiveMessage } from '../../../interactions/bot/kept-messages.ts'
import { ChannelType, CommandType, OptionType } from '../../../model/command-types.ts'
import { userOf, type AnyInteraction } from '../../../model/interaction-payload.ts'
import { displayName, isThread, type ServerMember, type ServerSettings } from '../../../model/server.ts'
import { PermissionFlag } from '../../../model/permission-flags.ts'
import { isObject } from '../../../core/json.ts'
import { isDirect } from '../../../service/world/entities.ts'
import { compareRoles, known } from '../../../service/world/world.ts'
import { messageFor, type WorldMessage } from '../../../service/world/world-message.ts'
import { perform } from '../../../service/world/acts/act.ts'
import { kickMember } from '../../../service/world/acts/member-acts.ts'
import { Refused } from '../../../service/refusals.ts'
import type { Participant } from '../../../testing/testbed/people/people.ts'
import { ActingPerson } from '../../../testing/testbed/people/acting-person.ts'
import { ChannelMember } from '../../../testing/testbed/people/channel-member.ts'
import { argumentsIn, rows, type VerbName } from '../../../testing/testbed/people/verbs.ts'
import { quoted } from '../../../core/text.ts'
import { serverActions } from '../../../testing/testbed/people/server-actions.ts'
import { participantOf, currentServer, type Context, type Query } from './query.ts'
import type { PageUse } from './uses.ts'

const { GUILD_VOICE, GUILD_STAGE_VOICE, GUILD_CATEGORY, GUILD_FORUM } = ChannelType

const isVoice = (type?: number) => type === GUILD_VOICE || type === GUILD_STAGE_VOICE

/** The colour of the highest role that has one; null for none. */
function colourOf({ roles }: ServerSettings, member: ServerMember | undefined): number | null {
  const own = roles.filter(({ id, color = 0 }) => color !== 0 && member?.roles.includes(id))
  return own.sort(compareRoles).at(-1)?.color ?? null
}

/** The address of a picture that the service has, by the hash that bots name it with; empty for none. */
function pictureOf(id: string, hash: string | null | undefined, { session }: Context): string {
  const path = `/avatars/${id}/${hash}.png`
  return hash && session.messages.files.at(path) !== undefined ? path : ''
}

const nameOf = ({ nick, user }: ServerMember): string => nick ?? displayName(user)

/** The people that the rail shows at once. */
const SHOWN_PEOPLE = 25

/** What the rail shows: the channels that the person sees, and people, those who see the channel of the person first. */
export function rail(query: Query, context: Context) {
  const server = currentServer(query.id('server'), context)
  const { world } = context.people
  const as = query.text('as')
  const open = query.text('channel')
  // An archived thread is in the list while it is open on the page.
  const isListed = ({ id }: { readonly id: string }) =>
    id === open || !threadState(id, context).startsWith('archived')
  const seen = channelsSeen(query, context).filter(isListed)
  const channels = seen.map(({ id, name, type, parent_id: parent = null }) => ({
    ...{ id, name, parent },
    isThread: isThread({ type: type ?? 0 }),
    isVoice: isVoice(type),
    isCategory: type === GUILD_CATEGORY,
    isForum: type === GUILD_FORUM,
    state: threadState(id, context),
    people: server.members.filter((one) => one.voice_channel_id === id).map(nameOf),
  }))
  const channel = world.channel(open)
  const sees = ({ user }: ServerMember) => channel === undefined || world.sees(user.id, channel)
  const words = query.text('search').toLowerCase()
  const fits = (member: ServerMember) =>
    [nameOf(member), member.user.username, ...rolesOf(server, member)].some((text) =>
      text.toLowerCase().includes(words),
    )
  const found = words === '' ? server.members : server.members.filter(fits)
  // One of them acts, and another one is the bot of the page.
  const own = [as, query.text('app')]
  const rank = (member: ServerMember) =>
    words === '' && found.length > SHOWN_PEOPLE && own.includes(member.user.id) ? 0 : sees(member) ? 1 : 2
  const ranked = found.map((member) => ({ member, rank: rank(member) })).sort((a, b) => a.rank - b.rank)
  const people = ranked.slice(0, SHOWN_PEOPLE).map(({ member }) => {
    const { user } = member
    const picture = pictureOf(user.id, member.avatar ?? user.avatar, context)
    const more = { colour: colourOf(server, member), picture, isBot: user.bot === true }
    const names = { name: nameOf(member), username: user.username, roles: rolesOf(server, member) }
    return { id: user.id, ...names, ...more }
  })
  return { channels, people, found: found.length, all: server.members.length }
}

const rolesOf = ({ roles }: ServerSettings, member: ServerMember): readonly string[] =>
  roles.filter(({ id }) => member.roles.includes(id)).map(({ name }) => name)

function channelsSeen(query: Query, context: Context) {
  const server = currentServer(query.id('server'), context)
  const { world } = context.people
  const { threads = [] } = world.server(server.id) ?? {}
  return [...server.channels, ...threads].filter((channel) =>
    world.sees(query.text('as'), { ...channel, guild_id: server.id }),
  )
}

/** Whether a thread is archived or locked, in words; empty for an open one, and for a channel. */
function threadState(id: string, { people }: Context): string {
  const { archived, locked } = people.world.thread(id)?.thread_metadata ?? {}
  return [archived && 'archived', locked && 'locked'].filter(Boolean).join(', ')
}

/** The last message of each place of the person, by its id; `bot` is the direct message with the bot. */
export function news(query: Query, context: Context): Readonly<Record<string, string>> {
  const { world } = context.people
  const direct = [...world.directs.values()].find(
    ({ botId, user }) => botId === query.text('app') && user.id === query.text('as'),
  )
  const places = channelsSeen(query, context).map(({ id }) => [id, id] as const)
  if (direct !== undefined) places.push(['bot', direct.id])
  const last = places.map(([key, id]) => [key, world.messages(id).at(-1)?.id ?? ''] as const)
  return Object.fromEntries(last.filter(([, id]) => id !== ''))
}

/** The id of the channel of a person. */
export function channelIdOf(by: Participant, { people }: Context): string {
  return people.clientOptions(by).channel?.id ?? ''
}

export type FeedItem = ReturnType<typeof messageItem> | ReturnType<typeof useItem>

/** The conversation as the person sees it, oldest first: messages, and own uses that have none. */
export function feed(query: Query, context: Context) {
  const { people, uses } = context
  const { world } = people
  const by = participantOf(query, context)
  const channelId = channelIdOf(by, context)
  const channel = world.channel(channelId)
  if (channel !== undefined && !world.sees(by.person.id, channel))
    return { isHidden: true, state: '', isClosed: false, items: [] }
  const messages = world
    .messages(channelId)
    .map((one) => messageItem(one, context.session.messages.live(one.id), by, context))
  const own = uses
    .messagesOf(by.person.id, channelId)
    .map((live) => messageItem({ ...live.message, reactions: [] }, live, by, context))
  const { messages: answers } = context.session
  const others = uses
    .by(by.person.id, channelId)
    .filter((use) => isShownAlone(use, (id) => answers.createdBy(id).length > 0))
    .map(useItem)
  const items: readonly FeedItem[] = [...messages, ...own, ...others]
  const state = threadState(channelId, context)
  const held =
    channel === undefined || isDirect(channel)
      ? 0n
      : world.permissions(channel.guild_id, by.person.id, channel)
  /** Whether the person may not write in it, because it is locked. */
  const isClosed = state.endsWith('locked') && (held & PermissionFlag.MANAGE_THREADS) === 0n
  return { isHidden: false, state, isClosed, items: items.toSorted((a, b) => a.time - b.time) }
}

/** Whether a use has no message that stands for it. @param hasMessage whether an interaction has led to one */
function isShownAlone(
  { refusal, launched, shown, interaction, isSending }: PageUse,
  hasMessage: (interactionId: string) => boolean,
): boolean {
  if (refusal !== null || launched !== null) return true
  if (interaction === null) return false
  if (isSending) return !hasMessage(interaction.id)
  return shown === null || !['message', 'thinking', 'nothing'].includes(shown.kind)
}

function useItem(use: PageUse) {
  const { id, time, verb, label, lang, refusal, launched, shown, failure, issues, milliseconds, as } = use
  const { line, isSending } = use
  return {
    kind: 'use' as const,
    key: `use-${id}`,
    ...{ id, time, verb, label, lang, as, failure, issues, milliseconds, line, isSending, error: use.error },
    canRepeat: use.again !== null,
    refused: refusal?.message ?? null,
    launched: launched?.content ?? null,
    shown: shown === null ? null : shown.kind === 'failure' ? shown.text : shown.kind,
    /** Whether it waits for an answer that is written by hand. */
    isOpen: refusal === null && launched === null && shown === null && !isSending,
  }
}

function messageItem(
  message: WorldMessage,
  live: LiveMessage | undefined,
  by: Participant,
  context: Context,
) {
  const { people, uses, session } = context
  const { world } = people
  const { id } = by.person
  const channel = world.channel(message.channel_id)
  const server = people.server(by.serverId)
  const held = channel === undefined || isDirect(channel) ? 0n : world.permissions(server.id, id, channel)
  const isOwn = message.author.id === id
  const { interaction = null } = live ?? {}
  const use = interaction === null ? undefined : uses.of(interaction.id)
  const isFirst = use !== undefined && session.messages.createdBy(interaction!.id)[0] === message.id
  return {
    kind: 'message' as const,
    // The first message of a use stands in the place of the use: who has it open or in focus keeps it.
    key: isFirst ? `use-${use.id}` : message.id,
    use: isFirst ? use.id : null,
    time: Date.parse(message.timestamp),
    message: withPresentReply(messageFor(message, id), context),
    author: authorOf(message, server, context),
    isEdited: live === undefined ? message.edited_timestamp !== null : live.isEdited,
    isOwn,
    /** Whether it can be changed as a message of a channel. */
    isInChannel: world.findMessage(message.id) !== undefined,
    canDelete: isOwn || (held & PermissionFlag.MANAGE_MESSAGES) !== 0n,
    usedBy: interaction === null ? null : usedBy(interaction, server),
    failure: use?.failure ?? '',
    issues: use?.issues ?? [],
    error: use?.error ?? '',
  }
}

/** A message whose reply is to null where the other message was deleted. */
function withPresentReply<Message extends object>(message: Message, { people, session }: Context): Message {
  const { referenced_message: replied } = message as { readonly referenced_message?: { readonly id: string } }
  // An answer that only one person sees is in no channel.
  const isThere = ({ id }: { readonly id: string }) =>
    people.world.findMessage(id) !== undefined || session.messages.live(id)?.isDeleted === false
  if (!replied || isThere(replied)) return message
  return { ...message, referenced_message: null }
}

interface UsedCommand {
  readonly name?: string
  readonly type?: number
  readonly options?: readonly UsedCommand[]
}

/** The names of a group and a subcommand, which are the only option. */
function subcommandsIn([option]: readonly UsedCommand[] = []): readonly string[] {
  const isSubcommand =
    option?.type === OptionType.SUB_COMMAND || option?.type === OptionType.SUB_COMMAND_GROUP
  return isSubcommand ? [option.name!, ...subcommandsIn(option.options)] : []
}

/** Who used what, above an answer. Null for a component, whose message is known. */
function usedBy(interaction: AnyInteraction, server: ServerSettings) {
  const { name, type, options } = interaction.data as UsedCommand
  const user = userOf(interaction)
  if (name === undefined || user === undefined) return null
  const member = server.members.find((one) => one.user.id === user.id)
  const person = member === undefined ? displayName(user) : nameOf(member)
  return {
    person,
    label: type === CommandType.CHAT_INPUT ? `/${[name, ...subcommandsIn(options)].join(' ')}` : name,
  }
}

function authorOf(message: WorldMessage, server: ServerSettings, context: Context) {
  const { applications, people } = context
  const { author, webhook_id: webhook } = message
  const { id } = author
  const member = server.members.find(({ user }) => user.id === id)
  const isBot = author.bot === true || webhook !== undefined
  const user = people.world.user(id)
  const app = applications.find((one) => one.id === id)?.name
  // Of a bot that never logged in, answers have only the id.
  const isUnnamed = user === undefined && 'interaction_metadata' in message
  const plain = isUnnamed ? (app ?? `App ${id}`) : displayName(user ?? author)
  const picture = pictureOf(
    id,
    webhook === undefined ? (member?.avatar ?? user?.avatar) : author.avatar,
    context,
  )
  const name = member === undefined ? plain : nameOf(member)
  return { id, isBot, name, picture, colour: colourOf(server, member) }
}

/** @throws TypeError with the reason when the person may not do this */
async function refusing<T>(act: () => T | Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof InvocationError || error instanceof ComponentError || error instanceof Refused)
      throw new TypeError(error.message)
    throw error
  }
}

interface Named {
  readonly id: string
}

/** The person of a question in their channel. */
function channelMember(query: Query, context: Context): ChannelMember<Named> {
  const by = participantOf(query, context)
  const { people } = context
  return new ChannelMember(people, by, ({ id }: Named) => {
    const message = people.world.findMessage(id)
    const channel = message && people.world.channel(message.channel_id)
    if (message === undefined || !channel || !people.world.sees(by.person.id, channel))
      throw new TypeError('message: it is not in a channel any more')
    return message
  })
}

/** The files of a question: names, sizes and types, and perhaps their contents. */
export const attachedFiles = (query: Query): readonly FileToAttach[] =>
  query.list('files').filter(isObject).map(withContent) as readonly FileToAttach[]

/** A value; a file, or those of a list, with its content in place of base64. */
export function withContent(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withContent)
  if (!isObject(value) || typeof value.base64 !== 'string') return value
  const { base64, ...file } = value
  return { ...file, content: Uint8Array.from(atob(base64), (one) => one.charCodeAt(0)) }
}

export const actions = {
  /** Any verb of people, with its fields as below `/people/`. @returns the id of what it made; empty for nothing */
  does: (query: Query, context: Context) =>
    refusing(async () => {
      const name = query.text('verb')
      if (!Object.hasOwn(rows, name)) throw new TypeError(`verb: unknown ${quoted(name)}`)
      const given = argumentsIn<Named>(name as VerbName, (key, form) => {
        if (form === 'files') return attachedFiles(query)
        const value = query.value(key)
        if (form === 'message' && value) return { id: String(value) }
        // What the page leaves empty is absent, unless it is a text.
        return form === 'text' ? (value ?? undefined) : value || undefined
      })
      const made = await channelMember(query, context).do(name as VerbName, ...given)
      return { id: (made as { readonly id?: string } | undefined)?.id ?? '' }
    }),
  /** Adds a person to the server. */
  join: (query: Query, { people }: Context) =>
    serverActions(people, query.id('server')).addPerson(query.text('name')),
  /** A person leaves the server. */
  leave: (query: Query, { people }: Context) =>
    serverActions(people, query.id('server')).leave(query.id('user')),
  /** A person removes another one from the server. */
  kick: (query: Query, context: Context) => {
    const { serverId, person } = participantOf(query, context)
    const { world } = context.people
    const member = known(world.member(serverId, query.id('user')))
    const by = new ActingPerson(world, person)
    return refusing(() => perform(kickMember, by, known(world.server(serverId)), { member }))
  },
}
