/** A bot of the user that runs beside a testbed, for the commands that use it: `fuzz` and `changes`. */
import { EMBEDDED, PRIVILEGED } from '../../../model/application.ts'
import { CommandType } from '../../../model/command-types.ts'
import { allPermissions, permissionBits } from '../../../model/permission-bits.ts'
import { PermissionFlag } from '../../../model/permission-flags.ts'
import type { ServerSettings } from '../../../model/server.ts'
import { isObject } from '../../../core/json.ts'
import { counted, printable, quoted } from '../../../core/text.ts'
import { RegistryError } from '../../../commands/registry/registry-error.ts'
import { openProcessClock, type ProcessClock } from '../../../testing/clock/process-clock.ts'
import type { FuzzedStep, FuzzProgress } from '../../../testing/fuzz/fuzz-options.ts'
import type { FuzzedCommand, FuzzReport } from '../../../testing/fuzz/fuzz-report.ts'
import { isIncomplete, skippedAndOthers, type NotSeen } from '../../../model/not-seen.ts'
import { milliseconds } from '../../../testing/samples/test-clock.ts'
import type { TestbedOptions } from '../../../testing/testbed/testbed-options.ts'
import type { Testbed } from '../../../testing/testbed/bed.ts'
import { openTestbed } from '../../../testing/testbed/testbed.ts'
import { asAddress, flag, asId, list, option, optionWith, type Values } from '../base/cli-command.ts'
import { readFiles, warnOfFaults, warnOfSkipped } from '../definitions/sources.ts'
import { CommandError, usageError } from '../base/errors.ts'
import { warn, withProgress, type Io } from '../base/io.ts'
import { isMissing } from '../base/stores.ts'
import { BotProgram, OtherIds } from './bot-program.ts'
import { loadSockets } from './bots.ts'
import { applicationIn, serverVariables } from '../../../testing/testbed/programs/placeholders.ts'
import { shellLine } from '../../../testing/testbed/programs/run-program.ts'
import { programServer } from './program.ts'

/** The options of a bot that is started. */
export const botOptions = {
  wait: optionWith('DURATION', 'how long the bot may take to start (30s)', '30s', duration),
  say: list('TEXT', 'what the owner writes once the bot is logged in, such as "!sync"; may be repeated'),
  env: list(
    'NAME=VALUE',
    'a variable for the bot; may be repeated. It has tokens and ids in the usual ones',
    variable,
  ),
  guild: option('ID', 'the server of the bot, for a program that has its id in its code', asId),
  permissions: option(
    'NAME,...',
    'what the bot may do, such as SEND_MESSAGES,BAN_MEMBERS; it does not see #staff then (ADMINISTRATOR)',
    permissionList,
  ),
  'no-redirect': flag('do not redirect Node: the bot reads COMMANDRY_URL itself'),
  'no-clock': flag('do not move the clock of the bot: wait in real time for silences and cooldowns'),
  url: option(
    'URL',
    'the interactions endpoint of a bot over HTTP; without a program, the bot runs already',
    asAddress,
  ),
}

/** All permissions that a bot can have beside ADMINISTRATOR, which would include every other. */
export const ALL_BUT_ADMINISTRATOR = allPermissions & ~PermissionFlag.ADMINISTRATOR

function variable(text: string): string {
  if (/^\w+=/.test(text)) return text
  throw usageError(`--env "${text}" is not NAME=VALUE`)
}

/** @throws CommandError for a text that is not a duration */
export function duration(text: string, name: string): number {
  try {
    return milliseconds(text)
  } catch {
    throw usageError(`--${name} "${text}" is not a duration such as 500ms, 60s or 5m`)
  }
}

function permissionList(text: string, name: string): bigint {
  const names = text.split(',').map((one) => one.trim().toUpperCase())
  const known: Readonly<Record<string, bigint>> = PermissionFlag
  const unknown = names.find((one) => !Object.hasOwn(known, one))
  if (unknown === undefined) return names.reduce((bits, one) => bits | known[one]!, 0n)
  if (/^\d+$/.test(text)) return permissionBits(text, `--${name}`)
  throw usageError(`--${name}: ${quoted(unknown, 40)} is not a permission such as BAN_MEMBERS`)
}

