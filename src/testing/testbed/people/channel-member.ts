/** A person in channels: what they write, pin and start there, and the voice channels that they join. */
import { InvocationError } from '../../../interactions/client/invocation-error.ts'
import { openedFile, type FileToAttach } from '../answers/attached.ts'
import { aFlag, argument, listArgument, optionsOf } from '../../../core/rules/arguments.ts'
import { optional } from '../../../core/rules/readers.ts'
import { isObject } from '../../../core/json.ts'
import { ChannelType } from '../../../model/command-types.ts'
import { PermissionFlag } from '../../../model/permission-flags.ts'
import { SPLIT_PERMISSIONS } from '../../../model/platform.ts'
import { isThread } from '../../../model/server.ts'
import { isWritable, slowModeLeft } from '../../../service/world/channels.ts'
import {
  isDirect,
  type AnyChannel,
  type Emoji,
  type Thread,
  type WorldChannel,
} from '../../../service/world/entities.ts'
import { createMessage, deleteMessage, editMessage, setPinned } from '../../../service/world/messages.ts'
import { startFromMessage, startThread } from '../../../service/world/posts.ts'
import { MAX_REACTIONS, setReaction } from '../../../service/world/reactions.ts'
import { setVoice } from '../../../service/world/voice.ts'
import { emojiKey, type WorldMessage } from '../../../service/world/world-message.ts'
import { known, type World } from '../../../service/world/world.ts'
import { emojiMeant } from './emoji-meant.ts'
import { InputError, invalidArgument, type Participant, type People, type Person } from './people.ts'
import { channelView, messageView, type ChannelView, type MessageView } from './server-view.ts'

type Permission = keyof typeof PermissionFlag

/** What a person says with a message. */
export interface SayOptions<Target> {
  /** The message that it replies to, whose author it mentions. */
  readonly reply?: Target
  /** Files that the person attaches. */
  readonly files?: readonly (FileToAttach | Blob)[]
}

/** How a person starts a thread. */
export interface ThreadOptions<Target> {
  /** The message that it starts from. Default: none */
  readonly message?: Target
  /** Whether only invited members see it. Default false */
  readonly private?: boolean
}

/** What a person has switched in their client. */
export interface VoiceOptions {
  /** Default false. */
  readonly muted?: boolean
  /** Default false. */
  readonly deafened?: boolean
}

const aMessage = /* @__PURE__ */ argument('a message', isObject)
const aFile = /* @__PURE__ */ argument(
  'a file with its filename',
  (value) => value instanceof Blob || (isObject(value) && typeof value.filename === 'string'),
)
const readSayOptions = /* @__PURE__ */ optionsOf<SayOptions<any>>('say', {
  reply: optional(aMessage),
  files: optional(listArgument(aFile)),
})
const readThreadOptions = /* @__PURE__ */ optionsOf<ThreadOptions<any>>('startThread', {
  message: optional(aMessage),
  private: optional(aFlag),
})
const readVoiceOptions = /* @__PURE__ */ optionsOf<VoiceOptions>('joinVoice', {
  muted: optional(aFlag),
  deafened: optional(aFlag),
})

export class ChannelMember<Target> {
  readonly #people: People
  readonly #by: Participant
  readonly #messageOf: (target: Target) => WorldMessage

  /** @param messageOf the message of a channel. It throws for one that the person does not see */
  constructor(people: People, by: Participant, messageOf: (target: Target) => WorldMessage) {
    this.#people = people
    this.#by = by
    this.#messageOf = messageOf
  }

