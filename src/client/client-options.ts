/** Who a `ChatClient` is for, and what a person does with it. */
import type { DefinitionOf } from '../command/builder.ts'
import type { Fault } from '../command/define.ts'
import type { InputOf, OptionValue, Rest, UseOf } from '../command/usage.ts'
import type { InteractionRequest } from '../interaction/create.ts'
import type { EntryPointInteraction, InteractionMessage, InteractionUser } from '../interaction/payload.ts'
import type { KnownObjects } from '../interaction/complete.ts'
import type { MemberInput, Partly } from '../world/server.ts'
import type { DirectViewer, GuildViewer } from '../picker/picker.ts'

type AnyClientOptions = Pick<
  InteractionRequest,
  'ids' | 'tokens' | 'guildLocale' | 'appPermissions' | 'resolved'
>

/** A user in a guild, and their client. Absent fields of the member are completed. */
export type GuildClientOptions = AnyClientOptions & GuildViewer & { readonly member: MemberInput }

/** A user in a DM or a group DM, and their client. */
export type DirectClientOptions = AnyClientOptions &
  DirectViewer & {
    /** The user. Absent fields are completed. */
    readonly user?: Partly<InteractionUser>
  }

/** A user in a place, and their client. */
export type ChatClientOptions = GuildClientOptions | DirectClientOptions

/** Values by the default or localized name of their option. A choice is given by its value or its localized name. */
export interface OptionValues {
  readonly [name: string]: OptionValue | undefined
}

/** Known objects for one use of a command. */
export interface UseOptions {
  /** Known users, members, roles, channels, messages and attachments, by id. */
  readonly resolved?: KnownObjects
}

/** What a person enters to use a command of which the compiler does not know the options. */
export interface AnyUse {
  readonly subcommand?: string
  readonly options?: OptionValues
}

/** What follows the path or the definition of a command. */
export type InvokeRest<Command> = [Command] extends [string]
  ? [values?: OptionValues, use?: UseOptions]
  : Command extends { readonly type: 2 | 3 | 4 }
    ? [use: Fault<'only a slash command is used this way'>]
    : Rest<InputOf<DefinitionOf<Command>, UseOf<DefinitionOf<Command>>, AnyUse> & UseOptions>

/**
 * The result of an entry point command (clause 2.3-03): an interaction that the app gets, or a message of the service,
 * which launches the Activity without the app.
 */
export type LaunchResult =
  | { readonly handledBy: 'app'; readonly interaction: EntryPointInteraction; readonly message: null }
  | { readonly handledBy: 'service'; readonly interaction: null; readonly message: InteractionMessage }
