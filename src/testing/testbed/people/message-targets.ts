/** What a person acts on: messages as they see them, answers of the bot, and other people. */
import { isObject } from '../../../core/json.ts'
import { quoted } from '../../../core/text.ts'
import type { ComponentUse } from '../../../interactions/usage/component.ts'
import { ComponentError } from '../../../interactions/usage/component-error.ts'
import { completeUser, type KnownObjects } from '../../../interactions/usage/complete.ts'
import { createInteraction, type InteractionPlace } from '../../../interactions/usage/create.ts'
import type { IdSource } from '../../../model/id-source.ts'
import { knownFields, userOf, type AnyInteraction } from '../../../model/interaction-payload.ts'
import { isEphemeral } from '../../../model/interaction-types.ts'
import { messageFor, type WorldMessage } from '../../../service/world/world-message.ts'
import { TestbedError, type BotWatch } from '../answers/bot-watch.ts'
import { isShown, type Shown } from '../answers/shown.ts'
import { unknownId } from './line.ts'
import { InputError, invalidArgument, type Participant, type People } from './people.ts'
import type { MessageView } from './server-view.ts'

/** A message: an answer to a person, what it shows, or a message of a channel. */
export type MessageTarget = Shown | NonNullable<Shown['message']> | MessageView

interface TargetOptions {
  readonly people: People
  /** The ids of component interactions. */
  readonly ids: IdSource
  readonly watch: BotWatch
}

export class MessageTargets {
  readonly #options: TargetOptions
  readonly #by: Participant

  constructor(options: TargetOptions, by: Participant) {
    this.#options = options
    this.#by = by
  }

  /** @throws TestbedError `no_message` when the answer has no such part, or not any more */
  needPart<Part extends 'message' | 'modal'>(shown: Shown, part: Part): NonNullable<Shown[Part]> {
    if (!isObject(shown?.interaction)) throw invalidArgument('shown', 'an answer of the bot', shown)
    const { watch } = this.#options
    const { interaction } = shown
    const found = shown[part]
    if (found === null) throw watch.fail('no_message', `the answer has no ${part}`, { interaction })
    if (shown.deleted) throw watch.fail('no_message', 'the bot has deleted the message', { interaction })
    return found as NonNullable<Shown[Part]>
  }

  /** @throws InputError for anything but a person or a message */
  findMenuTarget(target: string | object): object & { readonly id: string } {
    if (typeof target === 'string') return this.#options.people.find(target, this.#by.serverId).person
    // A message without a channel is one of the test's own, as it is given.
    const isOwn =
      isObject(target) && 'content' in target && !('channel_id' in target || 'channelId' in target)
    if (isShown(target) || (!isOwn && this.#messageOf(target) !== undefined))
      return this.findTarget(target as MessageTarget).message
    if (isObject(target) && typeof target.id === 'string') return target as object & { readonly id: string }
    throw invalidArgument('target', 'a person or a message, with its id', target)
  }

  /** A message as the person sees it, and their use of it. */
  findTarget(target: MessageTarget) {
    const by = this.#by
    if (isShown(target)) {
      const { interaction } = target
      const message = this.needPart(target, 'message')
      if (isEphemeral(message) && userOf(interaction)?.id !== by.person.id)
        throw new ComponentError(
          'not_visible',
          `the message is ephemeral: ${by.person.username} cannot see it`,
        )
      return { message, use: this.useOf(interaction) }
    }
    const { people } = this.#options
    const message = this.#messageOf(target)
    if (message === undefined) {
      const id = String((target as Partial<MessageView> | undefined)?.id)
      throw new TestbedError('no_message', `no channel has the message ${quoted(id)}`)
    }
    const { channel_id: channelId } = message
    const channel = people.world.channel(channelId)!
    const isDirect = 'botId' in channel
    const where = isDirect ? { user: completeUser(channel.user) } : { guild_id: channel.guild_id }
    // Throws if the person is not there.
    people.participant({ channel_id: channelId, ...where }, by)
    const options = { ...by.options, channel: isDirect ? 'dm' : channelId }
    const serverId = isDirect ? by.serverId : channel.guild_id
    const place = people.clientOptions({ ...by, serverId, options })
    // The message answers no interaction, so its components get one in its place.
    const command = { name: 'place', description: 'place', application_id: place.applicationId }
    const created = createInteraction(command, place as InteractionPlace)
    if (!created.ok) throw new InputError(created.issues.map(({ message: text }) => text).join('; '))
    return { message: messageFor(message, by.person.id), use: this.useOf(created.value) }
  }

  /** The message of a channel as it is now; undefined for anything else. */
  #messageOf(target: unknown): WorldMessage | undefined {
    const { id } = (target ?? {}) as Partial<MessageView>
    return typeof id === 'string' ? this.#options.people.world.findMessage(id) : undefined
  }

  /** @throws InputError for an answer that only one person sees */
  findChannelMessage(target: MessageTarget): WorldMessage {
    const message = this.#messageOf(this.findTarget(target).message)
    if (message !== undefined) return message
    throw new InputError('target: expected a message of a channel, which more than one person sees')
  }

  /** The person as they are now, in the place of an interaction. @throws ComponentError when they are not there */
  useOf(interaction: AnyInteraction): ComponentUse {
    const { people, ids } = this.#options
    const resolved = this.objectsFor(interaction)
    return { interaction, ids, resolved, ...people.participant(knownFields(interaction), this.#by) }
  }

  /** What the person sees in the place of an interaction. */
  objectsFor(interaction: AnyInteraction): KnownObjects {
    const { people } = this.#options
    const { guild_id: guildId, channel_id: channelId } = knownFields(interaction)
    const { application_id: appId } = interaction
    return people.objects(people.server(guildId), this.#by.person.id, channelId, appId)
  }

  /** @throws ComponentError `invalid_values` for an unknown id */
  checkResolved(interaction: AnyInteraction): void {
    const known = this.objectsFor(interaction)
    const { resolved = {} } = interaction.data as { readonly resolved?: KnownObjects }
    for (const kind of ['users', 'roles', 'channels'] as const) {
      for (const id of Object.keys(resolved[kind] ?? {})) {
        const problem = unknownId(id, [kind], known)
        if (problem !== undefined) throw new ComponentError('invalid_values', problem)
      }
    }
  }
}
