/** Decisions about a member of a server, by the entries of the command and the app, as a table of every combination. */
import { canUse } from 'commandry'
import type { AccessRequest, CommandPermission } from 'commandry'
import { combinations } from './combinations.ts'
import {
  BAN_MEMBERS,
  KICK_MEMBERS,
  MANAGE_GUILD,
  USE_APPLICATION_COMMANDS,
  channel,
  closed,
  forAllChannels,
  forChannel,
  forEveryone,
  forRole,
  forUser,
  guildId,
  member,
  open,
  requiring,
  second,
  use,
} from './requests.ts'

const three = [undefined, false, true] as const
const rolePairs: readonly (readonly (boolean | undefined)[])[] = [
  [undefined, undefined],
  [undefined, false],
  [true, undefined],
  [false, true],
  [true, false],
]

/** Who has an entry, and whether it allows; undefined means no entry. */
const everySetting = combinations({
  channel: three,
  allChannels: three,
  user: three,
  roles: rolePairs,
  everyone: three,
})
type Settings = (typeof everySetting)[number]

function entriesOf({ channel, allChannels, user, roles, everyone }: Settings): CommandPermission[] {
  const entries = [forUser(false, '999'), forRole(false, '999'), forChannel(false, '999')]
  if (everyone !== undefined) entries.push(forEveryone(everyone))
  if (user !== undefined) entries.push(forUser(user))
  if (roles[0] !== undefined) entries.push(forRole(roles[0]))
  if (allChannels !== undefined) entries.push(forAllChannels(allChannels))
  if (roles[1] !== undefined) entries.push(forRole(roles[1], second))
  if (channel !== undefined) entries.push(forChannel(channel))
  return entries
}

function ofMember({ user, roles, everyone }: Settings): boolean | undefined {
  const any = roles.includes(true) ? true : roles.includes(false) ? false : undefined
  return user ?? any ?? everyone
}

/** Looks up a decision in the table. */
function expected(own: Settings, app: Settings, byDefault: boolean): boolean {
  const inChannel = own.channel ?? own.allChannels ?? app.channel ?? app.allChannels ?? true
  const byCommand = ofMember(own)
  const byApp = ofMember(app) ?? true
  return inChannel && (byCommand ?? (byApp && byDefault))
}

const both = requiring(MANAGE_GUILD | BAN_MEMBERS)
const having = (bits: bigint) => String(bits | USE_APPLICATION_COMMANDS)
/** The default permissions of a command, those of a member, and whether these are enough. */
export const defaults: readonly [string, AccessRequest['command'], permissions: string, isMet: boolean][] = [
  ['null', open, use, true],
  ["'0'", closed, use, false],
  ['bits the member has', both, having(MANAGE_GUILD | BAN_MEMBERS | KICK_MEMBERS), true],
  ['bits of which the member has one', both, having(MANAGE_GUILD), false],
  ['null with default_permission false', { ...open, default_permission: false }, use, false],
]

export const configured = everySetting.map((settings) => ({ settings, entries: entriesOf(settings) }))

/**
 * The decisions that are not those of the table.
 *
 * @param isTried whether a pair of settings is tried, by their places
 */
export function wrongDecisions(
  [, command, permissions, isMet]: (typeof defaults)[number],
  isTried: (app: number, own: number) => boolean,
): readonly unknown[] {
  const request = { command, member: member({ permissions }), channel, guildId, now: 0 }
  const wrong: unknown[] = []
  for (const [i, app] of configured.entries())
    for (const [j, own] of configured.entries()) {
      if (!isTried(i, j)) continue
      const allowed = canUse({ ...request, overwrites: own.entries, appOverwrites: app.entries })
      if (allowed !== expected(own.settings, app.settings, isMet)) wrong.push([own.settings, app.settings])
    }
  return wrong
}
