import { connect } from 'node:net'

/** A raw connection: the test controls every byte. */
export async function wire(port: number) {
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
    send: (text: string | Uint8Array) => void socket.write(text),
    /** Resolves with everything received when the other side closes. */
    closed,
    /** Resolves with everything received when it contains a text a number of times, or the other side closes. */
    until: (text: string, times = 1) =>
      new Promise<string>((resolve) => {
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
