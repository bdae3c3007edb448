/** The service as a worker. Bun and Deno take the same module: `deno serve http-worker.ts`. */
import { CommandRegistry } from 'commandry'
import { createHandler, tokenDirectory } from 'commandry/http'

/** Secrets and bindings. Memory lasts as long as the isolate: d1-store.ts beside this file keeps commands in D1. */
interface Env {
  readonly BOT_TOKEN: string
  readonly APPLICATION_ID: string
}

let handler: ReturnType<typeof createHandler> | undefined

function create({ BOT_TOKEN: token, APPLICATION_ID: applicationId }: Env) {
  const registry = new CommandRegistry()
  return createHandler({ registry, authenticate: tokenDirectory([{ type: 'Bot', token, applicationId }]) })
}

export default {
  fetch: (request: Request, env: Env): Promise<Response> => (handler ??= create(env))(request),
}
