import { connect, type Socket } from 'node:net'

/** A raw connection: the test controls every byte. */
export interface Wire {
  readonly socket: Socket
  send(text: string | Uint8Array): void
  /** Resolves with everything received when the other side closes. */
  readonly closed: Promise<string>
  /** Resolves with everything received when it contains a text a number of times, or the other side closes. */
  until(text: string, times?: number): Promise<string>
}

export async function wire(port: number): Promise<Wire> {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  let check = () => {}
  socket.setEncoding('utf8')
  socket.on('data', (chunk: string) => {
    received += chunk
    check()
  })
  // A reset is one of the ways to close.
  socket.on('error', () => {})
  let isClosed = false
  const closed = new Promise<string>((resolve) =>
    socket.on('close', () => {
      isClosed = true
      resolve(received)
      check()
    }),
  )
  await new Promise((resolve) => socket.once('connect', resolve))
  return {
    socket,
    send: (text) => void socket.write(text),
    closed,
    until: (text, times = 1) =>
      new Promise((resolve) => {
        check = () => {
          if (isClosed || received.split(text).length > times) resolve(received)
        }
        check()
      }),
  }
}

/** A promise and the function that resolves it. */
export function gate(): { readonly passed: Promise<void>; open(): void } {
  let open = () => {}
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { passed, open }
}
