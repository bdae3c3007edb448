/** Ports for servers of the tests' own. */
import { createServer } from 'node:net'

// Below the ports that a system gives to whoever asks for any, so that none is given away before a server has it;
// and a Redis that is part of a cluster takes the one ten thousand above as well.
const LOWEST = 11_000
const COUNT = 10_000
export const BUS = 10_000

// Processes that run at once begin far apart.
let last = (process.pid * 97) % COUNT

/** A port that nobody listens on now, nor on the one that far above it. A server may still find it taken. */
export async function freePort(above = 0): Promise<number> {
  for (let tried = 0; tried < COUNT; tried++) {
    const port = LOWEST + (last = (last + 1) % COUNT)
    if ((await isFree(port)) && (above === 0 || (await isFree(port + above)))) return port
  }
  throw new Error('no port is free')
}

function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

/** Starts a server that may find its port taken, on another then. */
export async function onFreePort<Server>(
  start: (port: number) => Promise<Server>,
  above?: number,
): Promise<Server> {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort(above)
    try {
      return await start(port)
    } catch (error) {
      if (attempt === ATTEMPTS) throw error
    }
  }
}

const ATTEMPTS = 5
