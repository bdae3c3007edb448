/** Changes of commands and of permissions, before they are planned. */
import type { CommandDefinition } from '../command/definition.ts'
import type { CommandPermission } from '../permission/entry.ts'

/** A change of the commands of a scope. */
export type ScopeChange =
  | { readonly kind: 'upsert'; readonly definition: CommandDefinition; readonly body: unknown }
  /** The body is parsed when the change is planned, because it depends on the command it edits. */
  | { readonly kind: 'edit'; readonly commandId: string; readonly body: unknown }
  | { readonly kind: 'remove'; readonly commandId: string }
  | {
      readonly kind: 'overwrite'
      readonly definitions: readonly CommandDefinition[]
      readonly bodies: unknown
    }
  /** Creates the entry point command unless there is one; not counted as a create of the day (clause 2.3-02). */
  | { readonly kind: 'launch'; readonly definition: CommandDefinition }

/** New permissions of a command, or of the application. */
export interface PermissionChange {
  /** The id of the command or the application. */
  readonly targetId: string
  readonly permissions: readonly CommandPermission[]
}
