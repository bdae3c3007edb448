import { describe, expect, it } from 'vitest'
import { bed, open, useTestbeds } from '../demo-bot.ts'

useTestbeds()

describe('an answer in a testbed', () => {
  it('reaches more than 1,000 people at once', async () => {
    await open({ timeout: 60_000 })
    const texts = Array.from({ length: 1_010 }, (_, index) => `text ${index}`)
    const ada = bed.as('member')
    const all = await Promise.all(texts.map((text) => ada.use('say', { text })))
    expect(all.map(({ content }) => content)).toEqual(texts)
  })
})
