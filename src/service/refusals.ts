/** Why the service refuses a request or an act: every refusal with its status, code and message. */
import { isEmptyMessage } from '../interactions/answer/empty-message.ts'
import type { MessageRefusalCode } from '../interactions/bot/conversations.ts'
import type { Issue } from '../core/rules/report.ts'
import { INVALID_FORM_BODY } from '../core/rules/error-tree.ts'
import { toErrorBody } from '../reference/error-body.ts'
import type { RegistryErrorCode } from '../commands/registry/registry-error.ts'
import type { BodyFailure } from '../core/http-message.ts'

/** Why a principal may not use an endpoint. */
export type Denial = 'other_application' | 'bots_not_allowed' | 'missing_scope' | 'missing_permissions'

export interface ErrorResponse {
  readonly status: number
  /** The JSON error code of the API; 0 for a refusal without one. */
  readonly code: number
  readonly message: string
  readonly headers?: Readonly<Record<string, string>>
}

function coded(status: number, code: number, message: string): ErrorResponse {
  return { status, code, message }
}

/** A refusal without a code: its message is the status. */
function plain(status: number, reason: string): ErrorResponse {
  return { status, code: 0, message: `${status}: ${reason}` }
}

/** Clients try again after a second. */
const RETRY = { 'Retry-After': '1' }

/**
 * Every refusal with its status, JSON error code and message, which are defined only here (clause 7-01). What a client can
 * cause is below 500, because clients retry the rest.
 */
