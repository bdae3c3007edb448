/**
 * The permissions that Discord's page of a route names, in its text and in the table of its fields, as they were looked at: the
 * pages below `developers/resources` of discord/discord-api-docs at c98d64bc (2026-08-06).
 */
export const namedByDiscord: Readonly<Record<string, string>> = {
  'PATCH /guilds/{guild.id}': 'MANAGE_GUILD ADMINISTRATOR',
  'GET /guilds/{guild.id}/audit-logs': 'VIEW_AUDIT_LOG',
  'PATCH /guilds/{guild.id}/members/{user.id}':
    'MOVE_MEMBERS MANAGE_NICKNAMES MANAGE_ROLES MUTE_MEMBERS DEAFEN_MEMBERS ADMINISTRATOR MODERATE_MEMBERS MANAGE_GUILD KICK_MEMBERS BAN_MEMBERS',
  'PATCH /guilds/{guild.id}/members/@me': 'CHANGE_NICKNAME',
  'DELETE /guilds/{guild.id}/members/{user.id}': 'KICK_MEMBERS',
  'PUT /guilds/{guild.id}/members/{user.id}/roles/{role.id}': 'MANAGE_ROLES',
  'DELETE /guilds/{guild.id}/members/{user.id}/roles/{role.id}': 'MANAGE_ROLES',
  'GET /guilds/{guild.id}/bans': 'BAN_MEMBERS',
  'GET /guilds/{guild.id}/bans/{user.id}': 'BAN_MEMBERS',
  'PUT /guilds/{guild.id}/bans/{user.id}': 'BAN_MEMBERS',
  'POST /guilds/{guild.id}/bulk-ban': 'BAN_MEMBERS MANAGE_GUILD',
  'DELETE /guilds/{guild.id}/bans/{user.id}': 'BAN_MEMBERS',
  'POST /guilds/{guild.id}/roles': 'MANAGE_ROLES',
  'PATCH /guilds/{guild.id}/roles': 'MANAGE_ROLES',
  'PATCH /guilds/{guild.id}/roles/{role.id}': 'MANAGE_ROLES',
  'DELETE /guilds/{guild.id}/roles/{role.id}': 'MANAGE_ROLES',
  'PATCH /channels/{channel.id}': 'MANAGE_CHANNELS MANAGE_ROLES BYPASS_SLOWMODE SEND_MESSAGES MANAGE_THREADS',
  'DELETE /channels/{channel.id}': 'MANAGE_CHANNELS MANAGE_THREADS',
  'POST /guilds/{guild.id}/channels': 'MANAGE_CHANNELS MANAGE_ROLES BYPASS_SLOWMODE',
  'PATCH /guilds/{guild.id}/channels': 'MANAGE_CHANNELS MANAGE_ROLES',
  'PUT /channels/{channel.id}/permissions/{overwrite.id}': 'MANAGE_ROLES',
  'DELETE /channels/{channel.id}/permissions/{overwrite.id}': 'MANAGE_ROLES',
  'POST /channels/{channel.id}/threads': 'SEND_MESSAGES CREATE_PUBLIC_THREADS',
  'GET /channels/{channel.id}/threads/archived/public': 'READ_MESSAGE_HISTORY',
  'GET /channels/{channel.id}/threads/archived/private': 'READ_MESSAGE_HISTORY MANAGE_THREADS',
  'GET /channels/{channel.id}/users/@me/threads/archived/private': 'READ_MESSAGE_HISTORY',
  'DELETE /channels/{channel.id}/thread-members/{user.id}': 'MANAGE_THREADS',
  'GET /channels/{channel.id}/messages': 'VIEW_CHANNEL CONNECT READ_MESSAGE_HISTORY',
  'POST /channels/{channel.id}/messages': 'SEND_MESSAGES SEND_TTS_MESSAGES READ_MESSAGE_HISTORY',
  'POST /channels/{channel.id}/messages/bulk-delete': 'MANAGE_MESSAGES',
  'GET /channels/{channel.id}/messages/{message.id}': 'VIEW_CHANNEL READ_MESSAGE_HISTORY CONNECT',
  'PATCH /channels/{channel.id}/messages/{message.id}': 'MANAGE_MESSAGES',
  'DELETE /channels/{channel.id}/messages/{message.id}': 'MANAGE_MESSAGES',
  'POST /channels/{channel.id}/messages/{message.id}/crosspost': 'SEND_MESSAGES MANAGE_MESSAGES',
  'GET /channels/{channel.id}/messages/pins': 'VIEW_CHANNEL READ_MESSAGE_HISTORY',
  'PUT /channels/{channel.id}/messages/pins/{message.id}': 'PIN_MESSAGES',
  'DELETE /channels/{channel.id}/messages/pins/{message.id}': 'PIN_MESSAGES',
  'PUT /channels/{channel.id}/messages/{message.id}/reactions/{emoji}/@me':
    'READ_MESSAGE_HISTORY ADD_REACTIONS',
  'DELETE /channels/{channel.id}/messages/{message.id}/reactions/{emoji}/{user.id}': 'MANAGE_MESSAGES',
  'DELETE /channels/{channel.id}/messages/{message.id}/reactions/{emoji}': 'MANAGE_MESSAGES',
  'DELETE /channels/{channel.id}/messages/{message.id}/reactions': 'MANAGE_MESSAGES',
  'POST /channels/{channel.id}/webhooks': 'MANAGE_WEBHOOKS',
  'GET /channels/{channel.id}/webhooks': 'MANAGE_WEBHOOKS',
  'GET /guilds/{guild.id}/webhooks': 'MANAGE_WEBHOOKS',
  'GET /webhooks/{webhook.id}': 'MANAGE_WEBHOOKS',
  'PATCH /webhooks/{webhook.id}': 'MANAGE_WEBHOOKS',
  'DELETE /webhooks/{webhook.id}': 'MANAGE_WEBHOOKS',
  'POST /channels/{channel.id}/invites': 'CREATE_INSTANT_INVITE MANAGE_ROLES',
  'GET /channels/{channel.id}/invites': 'MANAGE_CHANNELS',
  'GET /guilds/{guild.id}/invites': 'MANAGE_GUILD VIEW_AUDIT_LOG',
  'DELETE /invites/{invite.code}': 'MANAGE_CHANNELS MANAGE_GUILD',
  'GET /guilds/{guild.id}/emojis': 'CREATE_GUILD_EXPRESSIONS MANAGE_GUILD_EXPRESSIONS',
  'POST /guilds/{guild.id}/emojis': 'CREATE_GUILD_EXPRESSIONS',
  'GET /guilds/{guild.id}/emojis/{emoji.id}': 'MANAGE_GUILD_EXPRESSIONS CREATE_GUILD_EXPRESSIONS',
  'PATCH /guilds/{guild.id}/emojis/{emoji.id}': 'CREATE_GUILD_EXPRESSIONS MANAGE_GUILD_EXPRESSIONS',
  'DELETE /guilds/{guild.id}/emojis/{emoji.id}': 'CREATE_GUILD_EXPRESSIONS MANAGE_GUILD_EXPRESSIONS',
}
const MEMBER = 'PATCH /guilds/{guild.id}/members/{user.id}'
const NEW_CHANNEL = 'POST /guilds/{guild.id}/channels'
const CHANGED_CHANNEL = 'PATCH /channels/{channel.id}'
const MESSAGES = '/channels/{channel.id}/messages'

