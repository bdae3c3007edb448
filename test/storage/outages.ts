/** Ways to make the medium below a store fail, for the contract. */
import type { Outage } from 'commandry/testing'
import type { Proxy } from './tcp-proxy.ts'

const notReached = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
const cut = () => new Error('the connection was closed before the answer')

/** A medium in this process: every request of its client goes through `ask`. */
export function failingMedium() {
  let outage: Outage | undefined
  let repair: () => void = () => {}
  let repaired: Promise<void> = Promise.resolve()
  function begin(): void {
    if (outage === 'refuse') throw notReached()
  }
  function end(): void {
    if (outage !== 'lose') return
    outage = undefined
    throw cut()
  }
  return {
    fail(next: Outage): () => void {
      outage = next
      repaired = new Promise((resolve) => (repair = resolve))
      return () => {
        outage = undefined
        repair()
      }
    },
    async ask<T>(request: () => T | Promise<T>): Promise<T> {
      begin()
      if (outage === 'hang') {
        await repaired
        throw cut()
      }
      const answer = await request()
      end()
      return answer
    },
    /** A request that is answered at once, or refused. */
    askNow<T>(request: () => T): T {
      begin()
      return request()
    },
  }
}

/** A client whose named methods send requests to a medium. */
export function throughMedium<Client extends object>(
  client: Client,
  { ask }: ReturnType<typeof failingMedium>,
  ...methods: readonly (keyof Client)[]
): Client {
  return new Proxy(client, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      const call = (...given: unknown[]): unknown => member.apply(target, given)
      return methods.includes(name as keyof Client)
        ? (...given: unknown[]) => ask(() => call(...given))
        : call
    },
  })
}

/**
 * A server behind a proxy.
 *
 * @param url the address of the server
 * @param ready resolves when clients have connected again
 */
export function failingServer(proxy: Proxy, url: string, ready: () => Promise<unknown> = async () => {}) {
  const port = Number(new URL(url).port)
  const connectAgain = async () => {
    proxy.leadTo(port)
    await ready()
  }
  return (outage: Outage): (() => Promise<unknown>) => {
    if (outage === 'lose') {
      proxy.cutNextReply()
      return ready
    }
    if (outage === 'refuse') {
      // No server listens there.
      proxy.leadTo(1)
      return connectAgain
    }
    const speak = proxy.silence()
    return () => {
      speak()
      return connectAgain()
    }
  }
}
