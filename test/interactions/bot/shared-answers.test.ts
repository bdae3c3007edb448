/** Answers to interactions in a store, which several processes share. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CommandRegistry, memoryStore, snowflakes, type IdSource, type Store } from 'commandry'
import {
  pendingAnswers,
  sharedAnswers,
  type AppMessage,
  type PendingAnswers,
  type SharedAnswers,
} from 'commandry/interactions'
import { faultyStore } from 'commandry/testing'
import { handClock } from '../../support/clock.ts'
import { ids, used } from '../../support/invoked.ts'
import { fc, forAnyAsync } from '../../support/properties.ts'
import { storeWith } from '../../support/stores.ts'
import { deliverTo, interaction, ping, pong } from './endpoint.ts'
import { turn } from '../../support/waiting.ts'

type Interaction = Parameters<PendingAnswers['expect']>[0]
type Table = Parameters<Parameters<SharedAnswers['at']>[1]>[0]

const { id, token, application_id: applicationId } = interaction
const original = { applicationId, token }
const says = (content: string) => ({ type: 4, data: { content } })
const accepted = () => new Response(null, { status: 202 })

/** Two processes over one store. */
function processes(
  store: Store = memoryStore(),
  clock = handClock(),
  source: IdSource = snowflakes({ clock }),
) {
  const one = () => sharedAnswers(store, { clock, ids: source })
  return { store, clock, a: one(), b: one() }
}

const answer = (answers: SharedAnswers, callback: unknown, one: Interaction = interaction) =>
  answers.at({ token: one.token }, (table) => table.receive(one.id, one.token, callback))
const messages = <T>(answers: SharedAnswers, use: (of: Table['conversations']) => T) =>
  answers.at({ token }, ({ conversations }) => use(conversations))
const codeOf = (result: { readonly ok: boolean }) => ('code' in result ? result.code : 'ok')

async function keysOf(store: Store): Promise<string[]> {
  const keys: string[] = []
  for await (const key of store.keys('')) keys.push(key)
  return keys
}

/** The interaction of another person. */
const useOf = (n: number): Interaction => ({
  ...interaction,
  id: `${10n ** 17n + BigInt(n)}`,
  token: `t${n}`,
})

describe('answers in a store, with the default options', () => {
  // The system's clock stands still, so that no answer is late.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
  afterEach(() => void vi.useRealTimers())

  const path = (one: Interaction) => ({ applicationId, token: one.token })

  it('[5-06] [2.11-11] give 200 people at once 200 messages, each read by its own token alone', async () => {
    const store = memoryStore()
    const both = [sharedAnswers(store), sharedAnswers(store)]
    const at = (i: number) => both[i % 2]!
    const people = Array.from({ length: 200 }, (_, i) => useOf(i))
    await Promise.all(people.map((one, i) => at(i).expect(one).ready))
    await Promise.all(people.map((one, i) => answer(at(i), { type: 5, data: { flags: 64 } }, one)))
    const all = <T>(use: (of: Table['conversations'], one: Interaction) => T, shift = 0) =>
      Promise.all(
        people.map((one, i) =>
          at(i + shift).at({ token: one.token }, ({ conversations }) => use(conversations, one)),
        ),
      )
    await all((of, one) => of.edit(path(one), { body: { content: `secret of ${one.token}` } }), 1)
    const followUps = await all((of, one) => of.followUp(path(one), { body: { content: 'more' } }))
    const read = await all((of, one) => of.read(path(one)))
    const messageOf = (result: object) => (result as { readonly message: AppMessage }).message
    expect(read.map((one) => messageOf(one).content)).toEqual(people.map((one) => `secret of ${one.token}`))
    expect(new Set([...read, ...followUps].map((one) => messageOf(one).id)).size).toBe(400)
  })

  it('[5-06] keep every one of ten follow-ups that arrive at once', async () => {
    const answers = sharedAnswers(memoryStore())
    await answers.expect(interaction).ready
    await answer(answers, says('first'))
    const sent = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        messages(answers, (of) => of.followUp(original, { body: { content: `${i}` } })),
      ),
    )
    for (const [i, one] of sent.entries()) {
      const { id: messageId } = (one as { readonly message: AppMessage }).message
      const read = await answers.at({ token, messageId }, ({ conversations }) =>
        conversations.read({ ...original, messageId }),
      )
      expect(read).toMatchObject({ ok: true, message: { content: `${i}` } })
    }
  })

  it('[2.11-15] may come 0.1 s later by the clock of the machine that receives them', async () => {
    const code = async (milliseconds: number) => {
      const store = memoryStore()
      await sharedAnswers(store).expect(interaction).ready
      vi.setSystemTime(Date.now() + milliseconds)
      return codeOf(await answer(sharedAnswers(store), says('pong')))
    }
    expect([await code(3_100), await code(3_101), await code(-5_000)]).toEqual([
      'ok',
      'unknown_interaction',
      'ok',
    ])
  })

  it('[5-06] have ids of their own in each process, also with a clock of the caller', async () => {
    const store = memoryStore()
    const ids: string[] = []
    for (let n = 0; n < 10; n++) {
      const answers = sharedAnswers(store, { clock: handClock() })
      await answers.expect(useOf(n)).ready
      const received = await answer(answers, says('x'), useOf(n))
      ids.push((received as { readonly message: AppMessage }).message.id)
    }
    expect(new Set(ids).size).toBe(10)
  })

  it('[5-06] name the owner of each message, so that a message with the id of another one is not that one', async () => {
    // A source that repeats, as a host may give one.
    const store = memoryStore()
    const answers = sharedAnswers(store, { ids: { next: () => '7' } })
    const people = [useOf(1), useOf(2)]
    for (const one of people) {
      await answers.expect(one).ready
      await answer(answers, says('first'), one)
      await answers.at({ token: one.token }, ({ conversations }) =>
        conversations.edit(path(one), { body: { content: one.token } }),
      )
    }
    for (const one of people) {
      const read = await answers.at({ token: one.token }, ({ conversations }) =>
        conversations.read(path(one)),
      )
      expect(read).toMatchObject({ ok: true, message: { id: '7', content: one.token } })
    }
    expect((await keysOf(store)).filter((key) => key.includes('/message/'))).toHaveLength(2)
  })
})

