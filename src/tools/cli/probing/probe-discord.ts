/** A run at Discord: it says what it will do, asks for the application's id, and leaves everything as it was. */
import { resolve } from 'node:path'
import { existsSync } from 'node:fs'
import { isObject, type JsonObject } from '../../../core/json.ts'
import { uniqueText } from '../../../core/random.ts'
import { counted } from '../../../core/text.ts'
import { globalScope, scopeOf } from '../../../commands/registry/scope.ts'
import { HERE, type Probe } from '../../../reference/probes/probe.ts'
import { CommandError, usageError } from '../base/errors.ts'
import { print, warn, withProgress, type Io } from '../base/io.ts'
import { loadJson } from '../base/text-file.ts'
import { saveCommands } from '../deployed/backup.ts'
import type { Remote } from '../deployed/remote.ts'
import { tableOf } from './seen-table.ts'
import { BATCH, isAboutItem, runProbes, type Observation } from './run-probes.ts'
import { senderOf } from './sender.ts'
import { askWith, keptBodies, lookAround, openChannel, restore, type CommandLists } from './surroundings.ts'
import { nothingSeen, readVerified, writeVerified, type SeenProbe, type Verified } from './verified-file.ts'

export interface DiscordRun {
  readonly application: string
  readonly guild: string
  /** Whether there may be commands, which stay. */
  readonly replace: boolean
  readonly yes: boolean
  /** Where the observations go. */
  readonly file: string
  /** Whether the file is that of an earlier run, which goes on. */
  readonly isResumed: boolean
}

/** Every overwrite repeats what is there, beside 25 probes, of which some are user commands. */
const MOST_KEPT = { commands: 25, menus: 5 }
/** Requests before and after the probes, and for those that no list decides. */
const SURROUNDING = 24
/** Why a probe of messages was not asked. */
const MISSING_CHANNEL = 'the run has no value for channel'
/** Observations after which the file is written. */
const EACH = 20

/** @returns the exit code: 0 all as decided or not observed, 1 otherwise, or not ended */
export async function probeDiscord(
  io: Io,
  service: Remote,
  probes: readonly Probe[],
  run: DiscordRun,
): Promise<number> {
  const earlier = run.isResumed ? await readVerified(io, run.file) : nothingSeen
  if (!run.isResumed && existsSync(resolve(io.cwd, run.file)))
    throw usageError(`${run.file} exists: go on with --resume ${run.file}, or name another file with --out`)
  const { application, guild } = earlier.pending ?? run
  if (application !== run.application || guild !== run.guild)
    throw usageError(`${run.file} is of application ${application} in server ${guild}`)
  const known = earlier.seen.filter(({ outcome }) => outcome !== 'not observed')
  const open = probes.filter(
    ({ clause, holds }) => !known.some((one) => one.clause === clause && one.holds === holds),
  )
  print(io, planOf(run, open))
  const refusal = run.yes ? null : await askUser(io, run.application)
  if (refusal !== null) {
    warn(io, `Nothing was sent${refusal}.`)
    return 1
  }
  const end = new AbortController()
  void io.interrupted().then(() => end.abort())
  const sender = senderOf(service, true, end.signal)
  const ids = { application: run.application, guild: run.guild }
  const found = await lookAround(askWith(io, sender.send, true), ids)
  const { before, pending } = await beforeOf(io, run, earlier, found.commands)
  const seen: SeenProbe[] = [...known]
  const write = (rest: Pick<Verified, 'pending'>) =>
    writeVerified(io, run.file, cleaned(service, { ...nothingSeen, seen, ...rest }))
  await write({ pending })
  let stopped: string | null = null
  const asking = (async () => {
    const channel = await openChannel(askWith(io, sender.send, true), run.guild, pending.place)
    const names = { ...found.names, channel: channel.id, place: pending.place }
    const place = { ...found, send: sender.send, isPatient: true, names, kept: keptBodies(before) }
    await runProbes(io, place, open, async (observation) => {
      seen.push(rowOf(observation, names.channel === undefined ? channel.why : ''))
      if (seen.length % EACH === 0) await write({ pending })
    })
  })().catch((error: Error) => {
    if (!(error instanceof CommandError)) throw error
    stopped = error.message
  })
  try {
    await withProgress(
      io,
      () => `${seen.length} of ${probes.length} probes, ${sender.count()} requests`,
      asking,
    )
  } finally {
    // Without the signal, so that an interruption restores too.
    const ask = askWith(io, senderOf(service, true).send, true)
    const problems = await restore(ask, ids, before, pending.place)
    await write(problems.length === 0 ? {} : { pending })
    for (const problem of problems) warn(io, `Not as before: ${problem}`)
    if (problems.length > 0) {
      warn(io, `Restore with: commandry vectors --against discord --resume ${run.file} …`)
      stopped ??= 'not everything is as before'
    } else print(io, 'The commands are as before, and the channel is deleted.')
  }
  print(io, tableOf(probes, seen))
  print(io, `${counted(sender.count(), 'request')}; the observations are in ${run.file}`)
  if (stopped !== null) warn(io, `commandry vectors: ${stopped}; go on with --resume ${run.file}`)
  return stopped !== null || seen.some(({ outcome }) => outcome === 'otherwise') ? 1 : 0
}

