/** Run by clock.test.ts, with and without the clock: a bot whose answers depend on time. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { testbed } from 'commandry/testbed'

const commands = ['poll', 'daily', 'never', 'lapse'].map((name) => ({ name, description: name }))
let lastDaily = -Infinity
let refusal: number | undefined
const reply = (content: string) => Response.json({ type: 4, data: { content } })

const bed = await testbed({ commands, endpoint: answer })

async function answer(request: Request): Promise<Response> {
  const { data, token, application_id: id } = (await request.json()) as any
  const edit = (content: string) =>
    fetch(`${bed.rest}/v10/webhooks/${id}/${token}/messages/@original`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ content }),
    })
  switch (data.name) {
    case 'poll':
      setTimeout(() => void edit('closed'), 14 * 60_000)
      return reply('open')
    case 'daily':
      if (Date.now() - lastDaily < 86_400_000) return reply('wait')
      lastDaily = Date.now()
      return reply('coins')
    case 'lapse':
      void sleep(16 * 60_000).then(async () => (refusal = ((await (await edit('late')).json()) as any).code))
      return reply('open')
    default:
      return new Promise(() => {})
  }
}

const ada = bed.as('ada')
const daily = async () => (await ada.use('/daily')).content
if (process.argv.includes('without')) {
  await bed.advance('1h')
  await bed.advance('1h')
  console.log('moved the service')
  // Warnings are printed in the next turn.
  setImmediate(() => process.exit())
  await new Promise(() => {})
}
const poll = await ada.use('/poll')
await bed.advance('13m')
assert.equal(poll.content, 'open')
await bed.advance('1m')
assert.equal(poll.content, 'closed')
assert.deepEqual([await daily(), await daily()], ['coins', 'wait'])
await bed.advance('24h')
assert.equal(await daily(), 'coins')
await ada.use('/lapse')
await bed.advance('17m')
assert.equal(refusal, 50027)
const silent = assert.rejects(ada.use('/never'), { code: 'no_answer' })
await bed.advance('3s')
await silent
await assert.rejects(bed.advance('soon'), TypeError)
await bed.close()
console.log('moved the bot')
process.exit()