describe('answers in a store', () => {
  it('[2.11-09] arrive at another process than the one that sent the interaction', async () => {
    const { a, b } = processes()
    const expected = a.expect(interaction)
    await expected.ready
    expect(await b.at({ token }, (table) => table.stateOf(id, token))).toBe('waiting')
    const received = await answer(b, says('pong'))
    expect(received).toMatchObject({ ok: true, interaction: { id, token }, message: { content: 'pong' } })
    expect(await expected.answer).toEqual({ via: 'callback', callback: says('pong') })
    expect(await messages(a, (of) => of.read(original))).toMatchObject({ message: { content: 'pong' } })
  })

  it('[2.11-09] are accepted once when they arrive at two processes at the same time', async () => {
    for (let round = 0; round < 20; round++) {
      const { a, b } = processes()
      await a.expect(interaction).ready
      const results = await Promise.all([answer(a, says('a')), answer(b, says('b'))])
      expect(results.map(codeOf).sort()).toEqual(['already_answered', 'ok'])
    }
  })

  it('[2.11-11] keep the changes of all processes', async () => {
    const { a, b } = processes()
    await a.expect(interaction).ready
    await answer(a, says('text'))
    const changes = [
      messages(a, (of) => of.edit(original, { body: { embeds: [{ title: 'title' }] } })),
      messages(b, (of) => of.edit(original, { body: { content: 'other' } })),
      ...['one', 'two', 'three', 'four'].map((content, i) =>
        messages(i % 2 === 0 ? a : b, (of) => of.followUp(original, { body: { content } })),
      ),
    ]
    const results = await Promise.all(changes)
    expect(await messages(a, (of) => of.read(original))).toMatchObject({
      message: { content: 'other', embeds: [{ title: 'title' }] },
    })
    for (const one of results.slice(2)) {
      const { message } = one as { readonly message: AppMessage }
      const messageId = message.id
      const path = { ...original, messageId }
      const read = await b.at({ token, messageId }, ({ conversations }) => conversations.read(path))
      expect(read).toEqual({ ok: true, message })
    }
  })

  it('are those of a delivery, whether it is answered at another process, late, wrongly or in the response', async () => {
    const { a, b } = processes()
    const late = await deliverTo(() => accepted(), { answers: a, timeout: 50 })
    expect(late).toMatchObject({ ok: false, code: 'timeout' })
    expect(await untilUnknown(b)).toBe('unknown_interaction')

    const invalid = await deliverTo(
      async () => {
        await answer(b, says('x'.repeat(2_001)))
        return accepted()
      },
      { answers: a, timeout: 500 },
    )
    expect(invalid).toMatchObject({ code: 'invalid', issues: [{ path: ['data', 'content'] }] })

    const elsewhere = await deliverTo(
      async () => {
        await answer(b, says('elsewhere'))
        return accepted()
      },
      { answers: a },
    )
    expect(elsewhere).toMatchObject({ ok: true, via: 'callback', rendered: { content: 'elsewhere' } })

    expect(await deliverTo(pong, { answers: a })).toMatchObject({ ok: true, via: 'response' })
    expect(codeOf(await answer(b, says('again')))).toBe('already_answered')
    expect(await messages(b, (of) => of.read(original))).toMatchObject({ message: { content: 'pong' } })
  })

  /** The state of the interaction when its delivery has ended, which the sender records after it has the result. */
  async function untilUnknown(answers: SharedAnswers): Promise<string> {
    for (;;) {
      const state = await answers.at({ token }, (table) => table.stateOf(id, token))
      if (state !== 'waiting') return state
    }
  }

  /** What an answer gets some milliseconds after the app was sent the interaction by a process that is gone. */
  async function codeAfter(milliseconds: number, { a, b, clock }: ReturnType<typeof processes>) {
    await a.expect(interaction).ready
    clock.advance(milliseconds)
    const state = await b.at({ token }, (table) => table.stateOf(id, token))
    return [state, codeOf(await answer(b, says('pong')))]
  }

  it('[2.11-15] are late after three seconds, also when the process that sent the interaction is gone', async () => {
    for (const milliseconds of [0, 2_999, 3_000])
      expect(await codeAfter(milliseconds, processes())).toEqual(['waiting', 'ok'])
    for (const milliseconds of [3_001, 3_200, 12_800, 60_000])
      expect(await codeAfter(milliseconds, processes())).toEqual([
        'unknown_interaction',
        'unknown_interaction',
      ])
  })

  it('[2.11-15] have three seconds from when the app is sent the interaction, however slow the store is', async () => {
    const clock = handClock()
    const slow = (milliseconds: number) =>
      storeWith((apply) => {
        clock.advance(milliseconds)
        return apply()
      })
    const kinds = (milliseconds: number) => processes(slow(milliseconds), clock)
    expect(await codeAfter(3_000, kinds(900))).toEqual(['waiting', 'ok'])
    expect(await codeAfter(3_001, kinds(900))).toEqual(['unknown_interaction', 'unknown_interaction'])
    // What the store takes after the answer has arrived is not of the three seconds either.
    const both = processes(slow(0), clock)
    await both.a.expect(interaction).ready
    clock.advance(3_000)
    const received = answer(both.b, says('pong'))
    clock.advance(900)
    expect(codeOf(await received)).toBe('ok')
  })

  it('fail a delivery whose store fails, before the app has the interaction or after its answer', async () => {
    let requests = 0
    const app = () => {
      requests++
      return Response.json(says('pong'))
    }
    const clock = handClock()
    const failing = (call: number) => faultyStore(memoryStore(), [{ on: 'write', call }])
    const unreachable = { ok: false, code: 'unreachable', cause: { code: 'storage' } }
    expect(await deliverTo(app, { answers: sharedAnswers(failing(2), { clock }) })).toMatchObject(unreachable)
    expect(requests).toBe(0)
    expect(await deliverTo(app, { answers: sharedAnswers(failing(3), { clock }) })).toMatchObject(unreachable)
    expect(requests).toBe(1)
  })

  it('are found at the next reading after one that failed', async () => {
    const store = memoryStore()
    const { b } = processes(store)
    const reads = [3, 4, 5].map((call) => ({ on: 'read', call }) as const)
    const faulty = faultyStore(store, reads)
    const expected = sharedAnswers(faulty).expect(interaction)
    await expected.ready
    await answer(b, says('pong'))
    expect(await expected.answer).toEqual({ via: 'callback', callback: says('pong') })
    expect(faulty.unused).toEqual([])
  })

  it('keep the edit of a message that comes between the callback of its button and what that changes', async () => {
    const { store, clock, a } = processes()
    let edit: () => Promise<unknown> = async () => undefined
    const { a: b } = processes(
      storeWith(async (apply) => {
        const once = edit
        edit = async () => undefined
        await once()
        return apply()
      }, store),
      clock,
    )
    await a.expect(interaction).ready
    const button = { type: 1, components: [{ type: 2, style: 1, label: 'x', custom_id: 'x' }] }
    const created = await answer(a, { type: 4, data: { content: 'text', components: [button] } })
    const pressed = pressOf((created as { readonly message: AppMessage }).message, 1)
    await b.expect(pressed).ready
    edit = () => messages(a, (of) => of.edit(original, { body: { embeds: [{ title: 'title' }] } }))
    expect(codeOf(await answer(b, { type: 7, data: { content: 'pressed' } }, pressed))).toBe('ok')
    expect(await messages(b, (of) => of.read(original))).toMatchObject({
      message: { content: 'pressed', embeds: [{ title: 'title' }] },
    })
  })

  it('store no token, and leave nothing after sweep when they have ended', async () => {
    const { store, clock, a, b } = processes()
    const registry = new CommandRegistry({ store, clock })
    await a.expect(interaction).ready
    await answer(b, says('pong'))
    await messages(b, (of) => of.edit(original, { body: { content: 'edited' } }))
    const keys = await keysOf(store)
    expect(keys).toHaveLength(3)
    expect(JSON.stringify([keys, await store.read(keys)])).not.toContain(token)
    clock.advance(30 * 60_000)
    expect(await registry.sweep()).toBe(0)
    expect(codeOf(await messages(b, (of) => of.read(original)))).toBe('invalid_webhook_token')
    clock.advance(1)
    expect(codeOf(await messages(b, (of) => of.read(original)))).toBe('unknown_webhook')
    expect(await registry.sweep()).toBe(2)
    clock.advance(30 * 60_000)
    expect(await registry.sweep()).toBe(1)
    expect(await keysOf(store)).toEqual([])
  })

  it('leave nothing after their application was deleted', async () => {
    const { store, clock, a, b } = processes()
    const registry = new CommandRegistry({ store, clock })
    await a.expect(interaction).ready
    await answer(b, says('pong'))
    await messages(b, (of) => of.edit(original, { body: { content: 'edited' } }))
    expect(await registry.deleteApplication(applicationId)).toBe(3)
    expect(await keysOf(store)).toEqual([])
  })

  it('forget the oldest messages of a token beyond a mebibyte', async () => {
    const { store, a } = processes()
    await a.expect(interaction).ready
    const description = 'x'.repeat(4_000)
    const sent = async () =>
      messages(a, (of) => of.followUp(original, { body: { embeds: [{ description }] } }))
    await answer(a, says('first'))
    for (let i = 0; i < 150; i++) await sent()
    const size = JSON.stringify(await store.read(await keysOf(store))).length
    expect(size).toBeGreaterThan(400_000)
    expect(size).toBeLessThan(600_000)
    expect(codeOf(await messages(a, (of) => of.read(original)))).toBe('unknown_message')
  })

  it('need a store and known options', () => {
    expect(() => sharedAnswers({} as Store)).toThrow('store: expected a Store')
    expect(() => sharedAnswers(memoryStore(), { clok: 1 } as object)).toThrow('clok')
  })

  it('do not lose an answer that two processes send while the store is slow', async () => {
    const slow = storeWith(async (apply) => {
      await turn()
      return apply()
    })
    const { a, b } = processes(slow)
    const first = a.expect(interaction)
    const second = b.expect(interaction)
    await Promise.all([first.ready, second.ready])
    const codes = (await Promise.all([answer(a, says('1')), answer(b, says('2')), answer(a, says('3'))])).map(
      codeOf,
    )
    expect(codes.sort()).toEqual(['already_answered', 'ok', 'ok'])
    const texts = await Promise.all([first.answer, second.answer])
    expect(new Set(texts.map(({ callback }) => JSON.stringify(callback))).size).toBe(2)
  })
})

