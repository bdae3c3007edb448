/** What happens while the page is open: requests, changed messages, and changed commands. */
import { typedName } from '../../authoring/words.ts'
import type { BotSession } from '../../../interactions/bot/bot-session.ts'
import type { Watch } from '../../../interactions/bot/traffic.ts'
import type { ApplicationCommand } from '../../../model/command-definition.ts'
import { Emitter } from '../../../core/emitter.ts'
import { isSnowflake } from '../../../core/snowflake.ts'
import { differencesOf, differenceText } from '../../authoring/differences.ts'
import type { CommandEvent, PermissionsEvent } from '../../../commands/registry/events.ts'
import type { CommandRegistry } from '../../../commands/registry/registry.ts'
import type { World } from '../../../service/world/world.ts'
import type { BotsOfPage, ProgramOfPage, TestsOfPage } from './query.ts'
import type { Uses } from './uses.ts'
import { guildScope, scopeKey, scopeOf, type Scope } from '../../../commands/registry/scope.ts'

/** What has changed, so that open pages ask again. */
export type Notification = 'request' | 'message' | 'commands' | 'program' | 'tests'

type WriteEvent = CommandEvent | PermissionsEvent

export type Recorder = ReturnType<typeof createRecorder>

interface Places {
  readonly world: Pick<World, 'subscribe'>
  readonly uses: Pick<Uses, 'subscribe'>
  readonly bots?: Pick<BotsOfPage, 'subscribe'> | undefined
  readonly kept?: Pick<ProgramOfPage, 'subscribe'> | undefined
  readonly tests?: Pick<TestsOfPage, 'subscribe'> | undefined
}

/** Notifies of traffic, messages and changes of servers, and records what writes to a registry change. */
export function createRecorder(
  registry: CommandRegistry,
  { traffic, messages }: BotSession,
  { world, uses, bots, kept, tests }: Places,
) {
  const notifications = new Emitter<Notification>((error) => console.error(error))
  const notify = (notification: Notification) => notifications.publish([notification])
  /** The events of the writes that have no response yet, with their scopes. */
  const openWrites = new Map<WriteEvent[], string>()
  const subscriptions = [
    registry.subscribe((event) => {
      if (event.type === 'interaction_created') return
      const isPermissions = event.type === 'permissions_updated'
      const key = scopeKey(isPermissions ? guildScope(event.applicationId, event.guildId) : event.scope)
      // The oldest write in the scope has caused it.
      const [events] = [...openWrites].find(([, scope]) => scope === key) ?? []
      events?.push(event)
      notify('commands')
    }),
    traffic.subscribe(({ kind }) => {
      if (kind === 'request') notify('request')
    }),
    messages.subscribe(() => notify('message')),
    uses.subscribe(() => notify('message')),
    ...(bots === undefined ? [] : [bots.subscribe(() => notify('commands'))]),
    ...(kept === undefined ? [] : [kept.subscribe(() => notify('program'))]),
    ...(tests === undefined ? [] : [tests.subscribe(() => notify('tests'))]),
    // The page has copies of servers, with their members, roles and channels.
    world.subscribe(({ name }) =>
      notify(/^(GUILD|CHANNEL|THREAD|VOICE|USER)/.test(name) ? 'commands' : 'message'),
    ),
  ]
  /** Collects what a request changes in the registry, in the scope of its path. */
  const watch: Watch = async ({ method, path }) => {
    const scope = method === 'GET' || method === 'HEAD' ? null : scopeOfPath(path)
    if (scope === null) return undefined
    // A store that cannot be read fails the request itself.
    const commands = await registry.list(scope).catch(() => [])
    const before = new Map(commands.map((command) => [command.id, command]))
    const events: WriteEvent[] = []
    openWrites.set(events, scopeKey(scope))
    return () => {
      openWrites.delete(events)
      const changes = events.flatMap((event) => changeLines(event, before))
      return { events: events.map(eventLine), changes, summary: summaryOf(events) }
    }
  }

  return {
    subscribe: (listener: (notification: Notification) => void) => notifications.add(listener),

    close() {
      for (const end of subscriptions) end()
    },

    watch,
  }
}

export function scopeOfPath(path: string): Scope | null {
  const [, id, guildId] = /\/applications\/([0-9]+)(?:\/guilds\/([0-9]+))?\//.exec(path) ?? []
  return isSnowflake(id) && (guildId === undefined || isSnowflake(guildId)) ? scopeOf(id, guildId) : null
}

function eventLine(event: WriteEvent): string {
  if (event.type === 'permissions_updated') return `permissions_updated in ${event.guildId}`
  return `${event.type} ${typedName(event.command)}`
}

function changeLines(event: WriteEvent, before: ReadonlyMap<string, ApplicationCommand>): readonly string[] {
  if (event.type === 'permissions_updated') return []
  const after = event.command
  const label = typedName(after)
  if (event.type === 'command_created') return [`+ ${label}`]
  if (event.type === 'command_deleted') return [`- ${label}`]
  const old = before.get(after.id)
  if (old === undefined) return [`~ ${label}`]
  const fields = Object.keys(after).filter((field) => field !== 'version')
  const differences = differencesOf({ before: old, after, fields })
  return [`~ ${label}`, ...differences.map((one) => `    ${differenceText(one)}`)]
}

function summaryOf(events: readonly WriteEvent[]): string {
  const count = (type: WriteEvent['type']) => events.filter((event) => event.type === type).length
  const counts = [count('command_created'), count('command_updated'), count('command_deleted')]
  if (counts.some((number) => number > 0)) return `+${counts[0]} ~${counts[1]} -${counts[2]}`
  return count('permissions_updated') > 0 ? 'permissions' : ''
}
