/** The service over HTTP, for any host with Web-standard requests. */

export { createCallbackHandler, createHandler } from './http/handler.ts'
export type { Handler } from './http/web-handler.ts'
export type { Commands, HandlerOptions } from './http/options.ts'
export type { GatewayAddress, SessionStartLimits } from './http/pages.ts'
export type { Deadline } from './http/body.ts'
export type { Cors } from './http/cors.ts'
export type { RateLimit } from './http/rate-limit.ts'
export {
  openAccess,
  tokenDirectory,
  type ApplicationToken,
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
export { restFetch, type RestFetch } from './http/rest-fetch.ts'
export { openApiDocument, type OpenApiOptions } from './http/openapi.ts'
export { receiveCallback, type CallbackAnswer, type ReceivedCallback } from './http/callbacks.ts'