/** What the run will do. Discord documents no limits of routes; a known old one is five creates in 20 seconds. */
function planOf({ application, guild, replace, file }: DiscordRun, probes: readonly Probe[]): string {
  const { requests, minutes, creates } = costOf(probes)
  return [
    `This asks Discord ${counted(probes.length, 'question')}:`,
    `- about ${requests} requests, in ${minutes} minutes if a route takes 5 in 20 seconds`,
    `- about ${creates} of the 200 commands that can be created in a day`,
    `- it writes commands of application ${application}, global and in server ${guild}, and deletes them at the end`,
    '- it creates a channel in the server for messages, and deletes it at the end',
    '- the bot needs MANAGE_CHANNELS and MANAGE_ROLES there; without ADMINISTRATOR it observes more',
    replace
      ? '- commands that are there stay; they are saved to files first, and restored if they change'
      : '- it ends at once if there are commands',
    `- what it sees goes to ${file}`,
  ].join('\n')
}

/** What a run takes in which every probe is as decided. */
function costOf(probes: readonly Probe[]) {
  const alone = probes.filter((probe) => !isAboutItem(probe))
  const items = probes.filter(isAboutItem)
  const requests = alone.flatMap((probe) => probe.requests)
  const routes = new Map<string, number>()
  for (const { method, path } of requests)
    routes.set(`${method} ${path}`, (routes.get(`${method} ${path}`) ?? 0) + 1)
  const waits = [...routes.values()].reduce((sum, count) => sum + Math.floor((count - 1) / 5), 0)
  const creates = requests.filter(({ method, path }) => method === 'POST' && path.endsWith('commands')).length
  return {
    requests: requests.length + Math.ceil(items.length / BATCH) + SURROUNDING,
    creates: creates + items.filter(({ expects }) => expects.status === undefined).length,
    minutes: Math.ceil((waits * 20) / 60),
  }
}

/** Asks for confirmation; null when it is given, else the reason, which may be empty. */
async function askUser(io: Io, application: string): Promise<string | null> {
  const answer = (await io.ask('Type the application id to continue: '))?.trim()
  if (answer === undefined) return ': there is no terminal to ask in; add --yes'
  return answer === application ? null : ''
}

/** The commands that must be there at the end, saved to files. @throws CommandError when there may be none */
async function beforeOf(io: Io, run: DiscordRun, earlier: Verified, lists: CommandLists) {
  const { pending } = earlier
  if (pending !== undefined) {
    const before: Record<string, readonly JsonObject[]> = {}
    for (const [path, file] of Object.entries(pending.files))
      before[path] = file === null ? [] : ((await loadJson(io, file)) as JsonObject[]).filter(isObject)
    return { before, pending }
  }
  const files: Record<string, string | null> = {}
  for (const [path, commands] of Object.entries(lists)) {
    const own = commands.filter(({ type }) => type !== 4)
    const menus = own.filter(({ type }) => type !== 1).length
    const place = path === HERE ? `server ${run.guild}` : 'the application'
    if (own.length > 0 && !run.replace)
      throw usageError(`${place} has ${counted(own.length, 'command')}; use one without, or add --replace`)
    if (own.length > MOST_KEPT.commands || menus > MOST_KEPT.menus)
      throw usageError(
        `${place} has more than ${MOST_KEPT.commands} commands or ${MOST_KEPT.menus} menus; use another one`,
      )
  }
  for (const [path, commands] of Object.entries(lists)) {
    const scope = path === HERE ? scopeOf(run.application, run.guild) : globalScope(run.application)
    files[path] = commands.length === 0 ? null : await saveCommands(io, scope, commands)
    if (files[path] !== null) print(io, `Saved ${counted(commands.length, 'command')}: ${files[path]}`)
  }
  const { application, guild } = run
  const place = `commandry-${uniqueText().slice(0, 8)}`
  return { before: lists, pending: { application, guild, files, place } }
}

function rowOf({ probe, outcome, came, response }: Observation, noChannel: string): SeenProbe {
  const why = came === MISSING_CHANNEL ? noChannel : came
  const { clause, holds } = probe
  const day = new Date().toISOString().slice(0, 10)
  return { day, clause, holds, outcome, came: why, ...(response && { response }) }
}

/** Without the token, which a response may repeat (clause 5-03). */
function cleaned(service: Remote, verified: Verified): Verified {
  return JSON.parse(service.withoutToken(JSON.stringify(verified)))
}
