/** `fetch` and `WebSocket` of Bun and Deno, which open no socket of Node. */
import { createRequire } from 'node:module'
import { wrap } from './wrap.ts'

type SocketClass = new (...given: unknown[]) => object

/**
 * Applies a change to the addresses that Bun and Deno connect to by themselves; nothing in Node.
 *
 * @param change changes the URL, or throws the error of a refusal
 */
export function wrapNatives(change: (url: URL) => void): void {
  const isBun = 'bun' in process.versions
  if (!isBun && !('deno' in process.versions)) return
  const changed = (address: unknown): string => {
    const url = new URL(String(address))
    if (/^(?:http|ws)s?:$/.test(url.protocol)) change(url)
    return url.href
  }
  const fetches: Parameters<typeof wrap>[2] = async (fetch, _self, [input, ...rest]) =>
    input instanceof Request
      ? fetch(new Request(changed(input.url), input), ...rest)
      : fetch(changed(input), ...rest)
  const socketClass = (Base: SocketClass): SocketClass =>
    class WebSocket extends Base {
      constructor(address: unknown, ...rest: unknown[]) {
        super(address === null ? null : changed(address), ...rest)
      }
    }
  const globals = globalThis as unknown as { WebSocket: SocketClass }
  wrap(globals, 'fetch', fetches)
  globals.WebSocket = socketClass(globals.WebSocket)
  if (!isBun) return
  // Bun has versions of these packages of its own. What `require` returns for the last two cannot be replaced.
  const load = createRequire(import.meta.url)
  for (const name of ['fetch', 'request', 'stream', 'pipeline']) wrap(load('undici'), name, fetches)
  for (const name of ['fetch', 'default']) wrap(load('node-fetch'), name, fetches)
  const ws = load('ws') as SocketClass
  const WebSocket = socketClass(ws)
  Object.assign(ws, { WebSocket, default: WebSocket })
}
