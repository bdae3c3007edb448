/** What may happen to each act: requests of bots, whose acts people carry out as well. */
import { permissions } from 'commandry'
import { IMAGE } from './bed.ts'
import type { Segments } from './act-world.ts'

/** A route, and perhaps a body and segments of the path in place of the usual ones. */
export type Situation = readonly [route: string, body?: unknown, at?: Segments]

const GUILD = '/guilds/{guild.id}'
const MEMBER = `${GUILD}/members/{user.id}`
const CHANNEL = '/channels/{channel.id}'
const MESSAGES = `${CHANNEL}/messages`
const MESSAGE = `${MESSAGES}/{message.id}`
const REACTIONS = `${MESSAGE}/reactions`
const boss = { 'user.id': '3005' }
const owner = { 'user.id': '3009' }
const own = { 'user.id': '{own}' }
const high = { 'role.id': '5009' }
const inThread = (name: string) => ({ 'channel.id': `{${name}}` })
const message = (name: string, channel = '4001') => ({ 'channel.id': channel, 'message.id': `{${name}}` })
const inArchive = message('inArchive', '{archived}')
const dm = { 'channel.id': '{dm}' }
const later = new Date(1_800_000_060_000).toISOString()
const poll = { question: { text: 'x' }, answers: [{ poll_media: { text: 'a' } }], duration: 1 }
const reply = { content: 'x', message_reference: { message_id: '{theirs}' } }
const overwrites = (bits: string) => [{ id: '5001', type: 0, deny: bits }]

