import { describe, expect, it } from 'vitest'
import { base, guildBase, service } from './service.ts'
import { hello } from '../support/fixtures.ts'

describe('HEAD and OPTIONS', () => {
  it('HEAD responds like GET without the body', async () => {
    const { send, handler } = service()
    await send('POST', base, { body: { ...hello, description: 'Grüße' } })
    for (const [path, authorization] of [
      [base, 'Bot bot'],
      [base, 'Bot nobody'],
      [`${base}/1`, 'Bot bot'],
      ['/nothing', 'Bot bot'],
    ] as const) {
      const get = await send('GET', path, { authorization })
      const head = await handler(
        new Request(`http://service.test/api/v10${path}`, { method: 'HEAD', headers: { authorization } }),
      )
      expect(head.status).toBe(get.status)
      expect(await head.text()).toBe('')
      expect(head.headers.get('content-type')).toBe('application/json')
      expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(get.text)))
    }
  })

  it('OPTIONS lists the methods of a path, without a token', async () => {
    const { send } = service()
    const { status, headers, text } = await send('OPTIONS', guildBase, { authorization: null })
    expect([status, text, headers.get('allow')]).toEqual([204, '', 'GET, HEAD, POST, PUT, OPTIONS'])
    expect((await send('OPTIONS', '/nothing', { authorization: null })).status).toBe(404)
  })
})
