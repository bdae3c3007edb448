/** The whole service: the routes of commands, and those of the servers of a world. */
import type { Exchange } from '../../../core/http-message.ts'
import { createExchange } from '../exchange.ts'
import type { ExchangeOptions } from '../handler-options.ts'
import { worldRoutes } from './world-routes.ts'

/** @throws TypeError when an option is invalid */
export function createWorldExchange(options: ExchangeOptions): Exchange {
  return createExchange(options, options.world === undefined ? [] : worldRoutes)
}