export interface BotSettings extends Values<typeof botOptions> {
  /** The day of Discord. */
  readonly discord?: string | undefined
  readonly files: readonly string[]
  readonly program: readonly string[]
}

export interface BotSetup {
  /** The options of the testbed, without what is no JSON. */
  readonly options: TestbedOptions
  /** A line of the shell; empty for a bot that runs already. */
  readonly program: string
  /** Whether the commands are among the options, and not deployed by the bot. */
  readonly hasCommands: boolean
}

/** A bot that is logged in, or answers over HTTP. */
export interface StartedBot {
  readonly bed: Testbed
  readonly bot: BotProgram
  /** How a test opens the same testbed and starts the same bot. */
  readonly setup: BotSetup
  /** What was left out of the files that were deployed. */
  readonly notSeen: readonly NotSeen[]
  /** Aborted when the user interrupts. */
  readonly signal: AbortSignal
}

/**
 * Starts a bot, lets it be used, and stops it.
 *
 * @throws NotStarted
 */
export async function withBot<T>(
  caller: Io,
  settings: BotSettings,
  use: (started: StartedBot) => Promise<T>,
  mayAdopt = true,
): Promise<T> {
  const io = withServer(caller, settings.guild)
  const clock = await openProcessClock()
  const { bed, notSeen, options } = await openBed(io, settings, clock)
  const followed = settings['no-clock'] ? undefined : clock
  const program = shellLine(settings.program)
  const bot = new BotProgram({ io, bed, ...settings, clock: followed, program, mayAdopt })
  const interruption = new AbortController()
  const interrupted = io.interrupted().then(() => interruption.abort())
  try {
    // Without fast-check the bot need not start.
    await loadFuzz()
    // Before the first use there is nothing to report.
    const what = program === '' ? `waiting for ${settings.url}` : `starting ${printable(program)}`
    const starting = Promise.race([bot.start().then(() => true), interrupted])
    const started = await withProgress(io, () => what, starting)
    if (started !== true) throw new CommandError('interrupted')
    const setup = { options, program, hasCommands: options.commands !== undefined }
    return await use({ bed, bot, setup, notSeen, signal: interruption.signal })
  } catch (error) {
    if (!(error instanceof OtherIds)) throw error
    await bot.stop()
    return withBot({ ...io, env: { ...io.env, ...error.ids } }, settings, use, false)
  } finally {
    await bot.stop()
    await bed.close()
    clock.close()
  }
}

/** The environment in which a server is that of the program. */
function withServer(io: Io, guild: string | undefined): Io {
  return guild === undefined ? io : { ...io, env: { ...io.env, ...serverVariables(guild) } }
}

async function openBed(
  io: Io,
  { url, discord, permissions, files }: BotSettings,
  clock: ProcessClock,
): Promise<Pick<StartedBot, 'bed' | 'notSeen'> & { readonly options: TestbedOptions }> {
  const { sources, notSeen, advice } =
    files.length === 0 ? { sources: [], notSeen: [], advice: null } : await readFiles(io, files)
  // The report has the other gaps.
  warnOfSkipped(io, notSeen)
  if (advice !== null) warn(io, advice)
  warnOfFaults(io, sources)
  const commands = sources.flatMap(({ definitions }) => definitions.map(({ body }) => body))
  const isEntryPoint = (body: unknown) => isObject(body) && body.type === CommandType.PRIMARY_ENTRY_POINT
  const server = programServer(io)
  const limited = permissions === undefined ? undefined : withBotRole(server, permissions)
  const options: TestbedOptions = {
    applicationId: applicationIn(io.env),
    servers: [limited ?? server],
    ...(limited && { bot: { roles: [BOT_ROLE] } }),
    ...(discord !== undefined && { discord }),
    ...(url !== undefined && { endpoint: url }),
    // Only an app with an Activity has an entry point command.
    ...(commands.some(isEntryPoint) && { flags: EMBEDDED | PRIVILEGED }),
    ...(commands.length > 0 && { commands: commands as NonNullable<TestbedOptions['commands']> }),
  }
  try {
    const sockets = url === undefined ? { ws: await loadSockets(io) } : {}
    return { bed: await openTestbed({ ...options, ...sockets }, clock, true), notSeen, options }
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    throw new CommandError(`${error.message}\nRun "commandry check ${files.join(' ')}" for all problems.`)
  }
}

