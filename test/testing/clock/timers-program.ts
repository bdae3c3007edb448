/** Run by clock.test.ts: timers and dates of Node, moved by the clock. */
import 'commandry/clock'
import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { scrypt, webcrypto } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as namedTimeout } from 'node:timers'
import { setInterval as ticks, setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { loadedClock } from '../../../src/core/timers.ts'

const clock = loadedClock()!
const minutes = (count: number) => clock.advance(count * 60_000)
const began = clock.real.performanceNow()

const cases: Record<string, () => Promise<void>> = {
  async order() {
    const order: string[] = []
    setTimeout(() => order.push('b'), 20_000)
    setTimeout(() => order.push('a'), 10_000)
    clearTimeout(+setTimeout(() => order.push('cleared'), 15_000))
    const interval = setInterval(() => {
      order.push('i')
      if (order.filter((one) => one === 'i').length === 3) clearInterval(interval)
    }, 12_000)
    const refreshed = setTimeout(() => order.push('r'), 30_000)
    setTimeout(() => refreshed.refresh(), 25_000)
    await clock.advance(100_000)
    assert.deepEqual(order, ['a', 'i', 'b', 'i', 'i', 'r'])
    assert.equal(namedTimeout, globalThis.setTimeout)
  },
  async refreshing() {
    let fired = 0
    const timer = setTimeout(() => fired++, 1_000)
    await clock.advance(1_000)
    timer.refresh()
    await clock.advance(1_000)
    assert.equal(fired, 2)
    clearTimeout(timer)
    timer.refresh()
    await clock.advance(5_000)
    assert.equal(fired, 2)
    // Time flows after it: a timer that the jump has brought near fires by itself, and keeps the process alive.
    let late = 0
    setTimeout(() => late++, 1_000)
    await clock.advance(995)
    await new Promise((resolve) => clock.real.setTimeout(resolve, 200))
    assert.equal(late, 1)
  },
  async dates() {
    const before = [Date.now(), performance.now(), Number(process.hrtime.bigint()) / 1e6, +new Date()]
    await minutes(90 * 24 * 60)
    const after = [Date.now(), performance.now(), Number(process.hrtime.bigint()) / 1e6, +new Date()]
    for (const [index, time] of after.entries())
      assert.ok(Math.abs(time - before[index]! - 90 * 86_400_000) < 2_000, String(index))
    assert.ok(new Date() instanceof Date && structuredClone(new Date()) instanceof Date)
    assert.ok(new (class extends Date {})() instanceof Date)
    assert.equal(new Date(0).getTime(), 0)
    assert.equal(typeof Date(), 'string')
    let seen = 0
    const due = Date.now() + 60_000
    setTimeout(() => (seen = Date.now()), 60_000)
    await minutes(2)
    assert.ok(seen >= due && seen < due + 100)
  },
  async promises() {
    const storage = new AsyncLocalStorage<string>()
    let context: string | undefined
    storage.run('context', () => setTimeout(() => (context = storage.getStore()), 1_000))
    const signal = AbortSignal.timeout(60_000)
    let count = 0
    const chain = (async () => {
      await sleep(60_000)
      await promisify(setTimeout)(60_000)
      for await (const tick of ticks(60_000, 1)) if ((count += tick) === 3) return
    })()
    const end = new AbortController()
    const aborted = assert.rejects(sleep(1_000, undefined, { signal: end.signal }), { name: 'AbortError' })
    end.abort()
    await minutes(5)
    await Promise.all([chain, aborted])
    assert.equal(context, 'context')
    assert.equal(signal.reason.name, 'TimeoutError')
  },
  /** Each step of a chain is done before time moves on. */
  async settling() {
    const major = Number.parseInt(process.versions.node, 10)
    const server = createServer((_, response) => clock.real.setTimeout(() => response.end('ok'), 50)).listen(
      0,
    )
    const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const work = [
      () => promisify(scrypt)('a', 'b', 32),
      () => promisify(gzip)(Buffer.alloc(2_000_000, 'ab')),
      // Node 26 does not list the reading of a file at every moment, so that it may not be waited for there.
      ...(major < 26 ? [() => readFile(process.execPath)] : []),
      () => webcrypto.subtle.digest('SHA-512', Buffer.alloc(5_000_000)),
      async () => (await fetch(url(), { signal: AbortSignal.timeout(5_000) })).text(),
    ]
    let done = 0
    void (async () => {
      for (const one of work) {
        await sleep(60_000)
        await one()
        done++
      }
    })()
    await minutes(work.length)
    assert.equal(done, work.length)
    server.closeAllConnections()
    server.close()
  },
  async refusals() {
    const { setTimeout } = globalThis
    globalThis.setTimeout = (() => {}) as unknown as typeof setTimeout
    await assert.rejects(
      clock.advance(1),
      /^TypeError: advance: the fake timers of the test runner are on; end them/,
    )
    globalThis.setTimeout = setTimeout
    await clock.advance(1)
  },
}

for (const [name, run] of Object.entries(cases)) {
  await run()
  console.log(`held ${name}`)
}
assert.ok(clock.real.performanceNow() - began < 60_000)
