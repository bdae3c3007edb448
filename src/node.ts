/** The service on `node:http`. */

export { serve, type ServeOptions, type Serving } from './node/serve.ts'
export { requestListener, type RequestListener } from './node/listener.ts'
export { nodeDeflate, systemScheduler } from './node/gateway.ts'