/** The situations by the act, which has the name of its constant. */
export const situations: Readonly<Record<string, readonly Situation[]>> = {
  changeServer: [[`PATCH ${GUILD}`, { name: 'Theirs' }]],
  kickMember: [
    [`DELETE ${MEMBER}`],
    [`DELETE ${MEMBER}`, undefined, boss],
    [`DELETE ${MEMBER}`, undefined, owner],
  ],
  banUser: [
    [`PUT ${GUILD}/bans/{user.id}`, { delete_message_seconds: 60 }],
    [`PUT ${GUILD}/bans/{user.id}`, {}, boss],
    [`PUT ${GUILD}/bans/{user.id}`, { delete_message_seconds: -1 }],
  ],
  banUsers: [
    [`POST ${GUILD}/bulk-ban`, { user_ids: ['3004', '3005', '9'] }],
    [`POST ${GUILD}/bulk-ban`, { user_ids: [] }],
  ],
  unbanUser: [
    [`DELETE ${GUILD}/bans/{user.id}`, undefined, { 'user.id': '3007' }],
    [`DELETE ${GUILD}/bans/{user.id}`],
  ],
  giveRole: [
    [`PUT ${MEMBER}/roles/{role.id}`, undefined, own],
    [`PUT ${MEMBER}/roles/{role.id}`, undefined, high],
    [`PUT ${MEMBER}/roles/{role.id}`, undefined, { 'role.id': '2001' }],
  ],
  takeRole: [
    [`DELETE ${MEMBER}/roles/{role.id}`],
    [`DELETE ${MEMBER}/roles/{role.id}`, undefined, { ...boss, ...high }],
  ],
  endOwnPoll: [
    [`POST ${CHANNEL}/polls/{message.id}/expire`, undefined, message('poll')],
    [`POST ${CHANNEL}/polls/{message.id}/expire`, undefined, message('theirs')],
  ],
  changeMember: [
    [`PATCH ${MEMBER}`, { nick: 'x' }],
    [`PATCH ${MEMBER}`, { nick: 'x' }, own],
    [`PATCH ${MEMBER}`, { nick: 'x' }, boss],
    [`PATCH ${MEMBER}`, { roles: [] }],
    [`PATCH ${MEMBER}`, { roles: ['5001', '5009'] }],
    [`PATCH ${MEMBER}`, { roles: ['9'] }],
    [`PATCH ${MEMBER}`, { communication_disabled_until: later }],
    [`PATCH ${MEMBER}`, { communication_disabled_until: later }, boss],
    [`PATCH ${MEMBER}`, { communication_disabled_until: '2100-01-01T00:00:00Z' }],
    [`PATCH ${MEMBER}`, { mute: true, deaf: true, channel_id: null }],
    [`PATCH ${MEMBER}`, { mute: true }, boss],
    [`PATCH ${MEMBER}`, { channel_id: '9' }],
    [`PATCH ${MEMBER}`, { nick: 'x'.repeat(33) }],
  ],
  changeOwnMember: [
    [`PATCH ${GUILD}/members/@me`, { nick: 'x' }],
    [`PATCH ${GUILD}/members/@me`, {}],
  ],
  createRole: [
    [`POST ${GUILD}/roles`, { name: 'x' }],
    [`POST ${GUILD}/roles`, { permissions: permissions('BAN_MEMBERS', 'KICK_MEMBERS') }],
    [`POST ${GUILD}/roles`, { color: -1 }],
  ],
  changeRole: [
    [`PATCH ${GUILD}/roles/{role.id}`, { name: 'x', permissions: permissions('SEND_MESSAGES') }],
    [`PATCH ${GUILD}/roles/{role.id}`, { name: 'x' }, high],
    [`PATCH ${GUILD}/roles/{role.id}`, { name: 'x' }, { 'role.id': '5005' }],
  ],
  moveRoles: [
    [`PATCH ${GUILD}/roles`, [{ id: '5001', position: 2 }]],
    [`PATCH ${GUILD}/roles`, [{ id: '5001', position: 12 }]],
    [`PATCH ${GUILD}/roles`, [{ id: '5009', position: 1 }]],
    [`PATCH ${GUILD}/roles`, [{ id: '9', position: 1 }]],
  ],
  deleteRole: [
    [`DELETE ${GUILD}/roles/{role.id}`],
    [`DELETE ${GUILD}/roles/{role.id}`, undefined, high],
    [`DELETE ${GUILD}/roles/{role.id}`, undefined, { 'role.id': '2001' }],
  ],
  createChannel: [
    [`POST ${GUILD}/channels`, { name: 'x', parent_id: '4004' }],
    [`POST ${GUILD}/channels`, { name: 'x', permission_overwrites: overwrites(permissions('SPEAK')) }],
    [`POST ${GUILD}/channels`, { name: 'x', parent_id: '4001' }],
  ],
  changeChannel: [
    [`PATCH ${CHANNEL}`, { name: 'x' }],
    [`PATCH ${CHANNEL}`, { permission_overwrites: overwrites(permissions('SPEAK')) }],
    [`PATCH ${CHANNEL}`, { topic: 'x'.repeat(2_000) }],
    [`PATCH ${CHANNEL}`, { name: 'x' }, { 'channel.id': '4006' }],
    [`PATCH ${CHANNEL}`, { name: 'x' }, dm],
  ],
  moveChannels: [
    [`PATCH ${GUILD}/channels`, [{ id: '4001', position: 2, parent_id: '4004', lock_permissions: true }]],
    [`PATCH ${GUILD}/channels`, [{ id: '9' }]],
  ],
  deleteChannel: [[`DELETE ${CHANNEL}`], [`DELETE ${CHANNEL}`, undefined, { 'channel.id': '4006' }]],
  setOverwrite: [
    [`PUT ${CHANNEL}/permissions/{overwrite.id}`, { type: 1, allow: permissions('SPEAK') }],
    [`PUT ${CHANNEL}/permissions/{overwrite.id}`, { type: 7 }],
    [`PUT ${CHANNEL}/permissions/{overwrite.id}`, { type: 1 }, dm],
  ],
  removeOverwrite: [[`DELETE ${CHANNEL}/permissions/{overwrite.id}`]],
  changeThread: [
    [`PATCH ${CHANNEL}`, { name: 'x' }, inThread('thread')],
    [`PATCH ${CHANNEL}`, { name: 'x', archived: true }, inThread('ownThread')],
    [`PATCH ${CHANNEL}`, { locked: true }, inThread('ownThread')],
    [`PATCH ${CHANNEL}`, { archived: true }, inThread('locked')],
    [`PATCH ${CHANNEL}`, { archived: false }, inThread('archived')],
    [`PATCH ${CHANNEL}`, { name: 'x' }, inThread('archived')],
    [`PATCH ${CHANNEL}`, { invitable: true }, inThread('ownThread')],
    [`PATCH ${CHANNEL}`, { name: 'x' }, inThread('secret')],
  ],
  deleteThread: [
    [`DELETE ${CHANNEL}`, undefined, inThread('thread')],
    [`DELETE ${CHANNEL}`, undefined, inThread('ownThread')],
  ],
  startThreadFrom: [
    [`POST ${MESSAGE}/threads`, { name: 'x' }],
    [`POST ${MESSAGE}/threads`, { name: 'x' }, message('started')],
    [`POST ${MESSAGE}/threads`, { name: '' }],
    [`POST ${MESSAGE}/threads`, { name: 'x' }, message('inVoice', '4002')],
  ],
  startThread: [
    [`POST ${CHANNEL}/threads`, { name: 'x', type: 11 }],
    [`POST ${CHANNEL}/threads`, { name: 'x', type: 12 }],
    [`POST ${CHANNEL}/threads`, { name: 'x', type: 11 }, { 'channel.id': '4003' }],
    [`POST ${CHANNEL}/threads`, { name: 'x', type: 11 }, { 'channel.id': '4002' }],
    [`POST ${CHANNEL}/threads`, { name: 'x'.repeat(101) }],
  ],
  startPost: [
    [`POST ${CHANNEL}/threads`, { name: 'x', message: { content: 'x' } }, { 'channel.id': '4005' }],
    [
      `POST ${CHANNEL}/threads`,
      { name: 'x', message: { embeds: [{ title: 'x' }] } },
      { 'channel.id': '4005' },
    ],
    [`POST ${CHANNEL}/threads`, { name: 'x' }, { 'channel.id': '4005' }],
    [
      `POST ${CHANNEL}/threads`,
      { name: 'x', applied_tags: ['9'], message: { content: 'x' } },
      { 'channel.id': '4005' },
    ],
  ],
  joinThread: [
    [`PUT ${CHANNEL}/thread-members/@me`, undefined, inThread('locked')],
    [`PUT ${CHANNEL}/thread-members/@me`, undefined, inThread('archived')],
    [`PUT ${CHANNEL}/thread-members/@me`, undefined, inThread('secret')],
  ],
  leaveThread: [
    [`DELETE ${CHANNEL}/thread-members/@me`, undefined, inThread('thread')],
    [`DELETE ${CHANNEL}/thread-members/@me`, undefined, inThread('archived')],
  ],
  addToThread: [
    [`PUT ${CHANNEL}/thread-members/{user.id}`, undefined, inThread('thread')],
    [`PUT ${CHANNEL}/thread-members/{user.id}`, undefined, { ...inThread('thread'), 'user.id': '9' }],
  ],
  removeFromThread: [
    [`DELETE ${CHANNEL}/thread-members/{user.id}`, undefined, { ...inThread('thread'), 'user.id': '3010' }],
    [`DELETE ${CHANNEL}/thread-members/{user.id}`, undefined, inThread('archived')],
  ],
  sendMessage: [
    [`POST ${MESSAGES}`, { content: 'x' }],
    [`POST ${MESSAGES}`, { content: 'x'.repeat(2_001) }],
    [`POST ${MESSAGES}`, { content: '' }],
    [`POST ${MESSAGES}`, { embeds: [{ title: 'x' }] }],
    [`POST ${MESSAGES}`, { poll }],
    [`POST ${MESSAGES}`, { content: 'x', tts: true }],
    [`POST ${MESSAGES}`, { content: '@everyone' }],
    [`POST ${MESSAGES}`, { content: '<@&5001>' }],
    [`POST ${MESSAGES}`, reply],
    [`POST ${MESSAGES}`, { content: 'x' }, inThread('locked')],
    [`POST ${MESSAGES}`, { content: 'x' }, inThread('thread')],
    [`POST ${MESSAGES}`, { content: 'x' }, inThread('secret')],
    [`POST ${MESSAGES}`, { content: 'x' }, { 'channel.id': '4004' }],
    [`POST ${MESSAGES}`, { content: 'x' }, { 'channel.id': '4006' }],
  ],
  changeMessage: [
    [`PATCH ${MESSAGE}`, { content: 'y' }, message('mine')],
    [`PATCH ${MESSAGE}`, { content: 'y' }],
    [`PATCH ${MESSAGE}`, { flags: 4 }],
    [`PATCH ${MESSAGE}`, { content: '' }, message('mine')],
  ],
  removeMessage: [
    [`DELETE ${MESSAGE}`, undefined, message('mine')],
    [`DELETE ${MESSAGE}`],
    [`DELETE ${MESSAGE}`, undefined, inArchive],
  ],
  removeMessages: [
    [`POST ${MESSAGES}/bulk-delete`, { messages: ['{theirs}', '{mine}'] }],
    [`POST ${MESSAGES}/bulk-delete`, { messages: ['{theirs}'] }],
    [`POST ${MESSAGES}/bulk-delete`, { messages: ['1', '2'] }],
    [`POST ${MESSAGES}/bulk-delete`, { messages: ['{theirs}', '{mine}'] }, dm],
  ],
  publishMessage: [
    [`POST ${MESSAGE}/crosspost`, undefined, message('ownInNews', '4003')],
    [`POST ${MESSAGE}/crosspost`, undefined, message('inNews', '4003')],
    [`POST ${MESSAGE}/crosspost`],
  ],
  showTyping: [[`POST ${CHANNEL}/typing`], [`POST ${CHANNEL}/typing`, undefined, { 'channel.id': '4005' }]],
  pinMessage: [
    [`PUT ${MESSAGES}/pins/{message.id}`],
    [`PUT ${MESSAGES}/pins/{message.id}`, undefined, inArchive],
    [`PUT ${MESSAGES}/pins/{message.id}`, undefined, message('inSecret', '{secret}')],
  ],
  unpinMessage: [
    [`DELETE ${MESSAGES}/pins/{message.id}`, undefined, message('pinned')],
    [`DELETE ${MESSAGES}/pins/{message.id}`, undefined, inArchive],
  ],
  addReaction: [
    [`PUT ${REACTIONS}/{emoji}/@me`],
    [`PUT ${REACTIONS}/{emoji}/@me`, undefined, message('mine')],
    [`PUT ${REACTIONS}/{emoji}/@me`, undefined, inArchive],
  ],
  removeReaction: [
    [`DELETE ${REACTIONS}/{emoji}/@me`, undefined, { emoji: '🎉' }],
    [`DELETE ${REACTIONS}/{emoji}/@me`, undefined, inArchive],
  ],
  removeReactionOf: [[`DELETE ${REACTIONS}/{emoji}/{user.id}`]],
  clearEmoji: [[`DELETE ${REACTIONS}/{emoji}`]],
  clearAllReactions: [[`DELETE ${REACTIONS}`], [`DELETE ${REACTIONS}`, undefined, inArchive]],
  createWebhook: [
    [`POST ${CHANNEL}/webhooks`, { name: 'x' }],
    [`POST ${CHANNEL}/webhooks`, { name: 'discord' }],
    [`POST ${CHANNEL}/webhooks`, { name: 'x' }, dm],
  ],
  changeWebhook: [
    ['PATCH /webhooks/{webhook.id}', { name: 'x', channel_id: '4003' }],
    ['PATCH /webhooks/{webhook.id}', { channel_id: '4006' }],
    ['PATCH /webhooks/{webhook.id}', { channel_id: '9' }],
  ],
  deleteWebhook: [['DELETE /webhooks/{webhook.id}']],
  createInvite: [
    [`POST ${CHANNEL}/invites`, { unique: true }],
    [`POST ${CHANNEL}/invites`, { max_uses: 101 }],
    [`POST ${CHANNEL}/invites`, {}, dm],
  ],
  deleteInvite: [['DELETE /invites/{invite.code}']],
  createEmoji: [
    [`POST ${GUILD}/emojis`, { name: 'party', image: IMAGE }],
    [`POST ${GUILD}/emojis`, { name: 'a b', image: IMAGE }],
  ],
  changeEmoji: [
    [`PATCH ${GUILD}/emojis/{emoji.id}`, { name: 'other' }],
    [`PATCH ${GUILD}/emojis/{emoji.id}`, { name: 'other' }, { 'emoji.id': '{ownEmoji}' }],
  ],
  deleteEmoji: [
    [`DELETE ${GUILD}/emojis/{emoji.id}`],
    [`DELETE ${GUILD}/emojis/{emoji.id}`, undefined, { 'emoji.id': '{ownEmoji}' }],
  ],
}

