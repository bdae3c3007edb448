/** The service on `node:http`. */

export { serve, type ServeOptions, type Serving } from './node/serve.ts'
export { requestListener, type RequestListener } from './node/listener.ts'
export { systemScheduler } from './gateway/session.ts'
export { nodeDeflate } from './node/gateway.ts'
