import { afterAll } from 'vitest'
import { testbed } from 'commandry/testbed'
import { describeOptions } from '../../support/options-case.ts'

const bed = testbed({})
afterAll(async () => (await bed).close())
const ada = async () => (await bed).as('ada')

describeOptions([
  [
    'as',
    '',
    { locale: ['xx', 5], channel: [5, null], server: [5, null], installed: ['me', 5] },
    async (given) => (await bed).as('ada', given),
  ],
  ['on', '', { once: [1, null] }, async (given) => (await bed).on('GET /users/@me', () => ({}), given)],
  ['suggestions', '', { raw: [1, null] }, async (given) => (await ada()).suggestions('/ping query:', given)],
  [
    'startThread',
    '',
    { message: [5, null], private: [1, null] },
    async (given) => (await ada()).startThread('help', given),
  ],
  [
    'joinVoice',
    '',
    { muted: [1, null], deafened: [1, null] },
    async (given) => (await ada()).joinVoice('Voice', given),
  ],
  ['settled', '', { timeout: [0, '5s', null] }, async (given) => (await bed).settled(given)],
  ['channel', '', { server: [5, null] }, async (given) => (await bed).channel('general', given)],
  ['say', '', { reply: [5, null], files: [5, [{}]] }, async (given) => (await ada()).say('hello', given)],
])
