import { memoryStore } from 'commandry'
import { it } from 'vitest'
import { compareWithModel, moves } from '../../commands/registry/model.ts'
import { forAnyAsync } from '../../support/properties.ts'
import { overHttp } from './model-over-http.ts'

it('[4.1-07] [4.2-07] [2.9-09] [4.4-01] behaves like plain maps after any sequence of requests', async () => {
  // model.deep.test.ts runs more of them.
  await forAnyAsync([moves(30)], 25, (list) => compareWithModel(memoryStore(), list, overHttp))
})
