import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { orAborted } from '../../../core/abort.ts'
import { deadlines } from '../../../core/deadlines.ts'
import type { BotSession } from '../../../interactions/bot/bot-session.ts'
import type { TrafficEntry } from '../../../interactions/bot/traffic.ts'
import { isEmbedded } from '../../../model/application.ts'
import { processIds } from '../../../model/id-source.ts'
import { DEFAULT_BASE_PATH } from '../../../service/http/base-path.ts'
import { isLoopback } from '../../../service/http/hosts.ts'
import type { Exchange } from '../../../core/http-message.ts'
import { openApiDocument } from '../../../service/http/openapi.ts'
import { NAMELESS_APPLICATION, placeholderToken } from '../../../service/http/placeholder-token.ts'
import { openAccess, tokenDirectory, type TokenEntry } from '../../../service/http/principal.ts'
import { json, refuseMethod, showMethods, withoutBody } from '../../../service/http/respond.ts'
import { handlerOf } from '../../../service/http/web-handler.ts'
import { serve, type Serving } from '../../../service/node/serve.ts'
import { openProcessClock } from '../../../testing/clock/process-clock.ts'
import { Recording, type RecordingSource } from '../../../testing/recording/recording.ts'
import { createWorkbench, type Workbench } from '../../page/workbench.ts'
import {
  applicationDirectory,
  openDirectory,
  type ApplicationDirectory,
} from '../../../commands/registry/directory.ts'
import { CommandRegistry } from '../../../commands/registry/registry.ts'
import { globalScope, scopeKey } from '../../../commands/registry/scope.ts'
import type { Store } from '../../../storage/store.ts'
import { asAddress, command, flag, asId, list, option, optionWith, port } from '../base/cli-command.ts'
import { loadSockets, openServiceOfBots, type Bots } from '../bots/bots.ts'
import { readConfiguration, type Configuration } from '../base/config.ts'
import { day } from '../base/day.ts'
import { CommandError, firstCause, usageError } from '../base/errors.ts'
import { outliveOutput, print, warn, type Io } from '../base/io.ts'
import { pathText } from '../../authoring/words.ts'
import { packageIn } from '../base/package-json.ts'
import { loadJson } from '../base/text-file.ts'
import { applicationIn } from '../../../testing/testbed/programs/placeholders.ts'
import { shellLine } from '../../../testing/testbed/programs/run-program.ts'
import { KeptProgram } from '../bots/kept-program.ts'
import { programServer, type LocalService } from '../bots/program.ts'
import { masking } from '../bots/program-secrets.ts'
import { RecordedTests } from '../bots/recorded-tests.ts'
import { watchesItself } from '../bots/watch-sources.ts'
import { servedFiles, type ServedFiles } from '../definitions/served-files.ts'
import { openStore, storeForms } from '../base/stores.ts'

