/** Rate limits that several handlers count in one store. */
import { describe, expect, it } from 'vitest'
import { CommandRegistry, memoryStore, type Store } from 'commandry'
import { faultyStore } from 'commandry/testing'
import { storeWith } from '../../support/stores.ts'
import { handClock } from '../../support/clock.ts'
import { APP, base, guildBase, OTHER_APP } from './ids.ts'
import { service } from './service.ts'
import { turn } from '../../support/waiting.ts'

const KEY = `temporary/${APP}/limit/`

/** Two handlers of two processes over one store. */
function processes(limit: number, store: Store = memoryStore(), clock = handClock()) {
  const one = () =>
    service({ registryOptions: { store, clock }, rateLimit: { limit, seconds: 5, clock, store } })
  return { store, clock, all: [one(), one()] as const }
}

async function keysOf(store: Store): Promise<string[]> {
  const keys: string[] = []
  for await (const key of store.keys('')) keys.push(key)
  return keys
}

describe('rate limits in a store', () => {
  it('[7-01] let through as many requests of a token as the limit, whatever process they reach', async () => {
    const { all, clock } = processes(5)
    const answers = []
    for (let i = 0; i < 5; i++) answers.push(...(await Promise.all(all.map(({ send }) => send('GET', base)))))
    expect(answers.map(({ status }) => status).sort()).toEqual([
      200, 200, 200, 200, 200, 429, 429, 429, 429, 429,
    ])
    expect(answers[0]!.headers.get('x-ratelimit-remaining')).toMatch(/^[34]$/)
    const refused = answers.find(({ status }) => status === 429)!
    expect([refused.headers.get('x-ratelimit-remaining'), refused.body.retry_after]).toEqual(['0', 5])
    clock.advance(5_000)
    for (const [i, { send }] of all.entries()) {
      const { status, headers } = await send('GET', base)
      expect([status, headers.get('x-ratelimit-remaining')]).toEqual([200, String(4 - i)])
    }
  })

  it('[7-01] count many concurrent requests together, in few writes', async () => {
    let writes = 0
    const slow = storeWith(async (apply) => {
      writes++
      await turn()
      return apply()
    })
    const { all } = processes(50, slow)
    const answers = await Promise.all(Array.from({ length: 120 }, (_, i) => all[i % 2]!.send('GET', base)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(50)
    expect(writes).toBeLessThan(20)
  })

  it('[7-01] count routes, guilds and tokens apart', async () => {
    const { all } = processes(1)
    for (const { send } of all) {
      const statuses = []
      for (const path of [base, guildBase]) statuses.push((await send('GET', path)).status)
      statuses.push((await send('GET', base, { authorization: 'Bearer update' })).status)
      expect(statuses).toEqual(send === all[0].send ? [200, 200, 200] : [429, 429, 429])
    }
  })

  it('answer 503 and carry nothing out while the store cannot count', async () => {
    const store = memoryStore()
    const counting = faultyStore(store, [
      { on: 'write', key: 'temporary/' },
      { on: 'read', key: 'temporary/' },
    ])
    const errors: unknown[] = []
    const { send, registry } = service({
      registryOptions: { store },
      rateLimit: { limit: 5, seconds: 5, store: counting },
      onError: (error) => errors.push(error),
    })
    const body = { name: 'one', description: 'b' }
    for (let i = 0; i < 2; i++) {
      const { status, text } = await send('POST', base, { body })
      expect([status, text]).toEqual([503, expect.stringContaining('Nothing was written')])
    }
    expect(await registry.list({ kind: 'global', applicationId: APP })).toEqual([])
    expect(errors).toMatchObject([{ code: 'storage' }, { code: 'storage' }])
    expect((await send('POST', base, { body })).status).toBe(201)
  })

  it('store neither tokens nor more than 16 documents of 256 windows for an application', async () => {
    const { store, all } = processes(100)
    const guilds = Array.from({ length: 3 }, (_, i) => `/applications/${APP}/guilds/${9_000 + i}/commands`)
    for (const path of [base, ...guilds]) await all[0].send('GET', path)
    const keys = await keysOf(store)
    expect(keys.every((key) => /^temporary\/\d+\/limit\/[0-9a-f]$/.test(key))).toBe(true)
    const text = JSON.stringify(await store.read(keys))
    expect(text).not.toMatch(/Bot|bot|commands/)

    const windows = Object.fromEntries(
      Array.from({ length: 256 }, (_, i) => [
        String(i).padStart(32, '0'),
        [1, Date.UTC(2026, 0, 1, 12) + 5_000],
      ]),
    )
    const full = { until: Date.UTC(2026, 0, 1, 12) + 5_000, windows }
    const other = processes(100)
    for (const digit of '0123456789abcdef') await other.store.write(`${KEY}${digit}`, null, full)
    expect((await other.all[0].send('GET', base)).status).toBe(429)
    const foreign = `/applications/${OTHER_APP}/commands`
    expect((await other.all[0].send('GET', foreign, { authorization: 'Bot other' })).status).toBe(200)
    other.clock.advance(5_001)
    expect((await other.all[0].send('GET', base)).status).toBe(200)
  })

  it('count for whoever calls: no token fills the windows of another application, or of one that does not exist', async () => {
    const { store, all } = processes(400)
    const [{ send }] = all
    const own = { authorization: 'Bot other' }
    const foreign = (server: number) => `/applications/${APP}/guilds/${server}/commands`
    for (let server = 0; server < 420; server++) {
      const expected = server < 400 ? 403 : 429
      expect((await send('GET', foreign(2_000 + server), own)).status).toBe(expected)
    }
    for (let unknown = 0; unknown < 20; unknown++)
      expect((await send('GET', `/applications/${5_000_000 + unknown}/commands`, own)).status).toBe(403)
    // One window a route.
    const keys = await keysOf(store)
    expect(keys.every((key) => key.startsWith(`temporary/${OTHER_APP}/limit/`))).toBe(true)
    const windows = (await store.read(keys)).flatMap((entry) => Object.keys((entry!.value as any).windows))
    expect(windows).toHaveLength(2)
    expect((await send('GET', base)).status).toBe(200)
  })

  it('leave nothing after their application was deleted, or after sweep when they have ended', async () => {
    const { store, clock, all } = processes(5)
    const registry = new CommandRegistry({ store, clock })
    await all[0].send('GET', base)
    expect(await registry.deleteApplication(APP)).toBe(1)
    expect(await keysOf(store)).toEqual([])

    await all[0].send('GET', base)
    await all[0].send('GET', '/gateway/bot')
    expect(await registry.sweep()).toBe(0)
    clock.advance(5_001)
    expect(await registry.sweep(OTHER_APP)).toBe(0)
    const kept = await keysOf(store)
    expect(kept.every((key) => key.startsWith(KEY))).toBe(true)
    expect(await registry.sweep()).toBe(kept.length)
    expect(await keysOf(store)).toEqual([])
  })

  it('refuse requests over documents that this library cannot have written', async () => {
    const store = memoryStore()
    for (const digit of '0123456789abcdef') await store.write(`${KEY}${digit}`, null, [digit])
    const { send } = service({ rateLimit: { limit: 5, seconds: 5, store }, onError: () => {} })
    expect((await send('GET', base)).status).toBe(503)
  })
})
