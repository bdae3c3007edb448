import { createExchange, DEFAULT_BASE_PATH } from '../http/exchange.ts'
import { handlerOf } from '../http/handler.ts'
import type { Exchange } from '../http/message.ts'
import { openApiDocument } from '../http/openapi.ts'
import { openAccess, tokenDirectory, type Authenticate } from '../http/principal.ts'
import { json, refuseMethod, showMethods, withoutBody } from '../http/respond.ts'
import { isEmbedded, type ApplicationSettings } from '../command/application.ts'
import { applicationDirectory, openDirectory, type ApplicationDirectory } from '../registry/directory.ts'
import { CommandRegistry } from '../registry/registry.ts'
import { globalScope, scopeKey } from '../registry/scope.ts'
import { serve, type Serving } from '../node/serve.ts'
import type { Store } from '../storage/store.ts'
import { readArguments, UsageError, wholeNumber, type ExitCode } from './arguments.ts'
import { readConfiguration } from './config.ts'
import { firstCause } from './drivers.ts'
import { FileError, loadJson } from './load.ts'
import { openStore, storeForms } from './stores.ts'
import { withUi } from './ui.ts'

export const serveUsage = `commandry serve

Answers the service over HTTP, below ${DEFAULT_BASE_PATH}, until it is interrupted.

  --port PORT      where to listen; 0 for any that is free (8787)
  --host HOST      on which address (127.0.0.1)
  --config FILE    which applications and tokens there are; without one, any token acts for the application in
                   the path, with every scope, and only this machine can connect
  --store STORE    where the commands are kept: ${storeForms} (memory)
  --log            a line on stderr for every request

The OpenAPI document is at /openapi.json. On this machine, a page at / shows what a person sees, and why.`

/** Who there is, and who may connect. */
interface Access {
  readonly authenticate: Authenticate
  readonly applications: ApplicationDirectory
  /** Ids of the applications with an Activity. */
  readonly embedded: readonly string[]
  /** Those of the configuration; empty when any will do. */
  readonly listed: readonly (ApplicationSettings & { readonly id: string })[]
}

export async function serveCommand(argv: readonly string[]): Promise<ExitCode> {
  const { values, positionals } = readArguments(argv, {
    port: { type: 'string', default: '8787' },
    host: { type: 'string', default: '127.0.0.1' },
    config: { type: 'string' },
    store: { type: 'string', default: 'memory' },
    log: { type: 'boolean', default: false },
  })
  const { config, host } = values
  if (positionals.length > 0) throw new UsageError(`takes no "${positionals[0]}"`)
  const port = wholeNumber('port', values.port, 65_535)
  // Node would take it for every address there is.
  if (host.trim() === '')
    throw new UsageError('--host is empty; name an address, or leave it out for 127.0.0.1')
  if (config === undefined && !isLoopback(host)) {
    throw new UsageError(
      `--host ${host} lets others in, and without --config any token is taken; give a --config, or leave --host out`,
    )
  }
  const access = config === undefined ? open : await configured(config)
  if (access === null) return 1

  const { store, close } = await openStore(values.store)
  const { authenticate, applications, embedded } = access
  const registry = new CommandRegistry({ store, applications })
  try {
    await enableActivities(embedded, registry, store)
  } catch (error) {
    console.error(`commandry serve: cannot create the entry point commands: ${firstCause(error)}`)
    await close().catch(() => {})
    return 1
  }
  const exchange = createExchange({ registry, authenticate, applications })
  const documented = withDocument(exchange)
  // The page asks for no token, so only this machine gets it.
  const shown = isLoopback(host)
    ? withUi(documented, { registry, store, applications: access.listed })
    : documented
  const handler = handlerOf(values.log ? logged(shown) : shown)

  let serving: Serving
  try {
    serving = await serve({ handler, host, port })
  } catch (error) {
    console.error(`commandry serve: cannot listen on ${host}, port ${port}: ${(error as Error).message}`)
    await close()
    return 1
  }
  console.log(`commandry listens on ${serving.url}${DEFAULT_BASE_PATH}`)
  if (config === undefined) {
    console.error(
      'open: any token acts for the application in the path, with every scope; only this machine can connect',
    )
  }
  await interrupted()
  await serving.close()
  await close()
  return 0
}

const open: Access = { authenticate: openAccess(), applications: openDirectory, embedded: [], listed: [] }

/** The access a configuration file describes; null after telling what is wrong with it. */
async function configured(file: string): Promise<Access | null> {
  let value: unknown
  try {
    value = await loadJson(file)
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    console.error(`${file}: ${error.message}`)
    return null
  }
  const read = readConfiguration(value)
  if (!read.ok) {
    for (const { place, message } of read.problems) console.error(`${file}: ${place} ${message}`)
    return null
  }
  const { applications, tokens } = read.configuration
  return {
    authenticate: tokenDirectory(tokens),
    applications: applicationDirectory(applications),
    embedded: applications.filter(isEmbedded).map(({ id }) => id),
    listed: applications,
  }
}

/**
 * An app with an Activity has its entry point command from the start (clause 2.3-02). Only from the very start: where
 * the store has anything of the app's global commands, one that is missing there was deleted (service facts 4.3).
 */
async function enableActivities(
  embedded: readonly string[],
  registry: CommandRegistry,
  store: Store,
): Promise<void> {
  const documents = await store.read(embedded.map((id) => scopeKey(globalScope(id))))
  for (const [index, id] of embedded.entries()) {
    if (documents[index] === undefined) await registry.enableActivities(id)
  }
}

/** True for the names and addresses of this machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.[0-9]{1,3}){3}$/.test(host)
}

function withDocument(exchange: Exchange): Exchange {
  const document = json(openApiDocument())
  const allow = 'GET, HEAD, OPTIONS'
  return async (incoming) => {
    if (incoming.path !== '/openapi.json') return exchange(incoming)
    if (incoming.method === 'GET') return document
    if (incoming.method === 'HEAD') return withoutBody(document)
    return incoming.method === 'OPTIONS' ? showMethods(allow) : refuseMethod(allow)
  }
}

/** Tells of every request: when, what, how it ended, how long it took. Never a header, so never a token. */
function logged(exchange: Exchange): Exchange {
  return async (incoming) => {
    const started = performance.now()
    const answer = await exchange(incoming)
    const took = Math.round(performance.now() - started)
    const path = incoming.path.slice(0, 200).replace(/[^!-~]/g, '?')
    console.error(`${new Date().toISOString()} ${incoming.method} ${path} ${answer.status} ${took}ms`)
    return answer
  }
}

/** When the program is asked to end. Asked a second time, it ends at once, as if nobody listened. */
function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      process.off('SIGINT', end).off('SIGTERM', end)
      resolve()
    }
    process.on('SIGINT', end).on('SIGTERM', end)
  })
}