export default command({
  help: [
    `Examples
  commandry serve
  commandry serve commands/
  commandry serve --config service.json --store sqlite:commands.db
  commandry serve -- node bot.js
  commandry serve --gateway --port 0 --run "pytest -q"

commandry serve [FILE|FOLDER ...] [-- BOT [ARGUMENT ...]]

Runs the service over HTTP, below ${DEFAULT_BASE_PATH}, until it is interrupted. The files are read as "commandry check"
reads them. A store in memory always has their valid commands: they are deployed at the start and at each save.`,
    `A bot after -- is started beside the service, with --gateway unless --bot names its endpoint. Its end is not the end of
the service: it starts again when one of its sources in this folder is saved, or by a button of the workbench. Exit code 0
after Ctrl C. The end and the exit code of the program of --run are those of the service, unless someone looks at the
workbench then: in that case Ctrl C ends the service with that code.

The OpenAPI document is at /openapi.json, and /readyz answers 200 once the files are read and the store answers. On this machine, the workbench is at /: type commands as a
member, edit definitions, watch requests.`,
  ],
  options: {
    port: optionWith('PORT', 'the port; 0 for any free one (8787)', '8787', port),
    host: optionWith('HOST', 'the address to listen on (127.0.0.1)', '127.0.0.1'),
    config: option(
      'FILE',
      'applications, tokens and servers; without tokens, any is accepted, and only this machine can connect',
    ),
    'allow-host': list(
      'NAME',
      'without tokens in --config: answer requests for this name too, besides those of this machine',
    ),
    store: optionWith('STORE', `where the commands are stored: ${storeForms} (memory)`, 'memory'),
    deploy: flag('deploy the files to another store than memory, too'),
    'no-deploy': flag('only show the files in the Editor of the workbench'),
    application: option(
      'ID',
      'the application of the files (the first of --config, otherwise CLIENT_ID of the environment)',
      asId,
    ),
    run: option(
      'COMMAND',
      'run a program, such as a test, with the address in COMMANDRY_URL; ends with its exit code',
    ),
    gateway: flag(
      'accept bots over a WebSocket at the same port; requires the package ws. Programs on this machine\ncan use the bots as people do, below /people/',
    ),
    discord: option('DAY', 'with --gateway: Discord as of that day, such as 2026-11-15 (today)', day),
    bot: option(
      'URL',
      'the interactions endpoint of an app; receives the interactions of the workbench',
      asAddress,
    ),
    'no-watch': flag(
      'do not start the bot after -- again when a file is saved; lines that watch by themselves never need it',
    ),
    'no-clock': flag('do not move the clock of the program with that of the service'),
    log: flag('write a line to stderr for every request but those of the page'),
  },
  takesProgram: true,
  async run(io, given, positionals, bot) {
    const isBot = bot.length > 0
    const values = isBot ? serveWithBot(given, bot) : given
    const { config, host, port, run: command } = values
    if (values['no-watch'] && !isBot) throw usageError('--no-watch needs a bot after --')
    if (values.discord !== undefined && !values.gateway) throw usageError('--discord needs --gateway')
    checkArguments(values, positionals, io)
    const configuration = config === undefined ? {} : await readConfigurationFile(io, config)
    if (configuration === null) return 1
    const { applications: ofFile, tokens, servers: configuredServers = [] }: Configuration = configuration
    if (tokens === undefined) checkOpenHost(host)
    const configured = ofFile ?? []
    // A program gets the id of its server in its environment.
    const { servers = command === undefined ? [] : [programServer(io)] }: Configuration = configuration
    const applications = ofFile ? applicationDirectory(ofFile) : namedDirectory(nameOfBot(io, command))
    const authenticate = tokens ? tokenDirectory(tokens) : openAccess()
    const applicationId = values.application ?? configured[0]?.id ?? applicationIn(io.env)
    const isOwn = (entry: TokenEntry) => entry.type === 'Bot' && entry.application_id === applicationId
    const { token } = tokens?.find(isOwn) ?? {}
    const mask = masking(io.env, [token ?? placeholderToken(applicationId)])
    const isInMemory = values.store === 'memory'
    const isDeploying = !values['no-deploy'] && (values.deploy || isInMemory)
    const sockets = values.gateway ? await loadSockets(io) : undefined
    const { store, close } = await openStore(io, values.store)
    try {
      const clock = await openProcessClock()
      // Ids of this process: others may serve the same store, and this one may have served it before.
      const ids = processIds(clock)
      const registry = new CommandRegistry({ store, applications, clock, ids })
      await enableActivities(configured, registry, store)
      const service = openServiceOfBots(sockets, {
        ...{ registry, authenticate, applications, clock },
        ...{ servers, discord: values.discord },
      })
      const { bots, session } = service
      const target = { registry, applications, applicationId, isInMemory }
      const files = servedFiles(io, positionals, isDeploying ? target : null)
      const exchange = withOwnPages(service.exchange, registry, files)
      if (values.log) session.traffic.subscribe((entry) => logRequest(io, entry))
      // The page and the people require no token, so only this machine may have them.
      const own = bots && { people: bots.people, bots: bots.page }
      const isWatching = isBot && !values['no-watch'] && !watchesItself(io.cwd, command!)
      const keeping = { io, isBot, isWatching, bots: bots?.page, pages: (): number => workbench?.pages ?? 0 }
      const kept = command === undefined ? undefined : new KeptProgram({ ...keeping, command })
      // A bot over HTTP has one address, which that of the page has.
      const hasTests = isBot && values.bot === undefined && isLoopback(host)
      const watched = values['no-watch'] ? undefined : command
      const tests = hasTests ? new RecordedTests(io, watched, mask) : undefined
      const programs = { program: command, kept, tests, deploys: isDeploying ? positionals : [] }
      const views = { applications: configured, servers, configuredServers, session, ...programs }
      const opened = { registry, store, bot: values.bot ?? '', openRecording, files: files.current }
      const workbench = isLoopback(host) ? createWorkbench({ ...opened, ...views, ...own }) : undefined
      const handler = handlerOf(afterReading(files, withViews(exchange, session, workbench, bots)))
      // Any token is accepted, so names of websites are refused: a page could call the service under its own name.
      const names = tokens ? {} : { hosts: values['allow-host'] }
      const serving = await listen(io, { handler, host, port, ...names, ...bots?.listener })
      bots?.listening(serving.url)
      if (bots && applicationId === NAMELESS_APPLICATION) followFirstBot(io, bots, files)
      if (tests && bots) runFrom(tests, bots, files)
      session.messages.files.origin = serving.url
      const page = workbench === undefined ? '' : `Workbench  ${serving.url}/\n`
      // In one piece: programs wait for the line of the API.
      print(io, `${page}API        ${serving.url}${DEFAULT_BASE_PATH}`)
      const reason = config === undefined ? 'No --config' : `No tokens in ${config}`
      if (!tokens) warn(io, `${reason}: every token is accepted; only this machine can connect`)
      const code = await untilEnd(io, files, kept, {
        ...{ url: serving.url, applicationId, token },
        serverId: servers[0]?.id,
        clock: values['no-clock'] ? undefined : clock,
      })
      workbench?.close()
      await tests?.close()
      bots?.close()
      clock.close()
      await serving.close()
      return code
    } finally {
      await close()
    }
  },
})

