/** Whether a program listens at an address. Nothing is sent: Discord sends an endpoint interactions alone. */
import { connect } from 'node:net'

export function isListening(url: string | URL): Promise<boolean> {
  const { hostname, port, protocol } = new URL(url)
  return new Promise((resolve) => {
    // The host of an IPv6 address stands in brackets.
    const host = hostname.replace(/^\[|\]$/g, '')
    const socket = connect({ host, port: Number(port) || (protocol === 'https:' ? 443 : 80) })
    const end = (isOpen: boolean) => () => {
      socket.destroy()
      resolve(isOpen)
    }
    socket.once('connect', end(true)).once('error', end(false))
  })
}
