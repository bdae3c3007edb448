/** `commandry serve --gateway`, and bots at its gateway that use no library. */
import { expect, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { serveOnFreePort, withDrivers } from '../cli/program.ts'

/** Starts a service with a gateway beside some files. Returns its address. */
export async function servingGateway(
  args: readonly string[] = [],
  files: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  return (await serveOnFreePort(['--gateway', ...args], await withDrivers(files, 'ws'))).origin
}

/** The frames of a socket, in order. */
export function framesOf(socket: WebSocket): () => Promise<any> {
  const read: unknown[] = []
  let wake = () => {}
  socket.on('message', (data) => {
    read.push(JSON.parse(String(data)))
    wake()
  })
  return async () => {
    while (read.length === 0) await new Promise<void>((resolve) => (wake = resolve))
    return read.shift()
  }
}

export const identify = (token: string, intents: number) =>
  JSON.stringify({ op: 2, d: { token, intents, properties: {} } })

/** Logs a bot in, until the end of the test. */
export async function loginAt(address: string, token: string, intents = 0) {
  const socket = new WebSocket(`${address.replace('http', 'ws')}/?v=10&encoding=json`)
  onTestFinished(() => socket.terminate())
  const next = framesOf(socket)
  expect(await next()).toMatchObject({ op: 10 })
  socket.send(identify(token, intents))
  const { t, d: ready } = await next()
  expect(t).toBe('READY')
  return { socket, next, ready }
}