// --- The same as in memory ------------------------------------------------------------------------------------

/** The use of a button of a message. */
function pressOf(message: AppMessage, n: number): Interaction {
  const { application_id } = message
  const data = { component_type: 2, custom_id: 'x', id: 1 }
  return {
    ...used(ping, { ids: ids(Date.UTC(2026, 0, 1, 12) + n) }),
    application_id,
    type: 3,
    data,
    message,
  } as never
}

const row = { type: 1, components: [{ type: 2, style: 1, label: 'x', custom_id: 'x' }] }
const callbacks = [
  says('text'),
  { type: 4, data: { content: 'button', flags: 64, components: [row] } },
  { type: 5 },
  { type: 5, data: { flags: 64 } },
  { type: 6 },
  { type: 7, data: { content: 'updated' } },
  says('x'.repeat(2_001)),
]
const bodies = [
  { content: 'new' },
  { embeds: [{ title: 'title' }] },
  { content: '' },
  { components: [row] },
  { flags: 64, content: 'hidden' },
  { content: null },
  { content: 'x'.repeat(2_001) },
]

const step = fc.record({
  process: fc.nat(1),
  kind: fc.constantFrom(
    ...(['expect', 'acknowledge', 'state', 'time', 'seconds', 'seconds'] as const),
    ...(['receive', 'receive', 'receive', 'read', 'edit', 'delete', 'followUp'] as const),
  ),
  interaction: fc.nat(3),
  body: fc.nat(6),
  message: fc.nat(4),
})
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never
type Expected = ReturnType<PendingAnswers['expect']>

