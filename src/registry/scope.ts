import { isObject } from '../core/json.ts'
import { checkSnowflake, isSnowflake } from '../core/snowflake.ts'
import { describeValue } from '../core/text.ts'

/** Where commands are registered: globally, or in one guild (clause 1-02). Make one with `globalScope` or `guildScope`. */
export type Scope = GlobalScope | GuildScope

/** The global commands of an application. */
export interface GlobalScope {
  /** `'global'`. */
  readonly kind: 'global'
  /** The application, a snowflake. */
  readonly applicationId: string
}

/** The commands of an application in one guild. */
export interface GuildScope {
  /** `'guild'`. */
  readonly kind: 'guild'
  /** The application, a snowflake. */
  readonly applicationId: string
  /** The guild, a snowflake. */
  readonly guildId: string
}

/**
 * The global commands of an application.
 *
 * @throws TypeError if the id is not a snowflake
 */
export function globalScope(applicationId: string): GlobalScope {
  return Object.freeze({ kind: 'global', applicationId: checkSnowflake(applicationId, 'applicationId') })
}

/**
 * The commands of an application in one guild.
 *
 * @throws TypeError if an id is not a snowflake
 */
export function guildScope(applicationId: string, guildId: string): GuildScope {
  return Object.freeze({
    kind: 'guild',
    applicationId: checkSnowflake(applicationId, 'applicationId'),
    guildId: checkSnowflake(guildId, 'guildId'),
  })
}

/** The commands of an application in a guild; the global ones without a guild. */
export function scopeOf(applicationId: string, guildId: string | null): Scope {
  return guildId === null ? globalScope(applicationId) : guildScope(applicationId, guildId)
}

/**
 * Refuses everything that `globalScope` and `guildScope` cannot return.
 *
 * @throws TypeError if the value is not a scope
 */
export function checkScope(scope: unknown): asserts scope is Scope {
  if (!isObject(scope) || (scope.kind !== 'global' && scope.kind !== 'guild')) {
    const actual = isObject(scope) ? `an object of kind ${describeValue(scope.kind)}` : describeValue(scope)
    throw new TypeError(
      `scope: expected globalScope(applicationId) or guildScope(applicationId, guildId), got ${actual}`,
    )
  }
  const ids = scope.kind === 'global' ? ['applicationId'] : ['applicationId', 'guildId']
  for (const label of ids) {
    if (!isSnowflake(scope[label]))
      throw new TypeError(
        `scope.${label}: expected a snowflake, as in globalScope("1029384756"), got ${describeValue(scope[label])}`,
      )
  }
}

/** A scope in words, for messages. */
export function describeScope(scope: Scope): string {
  return scope.kind === 'global'
    ? `the global commands of application ${scope.applicationId}`
    : `the commands of application ${scope.applicationId} in guild ${scope.guildId}`
}

/** The key of a scope's document. */
export function scopeKey(scope: Scope): string {
  return scope.kind === 'global'
    ? `scope/${scope.applicationId}/global`
    : `scope/${scope.applicationId}/guild/${scope.guildId}`
}

/** The scope of a document's key; `undefined` for keys of other documents. */
export function scopeOfKey(key: string): Scope | undefined {
  const [kind, applicationId, reach, guildId] = key.split('/')
  if (kind !== 'scope' || !isSnowflake(applicationId)) return undefined
  if (reach === 'global') return globalScope(applicationId)
  return isSnowflake(guildId) ? guildScope(applicationId, guildId) : undefined
}

/** The key of the document with all permissions of an application in a guild. */
export function permissionsKey(applicationId: string, guildId: string): string {
  return permissionsPrefix(applicationId) + guildId
}

/** The start of the keys of an application's permissions; the `/` at its end separates application 1 from 10. */
export function permissionsPrefix(applicationId: string): string {
  return `permissions/${applicationId}/`
}

/** The start of the keys of an application's scopes. */
export function scopesPrefix(applicationId: string): string {
  return `scope/${applicationId}/`
}
