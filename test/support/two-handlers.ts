/** An interaction whose requests arrive at two handlers in turn. */
import { expect } from 'vitest'
import { CommandRegistry, type Store } from 'commandry'
import { createHandler, openAccess } from 'commandry/http'
import { createEndpointKeys, deliver, sharedAnswers } from 'commandry/interactions'
import { used } from './invoked.ts'

const API = 'http://service.test/api/v10'
const command = { name: 'ping', description: 'b' }

/** Two services, each with the answers of its own store; both stores have the same documents. */
function twoServices(stores: readonly Store[]) {
  return stores.map((store) => {
    const answers = sharedAnswers(store)
    const handler = createHandler({
      registry: new CommandRegistry({ store }),
      authenticate: openAccess(),
      answers,
    })
    const send = async (method: string, path: string, body?: object) => {
      const headers = { 'content-type': 'application/json' }
      const response = await handler(
        new Request(API + path, { method, headers, ...(body && { body: JSON.stringify(body) }) }),
      )
      const text = await response.text()
      return { status: response.status, body: text === '' ? null : JSON.parse(text) }
    }
    return { answers, send }
  })
}

/** Sends an interaction at A; its callback goes to B, a follow-up to A, an edit to B, and A reads. */
export async function expectAnswersAtBoth(stores: readonly Store[]): Promise<void> {
  const [a, b] = twoServices(stores)
  const { privateKey } = await createEndpointKeys()
  const interaction = used(command)
  const { id, token, application_id } = interaction
  const webhook = `/webhooks/${application_id}/${token}`
  let callback: Promise<{ status: number }> | undefined
  const fetch = async () => {
    callback = b!.send('POST', `/interactions/${id}/${token}/callback`, {
      type: 4,
      data: { content: 'pong' },
    })
    return new Response(null, { status: 202 })
  }
  const options = { url: 'https://app.test/', privateKey, fetch, answers: a!.answers }
  expect(await deliver(interaction, options)).toMatchObject({ ok: true, via: 'callback' })
  expect((await callback!).status).toBe(204)
  const { status, body: followUp } = await a!.send('POST', webhook, { content: 'more' })
  expect([status, followUp.content]).toEqual([200, 'more'])
  const original = `${webhook}/messages/@original`
  expect(await b!.send('PATCH', original, { content: 'edited' })).toMatchObject({ status: 200 })
  expect((await a!.send('GET', original)).body.content).toBe('edited')
  const path = `${webhook}/messages/${followUp.id}`
  expect((await b!.send('GET', path)).body).toEqual(followUp)
  expect((await b!.send('DELETE', path)).status).toBe(204)
  expect(await a!.send('GET', path)).toMatchObject({ status: 404, body: { code: 10008 } })
}

/** Sends callbacks of one interaction to both handlers at the same time: one is accepted. */
export async function expectOneAnswer(stores: readonly Store[], rounds: number): Promise<void> {
  const services = twoServices(stores)
  for (let round = 0; round < rounds; round++) {
    const interaction = used(command)
    await services[0]!.answers.expect(interaction).ready
    const path = `/interactions/${interaction.id}/${interaction.token}/callback`
    const all = [...services, ...services].map(({ send }, i) =>
      send('POST', path, { type: 4, data: { content: `${i}` } }),
    )
    const results = (await Promise.all(all)).map(({ status, body }) => [status, body?.code ?? null])
    expect(results.sort()).toEqual([[204, null], ...Array(3).fill([400, 40060])])
  }
}
