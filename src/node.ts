/** The service on `node:http`. */

export { serve, type ServeOptions, type Serving } from './node/serve.ts'
export { requestListener } from './node/listener.ts'
export type { RequestListener } from './node/messages.ts'
export { nodeDeflate, systemScheduler } from './node/gateway.ts'
