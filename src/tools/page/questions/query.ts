/** The questions of the page: their fields, read from unknown JSON, and the person, place and language they name. */
import { installedFor } from '../../../service/world/installation.ts'
import type { BotSession } from '../../../interactions/bot/bot-session.ts'
import type { Locale } from '../../../model/locales.ts'
import type { ApplicationSettings } from '../../../model/application.ts'
import { InteractionContext } from '../../../model/command-types.ts'
import type { JsonObject } from '../../../core/json.ts'
import type { Emitter } from '../../../core/emitter.ts'
import { isSnowflake } from '../../../core/snowflake.ts'
import { quoted } from '../../../core/text.ts'
import type { CommandPermission } from '../../../model/permission-entry.ts'
import { installableWays, type PickerSource, type Viewer } from '../../../commands/access/picker.ts'
import type { CommandRegistry } from '../../../commands/registry/registry.ts'
import { scopeOf, type Scope } from '../../../commands/registry/scope.ts'
import type { Store } from '../../../storage/store.ts'
import { completeServer, demoServer, type ServerInput } from '../../../model/demo-server.ts'
import { memberInChannel, type ServerSettings } from '../../../model/server.ts'
import { withParent } from '../../../service/world/visibility.ts'
import { openDirectMessage } from '../../../service/world/channels.ts'
import type { Participant, People } from '../../../testing/testbed/people/people.ts'
import type { NoteOnTest } from '../../../testing/recording/recorded-test.ts'
import type { Recording } from '../../../testing/recording/recording.ts'
import type { BotConnection } from './bot.ts'
import type { Uses } from './uses.ts'

/** A file of the command line: the JSON in it, or that of what a module exports. Modules are read-only. */
export interface DefinitionFile {
  readonly name: string
  readonly text: string
  readonly isReadOnly: boolean
  readonly errors: readonly { readonly line: number | null; readonly text: string }[]
}

/** Bots that log in, and the clock that they follow. */
export interface BotsOfPage {
  /** The applications whose bots are connected. */
  readonly online: readonly string[]
  /** Calls a listener when `online` has changed. @returns removes the listener */
  readonly subscribe: (listener: () => void) => () => void
  readonly clock: {
    /** Whether timers and dates of a bot follow it. */
    readonly movesBots: boolean
    readonly advance: (milliseconds: number) => Promise<void>
    /** Publishes by how many milliseconds it is about to move. */
    readonly moves: Pick<Emitter<number>, 'add'>
  }
}

/** How the program is that the service has started. */
export interface ProgramState {
  /**
   * `starting` until a bot has logged in, and `offline` once it has lost its connection; `running` for programs that need not
   * log in.
   */
  readonly phase: 'starting' | 'running' | 'online' | 'offline' | 'ended'
  /** The exit code; null while it runs, and after a signal. */
  readonly code: number | null
  /** How often it was started. */
  readonly starts: number
  /** Why it was started last: `bot.js was saved`. */
  readonly why: string
  /** Whether it is a bot, and not a test. */
  readonly isBot: boolean
  /** Whether a save of its sources starts it again. */
  readonly isWatching: boolean
  /** The last lines that it wrote, without secrets. */
  readonly lines: string
}

/** A use that waits for an answer of the program. */
export interface WaitingUse {
  /** Resolves when the program ends or is stopped. */
  readonly ended: Promise<null>
  /** What the program wrote about a failure of this use, without secrets; empty for nothing. */
  readonly error: () => Promise<string>
  readonly end: () => void
}

/** A program that may end and start again while the service runs. */
export interface ProgramOfPage {
  readonly state: ProgramState
  readonly begin: () => WaitingUse
  readonly restart: () => Promise<void>
  readonly subscribe: (listener: () => void) => () => void
}

/** Why a test fails with a bot that was started for it. */
export interface TestFailure {
  /** The line of the file; 0 for none. */
  readonly line: number
  /** The statements of the step that failed. */
  readonly step: string
  /** Such as `got “Gone”, expected “Banned alan”`. */
  readonly text: string
  /** The whole texts that an assertion compared; null for other errors. */
  readonly actual: string | null
  readonly expected: string | null
  /** The rest of the message, and what the bot wrote. */
  readonly output: string
}

/** A recording that was kept as a file, which is run after each save. */
export interface RecordedTest {
  /** The title, once it has run. */
  readonly name: string
  /** Such as `scenes/ban-twice.test.mjs`. */
  readonly file: string
  readonly phase: 'waiting' | 'passes' | 'fails'
  readonly failure: TestFailure | null
}

/** Tests that a service runs, each in a process with a service and a bot of its own. */
export interface TestsOfPage {
  readonly state: readonly RecordedTest[]
  /**
   * Writes a new file and runs it once; a comment in it says what differs. No file is overwritten.
   *
   * @param write returns the test with a title
   * @throws TypeError when the name has no letter, or is taken
   */
  readonly add: (name: string, write: (title: string, note?: NoteOnTest) => string) => Promise<void>
  /** Runs the code of a test once. Null when it passes. */
  readonly check: (code: string) => Promise<TestFailure | null>
  /** Runs one test again, by its file. Default: all of them */
  readonly run: (file?: string) => void
  readonly subscribe: (listener: () => void) => () => void
}

/** What differs, as a comment at its line. @param code the code that failed */
export function noteOn({ line, text }: TestFailure, code: string): NoteOnTest {
  const lines = code.trimEnd().split('\n').length
  return { fromEnd: line === 0 ? lines : lines - line, text: `With a new bot: ${text}` }
}

