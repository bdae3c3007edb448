/** The service on `node:http`. */

export { serve, type ServeOptions, type Serving } from './service/node/serve.ts'
export { requestListener, type RequestListener } from './service/node/listener.ts'
