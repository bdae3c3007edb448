import { isSnowflake } from '../core/snowflake.ts'
import { described } from '../core/text.ts'

/** Where commands live: everywhere the app is, or in one guild (clause 1-02). */
export type Scope = GlobalScope | GuildScope

export interface GlobalScope {
  readonly kind: 'global'
  readonly applicationId: string
}

export interface GuildScope {
  readonly kind: 'guild'
  readonly applicationId: string
  readonly guildId: string
}

/**
 * The commands an application has everywhere.
 *
 * @throws TypeError when the id is no snowflake
 */
export function globalScope(applicationId: string): GlobalScope {
  return Object.freeze({ kind: 'global', applicationId: id('applicationId', applicationId) })
}

/**
 * The commands an application has in one guild only.
 *
 * @throws TypeError when an id is no snowflake
 */
export function guildScope(applicationId: string, guildId: string): GuildScope {
  return Object.freeze({
    kind: 'guild',
    applicationId: id('applicationId', applicationId),
    guildId: id('guildId', guildId),
  })
}

function id(label: string, value: unknown): string {
  if (isSnowflake(value)) return value
  throw new TypeError(`${label}: expected a snowflake such as "1029384756", got ${described(value)}`)
}

/** The key of a scope's document. */
export function scopeKey(scope: Scope): string {
  return scope.kind === 'global'
    ? `scope/${scope.applicationId}/global`
    : `scope/${scope.applicationId}/guild/${scope.guildId}`
}

/** The scope whose document a key is of; `undefined` for keys of other documents. */
export function scopeOfKey(key: string): Scope | undefined {
  const [kind, applicationId, reach, guildId] = key.split('/')
  if (kind !== 'scope' || !isSnowflake(applicationId)) return undefined
  if (reach === 'global') return globalScope(applicationId)
  return isSnowflake(guildId) ? guildScope(applicationId, guildId) : undefined
}

/** The key of the document that holds all permissions of an application in a guild. */
export function permissionsKey(applicationId: string, guildId: string): string {
  return permissionsPrefix(applicationId) + guildId
}

/** What the keys of an application's permissions start with; its end keeps application 1 apart from 10. */
export function permissionsPrefix(applicationId: string): string {
  return `permissions/${applicationId}/`
}
