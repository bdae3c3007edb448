import { afterAll } from 'vitest'
import { testbed } from 'commandry/testbed'
import { describeOptions } from '../../support/options-case.ts'

const bed = testbed({})
afterAll(async () => (await bed).close())
const server = { server: [5, null] }
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
  ['channel', '', server, async (given) => (await bed).channel('general', given)],
  ['addPerson', '', server, async (given) => (await bed).addPerson('eve', [], given)],
  ['setRoles', '', server, async (given) => (await bed).setRoles('ada', [], given)],
  ['leave', '', server, async (given) => (await bed).leave('ada', given)],
  ['timeout', '', server, async (given) => (await bed).timeout('ada', '1m', given)],
  ['mute', '', server, async (given) => (await bed).mute('ada', true, given)],
  ['setPermissions', '', server, async (given) => (await bed).setPermissions('general', 'ada', {}, given)],
  ['say', '', { reply: [5, null], files: [5, [{}]] }, async (given) => (await ada()).say('hello', given)],
])
