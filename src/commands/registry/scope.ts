import { isObject } from '../../core/json.ts'
import { checkSnowflake, isSnowflake } from '../../core/snowflake.ts'
import { describeValue } from '../../core/text.ts'

/** Where commands are registered: globally, or in one guild (clause 1-02). Make one with `globalScope` or `guildScope`. */
export type Scope = GlobalScope | GuildScope

/** The global commands of an application. */
export interface GlobalScope {
  readonly kind: 'global'
  readonly applicationId: string
}

/** The commands of an application in one guild. */
export interface GuildScope {
  readonly kind: 'guild'
  readonly applicationId: string
  readonly guildId: string
}

/** The global commands of an application. @throws TypeError if the id is not a snowflake */
export function globalScope(applicationId: string): GlobalScope {
  return Object.freeze({ kind: 'global', applicationId: checkSnowflake(applicationId, 'applicationId') })
}

/** The commands of an application in one guild. @throws TypeError if an id is not a snowflake */
export function guildScope(applicationId: string, guildId: string): GuildScope {
  return Object.freeze({
    kind: 'guild',
    applicationId: checkSnowflake(applicationId, 'applicationId'),
    guildId: checkSnowflake(guildId, 'guildId'),
  })
}

/** The commands of an application in a guild; the global ones without a guild. */
export function scopeOf(applicationId: string, guildId: string | null | undefined): Scope {
  return guildId == null ? globalScope(applicationId) : guildScope(applicationId, guildId)
}

export function describeScope(scope: Scope): string {
  return scope.kind === 'global'
    ? `the global commands of application ${scope.applicationId}`
    : `the commands of application ${scope.applicationId} in guild ${scope.guildId}`
}

/** The key of a scope's document. Throws a TypeError if the value is not a scope. */
export function scopeKey(scope: Scope): string {
  const value: unknown = scope
  if (!isObject(value) || (value.kind !== 'global' && value.kind !== 'guild')) {
    const actual = isObject(value) ? `an object of kind ${describeValue(value.kind)}` : describeValue(value)
    throw new TypeError(
      `scope: expected globalScope(applicationId) or guildScope(applicationId, guildId), got ${actual}`,
    )
  }
  const prefix = scopesPrefix(checkSnowflake(value.applicationId, 'scope.applicationId'))
  return value.kind === 'global'
    ? `${prefix}global`
    : `${prefix}guild/${checkSnowflake(value.guildId, 'scope.guildId')}`
}

/** The scope of the key of its document; `undefined` for any other key. */
export function scopeOfKey(key: string): Scope | undefined {
  const [kind, applicationId, reach, guildId] = key.split('/')
  if (kind !== 'scope' || !isSnowflake(applicationId)) return undefined
  if (reach === 'global') return globalScope(applicationId)
  return isSnowflake(guildId) ? guildScope(applicationId, guildId) : undefined
}

/** The guild of the key of a document; null for the global scope. */
export function guildOfKey(key: string): string | null {
  const last = key.slice(key.lastIndexOf('/') + 1)
  return isSnowflake(last) ? last : null
}

/** Refuses what is not a scope, or the id of a command. */
export function checkCommandOf(scope: Scope, commandId: string): void {
  scopeKey(scope)
  checkSnowflake(commandId, 'commandId')
}

/** The key of the document with all permissions of an application in a guild. */
export function permissionsKey(applicationId: string, guildId: string): string {
  return permissionsPrefix(applicationId) + guildId
}

/** The start of the keys of an application's permissions; the `/` at its end separates application 1 from 10. */
export function permissionsPrefix(applicationId: string): string {
  return `permissions/${applicationId}/`
}

export function scopesPrefix(applicationId: string): string {
  return `scope/${applicationId}/`
}
