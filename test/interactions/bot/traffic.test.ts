import { expect, it } from 'vitest'
import type { Incoming } from '../../../src/core/http-message.ts'
import { Traffic } from '../../../src/interactions/bot/traffic.ts'
import { heap } from '../../support/heap.ts'

const incoming = (text: string, authorization: string | null = null): Incoming => ({
  ...{
    path: '/x',
    method: 'POST',
    query: '',
    raw: null,
    header: () => authorization,
    isAborted: () => false,
    abandon: () => {},
  },
  body: async () => new TextEncoder().encode(text),
})

it('the traffic of a session keeps as many of the newest requests as have 16 million characters together', async () => {
  const traffic = new Traffic()
  const exchange = traffic.recording(async (incoming) => {
    await incoming.body(Infinity)
    return { status: 400, headers: {}, body: '{}' }
  })
  const request = (text: string) => exchange(incoming(text))
  await request('[]')
  const before = heap()
  for (let i = 0; i < 400; i++) await request(`[${'{},'.repeat(20_000)}${i}]`)
  expect(traffic.lastId).toBe(401)
  expect([traffic.get(1), traffic.get(401)]).toEqual([undefined, ...traffic.requestsSince(400)])
  expect(traffic.requestsSince(400)).toHaveLength(1)
  expect((heap() - before) / 1024 / 1024).toBeLessThan(20)
})

it('the traffic of a session keeps the size of a body of more than 256 KiB', async () => {
  const traffic = new Traffic()
  const body = JSON.stringify(['x'.repeat(256 * 1024)])
  await traffic.recording(async () => ({ status: 200, headers: {}, body }))(incoming(''))
  expect(traffic.requestsSince()).toMatchObject([{ response: '(262148 characters)' }])
})

it('the traffic of a session has the kind of each credential, without the token', async () => {
  const traffic = new Traffic()
  for (const header of ['bot  x', 'BEARER x', 'Basic x', 'Bot', null])
    await traffic.recording(async () => ({ status: 204, headers: {}, body: null }))(incoming('', header))
  expect(traffic.requestsSince().map(({ credential }) => credential)).toEqual(['Bot', 'Bearer', '', '', ''])
})

it('the traffic of a session keeps the names and types of files, but not their contents', async () => {
  const traffic = new Traffic()
  const form = new FormData()
  form.set(
    'files[0]',
    new Blob([new Uint8Array(4 * 1024 * 1024)], { type: 'application/x-custom-type' }),
    'a.bin',
  )
  const request = new Request('http://localhost/x', { method: 'POST', body: form })
  const bytes = new Uint8Array(await request.arrayBuffer())
  const type = request.headers.get('content-type')
  const exchange = traffic.recording(async (incoming) => {
    await incoming.body(Infinity)
    return { status: 200, headers: {}, body: null }
  })
  const before = heap()
  for (let i = 0; i < 10; i++)
    await exchange({ ...incoming(''), header: () => type, body: async () => bytes })
  expect((heap() - before) / 1024 / 1024).toBeLessThan(2)
  const size = 4 * 1024 * 1024
  expect(traffic.requestsSince().at(-1)!.files).toEqual([
    { filename: 'a.bin', content_type: 'application/x-custom-type', size },
  ])
})

it('the traffic of a session is not idle while a request of a bot is open', async () => {
  const traffic = new Traffic()
  const idle = [traffic.idleTime]
  const answer = async () => {
    idle.push(traffic.idleTime)
    return { status: 204, headers: {}, body: null }
  }
  await traffic.recording(answer)(incoming(''))
  expect(idle).toEqual([Infinity, 0])
})

it('the traffic of a session has the frames of a gateway, but no heartbeats, interactions and compressed ones', () => {
  const traffic = new Traffic()
  const hello = '{"op":10,"d":{"heartbeat_interval":41250}}'
  const used = '{"op":0,"s":1,"d":{},"t":"INTERACTION_CREATE"}'
  for (const frame of [hello, '{"op":11,"d":null}', used, Uint8Array.of(120, 156)])
    traffic.frame('out', frame)
  for (const frame of ['{"op":1,"d":null}', 'no JSON', Uint8Array.of(131, 116)]) traffic.frame('in', frame)
  const kept = traffic.since().map((entry) => entry.kind === 'frame' && [entry.direction, entry.body])
  expect(kept).toEqual([
    ['out', hello],
    ['in', '(7 characters)'],
  ])
})
