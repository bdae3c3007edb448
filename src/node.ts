/** A handler on `node:http`. */

export { serve, type ServeOptions, type Serving } from './node/serve.ts'
export { requestListener, type WebHandler } from './node/listener.ts'
