/** A person in channels: carries out the verbs of people, and publishes each. */
import { demand, optionsOf } from '../../../core/rules/arguments.ts'
import { optional } from '../../../core/rules/readers.ts'
import type { AnyChannel } from '../../../service/world/entities.ts'
import { perform } from '../../../service/world/acts/act.ts'
import { isWorldMessage, type WorldMessage } from '../../../service/world/world-message.ts'
import { known } from '../../../service/world/world.ts'
import { openedFile, type FileToAttach } from '../answers/attached.ts'
import { ActingPerson, asPerson } from './acting-person.ts'
import type { Participant, People } from './people.ts'
import {
  readersOf,
  rows,
  type AnyVerb,
  type ArgumentsOf,
  type VerbField,
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

  /** Does what a row of `verbs` says. @throws InvocationError, ActRefused */
  async do<Name extends VerbName>(name: Name, ...given: ArgumentsOf<Name, Target>): Promise<OutOf<Name>> {
    const row: AnyVerb = rows[name]
    const { takes, options = {} } = row
    const further = readVerbOptions(name)((given[takes.length] ?? {}) as object)
    const values = takes.map((field, at) => {
      const [key, form] = field
      demand(readersOf[form])(given[at], key)
      return this.#meant(field, given[at])
    })
    const chosen: Record<string, unknown> = Object.fromEntries(
      Object.entries(further).flatMap(([key, value]) =>
        isAbsent(value) ? [] : [[key, this.#meant(options[key]!, value)]],
      ),
    )
    let hand = this.#hand()
    const allValues = Object.keys(chosen).length > 0 ? [...values, chosen] : values
    try {
      asPerson(() => row.ready?.(hand))
      const { files } = chosen as { readonly files?: readonly (FileToAttach | Blob)[] }
      if (files !== undefined) {
        chosen.files = await Promise.all(files.map(openedFile))
        // The channel may have changed meanwhile.
        hand = this.#hand()
      }
      const out = asPerson(() => row.do(hand, values, chosen)) as OutOf<Name>
      this.#publish(name, allValues, hand, { out })
      return out
    } catch (error) {
      const { code } = error as { readonly code?: unknown }
      if (typeof code === 'string') this.#publish(name, allValues, hand, { failure: code })
      throw error
    }
  }

  /** A value in the world; files stay as they are given. */
  #meant([, form]: VerbField, value: unknown): unknown {
    if (form === 'message') return this.#messageOf(value as Target)
    if (form !== 'channel') return value
    const { serverId } = this.#by
    return { ...this.#people.channel(value as string, this.#people.server(serverId)), guild_id: serverId }
  }

  #hand(): Hand {
    const people = this.#people
    const { person, serverId } = this.#by
    const { world } = people
    const by = new ActingPerson(world, person)
    let found: AnyChannel | undefined
    const place = () => (found ??= people.place(this.#by))
    const channelOf = (on: { readonly message?: WorldMessage }): AnyChannel =>
      on.message === undefined ? place() : known(world.channel(on.message.channel_id))
    return {
      by,
      get place() {
        return place()
      },
      get server() {
        return known(world.server(serverId))
      },
      withMentions: (content) => this.#withMentions(content),
      act: (record, on, fields, files) =>
        perform(record, by, channelOf(on), on, { fields, ...(files && { files }) }),
      actIn: (record, where, fields) => perform(record, by, where, {}, { fields }),
    }
  }

  /** Publishes what was done, or that it was refused. */
  #publish(
    verb: VerbName,
    values: readonly unknown[],
    hand: Hand,
    { out, failure }: { readonly out?: unknown; readonly failure?: string },
  ): void {
    const on = values.find(isWorldMessage)
    const channelId = on?.channel_id ?? (rows[verb].isOfServer ? this.#home : hand.place.id)
    // What a verb on a message returns is that message.
    const message = on === undefined && isWorldMessage(out) ? out : undefined
    this.#people.acts.publish([
      {
        by: { userId: this.#by.person.id, channelId },
        verb,
        values,
        ...(message && { message }),
        ...(failure !== undefined && { failure }),
      },
    ])
  }

  /** The channel of acts outside of channels. */
  get #home(): string {
    return this.#people.server(this.#by.serverId).channels[0]?.id ?? ''
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

/** No value, or no files. */
const isAbsent = (value: unknown) => value === undefined || (Array.isArray(value) && value.length === 0)