/** A table in memory and two tables over one store, which do the same. */
function compared() {
  const clock = handClock()
  const source = snowflakes({ clock })
  let id = ''
  // One id a step: a process whose write was refused takes its turn, and an id, once more.
  const perStep: IdSource = { next: () => id }
  const memory = pendingAnswers({ clock, ids: perStep })
  const { a, b } = processes(memoryStore(), clock, perStep)
  const interactions: Interaction[] = [0, 1, 2].map((n) => used(ping, { ids: ids(clock.now() + n) }))
  const known: string[] = []
  const deliveries: (readonly Expected[])[] = []
  const settled: Promise<unknown>[] = []
  let minutes = 0

  async function expectBoth(one: Interaction, shared: SharedAnswers): Promise<void> {
    const pair = [memory.expect(one), shared.expect(one)] as const
    await pair[1].ready
    deliveries.push(pair)
    void pair[0].answer.then((value) => {
      settled.push(pair[1].answer.then((other) => expect(other).toEqual(value)))
    })
  }

  async function take({ process, kind, body, message: n, interaction: which }: Step): Promise<void> {
    id = source.next()
    const shared = [a, b][process]!
    const pressed = memory.conversations.message(known[0] ?? '')
    if (which === 3 && pressed !== undefined) interactions[3] ??= pressOf(pressed, 3)
    const one = interactions[which]
    if (one === undefined) return
    // A table in memory forgets after 30 minutes, but not before its next answer.
    if (kind === 'time') return minutes < 21 ? (clock.advance(7 * 60_000), void (minutes += 7)) : undefined
    if (kind === 'seconds') return clock.advance([1, 1_000, 2_000, 2_999, 3_000, 3_001, 4_000][body]!)
    if (kind === 'expect') return expectBoth(one, shared)
    if (kind === 'acknowledge') {
      for (const delivery of deliveries[n] ?? []) await delivery.acknowledge(callbacks[body % 4] as never)
      return
    }
    const messageId = ['@original', ...known][n]
    const path = {
      ...{ applicationId: one.application_id, token: one.token },
      ...(messageId !== undefined && { messageId }),
    }
    const operate = (table: Table) => {
      if (kind === 'state') return table.stateOf(one.id, one.token)
      if (kind === 'receive') return table.receive(one.id, one.token, callbacks[body])
      return table.conversations[kind](path, { body: bodies[body] })
    }
    const result = operate(memory)
    expect(await shared.at(path, operate)).toEqual(result)
    const { message } = Object(result) as { readonly message?: AppMessage | null }
    if (message != null && !known.includes(message.id)) known.push(message.id)
  }

  return {
    take,
    async end() {
      await Promise.all(settled)
      for (const pair of deliveries) for (const one of pair) one.end()
    },
  }
}

