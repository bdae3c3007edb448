import { expect, it } from 'vitest'
import { wire } from '../http/sockets.ts'
import { head, json, started, statusesOf } from './started.ts'

const MIB = 1024 * 1024

it('bodies under way take no more room than their bytes when they arrive in many chunks', async () => {
  const serving = await started()
  const { send, until, socket } = await wire(serving.port)
  const before = process.memoryUsage().rss
  send(head('POST', [json, 'Transfer-Encoding: chunked']))
  for (let chunk = 0; chunk < 5; chunk++) send('1\r\na\r\n'.repeat(200_000))
  send('0\r\n\r\n')
  expect(statusesOf(await until('}'))).toEqual([400])
  expect((process.memoryUsage().rss - before) / MIB).toBeLessThan(150)
  socket.destroy()
})
