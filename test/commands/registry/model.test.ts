import { expect, it } from 'vitest'
import { memoryStore } from 'commandry'
import { compareWithModel, moves, type Move } from './model.ts'
import { words } from '../../support/words.ts'
import { forAnyAsync } from '../../support/properties.ts'

it('[4.1-02] [4.1-04] [4.1-05] [4.1-07] [4.2-07] [8-01] [8-02] [2.9-09] the registry against plain maps agrees after any sequence of operations over several days', async () => {
  const reached = new Map<string, number>()
  // model.deep.test.ts runs more of them.
  await forAnyAsync([moves(40)], 40, async (list) => {
    for (const { kind } of list) reached.set(kind, (reached.get(kind) ?? 0) + 1)
    await compareWithModel(memoryStore(), list)
  })
  // Every kind of operation occurred, so the property covers each.
  expect([...reached.keys()].sort()).toEqual(words('delete edit flood overwrite permit upsert wait'))
})

it('[8-02] the registry against plain maps agrees when the creates of a day run out and are reset', async () => {
  const flood = (prefix: string): Move => ({ kind: 'flood', scope: 0, count: 100, prefix })
  const upsert: Move = { kind: 'upsert', scope: 0, body: { type: 2, name: 'a', description: 'one' } }
  await compareWithModel(memoryStore(), [
    flood('x'),
    flood('x'),
    flood('y'),
    upsert,
    flood('w'),
    { kind: 'wait', hours: 7 },
    upsert,
    { kind: 'wait', hours: 7 },
    flood('w'),
    upsert,
  ])
})
