/** `commandry serve --gateway`, and bots at its gateway that use no library. */
import { on } from 'node:events'
import { expect, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { serveOnFreePort, withDrivers } from '../../tools/cli/program.ts'

/** Starts a service with a gateway beside some files. Returns its address. */
export async function servingGateway(
  args: readonly string[] = [],
  files: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  return (await serveOnFreePort(['--gateway', ...args], await withDrivers(files, 'ws'))).origin
}

/** The frames of a socket, in order. */
export function framesOf(socket: WebSocket): () => Promise<any> {
  const messages = on(socket, 'message')
  return async () => JSON.parse(String((await messages.next()).value[0]))
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
