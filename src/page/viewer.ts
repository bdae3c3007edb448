/** The person, place and language of a question. */
import type { BotSession } from '../bot/session.ts'
import type { ApplicationSettings } from '../command/application.ts'
import { InteractionContext } from '../command/types.ts'
import { isSnowflake } from '../core/snowflake.ts'
import type { CommandPermission } from '../permission/entry.ts'
import { explainAccess } from '../permission/evaluate.ts'
import { completeServer, demoServer, type ServerInput } from '../world/demo-server.ts'
import { memberInChannel, type ServerSettings } from '../world/server.ts'
import type { AccessRequest } from '../permission/access.ts'
import type { AccessExplanation } from '../permission/trace.ts'
import { installableWays, type GuildViewer, type PickerSource, type Viewer } from '../picker/picker.ts'
import type { CommandRegistry } from '../registry/registry.ts'
import { scopeOf, type Scope } from '../registry/scope.ts'
import type { Store } from '../storage/store.ts'
import type { DefinitionFile } from './answers.ts'
import type { BotConnection } from './bot.ts'
import type { Query } from './query.ts'
import type { Recorder } from './recorder.ts'

/** The objects that answer questions. */
export interface Context {
  readonly registry: CommandRegistry
  /** Lists the scopes it holds, to find applications and servers. */
  readonly store: Store
  /** The applications of the configuration; empty when any application is served. */
  readonly applications: readonly (ApplicationSettings & { readonly id: string; readonly name?: string })[]
  readonly servers: readonly ServerInput[]
  readonly recorder: Recorder
  readonly session: BotSession
  readonly bot: BotConnection
  /** Reads the files of the command line. */
  readonly files: () => Promise<readonly DefinitionFile[]>
}

/** That of the configuration, else one like the demo server. */
export function serverOf(id: string, { servers }: Context): ServerSettings {
  const configured = servers.find((server) => server.id === id)
  return configured === undefined ? demoServer(id) : completeServer(configured)
}

/** The scope of a question: the commands of a server, or the global ones. */
export function scopeOfQuery(query: Query): Scope {
  return scopeOf(query.id('app'), query.text('server') === '' ? null : query.id('server'))
}

/** The person, place and language of a question. @throws TypeError when an id is missing or invalid */
export function viewerOf(query: Query, context: Context): Viewer {
  const shared = {
    applicationId: query.id('app'),
    locale: query.text('lang'),
    adult: !query.flag('minor'),
    ageRestrictedInDirectMessages: query.flag('dms'),
  }
  const user = { id: query.id('as') }
  const place = query.text('channel')
  const { BOT_DM, PRIVATE_CHANNEL } = InteractionContext
  if (place === 'bot') return { ...shared, user, context: BOT_DM }
  if (place === 'group') return { ...shared, user, context: PRIVATE_CHANNEL }
  const server = serverOf(query.id('server'), context)
  const channelId = query.id('channel')
  const channel = server.channels.find(({ id }) => id === channelId) ?? { id: channelId }
  const member = server.members.find((one) => one.user.id === user.id) ?? { user, roles: [] }
  const roles = query.value('roles') === undefined ? member.roles : query.list('roles').filter(isSnowflake)
  return { ...shared, ...memberInChannel(server, { ...member, roles }, channel) }
}

/** A viewer, the state of the registry for their place, and the ways the app can be installed there. */
export interface PickerInput {
  readonly viewer: Viewer
  /** The server of the viewer; null in DMs. */
  readonly server: ServerSettings | null
  readonly source: PickerSource
  readonly installable: readonly number[]
}

/** @throws TypeError when the question does not describe a viewer */
export async function pickerInput(query: Query, context: Context): Promise<PickerInput> {
  const viewer = viewerOf(query, context)
  const source = await context.registry.pickerSource(viewer)
  const installable = installableWays(source.application, viewer.guildId)
  const server = viewer.guildId === undefined ? null : serverOf(viewer.guildId, context)
  const excluded = query.list('without')
  const installed = installable.filter((way) => !excluded.includes(way))
  return { viewer: { ...viewer, installed }, server, source, installable }
}

/** The permission entries of a command, or of the app under its own id. */
export function entriesOf(id: string, { permissions }: PickerSource): readonly CommandPermission[] {
  return permissions.find((set) => set.id === id)?.permissions ?? []
}

/** Whether a member may use a command in their channel, and why. */
export function explainCommand(
  viewer: GuildViewer,
  source: PickerSource,
  command: AccessRequest['command'] & { readonly id: string },
): AccessExplanation {
  return explainAccess({
    ...viewer,
    command,
    now: source.now,
    overwrites: entriesOf(command.id, source),
    appOverwrites: entriesOf(viewer.applicationId, source),
  })
}
