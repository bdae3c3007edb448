/** Ports for servers of the tests. */
import { createServer } from 'node:net'

// Below the ephemeral ports of the system, so that none is assigned before a server has it;
// a Redis of a cluster also listens ten thousand above.
const LOWEST = 11_000
const COUNT = 10_000
export const BUS = 10_000

// Processes that run at once begin far apart.
let last = (process.pid * 97) % COUNT

/** A port that is free now, like the one ten thousand above. Another process may still take it. */
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

/** Starts a server, on another port if the first is taken. */
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
