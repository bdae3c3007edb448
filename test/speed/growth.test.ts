/** Twice the input, how much more: what once grew with the square of its input, or might. */
import { expect, it, onTestFinished } from 'vitest'
import { memoryStore } from 'commandry'
import { sharedAnswers, type AnyInteraction } from 'commandry/interactions'
import { testbed } from 'commandry/testbed'
import { BodyBytes } from '../../src/core/bytes.ts'
import { parseAnswer } from '../../src/interactions/answer/answer-body.ts'
import { blocksOf } from '../../src/tools/page/browser/parts/markdown-blocks.ts'
import { interaction } from '../interactions/bot/endpoint.ts'
import { growth, LINEAR, timeOf, type Cost } from '../support/cpu-time.ts'
import { post, service, who } from '../tools/page/open.ts'

/** The reads and writes of a store while so many uses are answered one after the other. */
async function storeCalls(uses: number): Promise<number> {
  let calls = 0
  const inner = memoryStore()
  const answers = sharedAnswers({
    ...inner,
    read: (keys) => (calls++, inner.read(keys)),
    write: (...args) => (calls++, inner.write(...args)),
  })
  for (let use = 0; use < uses; use++) {
    const one: AnyInteraction = { ...interaction, id: `${10n ** 17n + BigInt(use)}`, token: `t${use}` }
    const waiting = answers.expect(one)
    await waiting.ready
    await waiting.acknowledge({ type: 4, data: { content: 'x' } })
  }
  return calls
}

const form = `multipart/form-data; boundary=${'-'.repeat(69)}x`
const dashes = (size: number) => new Uint8Array(Buffer.alloc(size * 1024 * 1024, '-'))

const crowd = (people: number) => {
  const members = Array.from({ length: people }, (_, index) => ({
    user: { id: String(50_000 + index), username: `p${index}` },
    roles: [],
  }))
  const channels = [{ id: who.channel, name: 'general', type: 0 }]
  return service({ servers: [{ id: who.server, name: 'Large', members, channels, roles: [] }] as never })
}

function addByteAfterByte(bytes: number): void {
  const body = new BodyBytes(bytes)
  const chunk = new Uint8Array(1)
  for (let at = 0; at < bytes; at++) body.add(chunk)
  body.release()
}

/** A message with ten files in a testbed, which a bot forwards. */
async function openForwards() {
  const bed = await testbed({ endpoint: async () => Response.json({ type: 1 }) })
  onTestFinished(() => bed.close())
  const channel_id = bed.server.channels[0]!.id
  const call = async (body: BodyInit, type: Record<string, string> = {}) => {
    const headers = { authorization: `Bot ${bed.token}`, ...type }
    const url = `${bed.rest}/v10/channels/${channel_id}/messages`
    const response = await fetch(url, { method: 'POST', headers, body })
    expect(response.status, await response.clone().text()).toBe(200)
    return (await response.json()) as { readonly id: string }
  }
  const form = new FormData()
  form.set('payload_json', '{}')
  for (let file = 0; file < 10; file++) form.set(`files[${file}]`, new Blob(['x']), `${file}.txt`)
  const message_reference = { type: 1, channel_id, message_id: (await call(form)).id }
  return () => call(JSON.stringify({ message_reference }), { 'content-type': 'application/json' })
}

async function forward(times: number): Promise<number> {
  const one = await openForwards()
  const before = process.cpuUsage()
  for (let time = 0; time < times; time++) await one()
  const { user, system } = process.cpuUsage(before)
  return user + system
}

it.each<readonly [what: string, size: number, cost: Cost]>([
  ['a form of dashes', 16, timeOf(dashes, (body) => parseAnswer(body, form).catch(() => {}))],
  ['Markdown of underscores', 10_000, timeOf((size) => '_a __b '.repeat(size / 7), blocksOf)],
  ['Markdown of unclosed underscores', 10_000, timeOf((size) => '_'.repeat(size), blocksOf)],
  ['reads of sharedAnswers', 100, storeCalls],
  [
    'the rail of people',
    500,
    timeOf(crowd, async (made) => expect((await post(made, 'rail', who)).people).toHaveLength(25)),
  ],
  ['forwards of ten files', 50, forward],
  ['bodies under way', 250_000, timeOf((size) => size, addByteAfterByte)],
])('twice the input costs at most 2.2 times as much: %s', async (_, size, cost) => {
  expect(await growth(size, cost)).toBeLessThanOrEqual(LINEAR)
})

it('is seen where each step looks at all earlier ones', async () => {
  const list = timeOf(
    (size) => Array.from({ length: size }, (_, index) => index),
    (all) => all.filter((one) => all.indexOf(one) !== one),
  )
  expect(await growth(1_000, list)).toBeGreaterThan(3)
})
