/** What a session keeps of its bot, and what it costs to keep it. */
import { expect, it } from 'vitest'
import { pendingAnswers } from 'commandry/interactions'
import { maskBody, MaskedBody } from '../../../src/interactions/bot/mask.ts'
import { Traffic } from '../../../src/interactions/bot/traffic.ts'
import { growth, LINEAR, timeOf } from '../../support/cpu-time.ts'
import { collect, heap } from '../../support/heap.ts'
import { clock, MINUTE, path, reply, used } from './conversation.ts'
import { incoming } from './incoming.ts'

it('holds no memory for interactions that have expired', () => {
  const answers = pendingAnswers({ clock })
  const answerAll = (count: number) => {
    for (let i = 0; i < count; i++) {
      const interaction = used()
      answers.expect(interaction)
      answers.receive(interaction.id, interaction.token, reply('x'.repeat(500)))
      if (i % 10 === 0) answers.conversations.followUp(path(interaction), { body: { content: 'more' } })
    }
    clock.advance(31 * MINUTE)
    answers.expect(used()).acknowledge({ type: 5 })
  }
  answerAll(100)
  const before = heap()
  answerAll(4_000)
  expect((heap() - before) / 1024 / 1024).toBeLessThan(1)
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

it.each([
  ['application/json', 'name="payload_json"\r\n'],
  ['multipart/form-data; boundary=b', 'name="payload_json"\r\n'],
  ['multipart/form-data; boundary=b', 'name="payload_json"\r\n\r\n'],
])('maskBody looks once for the JSON of a body of %s that repeats %j', async (type, part) => {
  // The body of 255 KiB once took 4.6 seconds.
  const cost = timeOf(
    (size) => new TextEncoder().encode(part.repeat((size * 1024) / part.length)),
    (body) => maskBody(body, type),
  )
  expect(await growth(31, cost)).toBeLessThanOrEqual(LINEAR)
})

it('keeps nothing of what the bytes of a body were read into', async () => {
  collect()
  const before = process.memoryUsage().arrayBuffers
  const kept = Array.from({ length: 500 }, () => new MaskedBody(new Uint8Array(256 * 1024).subarray(0, 100)))
  // Buffers are freed after the collection.
  const grown = () => {
    collect()
    return (process.memoryUsage().arrayBuffers - before) / 1024 / 1024
  }
  await expect.poll(grown).toBeLessThan(10)
  expect(kept[0]!.text).toBe('(100 bytes)')
})
