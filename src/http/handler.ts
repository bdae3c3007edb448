import { knownOptions } from '../core/options.ts'
import type { PendingAnswers } from '../bot/pending.ts'
import { CommandRegistry } from '../registry/registry.ts'
import { createExchange, exchangeOver } from './exchange.ts'
import { resolveHandlerOptions, type HandlerOptions } from './options.ts'
import { handlerOf, type Handler } from './web-handler.ts'
import { callbackRoute } from './webhook-routes.ts'

/**
 * A handler for every endpoint of the service: a function from a Web `Request` to a `Response` (sections 4, 5, 7 and
 * 9 of the specification). `serve` of `commandry/node` listens with it.
 *
 * @throws TypeError when an option is invalid
 */
export function createHandler(options: HandlerOptions): Handler {
  return handlerOf(createExchange(options))
}

/**
 * A handler for the callback route alone: `POST /interactions/{id}/{token}/callback`. The same route is part of
 * `createHandler` with its option `answers`.
 *
 * @throws TypeError when an option is invalid
 */
export function createCallbackHandler(options: {
  /** The interactions that expect an answer. */
  readonly answers: PendingAnswers
  /** The start of the path. Default `/api/v10`. */
  readonly basePath?: string
}): Handler {
  knownOptions('createCallbackHandler', options, ['answers', 'basePath'])
  const registry = new CommandRegistry()
  return handlerOf(
    exchangeOver(
      [callbackRoute],
      resolveHandlerOptions({ ...options, registry, authenticate: () => undefined }),
    ),
  )
}
