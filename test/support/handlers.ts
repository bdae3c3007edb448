/** What `createHandler` is made of: the function between a request and its response, and the Web handler of one. */
export type { Exchange, Incoming } from '../../src/core/http-message.ts'
export { createExchange } from '../../src/service/http/exchange.ts'
export { exchangeOf, handlerOf } from '../../src/service/http/web-handler.ts'
