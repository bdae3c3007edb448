/** A person in channels: what they write, pin and start there, and the voice channels that they join. */
import { InvocationError } from '../../../interactions/client/invocation-error.ts'
import { openedFile, type FileToAttach } from '../answers/attached.ts'
import { aFlag, argument, demand, listArgument, optionsOf } from '../../../core/rules/arguments.ts'
import { optional } from '../../../core/rules/readers.ts'
import { isObject } from '../../../core/json.ts'
import { ChannelType } from '../../../model/command-types.ts'
import { SPLIT_PERMISSIONS } from '../../../model/platform.ts'
import { slowModeLeft } from '../../../service/world/channels.ts'
import { type AnyChannel, type WorldChannel } from '../../../service/world/entities.ts'
import { needRights, perform } from '../../../service/world/acts/act.ts'
import { changeMessage, removeMessage, sendMessage } from '../../../service/world/acts/messages.ts'
import { addReaction, removeReaction } from '../../../service/world/acts/reactions.ts'
import type { Party } from '../../../service/world/party.ts'
import { setVoice } from '../../../service/world/voice.ts'
import type { WorldMessage } from '../../../service/world/world-message.ts'
import { known, type World } from '../../../service/world/world.ts'
import { ActingPerson, asPerson } from './acting-person.ts'
import { emojiMeant } from './emoji-meant.ts'
import {
  InputError,
  invalidArgument,
  OnMessage,
  type Participant,
  type People,
  type Person,
} from './people.ts'
import { messageView, type MessageView } from './server-view.ts'
import {
  readersOf,
  rows,
  type AnyVerb,
  type ArgumentsOf,
  type Field,
  type Hand,
  type OutOf,
  type VerbName,
} from './verbs.ts'

/** What a person says with a message. */
export interface SayOptions<Target> {
  /** The message that it replies to, whose author it mentions. */
  readonly reply?: Target
  /** Files that the person attaches. */
  readonly files?: readonly (FileToAttach | Blob)[]
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
    // A person without the right sees no field to write in, so no file is opened.
    this.#act((by) => needRights(sendMessage, by, channel))
    this.#checkSlowMode(channel)
    const replied = reply === undefined ? undefined : this.#messageOf(reply)
    if (replied !== undefined && replied.channel_id !== channel.id)
      throw new InputError('reply: expected a message of the channel of the person')
    const attached = files.length === 0 ? [] : await Promise.all(files.map(openedFile))
    const reference = replied && { message_reference: { message_id: replied.id } }
    const fields = { content: this.#withMentions(content), ...reference }
    const message = this.#act((by) => perform(sendMessage, by, channel, {}, { fields, files: attached }))
    const on = replied && { reply: new OnMessage(replied.id) }
    const told = { ...on, ...(files.length > 0 && { files: attached }) }
    this.#did('say', channel.id, [content, told], message)
    return this.#view(message)
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
    const act = isOn ? addReaction : removeReaction
    this.#act((by) => perform(act, by, this.#channelOf(message), { message, emoji }))
    this.#did(isOn ? 'react' : 'unreact', message.channel_id, [new OnMessage(message.id), text])
  }

