/** When answers in a store count, and what they cost: with the default options, over stores that are slow or fail. */
import { describe, expect, it, onTestFinished } from 'vitest'
import { memoryStore, StoreError, type Store } from 'commandry'
import { sharedAnswers, type AnyInteraction, type SharedAnswers } from 'commandry/interactions'
import { handClock } from '../../support/clock.ts'
import { setDeadline } from '../../support/deadlines.ts'
import { storeWith } from '../../support/stores.ts'
import { deliverTo, interaction, never, pong } from './endpoint.ts'
import { passed, turn, until } from '../../support/waiting.ts'

const { token, id } = interaction
const says = (content: string) => ({ type: 4, data: { content } })
const later = () => new Response(null, { status: 202 })
const answer = (answers: SharedAnswers, content: string, one: AnyInteraction = interaction) =>
  answers.at({ token: one.token }, (table) => table.receive(one.id, one.token, says(content)))
const delivered = (content: string) => ({ ok: true, via: 'callback', rendered: { content } })

/** A store beside which something happens before one of its writes, by its number from 1. */
function before(number: number, act: () => Promise<unknown>, inner: Store): Store {
  let count = 0
  return storeWith(async (apply) => {
    if (++count === number) await act()
    return apply()
  }, inner)
}

// Of a delivery: the owner and the document are written before the app is asked, and once when the waiting ends. The
// clock stands still: no write takes so long that the document gets another time.
const END = 3
const clock = handClock()

// At once, because they wait much and work little.
describe.concurrent('[2.11-15] the time of an answer', () => {
  it('begins when the app is sent the interaction, however slow the store is', async () => {
    const inner = memoryStore()
    const slow = <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) => {
      return async (...args: Args) => {
        await passed(900)
        return call(...args)
      }
    }
    const store = { ...inner, read: slow(inner.read), write: slow(inner.write) }
    expect(await deliverTo(pong, { answers: sharedAnswers(store), timeout: 2_000 })).toMatchObject({
      ok: true,
    })
  })

  it('ends in the store: what another process accepts until then is the answer', async () => {
    const store = memoryStore()
    const b = sharedAnswers(store, { clock })
    const accepted: object[] = []
    const a = sharedAnswers(
      before(END, async () => accepted.push(await answer(b, 'at last')), store),
      { clock },
    )
    expect(await deliverTo(later, { answers: a, timeout: 50 })).toMatchObject(delivered('at last'))
    expect(accepted).toMatchObject([{ ok: true }])
    expect(await answer(b, 'later')).toMatchObject({ code: 'already_answered' })
  })

  it('ends also after the store has failed, without losing what was accepted', async () => {
    const store = memoryStore()
    const b = sharedAnswers(store, { clock })
    const fail = async () => {
      await answer(b, 'at last')
      throw new StoreError('down', { cause: new Error('down'), mayHaveHappened: true })
    }
    const a = sharedAnswers(before(END, fail, store), { clock })
    expect(await deliverTo(later, { answers: a, timeout: 50 })).toMatchObject(delivered('at last'))
  })

  it('ends for a host that does not wait for it, also while the store is down', async () => {
    const inner = memoryStore()
    let isDown = false
    let failures = 0
    const store = storeWith((apply) => {
      if (!isDown) return apply()
      failures++
      return Promise.reject(new Error('down'))
    }, inner)
    const expected = sharedAnswers(store).expect(interaction)
    await expected.ready
    isDown = true
    void expected.end()
    const ended = expected.end()
    await until(() => failures > 0)
    isDown = false
    await ended
    expect(await answer(sharedAnswers(inner), 'late')).toMatchObject({ code: 'unknown_interaction' })
  })

  it('is over for every process when the delivery has failed', async () => {
    const store = memoryStore()
    const a = sharedAnswers(store)
    const result = await deliverTo(never, { answers: a, timeout: 50 })
    expect(result).toMatchObject({ code: 'timeout' })
    expect(await answer(sharedAnswers(store), 'late')).toMatchObject({ code: 'unknown_interaction' })
  })

  it.each([
    ['fails', () => new Response(null, { status: 500 })],
    ['has no valid body', () => new Response('{', { status: 200 })],
    ['has an invalid answer', () => Response.json(says('x'.repeat(2_001)))],
    ['has another answer', pong],
  ])('counts a callback that another process accepted before a response that %s', async (_, respond) => {
    const store = memoryStore()
    const b = sharedAnswers(store)
    const app = async (...args: Parameters<typeof pong>) => {
      await answer(b, 'first')
      return respond(...args)
    }
    expect(await deliverTo(app, { answers: sharedAnswers(store) })).toMatchObject(delivered('first'))
  })
})

// --- What waiting costs ----------------------------------------------------------------------------------------

/** A store that counts its reads. */
function counted(store: Store) {
  const count = { reads: 0 }
  const read: Store['read'] = (keys) => (count.reads++, store.read(keys))
  return { count, store: { ...store, read } }
}

const useOf = (n: number): AnyInteraction => ({
  ...interaction,
  id: `${10n ** 17n + BigInt(n)}`,
  token: `t${n}`,
})

