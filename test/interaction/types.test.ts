import type {
  APIApplicationCommandAutocompleteInteraction,
  APIChatInputApplicationCommandInteraction,
  APIInteractionDataResolved,
  APIInteractionResponse,
  APIMessageApplicationCommandInteraction,
  APIPingInteraction,
  APIPrimaryEntryPointCommandInteraction,
  APIUserApplicationCommandInteraction,
} from 'discord-api-types/v10'
import { describe, expect, it } from 'vitest'
import { validateCallback, type InteractionCallback } from '../../src/interaction/callback.ts'
import type {
  AutocompleteInteraction,
  ChatInputInteraction,
  EntryPointInteraction,
  MessageCommandInteraction,
  PingInteraction,
  ResolvedChannel,
  UserCommandInteraction,
} from '../../src/interaction/payload.ts'
import { used } from '../support/invoked.ts'

// What cannot be compared as it is: the types of clients are mutable, name locales by an enum that no string can
// be assigned to, and have one type of channel for each type of channel.
type Left = 'locale' | 'guild_locale' | 'guild' | 'channel' | 'channels'
type Comparable<T> = T extends readonly (infer Item)[]
  ? Comparable<Item>[]
  : T extends object
    ? { -readonly [Key in keyof T as Key extends Left ? never : Key]: Comparable<T[Key]> }
    : T
type Given<T> = Comparable<T>
type Taken<T> = Omit<T, Left>

/** Compiles only if everything that is given is taken. */
const clients = {
  chatInput: (given: Given<ChatInputInteraction>): Taken<APIChatInputApplicationCommandInteraction> => given,
  user: (given: Given<UserCommandInteraction>): Taken<APIUserApplicationCommandInteraction> => given,
  message: (given: Given<MessageCommandInteraction>): Taken<APIMessageApplicationCommandInteraction> => given,
  entryPoint: (given: Given<EntryPointInteraction>): Taken<APIPrimaryEntryPointCommandInteraction> => given,
  ping: (given: Given<PingInteraction>): Taken<APIPingInteraction> => given,
  // Of numbers that are filled in they say that they come as texts; the service sends only the focused one so.
  typing: (
    given: Omit<Given<AutocompleteInteraction>, 'data'>,
  ): Omit<Taken<APIApplicationCommandAutocompleteInteraction>, 'data'> => given,
  textChannel: (
    given: Given<ResolvedChannel> & { type: 0 },
  ): NonNullable<APIInteractionDataResolved['channels']>[string] => given,
}

describe('the types of clients', () => {
  it('[2.11-01] [2.11-02] take every interaction', () => {
    const interaction = used({ name: 'a' })
    const received = JSON.parse(JSON.stringify(interaction)) as Given<ChatInputInteraction>
    expect(clients.chatInput(received)).toEqual(interaction)
  })

  it('give answers that are taken', () => {
    const answer: APIInteractionResponse = { type: 4, data: { content: 'x' } }
    const found = validateCallback(used({ name: 'a' }), answer)
    expect(found.ok).toBe(true)
    const type: (callback: InteractionCallback) => APIInteractionResponse['type'] = (callback) =>
      callback.type
    if (found.ok) expect(type(found.value)).toBe(4)
  })
})
