/** Clauses [2.11-01] and [2.11-02]: the types of interactions and answers against those of discord-api-types. */
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
import type {
  AutocompleteInteraction,
  ChatInputInteraction,
  EntryPointInteraction,
  InteractionCallback,
  MessageCommandInteraction,
  PingInteraction,
  UserCommandInteraction,
  ResolvedChannel,
} from 'commandry/interactions'

// Differences that do not matter: the types of discord-api-types are mutable, take locales from an enum that no string
// can be assigned to, and have one type for each type of channel.
type Left = 'locale' | 'guild_locale' | 'guild' | 'channel' | 'channels'
type Comparable<T> = T extends readonly (infer Item)[]
  ? Comparable<Item>[]
  : T extends object
    ? { -readonly [Key in keyof T as Key extends Left ? never : Key]: Comparable<T[Key]> }
    : T
type Given<T> = Comparable<T>
type Taken<T> = Omit<T, Left>

/** Compiles only if the types of discord-api-types accept every interaction. */
export const clients = {
  chatInput: (given: Given<ChatInputInteraction>): Taken<APIChatInputApplicationCommandInteraction> => given,
  user: (given: Given<UserCommandInteraction>): Taken<APIUserApplicationCommandInteraction> => given,
  message: (given: Given<MessageCommandInteraction>): Taken<APIMessageApplicationCommandInteraction> => given,
  entryPoint: (given: Given<EntryPointInteraction>): Taken<APIPrimaryEntryPointCommandInteraction> => given,
  ping: (given: Given<PingInteraction>): Taken<APIPingInteraction> => given,
  // Those types have text for every number in autocomplete; the service sends text only for the focused option.
  typing: (
    given: Omit<Given<AutocompleteInteraction>, 'data'>,
  ): Omit<Taken<APIApplicationCommandAutocompleteInteraction>, 'data'> => given,
  textChannel: (
    given: Given<ResolvedChannel> & { type: 0 },
  ): NonNullable<APIInteractionDataResolved['channels']>[string] => given,
}

/** Compiles only if every type of an answer is one of discord-api-types. */
export const answerType = (callback: InteractionCallback): APIInteractionResponse['type'] => callback.type
