import { requestListener } from 'commandry/node'
import express from 'express'
import { expect } from 'vitest'
import { base } from '../../service/http/ids.ts'
import { it, service } from '../../service/http/service.ts'
import { create } from '../../service/node/started.ts'
import { listening } from '../../support/listening.ts'

it.each([
  ['JSON', express.json()],
  ['a text', express.text({ type: '*/*' })],
  ['bytes', express.raw({ type: '*/*' })],
] as const)('uses the body that Express already read as %s', async (_, parser) => {
  const { handler } = service()
  const response = await create(await listening(express().use(parser).use(requestListener(handler))))
  expect([response.status, await response.json()]).toMatchObject([201, { name: 'hello' }])
})

it('answers where Express mounts it, at the start of its base path or before it', async ({ handler }) => {
  const headers = { authorization: 'Bot bot' }
  for (const [mount, start] of [
    ['/', ''],
    ['/api', ''],
    ['/api/v10', ''],
    ['/mock', '/mock'],
  ] as const) {
    const app = express()
      .use(mount, requestListener(handler))
      .use((_, response) => void response.status(404).send('not here'))
    const url = await listening(app)
    expect([mount, (await fetch(`${url}${start}/api/v10${base}`, { headers })).status]).toEqual([mount, 200])
    expect(await (await fetch(`${url}${mount.replace(/^\/$/, '')}/health`)).text()).toBe('not here')
  }
})
