/**
 * Shape checks of members, channels and permission entries that a host passes. A value of the wrong shape could hide an
 * entry that denies access, so each throws a TypeError that names the value: checks of access fail closed.
 */
import { expected, type OptionCheck } from '../../core/known-options.ts'
import { checkFlag, listCheck, objectCheck, oneOf, orNull } from '../../core/option-checks.ts'
import { checkSnowflake as id } from '../../core/snowflake.ts'
import { InteractionContext, IntegrationType } from '../../model/command-types.ts'
import { bits, channel, member, roles } from '../../model/server-checks.ts'

const entries = /* @__PURE__ */ orNull(
  listCheck(
    objectCheck({ id, type: oneOf('1 ROLE, 2 USER or 3 CHANNEL', 1, 2, 3), permission: checkFlag }),
    'the list of permission entries, which is `permissions` of the stored object',
  ),
)

const now = /* @__PURE__ */ expected('milliseconds since 1970', Number.isFinite)

/** The default permissions of a command. */
const command = /* @__PURE__ */ objectCheck(
  {},
  { default_permission: orNull(checkFlag), default_member_permissions: orNull(bits) },
)

export const checkCommand: OptionCheck = /* @__PURE__ */ objectCheck({ command }, { overwrites: entries })

export const checkMemberInChannel: OptionCheck = /* @__PURE__ */ objectCheck(
  { guildId: id, member, channel },
  { ownerId: id, now, roles, appOverwrites: entries },
)

const members = /* @__PURE__ */ listCheck(
  objectCheck({ user: objectCheck({ id }), roles: listCheck(id, "the ids of the member's roles") }),
  'a list of members',
)

const manager = /* @__PURE__ */ objectCheck(
  { member },
  { roles, ownerId: id, members, channels: listCheck(channel, 'a list of channels') },
)

export const checkManagement: OptionCheck = /* @__PURE__ */ objectCheck(
  { guildId: id, manager, command: orNull(command) },
  { now, before: entries, after: entries, appOverwrites: entries },
)

const { GUILD, BOT_DM, PRIVATE_CHANNEL } = InteractionContext
const context = /* @__PURE__ */ oneOf(
  '0 GUILD, 1 BOT_DM or 2 PRIVATE_CHANNEL',
  GUILD,
  BOT_DM,
  PRIVATE_CHANNEL,
)
const installations = /* @__PURE__ */ listCheck(
  oneOf('0 GUILD_INSTALL or 1 USER_INSTALL', IntegrationType.GUILD_INSTALL, IntegrationType.USER_INSTALL),
  'a list of installations',
)
const isRestricted = { nsfw: /* @__PURE__ */ orNull(checkFlag) }

/** What decides where a command is available. */
export const checkAvailability: OptionCheck = /* @__PURE__ */ objectCheck(
  {
    command: objectCheck(
      {},
      {
        guild_id: id,
        contexts: orNull(listCheck(context, 'a list of contexts')),
        integration_types: orNull(installations),
        dm_permission: orNull(checkFlag),
        default_permission: orNull(checkFlag),
        ...isRestricted,
      },
    ),
    place: objectCheck(
      { context },
      {
        installed: installations,
        hasBot: checkFlag,
        channel: orNull(objectCheck({}, { ...isRestricted, parent: orNull(objectCheck({}, isRestricted)) })),
      },
    ),
  },
  { user: objectCheck({}, { adult: checkFlag, ageRestrictedInDirectMessages: checkFlag }) },
)
