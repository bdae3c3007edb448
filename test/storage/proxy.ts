import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A way to a server that can be cut at a chosen moment. */
export interface Proxy {
  readonly port: number
  /** How often a client spoke after it had been answered, over all connections: the round trips taken. */
  roundTrips(): number
  /** Cuts the connection on which something is sent next, before it reaches the server. */
  cutNextRequest(): void
  /** Cuts the connection on which the server answers next: it has done its work, and nobody hears of it. */
  cutNextReply(): void
  close(): Promise<void>
}

export async function proxyTo(url: string): Promise<Proxy> {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  let cut: 'request' | 'reply' | undefined
  let roundTrips = 0
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    const ends = [client, upstream]
    let spoke: typeof cut
    const pass = (from: Socket, to: Socket, kind: typeof cut) => {
      sockets.add(from)
      from.on('data', (data) => {
        if (kind === 'request' && spoke !== kind) roundTrips++
        spoke = kind
        if (cut !== kind) return to.write(data)
        cut = undefined
        for (const end of ends) end.destroy()
      })
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
    pass(client, upstream, 'request')
    pass(upstream, client, 'reply')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    roundTrips: () => roundTrips,
    cutNextRequest: () => (cut = 'request'),
    cutNextReply: () => (cut = 'reply'),
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
