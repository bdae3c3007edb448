/** Members, entries and expected decisions for the tests of access. */
import {
  type AccessRequest,
  ChannelType,
  type CommandPermission,
  type GuildMember,
  PermissionFlag,
} from 'commandry'

export const {
  ADMINISTRATOR,
  BAN_MEMBERS,
  KICK_MEMBERS,
  MANAGE_GUILD,
  USE_APPLICATION_COMMANDS,
  VIEW_CHANNEL,
} = PermissionFlag

// Beyond the integers of a double: computed with numbers, All Channels would be wrong.
export const guildId = '9007199254740993'
export const everywhere = '9007199254740992'
export const user = '7'
export const first = '201'
export const second = '202'
export const here = '300'

export const use = String(USE_APPLICATION_COMMANDS)
export const seeAndUse = String(VIEW_CHANNEL | USE_APPLICATION_COMMANDS)
export const member = (over: Partial<GuildMember> = {}): GuildMember => ({
  user: { id: user },
  roles: [first, second],
  permissions: use,
  ...over,
})
export const channel = { id: here, type: ChannelType.GUILD_TEXT }
export const open = { default_member_permissions: null }

export const ask = (over: Partial<AccessRequest> = {}): AccessRequest => ({
  command: open,
  member: member(),
  channel,
  guildId,
  now: 0,
  ...over,
})

export const forUser = (permission: boolean, id = user): CommandPermission => ({ id, type: 2, permission })
export const forRole = (permission: boolean, id = first): CommandPermission => ({ id, type: 1, permission })
export const forEveryone = (permission: boolean): CommandPermission => ({ id: guildId, type: 1, permission })
export const forChannel = (permission: boolean, id = here): CommandPermission => ({ id, type: 3, permission })
export const forAllChannels = (permission: boolean): CommandPermission => ({
  id: everywhere,
  type: 3,
  permission,
})

/** The configuration without ids and lists; undefined means no entry. */
export interface Settings {
  readonly channel: boolean | undefined
  readonly allChannels: boolean | undefined
  readonly user: boolean | undefined
  readonly roles: readonly [boolean | undefined, boolean | undefined]
  readonly everyone: boolean | undefined
}

export const three = [undefined, false, true] as const
export const rolePairs = [
  [undefined, undefined],
  [undefined, false],
  [true, undefined],
  [false, true],
  [true, false],
] as const

export const everySetting: readonly Settings[] = three.flatMap((channel) =>
  three.flatMap((allChannels) =>
    three.flatMap((user) =>
      rolePairs.flatMap((roles) =>
        three.map((everyone) => ({ channel, allChannels, user, roles, everyone })),
      ),
    ),
  ),
)

export function entriesOf({ channel, allChannels, user, roles, everyone }: Settings): CommandPermission[] {
  const entries: CommandPermission[] = [
    forUser(false, '999'),
    forRole(false, '999'),
    forChannel(false, '999'),
  ]
  if (everyone !== undefined) entries.push(forEveryone(everyone))
  if (user !== undefined) entries.push(forUser(user))
  if (roles[0] !== undefined) entries.push(forRole(roles[0]))
  if (allChannels !== undefined) entries.push(forAllChannels(allChannels))
  if (roles[1] !== undefined) entries.push(forRole(roles[1], second))
  if (channel !== undefined) entries.push(forChannel(channel))
  return entries
}

export function ofMember({ user, roles, everyone }: Settings): boolean | undefined {
  const any = roles.includes(true) ? true : roles.includes(false) ? false : undefined
  return user ?? any ?? everyone
}

/** Looks up a decision in the table. */
export function expected(own: Settings, app: Settings, byDefault: boolean): boolean {
  const inChannel = own.channel ?? own.allChannels ?? app.channel ?? app.allChannels ?? true
  const byCommand = ofMember(own)
  const byApp = ofMember(app) ?? true
  return inChannel && (byCommand ?? (byApp && byDefault))
}

export const defaults = [
  { name: 'null', command: open, permissions: use, met: true },
  { name: "'0'", command: { default_member_permissions: '0' }, permissions: use, met: false },
  {
    name: 'bits the member has',
    command: { default_member_permissions: String(MANAGE_GUILD | BAN_MEMBERS) },
    permissions: String(MANAGE_GUILD | BAN_MEMBERS | KICK_MEMBERS | USE_APPLICATION_COMMANDS),
    met: true,
  },
  {
    name: 'bits of which the member has one',
    command: { default_member_permissions: String(MANAGE_GUILD | BAN_MEMBERS) },
    permissions: String(MANAGE_GUILD | USE_APPLICATION_COMMANDS),
    met: false,
  },
  {
    name: 'null with default_permission false',
    command: { default_member_permissions: null, default_permission: false as const },
    permissions: use,
    met: false,
  },
]

export const configured = everySetting.map((settings) => ({ settings, entries: entriesOf(settings) }))