/** One loop of reading, on a store of its own: what others do is counted in its turns. */
async function oneLoop() {
  const { count, store } = counted(memoryStore())
  const waiting = sharedAnswers(store, { clock }).expect(interaction)
  await waiting.ready
  const turns = (more: number) => {
    const end = count.reads + more
    return until(() => count.reads >= end)
  }
  return {
    turns,
    /** How often another store is read in ten turns of this loop. */
    async readsBeside(other: { readonly reads: number }): Promise<number> {
      const before = other.reads
      await turns(10)
      return other.reads - before
    },
    [Symbol.asyncDispose]: async () => void (await waiting.end()),
  }
}

/** After so many turns, the pauses of a loop grow no more. */
const STEADY = 20
/** Two loops would read twice as often as one. */
const ONE_LOOP = 14

describe.concurrent('waiting for answers', () => {
  it('is one loop of reading after a thousand uses, and none when nothing waits', async () => {
    const { count, store } = counted(memoryStore())
    const answers = sharedAnswers(store)
    let waiting = answers.expect(useOf(0))
    await waiting.ready
    for (let i = 1; i <= 1_000; i++) {
      await waiting.acknowledge({ type: 4, data: { content: 'x' } })
      waiting = answers.expect(useOf(i))
      await waiting.ready
      // The loops of earlier uses would wake here, and see that one waits.
      await turn()
    }
    await using loop = await oneLoop()
    await loop.turns(STEADY)
    expect(await loop.readsBeside(count)).toBeLessThanOrEqual(ONE_LOOP)
    await waiting.end()
    await loop.turns(2)
    expect(await loop.readsBeside(count)).toBe(0)
  })

  it('reads the documents of all deliveries at once', async () => {
    const { count, store } = counted(memoryStore())
    const answers = sharedAnswers(store)
    const all = Array.from({ length: 100 }, (_, i) => answers.expect(useOf(i)))
    await Promise.all(all.map((one) => one.ready))
    await using loop = await oneLoop()
    await loop.turns(STEADY)
    expect(await loop.readsBeside(count)).toBeLessThanOrEqual(ONE_LOOP)
    await Promise.all(all.map((one) => one.end()))
  })

  it('needs no reading where the store announces its writes, and reads when announcements end', async () => {
    const inner = memoryStore()
    const { announcements, listeners, write } = announced(inner)
    const { count, store } = counted({ ...inner, write, announcements })
    // The answers are in time, however long the readings are counted.
    const a = sharedAnswers(store, { clock })
    const b = sharedAnswers({ ...inner, write }, { clock })
    const first = a.expect(useOf(1))
    const second = a.expect(useOf(2))
    await Promise.all([first.ready, second.ready])
    await until(() => listeners.size === 1)
    await using loop = await oneLoop()
    await loop.turns(STEADY)
    expect(await loop.readsBeside(count)).toBeLessThanOrEqual(3)
    await answer(b, 'one', useOf(1))
    expect(await first.answer).toMatchObject({ callback: says('one') })
    for (const listener of listeners) listener.lost()
    await answer(b, 'two', useOf(2))
    expect(await second.answer).toMatchObject({ callback: says('two') })
    // A connection would keep the process alive.
    await until(() => listeners.size === 0)
    expect(await loop.readsBeside(count)).toBe(0)
  })

  it('goes on reading where the store cannot be listened to', async () => {
    const store = memoryStore()
    const announcements = { listen: () => Promise.reject(new Error('down')), announce: async () => undefined }
    const a = sharedAnswers({ ...store, announcements })
    const expected = a.expect(interaction)
    await expected.ready
    await answer(sharedAnswers(store), 'pong')
    expect(await expected.answer).toMatchObject({ callback: says('pong') })
    expect(await a.at({ token }, (table) => table.stateOf(id, token))).toBe('already_answered')
  })
})

/** Announces the writes of a store to those who listen. */
function announced(inner: Store) {
  type Announcements = NonNullable<Store['announcements']>
  const listeners = new Set<Parameters<Announcements['listen']>[0]>()
  const announce = async (message: string) => listeners.forEach((one) => one.received(message))
  const announcements: Announcements = {
    async listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    announce,
  }
  const write: Store['write'] = async (key, expected, value) => {
    const written = await inner.write(key, expected, value)
    if (written.ok) await announce(JSON.stringify({ key, revision: written.revision }))
    return written
  }
  onTestFinished(() => listeners.clear())
  return { announcements, listeners, write }
}

it('[2.11-15] the time of an answer is not the fault of an app that was never asked: a store that hangs is named', async () => {
  const store: Store = { ...memoryStore(), write: () => new Promise(() => {}) }
  setDeadline('STORE_TIMEOUT', 100)
  let requests = 0
  const app = () => (requests++, later())
  const result = await deliverTo(app, { answers: sharedAnswers(store) })
  expect(result).toMatchObject({ code: 'unreachable', status: null, cause: { code: 'storage' } })
  expect(String(Object(result).cause)).toContain('the store of sharedAnswers did not answer within 100 ms')
  expect(requests).toBe(0)
})
