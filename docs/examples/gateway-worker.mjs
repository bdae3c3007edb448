/** A gateway in a Worker: the handler of WebSocket upgrades. Sessions live in memory, so it belongs to one Durable Object. */
export function upgradeInWorker(request, gateway, url) {
  // Pages in a browser send an origin and bots do not: no page may act as a bot.
  if (request.headers.has('origin')) return new Response(null, { status: 403 })
  const [client, socket] = Object.values(new WebSocketPair())
  socket.accept()
  const link = {
    send: (data) => socket.send(data),
    close: (code, reason) => socket.close(code, reason),
  }
  const connection = gateway.open(link, new URL(request.url).search.slice(1), url)
  socket.addEventListener('message', ({ data }) =>
    connection.receive(typeof data === 'string' ? data : new Uint8Array(data)),
  )
  socket.addEventListener('close', ({ code }) => connection.closed(code))
  return new Response(null, { status: 101, webSocket: client })
}
