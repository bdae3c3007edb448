/**
 * Shape checks of members, channels and permission entries that a host passes. A value of the wrong shape could hide an
 * entry that denies access, so each throws a TypeError that names the value: checks of access fail closed.
 */
import type { JsonObject } from '../../core/json.ts'
import {
  aFlag,
  anId,
  anObject,
  argument,
  demand,
  listArgument,
  objectArgument,
  type Demanded,
} from '../../core/rules/arguments.ts'
import { nullable, optional, orNull, type Reader } from '../../core/rules/readers.ts'
import { aPermissionSet as bits } from '../../model/permission-bits.ts'

export const checkObject: Demanded<JsonObject> = /* @__PURE__ */ demand(anObject)

const time = argument(
  'an ISO 8601 timestamp or null',
  (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
)

/* @__NO_SIDE_EFFECTS__ */
function oneOf(form: string, ...values: readonly number[]): Reader<number> {
  return argument(form, (value) => values.includes(value))
}

const member = /* @__PURE__ */ objectArgument(
  {
    user: objectArgument({ id: anId }),
    roles: listArgument(anId, "the ids of the member's roles"),
    permissions: nullable(bits),
    communication_disabled_until: nullable(time),
  },
  'a member with its user and the ids of its roles',
)

const overwrites = /* @__PURE__ */ nullable(
  listArgument(
    objectArgument({
      id: anId,
      type: oneOf('0 for a role or 1 for a member', 0, 1),
      allow: bits,
      deny: bits,
    }),
    'a list of overwrites',
  ),
)

const channel = /* @__PURE__ */ objectArgument(
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

const roles = /* @__PURE__ */ optional(
  listArgument(objectArgument({ id: anId, permissions: bits }), 'the list of the roles of the server'),
)

const entries = /* @__PURE__ */ nullable(
  listArgument(
    objectArgument({
      id: anId,
      type: oneOf('1 ROLE, 2 USER or 3 CHANNEL', 1, 2, 3),
      permission: aFlag,
    }),
    'the list of permission entries, which is `permissions` of the stored object',
  ),
)

const ownerId = /* @__PURE__ */ optional(anId)
const now = /* @__PURE__ */ optional(argument('milliseconds since 1970', Number.isFinite))

/** The default permissions of a command. */
const command = /* @__PURE__ */ objectArgument({
  default_permission: nullable(aFlag),
  default_member_permissions: nullable(bits),
})

export const checkCommand = /* @__PURE__ */ demand(objectArgument({ command, overwrites: entries }))

export const checkMemberInChannel = /* @__PURE__ */ demand(
  objectArgument({ guildId: anId, member, channel, ownerId, now, roles, appOverwrites: entries }),
)

export const checkManagement = /* @__PURE__ */ demand(
  objectArgument({
    guildId: anId,
    manager: objectArgument({ member, roles, ownerId }),
    command: orNull(command),
    now,
    before: entries,
    after: entries,
    appOverwrites: entries,
  }),
)
