/**
 * Every refusal with its status, JSON error code and message, which are defined only here (clause 7-01).
 */
import type { MessageRefusalCode } from '../answer/conversations.ts'
import { INVALID_FORM_BODY } from '../reference/error-body.ts'
import type { RegistryErrorCode } from '../registry/error.ts'
import type { BodyFailure } from './message.ts'
import type { Denial } from './principal.ts'

/** Why a request was refused. */
export type Refusal =
  | 'not_found'
  | 'method_not_allowed'
  | 'unauthorized'
  | Denial
  | BodyFailure
  | 'invalid_json'
  | 'expectation_failed'
  | 'head_too_large'
  | 'rate_limited'
  | 'foreign_host'
  | 'unknown_interaction'
  | 'already_answered'
  | MessageRefusalCode
  | 'server_fault'
  | WorldRefusal
  | RegistryErrorCode

/** Why a bot may not read or change a server, a channel or a message. */
export type WorldRefusal =
  | 'unknown_channel'
  | 'unknown_guild'
  | 'unknown_member'
  | 'unknown_role'
  | 'unknown_user'
  | 'unknown_emoji'
  | 'unknown_ban'
  | 'lacks_permissions'
  | 'invalid_role'
  | 'not_in_dms'
  | 'foreign_message'
  | 'wrong_channel_type'
  | 'unreachable_user'
  | 'invalid_recipient'
  | 'too_old_to_delete'
  | 'not_in_voice'

interface ErrorResponse {
  readonly status: number
  /** The JSON error code of the API; 0 for a refusal without one. */
  readonly code: number
  readonly message: string
}

/** The response to each refusal. What a client can cause is below 500, because clients retry the rest. */
export const refusals: { readonly [Key in Refusal]: ErrorResponse } = {
  not_found: { status: 404, code: 0, message: '404: Not Found' },
  method_not_allowed: { status: 405, code: 0, message: '405: Method Not Allowed' },
  unauthorized: { status: 401, code: 0, message: '401: Unauthorized' },
  rate_limited: { status: 429, code: 0, message: 'You are being rate limited.' },

  other_application: {
    status: 403,
    code: 20012,
    message: 'You are not authorized to perform this action on this application',
  },
  bots_not_allowed: { status: 403, code: 20001, message: 'Bots cannot use this endpoint' },
  missing_scope: { status: 403, code: 50026, message: 'Missing required OAuth2 scope' },
  missing_permissions: {
    status: 403,
    code: 50013,
    message: 'You lack permissions to perform that action',
  },

  body_too_large: {
    status: 413,
    code: 40005,
    message: 'Request entity too large. Try sending something smaller in size',
  },
  body_timed_out: { status: 408, code: 0, message: '408: Request Timeout' },
  body_broken: { status: 400, code: 0, message: '400: Bad Request' },
  body_taken: {
    status: 400,
    code: 0,
    message: 'The body was already read; mount the service before body parsers',
  },
  invalid_json: { status: 400, code: 50109, message: 'The request body contains invalid JSON.' },
  expectation_failed: { status: 417, code: 0, message: '417: Expectation Failed' },
  head_too_large: { status: 431, code: 0, message: '431: Request Header Fields Too Large' },

  invalid: { status: 400, code: INVALID_FORM_BODY, message: 'Invalid Form Body' },
  unknown_application: { status: 404, code: 10002, message: 'Unknown application' },
  unknown_command: { status: 404, code: 10063, message: 'Unknown application command' },
  unknown_permissions: { status: 404, code: 10066, message: 'Unknown application command permissions' },
  missing_access: { status: 403, code: 50001, message: 'Missing Access' },
  name_taken: { status: 400, code: 40041, message: 'An application command with that name already exists' },
  too_many_commands: {
    status: 400,
    code: 30032,
    message: 'Maximum number of application commands reached',
  },
  daily_creates_exhausted: {
    status: 429,
    code: 30034,
    message: 'Max number of daily application command creates has been reached',
  },
  entry_point_required: {
    status: 400,
    code: 50240,
    message:
      "You cannot remove this app's Entry Point command in a bulk update operation. Please include the Entry Point command in your update request or delete it separately.",
  },
  unknown_interaction: { status: 404, code: 10062, message: 'Unknown interaction' },
  already_answered: { status: 400, code: 40060, message: 'Interaction has already been acknowledged' },

  unknown_webhook: { status: 404, code: 10015, message: 'Unknown Webhook' },
  unknown_message: { status: 404, code: 10008, message: 'Unknown Message' },
  invalid_webhook_token: { status: 401, code: 50027, message: 'Invalid Webhook Token' },
  empty_message: { status: 400, code: 50006, message: 'Cannot send an empty message' },
  too_many_follow_ups: {
    status: 400,
    code: 40094,
    message: 'Maximum number of follow-up messages for this interaction has been reached',
  },

  unknown_channel: { status: 404, code: 10003, message: 'Unknown Channel' },
  unknown_guild: { status: 404, code: 10004, message: 'Unknown Guild' },
  unknown_member: { status: 404, code: 10007, message: 'Unknown Member' },
  unknown_role: { status: 404, code: 10011, message: 'Unknown Role' },
  unknown_user: { status: 404, code: 10013, message: 'Unknown User' },
  unknown_emoji: { status: 400, code: 10014, message: 'Unknown Emoji' },
  unknown_ban: { status: 404, code: 10026, message: 'Unknown Ban' },
  lacks_permissions: { status: 403, code: 50013, message: 'Missing Permissions' },
  invalid_role: { status: 400, code: 50028, message: 'Invalid role' },
  not_in_dms: { status: 400, code: 50003, message: 'Cannot execute action on a DM channel' },
  foreign_message: {
    status: 403,
    code: 50005,
    message: 'Cannot edit a message authored by another user',
  },
  wrong_channel_type: {
    status: 400,
    code: 50024,
    message: 'Cannot execute action on this channel type',
  },
  unreachable_user: { status: 403, code: 50007, message: 'Cannot send messages to this user' },
  invalid_recipient: { status: 400, code: 50033, message: 'Invalid Recipient(s)' },
  too_old_to_delete: {
    status: 400,
    code: 50034,
    message: 'You can only bulk delete messages that are under 14 days old.',
  },
  not_in_voice: { status: 400, code: 40032, message: 'Target user is not connected to voice.' },

  foreign_host: { status: 403, code: 0, message: '403: Forbidden' },
  activities_unavailable: { status: 500, code: 0, message: '500: Internal Server Error' },
  busy: { status: 503, code: 0, message: '503: Service Unavailable' },
  storage: { status: 503, code: 0, message: '503: Service Unavailable' },
  server_fault: { status: 500, code: 0, message: '500: Internal Server Error' },
}
