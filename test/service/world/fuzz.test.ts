/** Fuzzing a bot that uses the gateway. */
import { expect, it } from 'vitest'
import { fuzz } from 'commandry/fuzz'
import { open } from './bed.ts'

it('reports a bot that left the gateway and did not come back', async () => {
  const commands = [{ name: 'ping', description: 'Replies' }]
  const { bed } = await open(null, { commands, timeout: 100 })
  const { failures } = await fuzz(bed, { bot: { watch: () => () => {} } })
  expect(failures).toMatchObject([{ code: 'lost_connection', line: '/ping' }])
})
