/** An act, such as a pin, as one record. Bots over REST, people and the page carry it out by the same functions. */
import type { AnswerFile } from '../../../model/answer-types.ts'
import type { Reader } from '../../../core/rules/readers.ts'
import type { AuditActionName } from '../audit-log.ts'
import { readFields } from '../body-fields.ts'
import { Refused, type RefusalName } from '../../refusals.ts'
import {
  isDirect,
  type AnyChannel,
  type Emoji,
  type Invite,
  type OwnEmoji,
  type ServerState,
  type Thread,
  type Webhook,
  type WorldChannel,
} from '../entities.ts'
import type { WorldEventName } from '../world-events.ts'
import type { Party, Permission, Place } from '../party.ts'
import { isThread, type ServerMember, type ServerRole, type ServerUser } from '../../../model/server.ts'
import type { WorldMessage } from '../world-message.ts'

/** What acts are on, by the names that paths have for them. */
export interface Objects {
  readonly message: WorldMessage
  readonly emoji: Emoji
  readonly thread: Thread
  readonly userId: string
  /** The user of the path. */
  readonly target: ServerUser
  readonly member: ServerMember
  readonly role: ServerRole
  /** The id of a role or a user whose overwrite it is. */
  readonly overwriteId: string
  readonly webhook: Webhook
  readonly invite: Invite
  /** An emoji of the server. */
  readonly ownEmoji: OwnEmoji
}

export type ObjectName = keyof Objects

/** The fields of a body, and the files beside them. */
export interface Sent {
  readonly fields?: unknown
  readonly files?: readonly AnswerFile[]
}

/** What an act is given: what it is on, and what was read of its body. */
export type ActInput<On extends ObjectName, Body> = Pick<Objects, On> & { readonly body: Body }

/** A permission that an act needs for some of what it is given. */
export interface FurtherNeed<In, Where extends Place> {
  readonly permission: Permission
  /** In words: `a private thread`. */
  readonly for: string
  readonly when: (given: In, place: Where, by: Party) => boolean
  /** The refusal, if it has a code of its own. Default: missing permissions. */
  readonly refusal?: RefusalName
  /** Whether the act does less without it, instead of being refused. */
  readonly isQuiet?: true
}

/** What is known of an act without carrying it out. */
export interface ActFacts<Where extends Place = AnyChannel> {
  readonly summary: string
  /** Needed in the place, before anything else is looked at. */
  readonly needs?: readonly Permission[]
  /** Whether a party needs none of them. */
  readonly exempt?: (by: Party, place: Where) => boolean
  /** The event that tells of the change. */
  readonly event?: WorldEventName
  /** The entry of the audit log. */
  readonly logs?: AuditActionName
  /** Whether DMs refuse it. */
  readonly isOfServers?: true
  /** Whether threads refuse it. */
  readonly isOfChannels?: true
}

export interface Act<
  On extends ObjectName,
  Body,
  Out,
  Where extends Place = AnyChannel,
> extends ActFacts<Where> {
  readonly on: readonly On[]
  /** Reads the fields of the body. */
  readonly body?: Reader<Body>
  /** Reads what was sent, where it is more than fields. @throws Refused with every problem */
  readonly read?: (sent: Sent, by: Party, on: Pick<Objects, NoInfer<On>>) => Body
  readonly further?: readonly FurtherNeed<NoInfer<ActInput<On, Body>>, Where>[]
  /** The limits beside permissions. @throws Refused */
  readonly check?: (by: Party, given: NoInfer<ActInput<On, Body>>, place: Where) => void
  readonly do: (by: Party, given: NoInfer<ActInput<On, Body>>, place: Where) => Out
}

/** Declares an act in a channel; its types follow from `on`, `read` and `do`. */
export function act<const On extends ObjectName, Body = undefined, Out = void>(
  record: Act<On, Body, Out>,
): Act<On, Body, Out> {
  return record
}

/** Declares an act in a channel of a server. DMs refuse it. */
export function channelAct<const On extends ObjectName, Body = undefined, Out = void>(
  record: Act<On, Body, Out, WorldChannel>,
): Act<On, Body, Out, WorldChannel> {
  return { ...record, isOfServers: true }
}

/** Declares an act in a server. */
export function serverAct<const On extends ObjectName, Body = undefined, Out = void>(
  record: Act<On, Body, Out, ServerState>,
): Act<On, Body, Out, ServerState> {
  return record
}

/** @throws Refused 50013, 50001 or 50003 */
export function needRights<Where extends Place>(
  { needs = [], exempt }: ActFacts<Where>,
  by: Party,
  place: Where,
): void {
  // What they do not see is refused first, also to those who need nothing there.
  if (exempt !== undefined) by.needIn(place)
  if (exempt?.(by, place) !== true) by.needIn(place, ...needs)
}

/** What follows the rights: the body, the permissions and limits that depend on it, and the change. @throws Refused */
export function carryOutAct<On extends ObjectName, Body, Out, Where extends Place>(
  { body, read, further = [], check, do: change, isOfServers, isOfChannels }: Act<On, Body, Out, Where>,
  by: Party,
  place: Where,
  on: Pick<Objects, On>,
  sent: Sent = {},
): Out {
  if (isOfServers && isDirect(place)) throw new Refused('not_in_dms')
  if (isOfChannels && isThread(place as AnyChannel)) throw new Refused('wrong_channel_type')
  const own = read === undefined ? body && readFields(body, sent.fields) : read(sent, by, on)
  const given = { ...on, body: own } as ActInput<On, Body>
  for (const { permission, when, refusal, isQuiet } of further) {
    if (!when(given, place, by)) continue
    if (isQuiet) by.uses(place, permission)
    else if (refusal !== undefined && !by.hasIn(place, permission))
      throw new Refused(refusal, by.lacked(place, permission))
    else by.needIn(place, permission)
  }
  check?.(by, given, place)
  return change(by, given, place)
}

/** Carries out an act for a party, and checks its permissions first. @throws Refused */
export function perform<On extends ObjectName, Body, Out, Where extends Place>(
  record: Act<On, Body, Out, Where>,
  by: Party,
  place: Where,
  on: Pick<Objects, On>,
  sent?: Sent,
): Out {
  needRights(record, by, place)
  return by.acting(() => carryOutAct(record, by, place, on, sent))
}
