import { expect, it } from 'vitest'
import { Traffic } from '../../../src/interactions/bot/traffic.ts'
import { incoming } from './incoming.ts'

it('the traffic of a session keeps the size of a body of more than 256 KiB', async () => {
  const traffic = new Traffic()
  const body = JSON.stringify(['x'.repeat(256 * 1024)])
  await traffic.recording(async () => ({ status: 200, headers: {}, body }))(incoming(''))
  expect(traffic.requestsSince()).toMatchObject([{ response: '(262148 characters)' }])
})

it('the traffic of a session has the kind of each credential, without the token', async () => {
  const traffic = new Traffic()
  for (const header of ['bot  x', 'BEARER x', 'Basic x', 'Bot', null])
    await traffic.recording(async () => ({ status: 204, headers: {}, body: null }))(incoming('', header))
  expect(traffic.requestsSince().map(({ credential }) => credential)).toEqual(['Bot', 'Bearer', '', '', ''])
})

it('the traffic of a session is not idle while a request of a bot is open', async () => {
  const traffic = new Traffic()
  const idle = [traffic.idleTime]
  const answer = async () => {
    idle.push(traffic.idleTime)
    return { status: 204, headers: {}, body: null }
  }
  await traffic.recording(answer)(incoming(''))
  expect(idle).toEqual([Infinity, 0])
})

it('the traffic of a session has the frames of a gateway, but no heartbeats, interactions and compressed ones', () => {
  const traffic = new Traffic()
  const hello = '{"op":10,"d":{"heartbeat_interval":41250}}'
  const used = '{"op":0,"s":1,"d":{},"t":"INTERACTION_CREATE"}'
  for (const frame of [hello, '{"op":11,"d":null}', used, Uint8Array.of(120, 156)])
    traffic.frame('out', frame)
  for (const frame of ['{"op":1,"d":null}', 'no JSON', Uint8Array.of(131, 116)]) traffic.frame('in', frame)
  const kept = traffic.since().map((entry) => entry.kind === 'frame' && [entry.direction, entry.body])
  expect(kept).toEqual([
    ['out', hello],
    ['in', '(7 characters)'],
  ])
})
