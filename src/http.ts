/** The service over HTTP, for any host with Web-standard requests. */

export { createHandler } from './service/http/exchange.ts'
export { restFetch, type Handler } from './service/http/web-handler.ts'
export type { HandlerOptions } from './service/http/handler-options.ts'
export {
  openAccess,
  tokenDirectory,
  type Authenticate,
  type AuthenticationRefusal,
  type Credentials,
  type Principal,
  type RequestTarget,
  type TokenEntry,
} from './service/http/principal.ts'
export type { RequestContext, ResponseReport } from './service/http/hooks.ts'
export type { HookRequest } from './core/http-message.ts'
export { openApiDocument } from './service/http/openapi.ts'

export { toErrorBody } from './reference/error-body.ts'
export type { ErrorBody, ErrorLeaf } from './core/rules/error-tree.ts'