  edit(target: Target, content: string): MessageView {
    const message = this.#messageOf(target)
    const fields = { content: this.#withMentions(content) }
    const edited = this.#act((by) =>
      perform(changeMessage, by, this.#channelOf(message), { message }, { fields }),
    )
    this.#did('edit', message.channel_id, [new OnMessage(message.id), content])
    return this.#view(edited)
  }

  delete(target: Target): void {
    const message = this.#messageOf(target)
    this.#act((by) => perform(removeMessage, by, this.#channelOf(message), { message }))
    this.#did('delete', message.channel_id, [new OnMessage(message.id)])
  }

  /** Does what a row of `verbs` says. @throws InvocationError, ActRefused */
  do<Name extends VerbName>(name: Name, ...given: ArgumentsOf<Name, Target>): OutOf<Name> {
    const { takes, options = {}, do: run }: AnyVerb = rows[name]
    const further = readVerbOptions(name)((given[takes.length] ?? {}) as object)
    const meant = ([, form]: Field, value: unknown) =>
      form === 'message' ? this.#messageOf(value as Target) : value
    const values = takes.map((field, at) => {
      const [key, form] = field
      demand(readersOf[form])(given[at], key)
      return meant(field, given[at])
    })
    const chosen = Object.fromEntries(
      Object.entries(further).flatMap(([key, value]) =>
        value === undefined ? [] : [[key, meant(options[key]!, value)]],
      ),
    )
    const by = new ActingPerson(this.#world, this.#person)
    const hand: Hand = {
      place: this.#place(),
      inPlace: (record, fields) => perform(record, by, this.#place(), {}, { fields }),
      onMessage: (record, message, fields) =>
        perform(record, by, this.#channelOf(message), { message }, { fields }),
      on: (record, on, fields) => perform(record, by, this.#place(), on, { fields }),
    }
    const told = [...(values as readonly unknown[]), ...(Object.keys(chosen).length > 0 ? [chosen] : [])]
    return this.#telling(name, told, () => asPerson(() => run(hand, values, chosen))) as OutOf<Name>
  }

  /** Tells what was done, or that it was refused. */
  #telling<T>(verb: string, values: readonly unknown[], act: () => T): T {
    const on = values.find((one): one is WorldMessage => isObject(one) && 'channel_id' in one)
    const by = { userId: this.#person.id, channelId: on?.channel_id ?? this.#place().id }
    const told = values.map(toldOf)
    try {
      const out = act()
      this.#people.acts.publish([{ by, verb, values: told }])
      return out
    } catch (error) {
      const { code } = error as { readonly code?: unknown }
      if (typeof code === 'string') this.#people.acts.publish([{ by, verb, values: told, failure: code }])
      throw error
    }
  }

  joinVoice(name: string, options: VoiceOptions = {}): void {
    const { muted = false, deafened = false } = readVoiceOptions(options)
    const { serverId, person } = this.#by
    const channel = this.#people.channel(name, this.#people.server(serverId))
    if (channel.type !== ChannelType.GUILD_VOICE && channel.type !== ChannelType.GUILD_STAGE_VOICE)
      throw new InputError(`channel: #${channel.name} is not a voice channel`)
    this.#act((by) => by.needIn({ ...channel, guild_id: serverId }, 'CONNECT'))
    const own = { self_mute: muted, self_deaf: deafened }
    setVoice(this.#world, serverId, person.id, { voice_channel_id: channel.id, ...own })
    this.#did('joinVoice', this.#home, [
      channel.name,
      { ...(muted && { muted }), ...(deafened && { deafened }) },
    ])
  }

  leaveVoice(): void {
    const { serverId, person } = this.#by
    setVoice(this.#world, serverId, person.id, { voice_channel_id: null })
    this.#did('leaveVoice', this.#home, [])
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

  /** Acts as the person. @throws InvocationError `permission_denied` for what they may not do, InputError for another refusal */
  #act<T>(act: (by: Party) => T): T {
    const by = new ActingPerson(this.#world, this.#person)
    return asPerson(() => act(by))
  }

  #did(verb: string, channelId: string, values: readonly unknown[], message?: WorldMessage): void {
    const by = { userId: this.#person.id, channelId }
    this.#people.acts.publish([{ by, verb, values, ...(message && { message }) }])
  }

  /** The channel in which acts outside of channels are told. */
  get #home(): string {
    return this.#people.server(this.#by.serverId).channels[0]?.id ?? ''
  }

  #channelOf({ channel_id: id }: WorldMessage): AnyChannel {
    return known(this.#world.channel(id))
  }

  /** The channel of the person. @throws InputError for a group DM */
  #place(): AnyChannel {
    const { channel } = this.#people.clientOptions(this.#by)
    const place = this.#world.channel(channel?.id ?? '')
    if (place === undefined) throw new InputError('channel: the bot gets no messages of a group DM')
    return place
  }

  /** @throws InvocationError while slow mode lasts */
  #checkSlowMode(channel: AnyChannel): void {
    const { id, username } = this.#person
    const left = slowModeLeft(this.#world, channel as WorldChannel, id)
    const isSplit = this.#world.platform.has(SPLIT_PERMISSIONS)
    const before = ['MANAGE_MESSAGES', 'MANAGE_CHANNELS', 'MANAGE_THREADS'] as const
    const lifting = ['BYPASS_SLOWMODE' as const, ...(isSplit ? [] : before)]
    const by = new ActingPerson(this.#world, this.#person)
    if (left > 0 && !lifting.some((name) => by.hasIn(channel, name)))
      throw permissionDenied(`slow mode: ${username} may write here again in ${Math.ceil(left / 1_000)} s`)
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

/** The readers of the options of verbs, each made once. */
const optionReaders = new Map<VerbName, (options: object) => object>()

function readVerbOptions(name: VerbName): (options: object) => object {
  const { options = {} }: AnyVerb = rows[name]
  const readers = Object.entries(options).map(([key, [, form]]) => [key, optional(readersOf[form])])
  const read = optionReaders.get(name) ?? optionsOf(name, Object.fromEntries(readers))
  optionReaders.set(name, read)
  return read
}

/** A value as it is told: a message by its id. */
function toldOf(value: unknown): unknown {
  if (!isObject(value)) return value
  if (typeof value.channel_id === 'string') return new OnMessage(String(value.id))
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, toldOf(one)]))
}

function permissionDenied(message: string): InvocationError {
  return new InvocationError('permission_denied', { message })
}
