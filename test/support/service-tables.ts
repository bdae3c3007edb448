/** The tables of the service, whose rows tests walk: its routes, its refusals, and its intents with their events. */
import { intents, Intent } from '../../src/service/gateway/intents.ts'
import { routes } from '../../src/service/http/routes.ts'
import { worldRoutes } from '../../src/service/http/world/world-routes.ts'
import { refusals } from '../../src/service/refusals.ts'

export { Intent, intents, refusals, routes, worldRoutes }
export type Refusal = keyof typeof refusals
export type Route = (typeof routes)[number]
export type WorldRoute = (typeof worldRoutes)[number]
