import { expect, it } from 'vitest'
import { APP, GUILD, interaction, settled, TOKEN, world, type Frame } from './harness.ts'
import { fc, forAnyAsync } from '../../support/properties.ts'

const token = fc.constantFrom(TOKEN, `Bot ${TOKEN}`, 'wrong', 7, null)
const seq = fc.oneof(fc.integer({ min: -1, max: 40 }), fc.constant(null))

const frameOf = (op: fc.Arbitrary<number>, d: fc.Arbitrary<unknown>) => fc.record({ op, d })
const intents = fc.constantFrom(0, 1, 513, -1, 2 ** 40)
const shard = fc.constantFrom([0, 1], [1, 2], [3], null)
const session_id = fc.constantFrom('session-1', 'session-2', '__proto__', 3)
const identify = fc.record({ token, intents, shard }, { requiredKeys: [] })
const resume = fc.record({ token, session_id, seq }, { requiredKeys: [] })

/** Valid and invalid frames of clients. */
const frame = fc.oneof(
  frameOf(fc.constant(1), seq),
  frameOf(fc.constant(2), fc.oneof(identify, fc.jsonValue())),
  frameOf(fc.constant(6), resume),
  frameOf(fc.constantFrom(3, 4, 8, 31, 43), fc.oneof(fc.constant({ guild_id: GUILD }), fc.jsonValue())),
  frameOf(fc.integer({ min: -2, max: 50 }), fc.jsonValue()),
)
const raw = fc.oneof(
  { weight: 8, arbitrary: frame.map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: fc.string() },
  { weight: 1, arbitrary: fc.uint8Array() },
)
const kind = <T extends string>(...kinds: readonly T[]) => fc.constantFrom(...kinds)
const move = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: kind('frame'), at: fc.nat(3), data: raw }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('time'), at: fc.nat(80_000) }) },
  { weight: 4, arbitrary: fc.record({ kind: kind('dispatch', 'dispatch', 'end', 'drop'), at: fc.nat(3) }) },
)

it('any frames in any order never throw, receive no event before IDENTIFY or RESUME, and number events without gaps', async () => {
  await forAnyAsync([fc.array(move, { maxLength: 60 })], 300, async (moves) => {
    const { gateway, time, connect } = world()
    const clients = [0, 1, 2, 3].map(() => connect())
    const sent = clients.map((): number[] => [])
    for (const one of moves) {
      const client = clients[one.at % 4]!
      if (one.kind === 'frame') {
        if (client.closedWith === null) sent[one.at]!.push(opOf(one.data))
        client.connection.receive(one.data)
      } else if (one.kind === 'dispatch') gateway.dispatch(interaction(one.at === 0 ? null : GUILD))
      else if (one.kind === 'time') time.advance(one.at)
      else if (one.kind === 'drop') gateway.sessions[one.at]?.drop()
      else {
        client.connection.closed([1000, 1006, undefined, 4000][one.at])
        clients[one.at] = connect()
        sent[one.at] = []
      }
      await settled()
      for (const [index, { events }] of clients.entries()) {
        if (!sent[index]!.some((op) => op === 2 || op === 6)) expect(events).toEqual([])
        expect(events.map(({ s }) => s)).toEqual(events.map((_, at) => events[0]!.s! + at))
      }
    }
    gateway.close()
    expect([gateway.sessions, time.waiting]).toEqual([[], 0])
  })
})

it('any frames in any order deliver every event once, in order, to a bot that resumes after every break', async () => {
  const breaks = fc.array(fc.tuple(fc.nat(5), fc.nat(5), fc.boolean()), { minLength: 1, maxLength: 12 })
  await forAnyAsync([breaks], 200, async (breaks) => {
    const { gateway, connect, login } = world()
    let client = await login()
    const received: Frame[] = [...client.events]
    const expected: string[] = []
    const dispatch = (count: number) => {
      for (let i = 0; i < count; i++) {
        const one = interaction()
        expected.push(one.id)
        expect(gateway.dispatch(one)).toBe(1)
      }
    }
    for (const [connected, away, lostOne] of breaks) {
      const read = client.events.length
      dispatch(connected)
      const arrived = client.events.slice(read)
      // The last event may be lost.
      received.push(...(lostOne ? arrived.slice(0, -1) : arrived))
      client.connection.closed()
      dispatch(away)
      client = connect()
      client.send(6, { token: TOKEN, session_id: 'session-1', seq: received.at(-1)!.s })
      await settled()
      received.push(...client.events)
    }
    const ids = received.filter(({ t }) => t === 'INTERACTION_CREATE').map(({ d }) => d.id as string)
    expect(ids).toEqual(expected)
    expect(received.map(({ s }) => s)).toEqual(received.map((_, index) => index + 1))
    expect(received.every(({ t, d }) => t !== 'INTERACTION_CREATE' || d.application_id === APP)).toBe(true)
  })
})

/** The opcode of a frame; -1 when it has none. */
function opOf(data: string | Uint8Array): number {
  try {
    const { op } = JSON.parse(String(data)) as { op: unknown }
    return typeof op === 'number' ? op : -1
  } catch {
    return -1
  }
}
