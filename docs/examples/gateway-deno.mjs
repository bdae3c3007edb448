/** A gateway on Deno's own WebSockets. */
export function serveWithDeno({ gateway, handler, port = 8787 }) {
  const server = Deno.serve({ hostname: '127.0.0.1', port, onListen() {} }, (request) => {
    if (request.headers.get('upgrade') !== 'websocket') return handler(request)
    // Pages in a browser send an origin and bots do not: no page may act as a bot.
    if (request.headers.has('origin')) return new Response(null, { status: 403 })
    const { socket, response } = Deno.upgradeWebSocket(request)
    socket.binaryType = 'arraybuffer'
    const query = new URL(request.url).search.slice(1)
    let connection
    socket.onopen = () => {
      const link = {
        send: (data) => socket.send(data),
        close: (code, reason) => socket.close(code, reason),
      }
      connection = gateway.open(link, query, `ws://127.0.0.1:${server.addr.port}`)
    }
    socket.onmessage = ({ data }) =>
      connection.receive(typeof data === 'string' ? data : new Uint8Array(data))
    socket.onclose = ({ code }) => connection?.closed(code)
    return response
  })
  return { url: `http://127.0.0.1:${server.addr.port}`, close: () => server.shutdown() }
}
