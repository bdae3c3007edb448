/** The service over HTTP, for any host that has Web-standard requests. */

export { createHandler, type Handler } from './http/handler.ts'
export type { HandlerOptions } from './http/exchange.ts'
export type { Deadline } from './http/body.ts'
export type { Cors } from './http/cors.ts'
export type { RateLimit } from './http/rate-limit.ts'
export type { Commands } from './http/routes.ts'
export {
  openAccess,
  tokenDirectory,
  type Authenticate,
  type BearerPrincipal,
  type BearerToken,
  type BearerUser,
  type BotPrincipal,
  type BotToken,
  type Credentials,
  type Place,
  type Principal,
  type TokenEntry,
} from './http/principal.ts'
export { openApiDocument, type OpenApiOptions } from './http/openapi.ts'
export {
  createCallbackHandler,
  receiveCallback,
  type CallbackAnswer,
  type ReceivedCallback,
} from './http/callbacks.ts'
