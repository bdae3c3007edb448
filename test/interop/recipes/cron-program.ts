/** Run by cron.test.ts with the clock: a bot that gives coins every morning, by two libraries. */
import assert from 'node:assert/strict'
import { Cron } from 'croner'
import cron from 'node-cron'
import { testbed } from 'commandry/testbed'

const runs: Record<string, string[]> = { croner: [], 'node-cron': [] }
const now = () => new Date().toISOString().slice(11, 16)
const bed = await testbed({ endpoint: () => new Response() })
new Cron('0 9 * * *', { timezone: 'Europe/Berlin' }, () => void runs.croner!.push(now()))
cron.schedule('0 9 * * *', () => void runs['node-cron']!.push(now()), { timezone: 'Europe/Berlin' })

await bed.advance('1d')
await bed.advance('6d')
for (const [name, times] of Object.entries(runs)) {
  assert.equal(times.length, 7, name)
  assert(
    times.every((time) => time === '07:00' || time === '08:00'),
    `${name}: ${times.join()}`,
  )
}
console.log('ran every day')
process.exit()
