import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { IncomingMessage } from 'node:http'
import { inspect } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { CommandRegistry } from 'commandry'
import { createHandler, openAccess, type ResponseReport } from 'commandry/http'
import { requestListener, serve } from 'commandry/node'

it('publishes every response of a Node server on a channel, and reports it once', async () => {
  const published: ResponseReport[] = []
  const reported: ResponseReport[] = []
  const listener = (message: unknown) => void published.push(message as ResponseReport)
  subscribe('commandry.response', listener)
  onTestFinished(() => void unsubscribe('commandry.response', listener))
  const registry = new CommandRegistry()
  const onResponse = (report: ResponseReport) => void reported.push(report)
  const handler = createHandler({ registry, authenticate: openAccess(), onResponse })
  await using server = await serve({ handler })
  const headers = { authorization: 'Bot x' }
  await fetch(`${server.url}/api/v10/applications/1001/commands`, { headers })
  await fetch(`${server.url}/nothing`)
  expect(published.map(({ route, status }) => [route, status])).toEqual([
    ['/applications/{application.id}/commands', 200],
    [null, 404],
  ])
  expect(published[0]!.request.raw).toBeInstanceOf(IncomingMessage)
  // As a log writes it: without the sockets, and without the token.
  const logged = [JSON.stringify(published[0]), inspect(published[0], { depth: 9 })]
  expect(logged).toEqual([expect.stringContaining('commands'), expect.not.stringContaining('Bot x')])
  expect(reported).toEqual(published)
})

it('reports nothing for a path that it leaves to the server it is mounted in', async () => {
  const reported: unknown[] = []
  const onResponse = (report: unknown) => void reported.push(report)
  const handler = createHandler({ registry: new CommandRegistry(), authenticate: openAccess(), onResponse })
  const { createServer } = await import('node:http')
  const listener = requestListener(handler)
  const server = createServer((request, response) => listener(request, response, () => response.end('own')))
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  expect(await (await fetch(`http://127.0.0.1:${port}/health`)).text()).toBe('own')
  expect(reported).toEqual([])
})

it('states whether the client left before the response', async () => {
  const reported: ResponseReport[] = []
  const leave = new AbortController()
  const handler = createHandler({
    registry: new CommandRegistry(),
    // The client leaves while the service looks up its token.
    async authenticate(_, __, { header, raw }) {
      if (header('x-leaves') !== null) {
        const { socket } = raw as IncomingMessage
        const left = new Promise((resolve) => socket.once('close', resolve))
        leave.abort()
        await left
      }
      return { type: 'Bot', applicationId: '1001' }
    },
    onResponse: (report) => void reported.push(report),
  })
  await using server = await serve({ handler })
  const url = `${server.url}/api/v10/applications/1001/commands`
  const headers = { authorization: 'Bot x' }
  await fetch(url, { headers: { ...headers, 'x-leaves': '1' }, signal: leave.signal }).catch(() => {})
  await fetch(url, { headers })
  expect(reported.map(({ status, aborted }) => [status, aborted])).toEqual([
    [200, true],
    [200, false],
  ])
})
