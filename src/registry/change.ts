import type { CommandDefinition } from '../command/definition.ts'
import type { CommandPermission } from '../permission/overwrite.ts'

/** Everything one can ask of the commands of a scope. */
export type ScopeChange =
  | { readonly kind: 'upsert'; readonly definition: CommandDefinition }
  /** The body is read in the plan, against the command it edits. */
  | { readonly kind: 'edit'; readonly commandId: string; readonly body: unknown }
  | { readonly kind: 'remove'; readonly commandId: string }
  | {
      readonly kind: 'overwrite'
      readonly definitions: readonly CommandDefinition[]
      readonly bodies: unknown
    }
  /** Creates the entry point command unless there is one. */
  | { readonly kind: 'launch'; readonly definition: CommandDefinition }

export interface PermissionChange {
  /** A command, or the application. */
  readonly targetId: string
  readonly permissions: readonly CommandPermission[]
}
