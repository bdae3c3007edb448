import { describe, expect } from 'vitest'
import { rateLimiter } from '../../../src/service/http/rate-limit.ts'
import { handClock } from '../../support/clock.ts'
import { base, guildBase } from './ids.ts'
import { service, it, rateLimitsOf } from './service.ts'
import { hello } from '../../support/fixtures.ts'

describe('rate limits', () => {
  const limited = (limit: number) => {
    const clock = handClock(Date.UTC(2026, 0, 1) + 250)
    return { clock, ...service({ rateLimit: { limit, seconds: 5, clock } }) }
  }
  const left = (headers: Headers) => headers.get('x-ratelimit-remaining')

  it('are off by default, without headers', async ({ send }) => {
    const { headers } = await send('GET', base)
    expect(rateLimitsOf(headers)).toEqual({})
  })

  it('send all headers, on errors too', async () => {
    const { send } = limited(3)
    const { headers } = await send('GET', base)
    expect(rateLimitsOf(headers)).toEqual({
      'x-ratelimit-limit': '3',
      'x-ratelimit-remaining': '2',
      'x-ratelimit-reset': String(Date.UTC(2026, 0, 1) / 1000 + 5.25),
      'x-ratelimit-reset-after': '5',
      'x-ratelimit-bucket': 'GET:/applications/{application.id}/commands',
    })
    expect(left((await send('GET', `${base}?with_localizations=x`)).headers)).toBe('1')
    expect(left((await send('GET', '/applications/abc/commands')).headers)).toBe('2')
  })

  it('[7-01] respond with 429 to an exhausted bucket until its window ends', async () => {
    const { send, clock } = limited(2)
    await send('GET', base)
    clock.advance(1_500)
    await send('GET', base)
    const { line, headers } = await send('GET', base)
    expect(line).toBe(
      '429 {"message":"You are being rate limited.","retry_after":3.5,"global":false,"code":0}',
    )
    expect(headers.get('retry-after')).toBe('4')
    expect(headers.get('via')).toBe('1.1 commandry')
    expect(headers.get('x-ratelimit-scope')).toBe('user')
    expect(headers.get('x-ratelimit-remaining')).toBe('0')
    expect(headers.get('x-ratelimit-reset-after')).toBe('3.5')
    clock.advance(3_200)
    expect((await send('GET', base)).headers.get('retry-after')).toBe('1')
    clock.advance(300)
    expect((await send('GET', base)).status).toBe(200)
  })

  it('count each token, route and place separately', async () => {
    const { send } = limited(1)
    const answers = [
      await send('GET', base),
      await send('GET', base, { authorization: 'Bearer update' }),
      await send('GET', guildBase),
      await send('POST', base, { body: hello }),
      await send('GET', `${base}/1`),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 201, 404])
    expect((await send('GET', `${base}/2`)).status).toBe(429)
  })

  it('do not count unknown tokens', async () => {
    const { send } = limited(1)
    for (let i = 0; i < 3; i++) expect((await send('GET', base, { authorization: 'Bot x' })).status).toBe(401)
  })
})

it('[8-02] keeps the newest windows of an application, up to 16 MiB, so that memory does not grow with every token', async () => {
  const limiter = rateLimiter({ limit: 1, seconds: 5, clock: handClock(0) })
  const long = 'x'.repeat(1_000_000)
  const take = async (token: number, applicationId = '1') =>
    (
      await limiter({ type: 'Bot', token: `${long}${token}`, applicationId }, 'GET:/x', {
        applicationId,
        guildId: null,
      })
    ).allowed
  await take(0, '2')
  for (let token = 1; token <= 9; token++) await take(token)
  const again = [await take(2), await take(9), await take(0, '2'), await take(1)]
  expect(again).toEqual([false, false, false, true])
})

it('[8-02] begins a new window when the clock goes back', async () => {
  const clock = handClock(7_200_000)
  const limiter = rateLimiter({ limit: 1, seconds: 10, clock })
  const take = () =>
    limiter({ type: 'Bot', token: 'x', applicationId: '1' }, 'GET:/x', { applicationId: '1', guildId: null })
  expect([await take(), await take()]).toMatchObject([{ allowed: true }, { allowed: false }])
  clock.advance(-3_600_000)
  expect([await take(), await take()]).toMatchObject([{ allowed: true }, { allowed: false, secondsLeft: 10 }])
})
