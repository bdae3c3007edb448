/** A handler for `node:http`. */
import { exchangeOf } from '../http/web-handler.ts'
import type { Exchange } from '../http/message.ts'
import { bridge } from './bridge.ts'
import { NodeIncoming, write, type RequestListener, type WebHandler } from './messages.ts'

/**
 * A handler as a listener: `createServer(requestListener(handler))`, or `app.use(requestListener(handler))` before
 * body parsers. A request for a path that is not the service's goes to `next`, if there is one; otherwise it is
 * answered with 404. Handlers that were not created by this library answer every path.
 */
export function requestListener(handler: WebHandler): RequestListener {
  const exchange = exchangeOf(handler)
  return exchange === undefined ? bridge(handler) : listenerOf(exchange)
}

/** Responds without a `Request` or a `Response`, which would be most of the cost of a small request. */
function listenerOf(exchange: Exchange): RequestListener {
  return (request, response, next) => {
    exchange(new NodeIncoming(request)).then(
      (answer) => {
        if (answer.isUnmatched && next !== undefined) next()
        else write(response, answer)
      },
      () => response.destroy(),
    )
  }
}
