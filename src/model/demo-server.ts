/** The demo server, which completes the servers of configurations and tests. */
import { ChannelType } from './command-types.ts'
import { checkServer } from './server-checks.ts'
import { permissions } from './permission-bits.ts'
import type { ServerChannel, ServerMember, ServerRole, ServerSettings, ServerSticker } from './server.ts'

/** A server of a configuration file: its lists and `@everyone` are optional. */
export type ServerInput = Pick<ServerSettings, 'id' | 'name' | 'owner_id' | 'bot'> & {
  /** Default: the demo server's. */
  readonly roles?: readonly ServerRole[]
  /** Default: the demo server's. */
  readonly channels?: readonly ServerChannel[]
  /** Default: the demo server's. The roles of a member default to none. */
  readonly members?: readonly (Omit<ServerMember, 'roles'> & { readonly roles?: readonly string[] })[]
  /** The stickers that can be sent there. Default: none. */
  readonly stickers?: readonly ServerSticker[]
}

/** The id of the demo server, which is the guild of `scene` in `commandry/testing`. */
export const DEMO_SERVER_ID = '2001'

/**
 * The default server: Ada is a member, Grace a moderator and Alan an administrator. Under another id it has the same
 * members, roles and channels.
 *
 * @param prefix digits before each id, such as for ids as long as those of Discord
 */
export function demoServer(id: string = DEMO_SERVER_ID, prefix = ''): ServerSettings {
  return {
    id,
    name: id === prefix + DEMO_SERVER_ID ? 'Demo Server' : `Server ${id}`,
    roles: [
      everyoneRole(id),
      {
        id: `${prefix}5001`,
        name: 'Moderators',
        permissions: permissions('KICK_MEMBERS', 'BAN_MEMBERS', 'MANAGE_MESSAGES', 'MODERATE_MEMBERS'),
        position: 1,
        color: 0x2e8b57,
      },
      {
        id: `${prefix}5002`,
        name: 'Administrators',
        permissions: permissions('ADMINISTRATOR'),
        position: 2,
        color: 0xd9534f,
      },
    ],
    channels: [
      { id: `${prefix}4001`, name: 'general', type: ChannelType.GUILD_TEXT },
      { id: `${prefix}4002`, name: 'staff', type: ChannelType.GUILD_TEXT },
      { id: `${prefix}4003`, name: 'nsfw', type: ChannelType.GUILD_TEXT, nsfw: true },
    ],
    members: [
      { user: { id: `${prefix}3001`, username: 'ada', global_name: 'Ada' }, roles: [] },
      { user: { id: `${prefix}3002`, username: 'grace', global_name: 'Grace' }, roles: [`${prefix}5001`] },
      { user: { id: `${prefix}3003`, username: 'alan', global_name: 'Alan' }, roles: [`${prefix}5002`] },
    ],
  }
}

/** A message of Grace in the demo server, on which message commands are used. */
export const demoMessage = /* @__PURE__ */ Object.freeze({
  id: '6001',
  content: 'Hello',
  author: { id: '3002', username: 'grace', global_name: 'Grace' },
})

function everyoneRole(guildId: string): ServerRole {
  return {
    id: guildId,
    name: '@everyone',
    permissions: permissions(
      'VIEW_CHANNEL',
      'SEND_MESSAGES',
      'SEND_MESSAGES_IN_THREADS',
      'CREATE_PUBLIC_THREADS',
      'USE_APPLICATION_COMMANDS',
      'READ_MESSAGE_HISTORY',
      'USE_EXTERNAL_APPS',
      'ADD_REACTIONS',
      'EMBED_LINKS',
      'ATTACH_FILES',
      'CONNECT',
      'SPEAK',
    ),
    position: 0,
  }
}

/**
 * A server with all lists and `@everyone`; missing lists are those of the demo server.
 *
 * @throws TypeError when a field on which rights depend has the wrong type
 */
export function completeServer(input: ServerInput): ServerSettings {
  checkServer(input, 'server')
  const demo = demoServer(input.id)
  const { roles = demo.roles, channels = demo.channels } = input
  // Members of the demo server may have roles that this server does not have.
  const known = new Set(roles.map(({ id }) => id))
  const members = (input.members ?? demo.members).map(({ roles: own = [], ...member }) => ({
    ...member,
    roles: own.filter((id) => known.has(id)),
  }))
  const all = known.has(input.id) ? roles : [everyoneRole(input.id), ...roles]
  return { ...input, roles: all.map((role, position) => ({ position, ...role })), channels, members }
}