const BOT_ROLE = 'Bot'

/** The server with a role above all others for the bot, which does not view #staff. */
function withBotRole(server: ServerSettings, permissions: bigint): ServerSettings {
  const { roles, channels } = server
  const id = `${BigInt(roles.at(-1)!.id) + 1n}`
  const hidden = { id, type: 0, allow: '0', deny: `${PermissionFlag.VIEW_CHANNEL}` } as const
  return {
    ...server,
    roles: [...roles, { id, name: BOT_ROLE, permissions: `${permissions}`, position: roles.length }],
    channels: channels.map((one) =>
      one.name === 'staff' ? { ...one, permission_overwrites: [hidden] } : one,
    ),
  }
}

// --- Using it -------------------------------------------------------------------------------------------------

interface Uses {
  readonly runs: number
  readonly seed: number
  readonly patience: number
  readonly people?: 1 | 2
  readonly installed?: 'server' | 'user' | undefined
  readonly only?: readonly string[]
  readonly time?: number | undefined
  readonly onStep?: (step: FuzzedStep) => void
}

const PHASES: { readonly [Phase in FuzzProgress['phase']]: string } = {
  uses: '',
  shortening: 'shortening a failure: ',
  'two people': 'two people at once: ',
}

/** Uses all commands of a bot, with a line for each command that has ended. */
export async function fuzzed(
  io: Io,
  uses: Uses,
  { bed, bot, signal, notSeen }: StartedBot,
): Promise<FuzzReport> {
  const { runs, seed, patience, people = 1, installed, only = [], time, onStep } = uses
  let progress: FuzzProgress = { phase: 'uses', uses: 0, failures: 0, commandsLeft: 0 }
  const line = () => {
    const { phase, uses, failures, commandsLeft } = progress
    return `${PHASES[phase]}${counted(uses, 'use')}, ${counted(failures, 'failure')}, ${counted(commandsLeft, 'command')} left`
  }
  const run = await loadFuzz()
  const running = run(bed, {
    ...{ runs, seed, patience, bot, signal, people },
    ...(only.length > 0 && { only }),
    ...(installed && { installed }),
    ...(time !== undefined && { time }),
    ...(onStep && { onStep }),
    onProgress: (now) => (progress = now),
    onCommand: (ended) => warn(io, commandLine(ended)),
  })
  try {
    const report = await withProgress(io, line, running)
    const all = [...skippedAndOthers(notSeen).others, ...report.not_seen]
    return { ...report, ok: report.ok && !isIncomplete(notSeen), not_seen: all }
  } catch (error) {
    if (error instanceof TypeError && error.message.startsWith('only: '))
      throw usageError(`--${error.message}`)
    throw error
  }
}

async function loadFuzz() {
  // Loaded here: fast-check is not installed for other commands.
  const module = await import('../../../testing/fuzz/fuzz.ts').catch((error: unknown): never => {
    if (!isMissing(error)) throw error
    throw new CommandError('needs the package "fast-check"; install it with "npm install fast-check"')
  })
  return module.fuzz
}

/** A line for a command that has ended. */
function commandLine({ command, uses, failures }: FuzzedCommand): string {
  const mark = failures === 0 ? '✓' : '✗'
  return `${mark} ${printable(command)}: ${counted(uses, 'use')}, ${counted(failures, 'failure')}`
}