export const refusals = {
  not_found: plain(404, 'Not Found'),
  method_not_allowed: plain(405, 'Method Not Allowed'),
  // RFC 9110 requires the schemes with a 401.
  unauthorized: { ...plain(401, 'Unauthorized'), headers: { 'WWW-Authenticate': 'Bot, Bearer' } },
  rate_limited: coded(429, 0, 'You are being rate limited.'),
  foreign_host: plain(403, 'Forbidden'),

  other_application: coded(403, 20012, 'You are not authorized to perform this action on this application'),
  bots_not_allowed: coded(403, 20001, 'Bots cannot use this endpoint'),
  missing_scope: coded(403, 50026, 'Missing required OAuth2 scope'),
  missing_permissions: coded(403, 50013, 'You lack permissions to perform that action'),
  missing_access: coded(403, 50001, 'Missing Access'),

  bodies_too_large: { ...plain(503, 'Service Unavailable'), headers: RETRY },
  body_too_large: coded(413, 40005, 'Request entity too large. Try sending something smaller in size'),
  body_timed_out: plain(408, 'Request Timeout'),
  body_broken: plain(400, 'Bad Request'),
  body_taken: coded(400, 0, 'The body was already read; mount the service before body parsers'),
  invalid_json: coded(400, 50109, 'The request body contains invalid JSON.'),
  expectation_failed: plain(417, 'Expectation Failed'),
  head_too_large: plain(431, 'Request Header Fields Too Large'),

  invalid: coded(400, INVALID_FORM_BODY, 'Invalid Form Body'),
  unknown_application: coded(404, 10002, 'Unknown application'),
  unknown_command: coded(404, 10063, 'Unknown application command'),
  unknown_permissions: coded(404, 10066, 'Unknown application command permissions'),
  name_taken: coded(400, 40041, 'An application command with that name already exists'),
  too_many_commands: coded(400, 30032, 'Maximum number of application commands reached'),
  daily_creates_exhausted: coded(
    429,
    30034,
    'Max number of daily application command creates has been reached',
  ),
  entry_point_required: coded(
    400,
    50240,
    "You cannot remove this app's Entry Point command in a bulk update operation. Please include the Entry Point command in your update request or delete it separately.",
  ),

  unknown_interaction: coded(404, 10062, 'Unknown interaction'),
  already_answered: coded(400, 40060, 'Interaction has already been acknowledged'),
  unknown_webhook: coded(404, 10015, 'Unknown Webhook'),
  unknown_message: coded(404, 10008, 'Unknown Message'),
  invalid_webhook_token: coded(401, 50027, 'Invalid Webhook Token'),
  empty_message: coded(400, 50006, 'Cannot send an empty message'),
  too_many_follow_ups: coded(
    400,
    40094,
    'Maximum number of follow-up messages for this interaction has been reached',
  ),

  unknown_channel: coded(404, 10003, 'Unknown Channel'),
  unknown_guild: coded(404, 10004, 'Unknown Guild'),
  unknown_member: coded(404, 10007, 'Unknown Member'),
  unknown_role: coded(404, 10011, 'Unknown Role'),
  unknown_user: coded(404, 10013, 'Unknown User'),
  unknown_emoji: coded(400, 10014, 'Unknown Emoji'),
  missing_emoji: coded(404, 10014, 'Unknown Emoji'),
  unknown_ban: coded(404, 10026, 'Unknown Ban'),
  lacks_permissions: coded(403, 50013, 'Missing Permissions'),
  invalid_role: coded(400, 50028, 'Invalid role'),
  not_in_dms: coded(400, 50003, 'Cannot execute action on a DM channel'),
  foreign_message: coded(403, 50005, 'Cannot edit a message authored by another user'),
  not_in_forums: coded(400, 40058, 'Cannot send a message in a forum channel'),
  no_text_channel: coded(400, 50008, 'Cannot send messages in a non-text channel'),
  wrong_channel_type: coded(400, 50024, 'Cannot execute action on this channel type'),
  unreachable_user: coded(403, 50007, 'Cannot send messages to this user'),
  invalid_recipient: coded(400, 50033, 'Invalid Recipient(s)'),
  too_old_to_delete: coded(400, 50034, 'You can only bulk delete messages that are under 14 days old.'),
  unknown_invite: coded(404, 10006, 'Unknown Invite'),
  unknown_tag: coded(404, 10087, 'Unknown Tag'),
  unknown_voice_state: coded(404, 10065, 'Unknown Voice State'),
  too_many_pins: coded(400, 30003, 'Maximum number of pins reached for the channel'),
  too_many_roles: coded(400, 30005, 'Maximum number of guild roles reached'),
  too_many_webhooks: coded(400, 30007, 'Maximum number of webhooks reached'),
  too_many_emojis: coded(400, 30008, 'Maximum number of emojis reached'),
  too_many_reactions: coded(400, 30010, 'Maximum number of reactions reached'),
  too_many_pinned_posts: coded(
    400,
    30047,
    'Maximum number of pinned threads in a forum channel has been reached',
  ),
  too_many_channels: coded(400, 30013, 'Maximum number of guild channels reached'),
  too_many_invites: coded(400, 30016, 'Maximum number of invites reached'),
  too_many_overwrites: coded(400, 30060, 'Maximum number of channel permission overwrites reached'),
  published_before: coded(400, 40033, 'This message has already been crossposted'),
  duplicate_tag: coded(400, 40061, 'Tag names must be unique'),
  tag_required: coded(400, 40067, 'A tag is required to create a forum post in this channel'),
  archived_thread: coded(400, 50083, 'Invalid action on archived thread'),
  system_message: coded(403, 50021, 'Cannot execute action on a system message'),
  unknown_sticker: coded(400, 50081, 'An invalid sticker was sent'),
  poll_ended: coded(400, 520001, 'Poll expired'),
  no_poll: coded(400, 520006, 'Cannot expire a non-poll message'),
  reaction_blocked: coded(403, 90001, 'Reaction was blocked'),
  poll_edited: coded(400, 520003, 'Cannot edit a poll message'),
  unreadable_forward: coded(400, 160014, 'You cannot forward a message whose content you cannot read'),
  unreadable_reply: coded(400, 160002, 'Cannot reply without permission to read message history'),
  thread_exists: coded(400, 160004, 'A thread has already been created for this message'),
  locked_thread: coded(400, 160005, 'Thread is locked'),
  too_many_threads: coded(400, 160006, 'Maximum number of active threads reached'),
  not_in_voice: coded(400, 40032, 'Target user is not connected to voice.'),
  hook_needs_thread: coded(
    400,
    220001,
    'Webhooks posted to forum channels must have a thread_name or thread_id',
  ),
  hook_has_thread: coded(
    400,
    220002,
    'Webhooks posted to forum channels cannot have both a thread_name and thread_id',
  ),
  hook_without_forum: coded(400, 220003, 'Webhooks can only create threads in forum channels'),

  activities_unavailable: plain(500, 'Internal Server Error'),
  server_fault: plain(500, 'Internal Server Error'),
  busy: { ...plain(503, 'Service Unavailable'), headers: RETRY },
  storage: { ...plain(503, 'Service Unavailable'), headers: RETRY },
} satisfies Record<Denial | BodyFailure | MessageRefusalCode | RegistryErrorCode, ErrorResponse> & {
  readonly [refusal: string]: ErrorResponse
}

export type RefusalName = keyof typeof refusals

/** Ends a call: its request is refused. */
export class Refused extends Error {
  readonly refusal: RefusalName
  /** What is particular to this one; empty for nothing. */
  readonly reason: string
  readonly fields: object

  /** @param reason follows the message of the refusal */
  constructor(refusal: RefusalName, reason = '', fields: object = {}) {
    const { message } = refusals[refusal]
    super(reason === '' ? message : `${message.replace(/\.$/, '')}: ${reason}`)
    this.refusal = refusal
    this.reason = reason
    this.fields = fields
  }
}

/** The refusal of a request for a problem of one field. */
export function invalidField(name: string, message: string, code = 'BASE_TYPE_INVALID'): Refused {
  return new Refused('invalid', '', { errors: { [name]: { _errors: [{ code, message }] } } })
}

/** The refusal of an answer to an interaction, or of a message. */
export function messageRefusal(code: RefusalName, issues: readonly Issue[]): Refused {
  if (code !== 'invalid') return new Refused(code)
  return isEmptyMessage(issues)
    ? new Refused('empty_message')
    : new Refused('invalid', '', toErrorBody(issues))
}
