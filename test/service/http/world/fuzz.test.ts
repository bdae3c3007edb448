/** Fuzzing a bot that uses the gateway. */
import { expect, it, onTestFinished } from 'vitest'
import { WebSocket } from '../../../support/sockets.ts'
import { fuzz } from 'commandry/fuzz'
import { ALL, open } from './bed.ts'

const commands = [{ name: 'ping', description: 'Replies' }]

it('reports a bot that left the gateway and did not come back', async () => {
  const { bed } = await open(null, { commands, timeout: 100 })
  const { failures } = await fuzz(bed, { bot: { watch: () => () => {} } })
  expect(failures).toMatchObject([{ code: 'lost_connection', line: '/ping' }])
})

it('restores nothing of a server that the bot has left as it was', async () => {
  const { bed, call } = await open(null, { commands })
  const socket = new WebSocket(`${bed.gateway}/?v=10&encoding=json`)
  onTestFinished(() => socket.terminate())
  const names = new Set<string>()
  socket.on('message', (data) => {
    const { op, t, d } = JSON.parse(String(data))
    if (op === 10)
      socket.send(JSON.stringify({ op: 2, d: { token: bed.token, intents: ALL, properties: {} } }))
    if (op !== 0) return
    names.add(t)
    if (t === 'INTERACTION_CREATE')
      void call('POST', `/interactions/${d.id}/${d.token}/callback`, { type: 4, data: { content: 'pong' } })
  })
  await bed.online()
  expect(await fuzz(bed, { runs: 4 })).toMatchObject({ ok: true, uses: 4 })
  expect([...names].sort()).toEqual(['GUILD_CREATE', 'INTERACTION_CREATE', 'MESSAGE_CREATE', 'READY'])
})
