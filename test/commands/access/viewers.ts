/** Viewers and commands for the tests of the picker. */
import { ChannelType, globalScope, PermissionFlag, type Viewer } from 'commandry'
import { app, guild } from '../../support/fixtures.ts'

/** A member of a server. */
export type GuildViewer = Extract<Viewer, { readonly guildId: string }>

export const { ADMINISTRATOR, BAN_MEMBERS, USE_APPLICATION_COMMANDS, VIEW_CHANNEL } = PermissionFlag

export const global = globalScope(app)
export const staff = '4001'
export const moderator = '5001'

export const roles = [
  { id: guild, permissions: String(USE_APPLICATION_COMMANDS | VIEW_CHANNEL) },
  { id: moderator, permissions: String(BAN_MEMBERS) },
]

export const viewer = (over: Partial<GuildViewer> = {}): GuildViewer => ({
  applicationId: app,
  guildId: guild,
  channel: { id: staff, type: ChannelType.GUILD_TEXT },
  member: { user: { id: '3001' }, roles: [] },
  roles,
  locale: 'en-US',
  ...over,
})
export const direct = (over: Partial<Viewer & { guildId?: undefined }> = {}): Viewer => ({
  applicationId: app,
  channel: { id: '4009', type: ChannelType.DM },
  user: { id: '3001' },
  locale: 'en-US',
  ...over,
})

export const slash = (name: string, over: object = {}) => ({ name, description: `About ${name}`, ...over })
export const sub = (name: string, over: object = {}) => ({ type: 1, ...slash(name, over) })
export const group = (name: string, options: object[] = [], over: object = {}) => ({
  type: 2,
  ...slash(name, { options, ...over }),
})
