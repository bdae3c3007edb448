/** Tokens of webhooks and codes of invites: who knows an id does not know them. */
import { expect } from 'vitest'
import { GENERAL, it } from './bed.ts'

const channel = `/channels/${GENERAL}`

it('[5-06] the token of a webhook does not follow from its id, which every message of it has', async ({
  call,
}) => {
  const hooks = []
  for (let i = 0; i < 3; i++) hooks.push((await call('POST', `${channel}/webhooks`, { name: 'ci' })).body)
  const own = await call('POST', `/webhooks/${hooks[0].id}/${hooks[0].token}?wait=true`, {
    content: 'passed',
  })
  const { webhook_id: id } = own.body
  // As long as Discord's, and random after its prefix: no digits in common with another one's, or with the id.
  for (const { token } of hooks) expect(token).toMatch(/^webhook-[0-9a-f]{60}$/)
  expect(new Set(hooks.map(({ token }) => token.slice(8, 24))).size).toBe(3)
  for (const guess of [`webhook-${id}`.padEnd(68, '0'), `webhook-${id}`, hooks[1].token, '', id]) {
    const path = `/webhooks/${id}/${encodeURIComponent(guess)}`
    for (const [method, more, body] of [
      ['PATCH', `/messages/${own.body.id}`, { content: 'FAILED' }],
      ['PATCH', '', { name: 'taken' }],
      ['DELETE', '', undefined],
    ] as const) {
      const response = await call(method, path + more, body, { Authorization: '' })
      expect([401, 404, 405]).toContain(response.status)
    }
  }
  const { body } = await call('GET', `/webhooks/${id}/${hooks[0].token}`)
  expect(body.name).toBe('ci')
})

it('[5-06] the code of an invite does not follow from the time or from another code', async ({ call }) => {
  const codes = []
  for (let i = 0; i < 20; i++)
    codes.push((await call('POST', `${channel}/invites`, { unique: true })).body.code)
  expect(new Set(codes.map((code) => code.slice(0, 6))).size).toBe(20)
  for (const code of codes) expect(code).toMatch(/^[0-9a-f]{16}$/)
  expect((await call('GET', `/invites/${codes[0].slice(0, -1)}`)).status).toBe(404)
  expect((await call('GET', `/invites/${codes[0]}`)).body.code).toBe(codes[0])
})
