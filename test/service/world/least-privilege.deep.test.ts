import { expect, it } from 'vitest'
import { PermissionFlag } from 'commandry'
import { Intent } from '../../support/service-tables.ts'
import { allOf, eventsOf, getsTheSame, openBot } from './bot-of-many-calls.ts'

it('a bot of many calls does not get the same without any one of the permissions that it is reported to need', async () => {
  const all = Object.keys(PermissionFlag).filter((name) => name !== 'ADMINISTRATOR')
  const intents = Object.keys(Intent)
  const bot = await openBot(all, intents)
  const [answers, events] = [await allOf(bot), await eventsOf(bot)]
  const { needed } = bot.bed.access().permissions
  expect(needed.length).toBeGreaterThan(20)
  for (const one of needed) {
    const left = needed.filter((name) => name !== one)
    const less = await openBot(left, intents)
    expect(await getsTheSame(less, answers, events), `without ${one}`).toBe(false)
    await less.bed.close()
  }
})
