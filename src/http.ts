/** The service over HTTP, for any host with Web-standard requests. */

export { createHandler } from './http/exchange.ts'
export type { Handler } from './http/web-handler.ts'
export type { HandlerOptions } from './http/options.ts'
export {
  openAccess,
  tokenDirectory,
  type Authenticate,
  type Credentials,
  type Principal,
  type TokenEntry,
} from './http/principal.ts'
export { restFetch } from './http/rest-fetch.ts'
export { openApiDocument } from './http/openapi.ts'