const GRANT = 'what a bot grants it must have (topics/permissions): the tests grant this one'
const IN_THREADS = 'stands for that of the channel in threads (topics/permissions), which the tests have'

/** Where a route needs more than its page names, or less, and why. */
export const differences: readonly (readonly [permission: string, why: string, ...routes: string[]])[] = [
  ['-ADMINISTRATOR', 'it has all others', 'PATCH /guilds/{guild.id}', MEMBER],
  ['-BAN_MEMBERS', 'about flags of members, which the service does not change', MEMBER],
  ['-KICK_MEMBERS', 'as BAN_MEMBERS', MEMBER],
  ['-MANAGE_GUILD', 'as BAN_MEMBERS', MEMBER],
  ['+CHANGE_NICKNAME', 'a bot may name itself here as at /members/@me', MEMBER],
  ['+KICK_MEMBERS', GRANT, 'POST /guilds/{guild.id}/roles'],
  ['+BAN_MEMBERS', GRANT, 'POST /guilds/{guild.id}/roles'],
  ['+SEND_MESSAGES', GRANT, 'PATCH /guilds/{guild.id}/roles/{role.id}'],
  ['+SPEAK', GRANT, NEW_CHANNEL, CHANGED_CHANNEL, 'PUT /channels/{channel.id}/permissions/{overwrite.id}'],
  ['-BYPASS_SLOWMODE', 'whom slow mode does not hold back, not who sets it', NEW_CHANNEL, CHANGED_CHANNEL],
  ['-MANAGE_ROLES', 'to set it takes ADMINISTRATOR', NEW_CHANNEL],
  ['-MANAGE_ROLES', 'of role_ids, which the service ignores', 'POST /channels/{channel.id}/invites'],
  ['-SEND_MESSAGES', IN_THREADS, CHANGED_CHANNEL],
  [
    '+SEND_MESSAGES_IN_THREADS',
    IN_THREADS,
    ...[CHANGED_CHANNEL, `POST ${MESSAGES}`, 'PUT /channels/{channel.id}/thread-members/{user.id}'],
  ],
  [
    '+MANAGE_THREADS',
    'to see a private thread of others (topics/threads), or to write in a locked one',
    ...['GET /channels/{channel.id}', `GET ${MESSAGES}`, `POST ${MESSAGES}`],
    ...[`PUT ${MESSAGES}/pins/{message.id}`, 'PUT /channels/{channel.id}/thread-members/@me'],
  ],
  ['+SEND_MESSAGES', 'who may not write does not type', 'POST /channels/{channel.id}/typing'],
  ['+CREATE_PUBLIC_THREADS', 'the permission of its name', `POST ${MESSAGES}/{message.id}/threads`],
  ['+CREATE_PRIVATE_THREADS', 'the permission of its name', 'POST /channels/{channel.id}/threads'],
  ['+EMBED_LINKS', 'the permission of its name', `POST ${MESSAGES}`, 'POST /channels/{channel.id}/threads'],
  ['+MENTION_EVERYONE', 'the permission of its name', `POST ${MESSAGES}`],
  ['+SEND_POLLS', 'the permission of its name', `POST ${MESSAGES}`],
  ['+READ_MESSAGE_HISTORY', 'as at the newer path, whose page names it', 'GET /channels/{channel.id}/pins'],
  [
    '+READ_MESSAGE_HISTORY',
    'who may not read a message does not read its reactions',
    `GET ${MESSAGES}/{message.id}/reactions/{emoji}`,
  ],
  [
    '-CONNECT',
    'of a message in a voice channel, of which the tests read the list',
    `GET ${MESSAGES}/{message.id}`,
  ],
]
