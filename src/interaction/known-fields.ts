/** Fields that interactions of some types have, for readers of any interaction. */
import type { AnyInteraction, InteractionMember, InteractionUser } from './payload.ts'

/** The fields that this library reads from interactions of any type. */
export interface KnownFields {
  /** The guild; absent outside of guilds. */
  readonly guild_id?: string
  /** The channel. */
  readonly channel_id?: string
  /** The member, in a guild. */
  readonly member?: InteractionMember
  /** The user, outside of guilds. */
  readonly user?: InteractionUser
  /** The language of the user's client. */
  readonly locale?: string
  /** Why the command is available: through the guild `'0'`, through the user `'1'`. */
  readonly authorizing_integration_owners?: { readonly [installation: string]: string }
}

/** The known fields of an interaction. */
export function knownFields(interaction: AnyInteraction): KnownFields {
  return interaction as KnownFields
}

/** The user of an interaction; undefined if it has none. */
export function userOf(interaction: AnyInteraction): InteractionUser | undefined {
  const { member, user } = knownFields(interaction)
  return member?.user ?? user
}
