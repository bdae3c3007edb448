import type { ApplicationCommand } from '../command/definition.ts'
import type {
  AutocompleteInteraction,
  CommandInteraction,
  InteractionMessage,
} from '../interaction/payload.ts'
import type { GuildCommandPermissions } from '../permission/overwrite.ts'
import type { Scope } from './scope.ts'

/** What the registry tells its listeners, after the change was written. */
export type RegistryEvent = CommandEvent | PermissionsEvent | InteractionEvent

export interface CommandEvent {
  readonly type: 'command_created' | 'command_updated' | 'command_deleted'
  readonly scope: Scope
  /** As it is now; of a deleted command, as it was. */
  readonly command: ApplicationCommand
}

/** The service's Application Command Permissions Update (clause 6-01). */
export interface PermissionsEvent {
  readonly type: 'permissions_updated'
  readonly applicationId: string
  readonly guildId: string
  /** All entries there are now. */
  readonly permissions: GuildCommandPermissions
}

/** Somebody used a command, or is typing in an option with autocomplete (clauses 6-02, 6-03). */
export type InteractionEvent = AppInteractionEvent | ServiceInteractionEvent

interface Used {
  readonly type: 'interaction_created'
  readonly scope: Scope
  readonly command: ApplicationCommand
}

/** The app gets the interaction and has to answer it. */
export interface AppInteractionEvent extends Used {
  readonly handledBy: 'app'
  readonly interaction: CommandInteraction | AutocompleteInteraction
  readonly message: null
}

/**
 * An entry point with the handler SERVICE_LAUNCH_ACTIVITY: the service has launched the Activity and posted a
 * message, and the app gets nothing (clause 2.3-03).
 */
export interface ServiceInteractionEvent extends Used {
  readonly handledBy: 'service'
  readonly interaction: null
  readonly message: InteractionMessage
}

export type RegistryListener = (event: RegistryEvent) => void
