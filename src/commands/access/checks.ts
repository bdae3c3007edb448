/**
 * Shape checks of members, channels and permission entries that a host passes. A value of the wrong shape could hide an
 * entry that denies access, so each throws a TypeError that names the value: checks of access fail closed.
 */
import {
  aFlag,
  anId,
  argument,
  demand,
  listArgument,
  objectArgument,
  oneOf,
} from '../../core/rules/arguments.ts'
import { nullable, optional, orNull, partial } from '../../core/rules/readers.ts'
import { InteractionContext, IntegrationType } from '../../model/command-types.ts'
import { aPermissionSet, channel, checkedMember, checkedRoles } from '../../model/server-checks.ts'

const entries = /* @__PURE__ */ nullable(
  listArgument(
    objectArgument({ id: anId, type: oneOf('1 ROLE, 2 USER or 3 CHANNEL', 1, 2, 3), permission: aFlag }),
    'the list of permission entries, which is `permissions` of the stored object',
  ),
)

const ownerId = /* @__PURE__ */ optional(anId)
const now = /* @__PURE__ */ optional(argument('milliseconds since 1970', Number.isFinite))

/** The default permissions of a command. */
const command = /* @__PURE__ */ objectArgument(
  partial(nullable, { default_permission: aFlag, default_member_permissions: aPermissionSet }),
)

export const checkCommand = /* @__PURE__ */ demand(objectArgument({ command, overwrites: entries }))

export const checkMemberInChannel = /* @__PURE__ */ demand(
  objectArgument({
    guildId: anId,
    member: checkedMember,
    channel,
    ownerId,
    now,
    roles: optional(checkedRoles),
    appOverwrites: entries,
  }),
)

export const checkEffective = /* @__PURE__ */ demand(
  objectArgument({
    member: checkedMember,
    roles: checkedRoles,
    channel: orNull(channel),
    context: objectArgument({ guildId: optional(anId), ownerId, now }),
  }),
)

const members = /* @__PURE__ */ listArgument(
  objectArgument({
    user: objectArgument({ id: anId }),
    roles: listArgument(anId, "the ids of the member's roles"),
  }),
  'a list of members',
)

const manager = /* @__PURE__ */ objectArgument({
  member: checkedMember,
  roles: optional(checkedRoles),
  ownerId,
  members: optional(members),
  channels: optional(listArgument(channel, 'a list of channels')),
})

export const checkManagement = /* @__PURE__ */ demand(
  objectArgument({
    guildId: anId,
    manager,
    command: orNull(command),
    now,
    before: entries,
    after: entries,
    appOverwrites: entries,
  }),
)

const { GUILD, BOT_DM, PRIVATE_CHANNEL } = InteractionContext
const { GUILD_INSTALL, USER_INSTALL } = IntegrationType
const context = /* @__PURE__ */ oneOf(
  '0 GUILD, 1 BOT_DM or 2 PRIVATE_CHANNEL',
  GUILD,
  BOT_DM,
  PRIVATE_CHANNEL,
)
const installations = /* @__PURE__ */ listArgument(
  oneOf('0 GUILD_INSTALL or 1 USER_INSTALL', GUILD_INSTALL, USER_INSTALL),
  'a list of installations',
)
const nsfw = /* @__PURE__ */ nullable(aFlag)

/** What decides where a command is available. */
export const checkAvailability = /* @__PURE__ */ demand(
  objectArgument({
    command: objectArgument({
      guild_id: optional(anId),
      contexts: nullable(listArgument(context, 'a list of contexts')),
      integration_types: nullable(installations),
      dm_permission: nullable(aFlag),
      default_permission: nullable(aFlag),
      nsfw,
    }),
    place: objectArgument({
      context,
      installed: optional(installations),
      hasBot: optional(aFlag),
      channel: nullable(objectArgument({ nsfw, parent: nullable(objectArgument({ nsfw })) })),
    }),
    user: optional(objectArgument(partial(optional, { adult: aFlag, ageRestrictedInDirectMessages: aFlag }))),
  }),
)
