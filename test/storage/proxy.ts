import { onTestFinished } from 'vitest'
import { openProxy, type Proxy } from './tcp-proxy.ts'

export type { Proxy }

/** A proxy of a server, for the time of a test. */
export async function proxyTo(url: string): Promise<Proxy> {
  const proxy = await openProxy(url)
  onTestFinished(proxy.close)
  return proxy
}
