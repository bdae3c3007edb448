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

/** The id with a number in the demo server. Libraries such as DisTube refuse ids that are shorter than those of Discord. */
export const demoId = (number: number): string => `10000000000000${number}`

/** The id of the demo server, which is the guild of `scene` in `commandry/testing`. */
export const DEMO_SERVER_ID = /* @__PURE__ */ demoId(2001)

/** A member, with an avatar as most people have one. */
const demoMember = (number: number, username: string, global_name: string, roles: readonly string[] = []) => {
  const id = demoId(number)
  const avatar = username === 'grace' ? null : id.padStart(32, '0')
  return { user: { id, username, global_name, avatar }, roles }
}

/**
 * The default server: Ada is a member, Grace a moderator and Alan an administrator. All but Grace have an avatar. Under
 * another id it has the same members, roles and channels.
 */
export function demoServer(id: string = DEMO_SERVER_ID): ServerSettings {
  const [moderators, administrators] = [demoId(5001), demoId(5002)]
  return {
    id,
    name: id === DEMO_SERVER_ID ? 'Demo Server' : `Server ${id}`,
    roles: [
      everyoneRole(id),
      {
        id: moderators,
        name: 'Moderators',
        permissions: permissions('KICK_MEMBERS', 'BAN_MEMBERS', 'MANAGE_MESSAGES', 'MODERATE_MEMBERS'),
        position: 1,
        color: 0x2e8b57,
      },
      {
        id: administrators,
        name: 'Administrators',
        permissions: permissions('ADMINISTRATOR'),
        position: 2,
        color: 0xd9534f,
      },
    ],
    channels: [
      { id: demoId(4001), name: 'general', type: ChannelType.GUILD_TEXT },
      { id: demoId(4002), name: 'staff', type: ChannelType.GUILD_TEXT },
      { id: demoId(4003), name: 'nsfw', type: ChannelType.GUILD_TEXT, nsfw: true },
    ],
    members: [
      demoMember(3001, 'ada', 'Ada'),
      demoMember(3002, 'grace', 'Grace', [moderators]),
      demoMember(3003, 'alan', 'Alan', [administrators]),
    ],
  }
}

/** A message of Grace in the demo server, on which message commands are used. */
export const demoMessage = /* @__PURE__ */ Object.freeze({
  id: demoId(6001),
  content: 'Hello',
  author: { id: demoId(3002), username: 'grace', global_name: 'Grace' },
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
