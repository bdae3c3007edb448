import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { requestListener } from 'commandry/node'
import express from 'express'
import { expect, it } from 'vitest'
import { base, service } from '../http/service.ts'

it('[7-01] responds with 400 and a remedy to a body that Express already read', async () => {
  const { handler } = service()
  const server = createServer(express().use(express.json()).use(requestListener(handler)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const response = await fetch(
      `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v10${base}`,
      {
        method: 'POST',
        headers: { authorization: 'Bot bot', 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'hello', description: 'Says hello' }),
      },
    )
    expect([response.status, await response.json()]).toEqual([
      400,
      {
        message: 'The body was already read; mount the service before body parsers',
        code: 0,
      },
    ])
  } finally {
    server.close()
  }
})

it('leaves the other routes of an Express app to Express', async () => {
  const { handler } = service()
  const app = express()
    .use(requestListener(handler))
    .get('/health', (_, response) => void response.send('well'))
  const server = createServer(app)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    expect(await (await fetch(`${origin}/health`)).text()).toBe('well')
    const headers = { authorization: 'Bot bot' }
    expect((await fetch(`${origin}/api/v10${base}`, { headers })).status).toBe(200)
  } finally {
    server.close()
  }
})
