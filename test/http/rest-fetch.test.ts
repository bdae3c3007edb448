import { restFetch } from 'commandry/http'
import { expect, it } from 'vitest'
import { APP, base, service } from './service.ts'
import { hello } from '../support/fixtures.ts'

it('sends requests of any host to the handler', async () => {
  const { handler } = service()
  const request = restFetch(handler)
  const url = `https://discord.com/api/v10${base}`
  const created = await request(url, {
    method: 'POST',
    headers: { authorization: 'Bot bot', 'content-type': 'application/json' },
    body: JSON.stringify(hello),
  })
  expect([created.status, ((await created.json()) as { name: string }).name]).toEqual([201, 'hello'])
  const headers = { authorization: 'Bot bot' }
  for (const input of [url, new URL(url), new Request(url)]) {
    expect(((await (await request(input, { headers })).json()) as unknown[]).length).toBe(1)
  }
})

it('accepts a body that is a stream', async () => {
  const body = new Blob([JSON.stringify(hello)]).stream()
  const headers = { authorization: 'Bot bot', 'content-type': 'application/json' }
  const url = `https://discord.com/api/v10/applications/${APP}/commands`
  expect((await restFetch(service().handler)(url, { method: 'POST', headers, body })).status).toBe(201)
})

it('has the type of fetch and of the makeRequest of discord.js', () => {
  const asFetch: typeof fetch = restFetch(service().handler)
  const makeRequest: (url: string, init: { method?: string; body?: unknown }) => Promise<Response> =
    restFetch(service().handler)
  expect([asFetch, makeRequest].every((each) => typeof each === 'function')).toBe(true)
})

it('rejects a handler that is not a function', () => {
  expect(() => restFetch({} as never)).toThrow(
    new TypeError('handler: expected a function; see createHandler'),
  )
})
