/** Answers to interactions at several handlers, over a store in memory. */
import { describe, it } from 'vitest'
import { memoryStore } from 'commandry'
import { expectAnswersAtBoth, expectOneAnswer } from '../../support/two-handlers.ts'

describe('two handlers with answers in one store', () => {
  it('[2.11-11] serve the callback, follow-ups and messages of an interaction that one of them sent', async () => {
    const store = memoryStore()
    await expectAnswersAtBoth([store, store])
  })

  it('[2.11-09] accept one of several callbacks', async () => {
    const store = memoryStore()
    await expectOneAnswer([store, store], 10)
  })
})
