import { requestListener } from 'commandry/node'
import express from 'express'
import { expect, it } from 'vitest'
import { base } from '../http/ids.ts'
import { service } from '../http/service.ts'
import { listening } from '../support/listening.ts'

it('[7-01] responds with 400 and a remedy to a body that Express already read', async () => {
  const { handler } = service()
  const url = await listening(express().use(express.json()).use(requestListener(handler)))
  const response = await fetch(`${url}/api/v10${base}`, {
    method: 'POST',
    headers: { authorization: 'Bot bot', 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'hello', description: 'Says hello' }),
  })
  const message = 'The body was already read; mount the service before body parsers'
  expect([response.status, await response.json()]).toEqual([400, { message, code: 0 }])
})

it('answers where Express mounts it, at the start of its base path or before it', async () => {
  const { handler } = service()
  const headers = { authorization: 'Bot bot' }
  for (const [mount, start] of [
    ['/api', ''],
    ['/api/v10', ''],
    ['/mock', '/mock'],
  ] as const) {
    const app = express()
      .use(mount, requestListener(handler))
      .use((_, response) => void response.status(404).send('not here'))
    const url = await listening(app)
    expect([mount, (await fetch(`${url}${start}/api/v10${base}`, { headers })).status]).toEqual([mount, 200])
    expect(await (await fetch(`${url}${mount}/health`)).text()).toBe('not here')
  }
})

it('leaves the other routes of an Express app to Express', async () => {
  const { handler } = service()
  const app = express()
    .use(requestListener(handler))
    .get('/health', (_, response) => void response.send('well'))
  const url = await listening(app)
  expect(await (await fetch(`${url}/health`)).text()).toBe('well')
  const headers = { authorization: 'Bot bot' }
  expect((await fetch(`${url}/api/v10${base}`, { headers })).status).toBe(200)
})
