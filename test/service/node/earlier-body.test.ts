import type { IncomingMessage } from 'node:http'
import { expect, it } from 'vitest'
import { requestListener } from 'commandry/node'
import { listening } from '../../support/listening.ts'
import { service } from '../http/service.ts'
import { create, text } from './started.ts'

/** The response of a host that reads the body, and then leaves something on the request. */
async function after(leave: (request: any, bytes: Buffer) => unknown, maxBodyBytes = 1_000) {
  const answer = requestListener(service({ maxBodyBytes }).handler)
  const read = async (request: IncomingMessage) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    leave(request, Buffer.concat(chunks))
  }
  const response = await create(
    await listening((request, response) => void read(request).then(() => answer(request, response))),
  )
  return [response.status, ((await response.json()) as { message?: string }).message]
}

it.each<[string, (request: any, bytes: Buffer) => unknown]>([
  ['bytes as rawBody', (request, bytes) => (request.rawBody = bytes)],
  ['a text as rawBody', (request, bytes) => (request.rawBody = String(bytes))],
  ['bytes as body', (request, bytes) => (request.body = bytes)],
  ['a text as body', (request, bytes) => (request.body = String(bytes))],
  ['an object as body', (request, bytes) => (request.body = JSON.parse(String(bytes)))],
  ['rawBody beside a changed body', (request, bytes) => ((request.rawBody = bytes), (request.body = {}))],
])('[7-01] uses a body that the host read and left as %s', async (_, leave) => {
  expect(await after(leave)).toEqual([201, undefined])
})

it('[7-01] responds with 400 and a remedy to a body that was read and not kept', async () => {
  const message = 'The body was already read; mount the service before body parsers'
  expect(await after(() => {})).toEqual([400, message])
  expect(await after((request) => (request.body = 5))).toEqual([400, message])
})

it('[7-01] responds with 400 to a body that was read and is nested too deep', async () => {
  const message = 'The request body contains invalid JSON: it is nested more than 100 levels deep'
  for (const depth of [101, 100_000])
    expect(
      await after((request) => (request.body = JSON.parse('['.repeat(depth) + ']'.repeat(depth))), 1_000_000),
    ).toEqual([400, message])
})

it('[7-01] responds with 413 to a kept body above the limit', async () => {
  const longer = (request: any, bytes: Buffer) => (request.rawBody = `${String(bytes)}  `)
  expect((await after(longer, text.length + 1))[0]).toBe(413)
  expect((await after(longer, text.length + 2))[0]).toBe(201)
})
