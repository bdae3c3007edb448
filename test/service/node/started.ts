import { serve, type ServeOptions, type Serving } from 'commandry/node'
import { expect, onTestFinished } from 'vitest'
import { base } from '../http/ids.ts'
import { service } from '../http/service.ts'
import { wire } from '../http/sockets.ts'
import { hello } from '../../support/fixtures.ts'

/** A server that is closed after the test, with a service in memory unless another handler is given. */
export async function started(options: Partial<ServeOptions> = {}): Promise<Serving> {
  const serving = await serve({ handler: service().handler, ...options })
  onTestFinished(() => serving.close())
  return serving
}

/** A raw connection to such a server. */
export async function connected(options: Partial<ServeOptions> = {}) {
  const serving = await started(options)
  return { serving, ...(await wire(serving.port)) }
}

export const path = `/api/v10${base}`

/** The head of a request, with an empty line at its end. */
export const head = (method: string, more: readonly string[] = [], target = path) =>
  [`${method} ${target} HTTP/1.1`, 'Host: service.test', 'Authorization: Bot bot', ...more, '', ''].join(
    '\r\n',
  )

export const json = 'Content-Type: application/json'
export const text = JSON.stringify(hello)

/** Creates a command by `fetch`. */
export function create(url: string, body = text): Promise<Response> {
  const headers = { authorization: 'Bot bot', 'content-type': 'application/json' }
  return fetch(url + path, { method: 'POST', headers, body })
}

/** A request that creates a command. */
export const post = head('POST', [json, `Content-Length: ${text.length}`]) + text

/** A response that begins, and continues after `time`. */
export function streamed(first: string, time: Promise<void>, second: string): Response {
  const encoder = new TextEncoder()
  return new Response(
    new ReadableStream({
      async start(controller) {
        controller.enqueue(encoder.encode(first))
        await time
        controller.enqueue(encoder.encode(second))
        controller.close()
      },
    }),
  )
}

/** The statuses of all responses on a connection. */
export const statusesOf = (answers: string) =>
  Array.from(answers.matchAll(/HTTP\/1\.1 (\d+)/g), ([, status]) => Number(status))

/** The body of a chunked response. */
export const bodyOf = (answer: string) => answer.split('\r\n\r\n')[1]!.replace(/^[\da-f]+\r\n|\r\n0$/g, '')

/** Expects that the service still responds. */
export async function alive({ url }: Serving): Promise<void> {
  const response = await fetch(url + path, { headers: { authorization: 'Bot bot' } })
  expect(response.status).toBe(200)
  await response.text()
}
