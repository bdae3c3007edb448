/** The audit log: what members did in a server, with the reasons. */
import { sameJson } from '../../core/json.ts'
import type { LoggedChange } from './entities.ts'
import type { World } from './world.ts'

/** The actions that the world logs, with their numbers on the wire. */
export const AuditAction = {
  GUILD_UPDATE: 1,
  CHANNEL_CREATE: 10,
  CHANNEL_UPDATE: 11,
  CHANNEL_DELETE: 12,
  CHANNEL_OVERWRITE_CREATE: 13,
  CHANNEL_OVERWRITE_UPDATE: 14,
  CHANNEL_OVERWRITE_DELETE: 15,
  MEMBER_KICK: 20,
  MEMBER_BAN_ADD: 22,
  MEMBER_BAN_REMOVE: 23,
  MEMBER_UPDATE: 24,
  MEMBER_ROLE_UPDATE: 25,
  MEMBER_MOVE: 26,
  MEMBER_DISCONNECT: 27,
  ROLE_CREATE: 30,
  ROLE_UPDATE: 31,
  ROLE_DELETE: 32,
  INVITE_CREATE: 40,
  INVITE_DELETE: 42,
  WEBHOOK_CREATE: 50,
  WEBHOOK_UPDATE: 51,
  WEBHOOK_DELETE: 52,
  EMOJI_CREATE: 60,
  EMOJI_UPDATE: 61,
  EMOJI_DELETE: 62,
  MESSAGE_DELETE: 72,
  MESSAGE_BULK_DELETE: 73,
  MESSAGE_PIN: 74,
  MESSAGE_UNPIN: 75,
  THREAD_CREATE: 110,
  THREAD_UPDATE: 111,
  THREAD_DELETE: 112,
} as const
export type AuditActionName = keyof typeof AuditAction

/** Logs an action on something. @param options further fields, such as the channel of a message */
export function logAction(
  world: World,
  serverId: string,
  name: AuditActionName,
  targetId: string | null,
  options?: object,
): void {
  world.record(serverId, { action_type: AuditAction[name], target_id: targetId, ...(options && { options }) })
}

/**
 * Logs a change of something, with the fields that differ. Created things have nothing before, deleted ones nothing after.
 *
 * @param targetId null for what has no id, such as an invite: clients read it as a number
 */
export function logChange(
  world: World,
  serverId: string,
  name: AuditActionName,
  targetId: string | null,
  before: object | null,
  after: object | null,
  options?: object,
): void {
  const changes = loggedChanges(before, after)
  if (before !== null && after !== null && changes.length === 0) return
  const action = { action_type: AuditAction[name], target_id: targetId, changes }
  world.record(serverId, { ...action, ...(options && { options }) })
}

function loggedChanges(before: object | null, after: object | null): readonly LoggedChange[] {
  const [old, next] = [before ?? {}, after ?? {}] as { readonly [key: string]: unknown }[]
  const keys = [...new Set([...Object.keys(old!), ...Object.keys(next!)])].filter((key) => key !== 'id')
  return keys
    .filter((key) => !sameJson(old![key] ?? null, next![key] ?? null))
    .map((key) => ({
      key,
      ...(old![key] != null && { old_value: old![key] }),
      ...(next![key] != null && { new_value: next![key] }),
    }))
}
