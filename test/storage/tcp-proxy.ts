import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { passed } from '../support/waiting.ts'

export type Proxy = Awaited<ReturnType<typeof openProxy>>

interface CutReply {
  /** Cuts only the response to a request that contains this text. */
  readonly to?: string
  /** Completes before any new connection is forwarded. */
  meanwhile?(): Promise<unknown>
}

/** A proxy of a server, which can cut its connections at a chosen moment, delay them, or stop forwarding. */
export async function openProxy(url: string) {
  const { hostname, port: firstPort } = new URL(url)
  let port = Number(firstPort)
  const sockets = new Set<Socket>()
  let cut: 'request' | 'reply' | undefined
  let reply: CutReply = {}
  let open: Promise<unknown> = Promise.resolve()
  let roundTrips = 0
  let silent = false
  let delay: (() => number) | undefined
  const server = createServer((client) => {
    sockets.add(client)
    client.on('close', () => sockets.delete(client))
    client.on('error', () => undefined)
    void open.then(() => letThrough(client))
  })
  function letThrough(client: Socket): void {
    if (client.destroyed) return
    const upstream = connect(port, hostname)
    const ends = [client, upstream]
    let spoke: typeof cut
    let asked = ''
    const pass = (from: Socket, to: Socket, kind: typeof cut) => {
      sockets.add(from)
      let delivered: Promise<void> = Promise.resolve()
      const forward = (data: Buffer) => {
        if (delay === undefined) return void to.write(data)
        const milliseconds = delay()
        delivered = delivered.then(() => passed(milliseconds)).then(() => void to.write(data))
      }
      from.on('data', (data) => {
        if (silent) return
        if (kind === 'request' && spoke !== kind) roundTrips++
        if (kind === 'request') asked = spoke === kind ? asked + data.toString() : data.toString()
        spoke = kind
        if (cut !== kind || (kind === 'reply' && !asked.includes(reply.to ?? ''))) return forward(data)
        cut = undefined
        for (const end of ends) end.destroy()
        if (kind === 'reply' && reply.meanwhile !== undefined) open = reply.meanwhile()
      })
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
    pass(client, upstream, 'request')
    pass(upstream, client, 'reply')
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const through = new URL(url)
  through.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    port: Number(through.port),
    /** The address of the server, through this proxy. */
    url: through.href,
    /** The number of round trips over all connections. */
    roundTrips: () => roundTrips,
    /** Cuts the connection of the next request, before it reaches the server. */
    cutNextRequest: () => void (cut = 'request'),
    /** Cuts the connection of the next response, before it reaches the client. */
    cutNextReply(more: CutReply = {}): void {
      cut = 'reply'
      reply = more
    },
    /** Stops forwarding in both directions, on open and new connections, until the returned function is called. */
    silence(): () => void {
      silent = true
      return () => void (silent = false)
    },
    /** Delays each part of a request or a response by so many milliseconds, for the rest of the time. */
    slowDown: (milliseconds: () => number) => void (delay = milliseconds),
    /** Ends all connections, and leads new ones to another port. */
    leadTo(another: number): void {
      port = another
      for (const socket of sockets) socket.destroy()
    },
    async close(): Promise<void> {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
