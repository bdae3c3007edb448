/** The service over HTTP, for any host with Web-standard requests. */

export { createHandler } from './http/exchange.ts'
export { restFetch, type Handler } from './http/web-handler.ts'
export type { HandlerOptions } from './http/options.ts'
export {
  openAccess,
  tokenDirectory,
  type Authenticate,
  type Credentials,
  type Principal,
  type TokenEntry,
} from './http/principal.ts'
export { openApiDocument } from './http/openapi.ts'
