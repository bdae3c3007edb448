/** A gateway on Bun's own WebSockets. */
export function serveWithBun({ gateway, handler, port = 8787 }) {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port,
    fetch(request) {
      if (request.headers.get('upgrade') !== 'websocket') return handler(request)
      // Pages in a browser send an origin and bots do not: no page may act as a bot.
      if (request.headers.has('origin')) return new Response(null, { status: 403 })
      const query = new URL(request.url).search.slice(1)
      return server.upgrade(request, { data: { query } }) ? undefined : new Response(null, { status: 400 })
    },
    websocket: {
      open(socket) {
        const link = {
          send: (data) => void socket.send(data),
          close(code, reason) {
            socket.close(code, reason)
            setTimeout(() => socket.terminate(), 250)
          },
        }
        socket.data.connection = gateway.open(link, socket.data.query, `ws://127.0.0.1:${server.port}`)
      },
      message: (socket, data) => socket.data.connection.receive(data),
      close: (socket, code) => socket.data.connection.closed(code),
    },
  })
  return { url: `http://127.0.0.1:${server.port}`, close: () => server.stop(true) }
}
