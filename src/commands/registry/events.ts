import type { ApplicationCommand } from '../../model/command-definition.ts'
import type {
  AutocompleteInteraction,
  CommandInteraction,
  InteractionMessage,
} from '../../model/interaction-payload.ts'
import type { GuildCommandPermissions } from '../../model/permission-entry.ts'
import type { Scope } from './scope.ts'

/** Who made a change: the application of a token, and the user who granted it. Hosts may pass what they know. */
export interface ChangeAuthor {
  /** The application whose token made the change. */
  readonly applicationId?: string
  /** The user who granted the token. Absent for a bot and for client credentials. */
  readonly userId?: string
}

/** An event of a registry, published after the change was written. */
export type RegistryEvent = CommandEvent | PermissionsEvent | InteractionEvent

/** A command was created, changed or deleted. */
export interface CommandEvent {
  readonly type: 'command_created' | 'command_updated' | 'command_deleted'
  readonly scope: Scope
  /** The command as it is now; a deleted one as it was. */
  readonly command: ApplicationCommand
  /** Who made the change; absent if that is not known. */
  readonly by?: ChangeAuthor
}

/** Application Command Permissions Update: the permissions of a command or an application changed (clause 6-01). */
export interface PermissionsEvent {
  readonly type: 'permissions_updated'
  readonly applicationId: string
  readonly guildId: string
  /** All entries of the command or application as they are now. */
  readonly permissions: GuildCommandPermissions
  /** Who made the change; absent if that is not known. */
  readonly by?: ChangeAuthor
}

/** A person used a command, or is typing in an option with autocomplete (clauses 6-02, 6-03). */
export type InteractionEvent = AppInteractionEvent | ServiceInteractionEvent

interface InteractionCreated {
  readonly type: 'interaction_created'
  readonly scope: Scope
  readonly command: ApplicationCommand
  /** A use changes nothing. */
  readonly by?: undefined
}

/** The app receives the interaction and must answer it. */
export interface AppInteractionEvent extends InteractionCreated {
  readonly handledBy: 'app'
  readonly interaction: CommandInteraction | AutocompleteInteraction
  readonly message: null
}

/** An entry point that the service handles: it posts a message, and the app receives nothing (clause 2.3-03). */
export interface ServiceInteractionEvent extends InteractionCreated {
  readonly handledBy: 'service'
  readonly interaction: null
  readonly message: InteractionMessage
}

/** Called with every event. Errors and rejected promises go to `onListenerError`. */
export type RegistryListener = (event: RegistryEvent) => void

/** The events of a write, with who made it. */
export function signed(
  events: readonly RegistryEvent[],
  by: ChangeAuthor | undefined,
): readonly RegistryEvent[] {
  if (by === undefined) return events
  return events.map((event) => (event.type === 'interaction_created' ? event : { ...event, by }))
}
