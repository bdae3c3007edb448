/** Changes of members by the fields of a body, each of which needs a permission of its own. */
import { listOf, objectOf, optional, orNull, partial, type Reader } from '../../../core/rules/readers.ts'
import { PermissionFlag } from '../../../model/permission-flags.ts'
import type { ServerMember } from '../../../model/server.ts'
import { invalidField, Refused } from '../../refusals.ts'
import { bodyFlag, bodyId, orNoImage, textBetween, bodyTime } from '../body-fields.ts'
import type { ServerState } from '../entities.ts'
import { setMember } from '../members.ts'
import { lacks, type Party } from '../party.ts'
import { moveMember, setVoice } from '../voice.ts'
import { known } from '../world.ts'
import { serverAct, type FurtherNeed, type ActInput } from './act.ts'

export const MAX_TIMEOUT = 28 * 86_400_000

interface MemberBody {
  readonly nick?: string | null
  readonly roles?: readonly string[] | null
  readonly communication_disabled_until?: string | null
  readonly channel_id?: string | null
  readonly mute?: boolean | null
  readonly deaf?: boolean | null
}

const nick = orNull(textBetween(0, 32))

const memberFields: Reader<MemberBody> = objectOf(
  partial(optional, {
    nick,
    roles: orNull(listOf(bodyId)),
    // 0 means no time (discordjs/discord.js#7226).
    communication_disabled_until: (report, value) => (value === 0 ? null : orNull(bodyTime)(report, value)),
    channel_id: orNull(bodyId),
    mute: orNull(bodyFlag),
    deaf: orNull(bodyFlag),
  }),
)

const ownFields = objectOf({
  ...partial(optional, { nick, bio: orNull(textBetween(0, 190)) }),
  ...{ avatar: orNoImage, banner: orNoImage },
})

type Changing = ActInput<'member', MemberBody>

const isOwn = ({ member }: Changing, by: Party) => member.user.id === by.user.id

/** The needs of fields, but for nicknames. */
const needsOfFields: readonly FurtherNeed<Changing, ServerState>[] = [
  { permission: 'MANAGE_ROLES', for: 'roles', when: ({ body }) => body.roles !== undefined },
  {
    permission: 'MODERATE_MEMBERS',
    for: 'a time-out',
    when: ({ body }) => body.communication_disabled_until !== undefined,
  },
  { permission: 'MUTE_MEMBERS', for: 'mute', when: ({ body }) => body.mute !== undefined },
  { permission: 'DEAFEN_MEMBERS', for: 'deaf', when: ({ body }) => body.deaf !== undefined },
  { permission: 'MOVE_MEMBERS', for: 'a voice channel', when: ({ body }) => body.channel_id !== undefined },
]

const withoutText = (nick: string | null | undefined) =>
  nick === undefined ? {} : { nick: nick === '' ? null : nick }

/** The roles after the change. Libraries send the lists that they have, in which @everyone is a role like the others. */
const wantedRoles = (roles: readonly string[] | null, server: ServerState): ReadonlySet<string> =>
  new Set(roles?.filter((one) => one !== server.id))

function checkRoles(by: Party, member: ServerMember, roles: readonly string[] | null, server: ServerState) {
  const wanted = wantedRoles(roles, server)
  const changed = [...wanted, ...member.roles].filter(
    (one) => !(wanted.has(one) && member.roles.includes(one)),
  )
  for (const one of new Set(changed)) {
    const role = server.roles.find(({ id }) => id === one)
    if (role === undefined) throw new Refused('unknown_role')
    by.needGivable(server, role)
  }
}

function checkTimeout(by: Party, member: ServerMember, until: string | null, server: ServerState): void {
  const { world } = by
  by.needAbove(server, member)
  if ((world.permissions(server.id, member.user.id) & PermissionFlag.ADMINISTRATOR) !== 0n)
    throw lacks(`${member.user.username} is an administrator, who cannot be timed out`)
  if (until !== null && Date.parse(until) > world.now() + MAX_TIMEOUT)
    throw invalidField('communication_disabled_until', 'A timeout ends within 28 days.')
}

const isOfVoice = ({ channel_id, mute, deaf }: MemberBody) =>
  channel_id !== undefined || mute !== undefined || deaf !== undefined

export const changeMember = serverAct({
  summary: 'Change the nickname, roles, timeout or voice channel of a member',
  event: 'GUILD_MEMBER_UPDATE',
  logs: 'MEMBER_UPDATE',
  on: ['member'],
  body: memberFields,
  further: [
    {
      permission: 'CHANGE_NICKNAME',
      for: 'the own nickname',
      when: (given, _, by) => given.body.nick !== undefined && isOwn(given, by),
    },
    {
      permission: 'MANAGE_NICKNAMES',
      for: 'the nickname of another',
      when: (given, _, by) => given.body.nick !== undefined && !isOwn(given, by),
    },
    ...needsOfFields,
  ],
  check(by, given, server) {
    const { member, body } = given
    if (body.nick !== undefined && !isOwn(given, by)) by.needAbove(server, member)
    if (body.roles !== undefined) checkRoles(by, member, body.roles, server)
    if (body.communication_disabled_until !== undefined)
      checkTimeout(by, member, body.communication_disabled_until, server)
    if (isOfVoice(body) && !member.voice_channel_id) throw new Refused('not_in_voice')
    if (body.channel_id && !server.channels.some((one) => one.id === body.channel_id))
      throw new Refused('unknown_channel')
  },
  do({ world }, { member: { user }, body }, server) {
    const { nick, roles, communication_disabled_until: until, channel_id: channel, mute, deaf } = body
    setMember(world, server.id, user.id, {
      ...withoutText(nick),
      ...(roles !== undefined && { roles: [...wantedRoles(roles, server)] }),
      ...(until !== undefined && { communication_disabled_until: until }),
    })
    const voice = {
      ...(mute !== undefined && { mute: mute ?? false }),
      ...(deaf !== undefined && { deaf: deaf ?? false }),
    }
    if (Object.keys(voice).length > 0) setVoice(world, server.id, user.id, voice)
    if (channel !== undefined) moveMember(world, server.id, user.id, channel)
    return known(world.member(server.id, user.id))
  },
})

export const changeOwnMember = serverAct({
  summary: 'Change the nickname or the pictures of the bot',
  event: 'GUILD_MEMBER_UPDATE',
  logs: 'MEMBER_UPDATE',
  on: [],
  body: ownFields,
  further: [
    { permission: 'CHANGE_NICKNAME', for: 'the own nickname', when: ({ body }) => body.nick !== undefined },
  ],
  do: (by, { body: { nick, avatar, banner } }, server) =>
    setMember(by.world, server.id, by.user.id, {
      ...withoutText(nick),
      ...by.hashesOf({ avatar, banner }),
    }),
})
