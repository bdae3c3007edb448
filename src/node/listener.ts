/** A handler for `node:http`. */
import type { IncomingMessage } from 'node:http'
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
  const answerTo = async (request: IncomingMessage & { readonly originalUrl?: string }) => {
    const answer = await exchange(new NodeIncoming(request))
    // Express takes the path at which a listener is mounted from the front of `url`, and keeps the whole one.
    const { url, originalUrl = url } = request
    return answer.isUnmatched && originalUrl !== url
      ? exchange(new NodeIncoming(request, originalUrl))
      : answer
  }
  return (request, response, next) => {
    answerTo(request).then(
      (answer) => {
        if (answer.isUnmatched && next !== undefined) next()
        else write(response, answer)
      },
      () => response.destroy(),
    )
  }
}
