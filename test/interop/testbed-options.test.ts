import { afterAll } from 'vitest'
import { testbed } from 'commandry/testbed'
import { describeOptions } from '../support/options-case.ts'

const bed = testbed({})
afterAll(async () => (await bed).close())
const ana = async () => (await bed).as('ana')

describeOptions([
  [
    'as',
    '',
    { locale: ['xx', 5], channel: [5, null], server: [5, 'nowhere'], installed: ['me', 5] },
    async (given) => (await bed).as('ana', given),
  ],
  ['on', '', { once: [1, null] }, async (given) => (await bed).on('GET /users/@me', () => ({}), given)],
  ['suggestions', '', { raw: [1, null] }, async (given) => (await ana()).suggestions('/ping query:', given)],
  ['say', '', { reply: [5, null], files: [5, [{}]] }, async (given) => (await ana()).say('hello', given)],
])
