/** From the bodies that a registry is given to values, or to its error. */
import type { ApplicationSettings } from '../command/application.ts'
import { parseCommands } from '../command/parse.ts'
import type { ValidationContext } from '../command/reading.ts'
import type { Validation } from '../core/validation.ts'
import type { ScopeChange } from './change.ts'
import { RegistryError } from './error.ts'
import type { Scope } from './scope.ts'

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