const openRecording = (source: RecordingSource) => new Recording(source)

/** The name of a bot that no configuration names: that of the package of its program. */
function nameOfBot({ cwd }: Io, command: string | undefined): string {
  const name = command === undefined ? '' : packageIn(cwd).name
  return name.slice(0, MAX_NAME) || 'Your bot'
}

/** Characters of the name of a user. */
const MAX_NAME = 32

/** A directory that accepts every application, of which the first one that it is asked for has a name. */
function namedDirectory(name: string): ApplicationDirectory {
  let first = ''
  return {
    get: async (id) => {
      const settings = await openDirectory.get(id)
      first ||= id
      return settings && id === first ? { ...settings, name } : settings
    },
  }
}

interface Values {
  readonly run?: string | undefined
  readonly bot?: string | undefined
  readonly gateway: boolean
}

/** The options with a bot as the program, which logs in unless it has an endpoint. @throws CommandError */
function serveWithBot<Given extends Values>(given: Given, bot: readonly string[]): Given {
  if (given.run !== undefined) throw usageError('--run and a bot after -- are two programs; leave one out')
  return { ...given, run: shellLine(bot), gateway: given.gateway || given.bot === undefined }
}

/** @throws CommandError */
async function listen(io: Io, options: Parameters<typeof serve>[0]): Promise<Serving> {
  outliveOutput(io)
  return serve(options).catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === 'EADDRINUSE' ? 'it is in use; --port 0 takes a free one' : error.message
    throw new CommandError(`cannot listen on ${options.host}, port ${options.port}: ${reason}`)
  })
}

/** Where nothing names the application of the files, it is that of the first bot. */
function followFirstBot(io: Io, { page }: Bots, files: ServedFiles): void {
  const stop = page.subscribe(() => {
    stop()
    files.moveTo(page.online[0]!).catch((error) => warn(io, String(error)))
  })
}

/** Runs the recorded tests once the bot of the page is there, and at each save. */
function runFrom(tests: RecordedTests, { page }: Bots, files: ServedFiles): void {
  files.onSave(() => void tests.run())
  const stop = page.subscribe(() => {
    stop()
    void tests.run()
  })
}

/** Follows the files, until the program of `--run` has ended, or a signal ends everything. Returns the exit code. */
async function untilEnd(
  io: Io,
  files: ServedFiles,
  program: KeptProgram | undefined,
  service: LocalService,
): Promise<number> {
  const interrupted = io.interrupted()
  const codeOf = async (program: KeptProgram) => {
    // The program may use the commands.
    await files.current()
    program.start(service)
    const code = await Promise.race([program.ended, interrupted.then(() => program.codeNow)])
    await program.stop()
    return code
  }
  const end = program === undefined ? interrupted.then(() => 0) : codeOf(program)
  await files.follow(end)
  return end
}

