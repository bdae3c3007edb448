import { it } from 'vitest'
import { memoryStore } from 'commandry'
import { compareWithModel, moves } from './model.ts'
import { forAnyAsync } from '../../support/properties.ts'

it('[4.1-02] [4.1-04] [4.1-05] [4.1-07] [4.2-07] [8-01] [8-02] [2.9-09] the registry against plain maps agrees after any of many sequences of operations', async () => {
  await forAnyAsync([moves(40)], 400, (list) => compareWithModel(memoryStore(), list))
})
