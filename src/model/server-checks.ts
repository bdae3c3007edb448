/**
 * Shape checks of the servers, members, channels and roles that a host passes. Rights depend on them, so each throws a
 * TypeError that names the value (clause 5-05).
 */
import { expected, type OptionCheck } from '../core/known-options.ts'
import { checkFlag, listCheck, objectCheck, oneOf, orNull } from '../core/option-checks.ts'
import { checkSnowflake as id } from '../core/snowflake.ts'
import { isPermissionBits } from './permission-bits.ts'

export const bits: OptionCheck = expected(
  'a decimal string or a bigint that is not negative',
  isPermissionBits,
)
const time = expected(
  'an ISO 8601 timestamp or null',
  (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
)

const user = /* @__PURE__ */ objectCheck({ id })
const memberRoles = "the ids of the member's roles"

export const member: OptionCheck = /* @__PURE__ */ objectCheck(
  { user, roles: listCheck(id, memberRoles) },
  { permissions: orNull(bits), communication_disabled_until: orNull(time) },
  'a member with its user and the ids of its roles',
)

const overwrites = /* @__PURE__ */ listCheck(
  objectCheck({ id, type: oneOf('0 for a role or 1 for a member', 0, 1), allow: bits, deny: bits }),
  'a list of overwrites',
)

export const channel: OptionCheck = /* @__PURE__ */ objectCheck(
  { id },
  {
    type: orNull(expected('an integer', Number.isInteger)),
    parent_id: orNull(id),
    permission_overwrites: orNull(overwrites),
    // The parent of a parent is never read.
    parent: orNull(objectCheck({ id }, { permission_overwrites: orNull(overwrites) })),
  },
  'a channel with its id',
)

const position = /* @__PURE__ */ expected('an integer', Number.isSafeInteger)

export const roles: OptionCheck = /* @__PURE__ */ listCheck(
  objectCheck({ id, permissions: bits }, { position }),
  'the list of the roles of the server',
)

/** A server whose lists may be absent, and with them the roles of its members. */
export const checkServer: OptionCheck = /* @__PURE__ */ objectCheck(
  { id },
  {
    owner_id: orNull(id),
    roles,
    channels: listCheck(
      objectCheck(
        { id },
        { nsfw: checkFlag, parent_id: orNull(id), permission_overwrites: orNull(overwrites) },
      ),
      'a list of channels',
    ),
    members: listCheck(
      objectCheck(
        { user },
        { roles: listCheck(id, memberRoles), communication_disabled_until: orNull(time) },
      ),
      'a list of members',
    ),
  },
)