export interface Context {
  readonly registry: CommandRegistry
  /** Lists the scopes it holds, to find applications and servers. */
  readonly store: Store
  /** The applications of the configuration; empty when any application is served. */
  readonly applications: readonly (ApplicationSettings & { readonly id: string; readonly name?: string })[]
  /** Servers with names; without any there is a demo server. */
  readonly servers: readonly ServerInput[]
  /** Servers that a test has to name. Default: all. */
  readonly configuredServers?: readonly ServerInput[]
  readonly session: BotSession
  readonly bot: BotConnection
  /** The servers as they are now, and the people in them. */
  readonly people: People
  readonly uses: Uses
  /** Whether the bot that the service started has overwritten the commands of a scope since its last start. */
  readonly isOverwritten: (scope: Scope) => boolean
  /** The line of the shell that started the bot, if the service did. */
  readonly program?: string | undefined
  /** That program. */
  readonly kept?: ProgramOfPage | undefined
  /** The files and folders whose commands the service deploys. Default: none. */
  readonly deploys?: readonly string[] | undefined
  /** The recorded tests of a bot that the service has started. */
  readonly tests?: TestsOfPage | undefined
  /** Absent in a page without a server. */
  readonly recording?: Recording
  /** Absent without a gateway. */
  readonly bots?: BotsOfPage
  /** Reads the files with definitions that the Editor offers. */
  readonly files: () => Promise<readonly DefinitionFile[]>
}

/** The fields of a question. A field of another type than requested counts as absent. */
export class Query {
  readonly #values: JsonObject

  constructor(values: JsonObject) {
    this.#values = values
  }

  value(name: string): unknown {
    return Object.hasOwn(this.#values, name) ? this.#values[name] : undefined
  }

  text(name: string): string {
    const value = this.value(name)
    return typeof value === 'string' ? value : ''
  }

  list(name: string): readonly unknown[] {
    const value = this.value(name)
    return Array.isArray(value) ? value : []
  }

  /** @throws TypeError when the field is not an id */
  id(name: string): string {
    const value = this.text(name)
    if (isSnowflake(value)) return value
    const problem = value === '' ? 'is missing' : `is ${quoted(value)}`
    throw new TypeError(`${name} ${problem}; expected an id, which is digits only`)
  }
}

/** A server as it is now; one that nothing has happened in is that of the configuration, else like the demo server. */
export function currentServer(id: string, { servers, people }: Context): ServerSettings {
  const configured = servers.find((server) => server.id === id)
  const start = () => (configured === undefined ? demoServer(id) : completeServer(configured))
  return people.world.server(id) ?? start()
}

/** The person of a question in their place. @throws TypeError for an unknown person */
export function participantOf(query: Query, context: Context): Participant {
  const { world } = context.people
  const [id, channel] = [query.id('as'), query.text('channel')]
  const server = world.server(query.id('server'))
  const person = world.user(id)
  if (server === undefined || person === undefined)
    throw new TypeError(`as is ${quoted(id)}; expected a member`)
  const options = { channel: channel === 'bot' ? 'dm' : channel, locale: query.text('lang') as Locale }
  return { applicationId: query.id('app'), person, serverId: server.id, options }
}

/** The scope of a question: the commands of a server, or the global ones. */
export function scopeOfQuery(query: Query): Scope {
  return scopeOf(query.id('app'), query.text('server') === '' ? null : query.id('server'))
}

function viewerOf(query: Query, context: Context): Viewer {
  const settings = query.text('with').split(',')
  const shared = {
    applicationId: query.id('app'),
    locale: query.text('lang'),
    adult: !settings.includes('minor'),
    ageRestrictedInDirectMessages: settings.includes('dms'),
  }
  const user = { id: query.id('as') }
  const place = query.text('channel')
  if (place === 'bot') {
    const { world } = context.people
    const isKnown = world.user(user.id) !== undefined
    const channel = isKnown ? openDirectMessage(world, shared.applicationId, user.id) : undefined
    return { ...shared, user, context: InteractionContext.BOT_DM, ...(channel && { channel }) }
  }
  if (place === 'group') return { ...shared, user, context: InteractionContext.PRIVATE_CHANNEL }
  const server = currentServer(query.id('server'), context)
  const channelId = query.id('channel')
  const { threads = [] } = context.people.world.server(server.id) ?? {}
  const found = [...server.channels, ...threads].find(({ id }) => id === channelId)
  const channel = withParent(server, found ?? { id: channelId })
  const member = server.members.find((one) => one.user.id === user.id) ?? { user, roles: [] }
  const chosen = query.text('roles')
  const roles = chosen === '' ? member.roles : chosen.split(',').filter(isSnowflake)
  return { ...shared, ...memberInChannel(server, { ...member, roles }, channel) }
}

/**
 * The person, place and language of a question, their server (null in DMs), and the state of the registry there.
 *
 * @throws TypeError when an id is missing or invalid
 */
export async function readViewer(query: Query, context: Context) {
  const person = viewerOf(query, context)
  const source = await context.registry.pickerSource(person)
  const place = person.guildId ?? null
  const here = installedFor(context.people.world, person.applicationId, query.id('as'), place)
  const installable = installableWays(source.application, person.guildId).filter((way) => here.includes(way))
  const settings = query.text('with').split(',')
  const installed = installable.filter((way) => !settings.includes(`no${way}`))
  const viewer: Viewer = { ...person, installed }
  const server = person.guildId === undefined ? null : currentServer(person.guildId, context)
  return { viewer, server, source }
}

/** The permission entries of a command, or of the app under its own id. */
export function permissionsFor(id: string, { permissions }: PickerSource): readonly CommandPermission[] {
  return permissions.find((set) => set.id === id)?.permissions ?? []
}
