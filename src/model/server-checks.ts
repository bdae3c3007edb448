/**
 * Shape checks of the servers, members, channels and roles that a host passes. Rights depend on them, so each throws a
 * TypeError that names the value (clause 5-05).
 */
import {
  aFlag,
  anId,
  argument,
  demand,
  listArgument,
  objectArgument,
  oneOf,
} from '../core/rules/arguments.ts'
import { nullable, optional } from '../core/rules/readers.ts'
import { isObject } from '../core/json.ts'
import type { ApplicationSettings } from './application.ts'
import { isPermissionBits } from './permission-bits.ts'

export const aPermissionSet = argument<string | bigint>(
  'a decimal string or a bigint that is not negative',
  isPermissionBits,
)
const time = argument(
  'an ISO 8601 timestamp or null',
  (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
)

/** The option `application` of a function that reads a body. */
export const someSettings = /* @__PURE__ */ nullable(
  argument<ApplicationSettings>('an object with the settings of an app', isObject),
)

const user = /* @__PURE__ */ objectArgument({ id: anId })
const memberRoles = /* @__PURE__ */ listArgument(anId, "the ids of the member's roles")

export const checkedMember = /* @__PURE__ */ objectArgument(
  {
    user,
    roles: memberRoles,
    permissions: nullable(aPermissionSet),
    communication_disabled_until: nullable(time),
  },
  'a member with its user and the ids of its roles',
)

const overwrites = /* @__PURE__ */ nullable(
  listArgument(
    objectArgument({
      id: anId,
      type: oneOf('0 for a role or 1 for a member', 0, 1),
      allow: aPermissionSet,
      deny: aPermissionSet,
    }),
    'a list of overwrites',
  ),
)

export const channel = /* @__PURE__ */ objectArgument(
  {
    id: anId,
    type: nullable(argument('an integer', Number.isInteger)),
    parent_id: nullable(anId),
    permission_overwrites: overwrites,
    // The parent of a parent is never read.
    parent: nullable(objectArgument({ id: anId, permission_overwrites: overwrites })),
  },
  'a channel with its id',
)

const position = /* @__PURE__ */ optional(argument('an integer', Number.isSafeInteger))

export const checkedRoles = /* @__PURE__ */ listArgument(
  objectArgument({ id: anId, permissions: aPermissionSet, position }),
  'the list of the roles of the server',
)

/** A server whose lists may be absent, and with them the roles of its members. */
export const checkServer = /* @__PURE__ */ demand(
  objectArgument({
    id: anId,
    owner_id: nullable(anId),
    bot: optional(aFlag),
    roles: optional(checkedRoles),
    channels: optional(
      listArgument(
        objectArgument({
          id: anId,
          nsfw: optional(aFlag),
          parent_id: nullable(anId),
          permission_overwrites: overwrites,
        }),
        'a list of channels',
      ),
    ),
    members: optional(
      listArgument(
        objectArgument({
          user,
          roles: optional(memberRoles),
          communication_disabled_until: nullable(time),
        }),
        'a list of members',
      ),
    ),
    stickers: optional(listArgument(objectArgument({ id: anId }), 'a list of stickers')),
  }),
)