/** @throws CommandError when files are missing, or the address is empty */
function checkArguments({ host }: { readonly host: string }, files: readonly string[], io: Io): void {
  const missing = files.find((file) => !existsSync(resolve(io.cwd, file)))
  if (missing !== undefined) throw usageError(`no file or folder "${missing}"`)
  // For an empty host, Node listens on every address of the machine.
  if (host.trim() === '') throw usageError('--host is empty; give an address, or leave it out for 127.0.0.1')
}

/** @throws CommandError when others could reach a service that accepts any token */
function checkOpenHost(host: string): void {
  if (isLoopback(host)) return
  const remedy = 'add --config with tokens, or leave --host out'
  throw usageError(`--host ${host} accepts other machines, and any token is valid; ${remedy}`)
}

/** The contents of a configuration file; null after its problems are printed. */
async function readConfigurationFile(io: Io, file: string): Promise<Configuration | null> {
  const read = readConfiguration(await loadJson(io, file))
  if (read.ok) return read.value
  for (const { path, message } of read.issues) warn(io, `${file}: ${pathText(path)} ${message}`)
  return null
}

/**
 * Creates the entry point command of each app with an Activity (clause 2.3-02). Only for apps without stored global
 * commands: in a stored list, a missing entry point command was deleted.
 */
async function enableActivities(
  applications: NonNullable<Configuration['applications']>,
  registry: CommandRegistry,
  store: Store,
): Promise<void> {
  const ids = applications.filter(isEmbedded).map(({ id }) => id)
  try {
    const documents = await store.read(ids.map((id) => scopeKey(globalScope(id))))
    for (const [index, id] of ids.entries())
      if (documents[index] === undefined) await registry.enableActivities(id)
  } catch (error) {
    throw new CommandError(`cannot create the entry point commands: ${firstCause(error)}`)
  }
}

/** Leads browsers that open the address of the API to the page. */
function withPage(exchange: Exchange): Exchange {
  return async (incoming) => {
    const isApi = /^\/api(?:\/v\d+)?\/?$/.test(incoming.path) && incoming.method === 'GET'
    const isBrowser = isApi && incoming.header('accept')?.includes('text/html') === true
    return isBrowser ? { status: 302, headers: { Location: '/' }, body: null } : exchange(incoming)
  }
}

function withOwnPages(exchange: Exchange, registry: CommandRegistry, files: ServedFiles): Exchange {
  const document = json(openApiDocument())
  const allow = 'GET, HEAD, OPTIONS'
  const readiness = async () => {
    const signal = AbortSignal.timeout(deadlines.READY_TIMEOUT)
    const isReady = await Promise.all([registry.ready({ signal }), orAborted(files.current(), signal)]).then(
      () => true,
      () => false,
    )
    return { ...json({ ready: isReady }), status: isReady ? 200 : 503 }
  }
  return async (incoming) => {
    const { path, method } = incoming
    if (path !== '/openapi.json' && path !== '/readyz') return exchange(incoming)
    if (method === 'OPTIONS') return showMethods(allow)
    if (method !== 'GET' && method !== 'HEAD') return refuseMethod(allow)
    const page = path === '/readyz' ? await readiness() : document
    return method === 'HEAD' ? withoutBody(page) : page
  }
}

/** A program that asks as soon as it has the address gets the commands of the files. The page does not wait for them. */
function afterReading(files: ServedFiles, exchange: Exchange): Exchange {
  return async (incoming) => {
    if (/^\/(?:api|people)\//.test(incoming.path)) await files.current()
    return exchange(incoming)
  }
}

/** Adds the page and the routes of people, on this machine, and records all other requests. */
function withViews(
  exchange: Exchange,
  session: BotSession,
  workbench: Workbench | undefined,
  bots: Bots | undefined,
): Exchange {
  if (workbench === undefined) return session.traffic.recording(exchange)
  const page = withPage(workbench.wrap(bots?.withRoutes(exchange) ?? exchange))
  return bots?.withPeople(page) ?? page
}

/** Logs a request: time, method, path without tokens, status, duration. */
function logRequest(io: Io, entry: TrafficEntry): void {
  if (entry.kind === 'frame' || entry.direction === 'out') return
  const { time, method, path, status, milliseconds } = entry
  const [withoutQuery] = path.split('?')
  warn(io, `${new Date(time).toISOString()} ${method} ${withoutQuery} ${status} ${milliseconds}ms`)
}