it('answers in a store are those in memory, whatever processes receive them', () =>
  forAnyAsync([fc.array(step, { minLength: 5, maxLength: 40 })], 150, async (steps) => {
    const both = compared()
    for (const one of steps) await both.take(one)
    await both.end()
  }))

it('answers in a store are those in memory when another process has written between', async () => {
  const both = compared()
  const step = { interaction: 0, body: 0, message: 0 }
  for (const process of [0, 0, 1]) await both.take({ ...step, process, kind: 'expect' })
  for (const kind of ['receive', 'read'] as const) await both.take({ ...step, process: 0, kind })
  await both.end()
})

it('an answer is as late in a store as it is in memory', async () => {
  for (const last of [4, 5]) {
    const both = compared()
    const step = { process: 1, interaction: 0, body: 0, message: 0 }
    await both.take({ ...step, process: 0, kind: 'expect' })
    await both.take({ ...step, body: last, kind: 'seconds' })
    for (const kind of ['state', 'receive', 'state'] as const) await both.take({ ...step, kind })
    await both.end()
  }
})

it('a delivery that is acknowledged after 21 minutes is in a store as it is in memory', async () => {
  const both = compared()
  const step = { process: 0, interaction: 1, body: 0, message: 0 }
  for (const kind of ['expect', 'time', 'time', 'time', 'acknowledge', 'read'] as const)
    await both.take({ ...step, kind })
  await both.end()
})
