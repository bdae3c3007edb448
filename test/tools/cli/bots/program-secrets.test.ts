import { expect, it } from 'vitest'
import { masking } from '../../../../src/tools/cli/bots/program-secrets.ts'

it('hides values of secret variables, the token of the bot, tokens by their form, and passwords in addresses', () => {
  const form = `${'M'.repeat(24)}.Gh1234.${'x'.repeat(38)}`
  const env = { API_KEY: 'abcdef', PRIVATE_KEY: 'abcdef\nghi', HOME: '/home/ada', SHORT_SECRET: 'a' }
  const mask = masking(env, ['its-token'])
  const text = `abcdef its-token ${form} postgres://ada:hunter2@localhost/bans in /home/ada`
  expect(mask(text)).toBe('*** *** *** postgres://ada:***@localhost/bans in /home/ada')
  expect(mask('abcdef\nghi')).toBe('***')
})

it('hides the lines of a key of which the first ones are cut off', () => {
  const mask = masking({ PRIVATE_KEY: '-----BEGIN\nabcdefgh\nijklmnop\n-----END' }, [])
  expect(mask('ijklmnop\n-----END\nfurther')).toBe('***\n***\nfurther')
})

it('shows the folder of the shell, which stands in each stack trace', () => {
  const mask = masking({ PWD: '/home/ada/bot', OLDPWD: '/home/ada', DB_PWD: 'hunter-22' }, [])
  expect(mask('at file:///home/ada/bot/index.js:3 with hunter-22')).toBe(
    'at file:///home/ada/bot/index.js:3 with ***',
  )
})
