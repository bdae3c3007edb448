/** Members of the demo server for tests, and their pickers. */
import type { ApplicationCommand, CommandDefinition } from '../../model/command-definition.ts'
import { deepFreeze } from '../../core/freeze.ts'
import type { Locale } from '../../model/locales.ts'
import { memberPermissions } from '../../commands/access/effective.ts'
import type { GuildMember } from '../../model/server.ts'
import type { GuildCommandPermissions } from '../../model/permission-entry.ts'
import { demoServer } from '../../model/demo-server.ts'
import { pick, type GuildViewer } from '../../commands/access/picker.ts'
import { scene } from './scene.ts'

/** A member of the demo server, in the form that chat clients, viewers and interactions take. */
export interface MemberFixture extends GuildMember {
  readonly user: { readonly id: string; readonly username: string; readonly global_name: string }
  /** The permissions of the roles in the server, as a decimal bit set. */
  readonly permissions: string
}

/* @__NO_SIDE_EFFECTS__ */
function person(username: string): MemberFixture {
  const server = demoServer()
  const member = server.members.find(({ user }) => user.username === username)!
  const permissions = memberPermissions(member, server.roles, null, { guildId: server.id })
  return { ...member, permissions: String(permissions) } as MemberFixture
}

/**
 * The people of the demo server: Ada is a member, Grace a moderator (bans, kicks, times out, manages messages) and Alan
 * an administrator. All of them may use application commands.
 *
 * @example new ChatClient(registry, { ...place, member: people.moderator })
 */
export const people = /* @__PURE__ */ deepFreeze({
  member: /* @__PURE__ */ person('ada'),
  moderator: /* @__PURE__ */ person('grace'),
  administrator: /* @__PURE__ */ person('alan'),
})

/** A viewer of a picker. Absent fields have the values of `scene`. */
export interface ViewerFixture extends Partial<Pick<GuildViewer, 'member' | 'channel'>> {
  /** Default `'en-US'`. */
  readonly locale?: Locale
  /** The permission entries of commands in the server; the id of the command is `scene.commandId`. */
  readonly permissions?: readonly GuildCommandPermissions[]
}

/** The reasons why a command, once deployed, is not in a person's picker; empty if it is. */
export function visibility(
  definition: CommandDefinition,
  { member = people.member, channel = scene.channel, locale = 'en-US', permissions = [] }: ViewerFixture,
): { readonly name: string; readonly why: readonly string[] } {
  const { applicationId, guildId, commandId: id } = scene
  const command: ApplicationCommand = { ...definition, id, application_id: applicationId, version: id }
  const { hidden } = pick(
    { applicationId, guildId, member, channel, locale },
    { application: {}, commands: [command], permissions, now: 0 },
    { explain: true },
  )
  return { name: definition.name, why: hidden.flatMap((one) => one.why) }
}