  async say(content: string, options: SayOptions<Target> = {}): Promise<MessageView> {
    const { reply, files = [] }: SayOptions<Target> = readSayOptions(options)
    if (typeof content !== 'string' || (content === '' && files.length === 0))
      throw invalidArgument('content', 'a text', content)
    const channel = this.#place()
    this.#checkWriting(channel)
    if (files.length > 0) this.#need(channel, 'ATTACH_FILES', 'attach files')
    const replied = reply === undefined ? undefined : this.#messageOf(reply)
    if (replied !== undefined && replied.channel_id !== channel.id)
      throw new InputError('reply: expected a message of the channel of the person')
    const reference = replied && { message_reference: { message_id: replied.id } }
    const body = { content: this.#withMentions(content), ...reference }
    const attached = files.length === 0 ? [] : await Promise.all(files.map(openedFile))
    return this.#view(createMessage(this.#world, channel.id, this.#person, body, attached))
  }

  react(target: Target, text: string, isOn: boolean): void {
    const message = this.#messageOf(target)
    const emoji = typeof text === 'string' ? emojiMeant(this.#world, message, text) : undefined
    if (emoji === undefined)
      throw invalidArgument(
        'emoji',
        "a character such as 👍, the name of one of the server's, or <:party:1>",
        text,
      )
    if (isOn) this.#checkReacting(message, emoji)
    setReaction(this.#world, message.channel_id, message.id, this.#person.id, emoji, isOn)
  }

  edit(target: Target, content: string): MessageView {
    const message = this.#messageOf(target)
    this.#checkOwn(message)
    const body = { content: this.#withMentions(content) }
    return this.#view(editMessage(this.#world, message.channel_id, message.id, body))
  }

  delete(target: Target): void {
    const message = this.#messageOf(target)
    this.#checkOwn(message, 'MANAGE_MESSAGES')
    this.#acting(() => deleteMessage(this.#world, message, this.#person.id))
  }

  pin(target: Target, isOn: boolean): void {
    const message = this.#messageOf(target)
    const channel = known(this.#world.channel(message.channel_id))
    const mayManage = !this.#isSplit && this.#has(channel, 'MANAGE_MESSAGES')
    this.#need(channel, mayManage ? 'MANAGE_MESSAGES' : 'PIN_MESSAGES', 'pin messages')
    this.#acting(() => setPinned(this.#world, message, this.#person, isOn))
  }

  startThread(name: string, options: ThreadOptions<Target> = {}): ChannelView {
    if (typeof name !== 'string' || name === '') throw invalidArgument('name', 'a text', name)
    const { message: target, private: isPrivate = false }: ThreadOptions<Target> = readThreadOptions(options)
    const message = target === undefined ? undefined : this.#messageOf(target)
    const channel = message === undefined ? this.#place() : known(this.#world.channel(message.channel_id))
    if (isDirect(channel) || isThread(channel)) throw new InputError('channel: it cannot have threads')
    const permission = isPrivate ? 'CREATE_PRIVATE_THREADS' : 'CREATE_PUBLIC_THREADS'
    this.#need(channel, permission, 'start this thread')
    const type = isPrivate ? ChannelType.PRIVATE_THREAD : ChannelType.PUBLIC_THREAD
    const thread = this.#acting(() =>
      message === undefined
        ? startThread(this.#world, channel, this.#person, { name, type })
        : startFromMessage(this.#world, channel, message, this.#person, { name }),
    )
    return channelView(this.#world, thread)
  }

  joinVoice(name: string, options: VoiceOptions = {}): void {
    const { muted = false, deafened = false } = readVoiceOptions(options)
    const { serverId, person } = this.#by
    const channel = this.#people.channel(name, this.#people.server(serverId))
    if (channel.type !== ChannelType.GUILD_VOICE && channel.type !== ChannelType.GUILD_STAGE_VOICE)
      throw new InputError(`channel: #${channel.name} is not a voice channel`)
    this.#need({ ...channel, guild_id: serverId }, 'CONNECT', 'join this channel')
    const own = { self_mute: muted, self_deaf: deafened }
    setVoice(this.#world, serverId, person.id, { voice_channel_id: channel.id, ...own })
  }

  leaveVoice(): void {
    const { serverId, person } = this.#by
    setVoice(this.#world, serverId, person.id, { voice_channel_id: null })
  }

  get #world(): World {
    return this.#people.world
  }

  get #person(): Person {
    return this.#by.person
  }

  #view(message: WorldMessage): MessageView {
    return messageView(this.#world, message)
  }

  #acting<T>(act: () => T): T {
    return this.#world.acting({ userId: this.#person.id, reason: null }, act)
  }

  /** The channel of the person. @throws InputError for a group DM */
  #place(): AnyChannel {
    const { channel } = this.#people.clientOptions(this.#by)
    const place = this.#world.channel(channel?.id ?? '')
    if (place === undefined) throw new InputError('channel: the bot gets no messages of a group DM')
    return place
  }

  #has(channel: AnyChannel, permission: Permission): boolean {
    if (isDirect(channel)) return true
    const held = this.#world.permissions(channel.guild_id, this.#person.id, channel)
    return (held & PermissionFlag[permission]) !== 0n
  }

  /** @throws InvocationError without the permission */
  #need(channel: AnyChannel, permission: Permission, action: string): void {
    if (this.#has(channel, permission)) return
    throw permissionDenied(
      `${this.#person.username} may not ${action} in this channel: ${permission} is missing`,
    )
  }

  /** Whether slow mode and pins have permissions of their own. */
  get #isSplit(): boolean {
    return this.#world.platform.has(SPLIT_PERMISSIONS)
  }

  /** @throws InvocationError where the person may not write, or not yet */
  #checkWriting(channel: AnyChannel): void {
    const { username, id } = this.#person
    if (!isWritable(channel))
      throw new InputError(
        `channel: #${(channel as WorldChannel).name} has no messages; expected a text channel or a thread`,
      )
    const isInThread = !isDirect(channel) && isThread(channel)
    if (!this.#has(channel, isInThread ? 'SEND_MESSAGES_IN_THREADS' : 'SEND_MESSAGES'))
      throw permissionDenied(`${username} may not send messages in this channel`)
    if (isInThread && (channel as Thread).thread_metadata.locked && !this.#has(channel, 'MANAGE_THREADS'))
      throw permissionDenied(`the thread is locked; ${username} may not send messages in it`)
    const left = slowModeLeft(this.#world, channel as WorldChannel, id)
    const lifting = this.#isSplit
      ? (['BYPASS_SLOWMODE'] as const)
      : (['MANAGE_MESSAGES', 'MANAGE_CHANNELS'] as const)
    if (left > 0 && !lifting.some((name) => this.#has(channel, name)))
      throw permissionDenied(`slow mode: ${username} may write here again in ${Math.ceil(left / 1_000)} s`)
  }

  /** @throws InvocationError where the person may not react, InputError for a message with too many emojis */
  #checkReacting({ channel_id: channelId, reactions }: WorldMessage, emoji: Emoji): void {
    const channel = known(this.#world.channel(channelId))
    this.#need(channel, 'READ_MESSAGE_HISTORY', 'react')
    // Anybody may join a reaction that is there.
    if (reactions.some((one) => emojiKey(one.emoji) === emojiKey(emoji))) return
    this.#need(channel, 'ADD_REACTIONS', 'add a reaction')
    if (reactions.length >= MAX_REACTIONS)
      throw new InputError(
        `emoji: the message already has ${MAX_REACTIONS} emojis, the most that it can have`,
      )
  }

  /** @throws InvocationError for a message of somebody else, unless a permission lets the person change it */
  #checkOwn({ author, channel_id: channelId }: WorldMessage, permission?: Permission): void {
    if (author.id === this.#person.id) return
    const channel = known(this.#world.channel(channelId))
    if (permission !== undefined && !isDirect(channel) && this.#has(channel, permission)) return
    throw permissionDenied(`${this.#person.username} may not change a message of ${author.username}`)
  }

  /** The text as a client sends it, with the ids of people, roles and channels in place of their names. */
  #withMentions(content: string): string {
    const server = this.#people.server(this.#by.serverId)
    const kinds = { '@': ['users', 'roles'], '#': ['channels'] } as const
    const tags = { users: '@', roles: '@&', channels: '#' } as const
    return content.replace(/(?<![\p{L}\p{N}<])[@#][\p{L}\p{N}_-]+/gu, (text) => {
      for (const kind of kinds[text[0] as '@' | '#']) {
        const id = this.#people.idOfMention(text, [kind], server)
        if (id !== undefined) return `<${tags[kind]}${id}>`
      }
      return text
    })
  }
}

function permissionDenied(message: string): InvocationError {
  return new InvocationError('permission_denied', { message })
}