/** Requests that read, and what those who ask must be able to see. */
export const reads: readonly Situation[] = [
  [`GET ${GUILD}/audit-logs`],
  [`GET ${GUILD}/bans`],
  [`GET ${GUILD}/bans/{user.id}`, undefined, { 'user.id': '3007' }],
  [`GET ${CHANNEL}/threads/archived/public`],
  [`GET ${CHANNEL}/threads/archived/private`],
  [`GET ${CHANNEL}/users/@me/threads/archived/private`],
  [`GET ${CHANNEL}`],
  [`GET ${CHANNEL}`, undefined, inThread('secret')],
  [`GET ${CHANNEL}/thread-members`, undefined, inThread('thread')],
  [`GET ${MESSAGES}`],
  [`GET ${MESSAGES}`, undefined, inThread('secret')],
  [`GET ${MESSAGES}`, undefined, { 'channel.id': '4002' }],
  [`GET ${MESSAGE}`],
  [`GET ${MESSAGES}/pins`],
  [`GET ${CHANNEL}/pins`],
  [`GET ${REACTIONS}/{emoji}`],
  [`GET ${CHANNEL}/webhooks`],
  [`GET ${GUILD}/webhooks`],
  ['GET /webhooks/{webhook.id}'],
  [`GET ${CHANNEL}/invites`],
  [`GET ${GUILD}/invites`],
  [`GET ${GUILD}/emojis`],
  [`GET ${GUILD}/emojis/{emoji.id}`],
]
