/** Changes of commands and permissions, and how their bodies are parsed. */
import type { ApplicationSettings } from '../command/application.ts'
import type { CommandDefinition } from '../command/definition.ts'
import { parseCommands } from '../command/parse.ts'
import type { ValidationContext } from '../command/reading.ts'
import type { Validation } from '../core/validation.ts'
import type { CommandPermission } from '../permission/entry.ts'
import { RegistryError } from './error.ts'
import type { Scope } from './scope.ts'

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

/** The value of a valid body. @throws RegistryError `invalid` with every issue of an invalid one */
export function valid<T>(read: Validation<T>, body: unknown): T {
  if (read.ok) return read.value
  throw new RegistryError('invalid', { issues: read.issues, body })
}

/** The context in which the bodies of a scope are parsed. */
export function contextOf(scope: Scope, application: ApplicationSettings): ValidationContext {
  return { scope: scope.kind, application }
}

/** The change of a bulk overwrite. @throws RegistryError `invalid` */
export function overwriteOf(
  scope: Scope,
  bodies: unknown,
  application: ApplicationSettings,
): Extract<ScopeChange, { kind: 'overwrite' }> {
  const definitions = valid(parseCommands(bodies, contextOf(scope, application), false), bodies)
  return { kind: 'overwrite', definitions, bodies }
}
