import { memoryStore, RegistryError, type Store } from 'commandry'
import { describe, expect } from 'vitest'
import { handClock } from '../../support/clock.ts'
import { APP, base, EMBEDDED_APP, guildBase } from './ids.ts'
import { service, type Service, it, errorNode, invalidBody } from './service.ts'
import { hello } from '../../support/fixtures.ts'
import { storeWith } from '../../support/stores.ts'
import { words } from '../../support/words.ts'

const commands = (count: number, type = 1) =>
  Array.from({ length: count }, (_, i) =>
    type === 1 ? { name: `c${i}`, description: 'd' } : { name: `c${i}`, type },
  )

describe('responds with the exact body to', () => {
  it('[7-01] [9-04] an unknown route: 404 with its name or the base path', async ({ send, fetch }) => {
    const paths = words(`
      / /applications /applications/ ${base}/ /applications//commands ${base}/1/ ${base}/1/permissions
      ${guildBase}/1/permissions/2 ${guildBase}/permissions/permissions
      //applications/${APP}/commands /users/${APP}
    `)
    for (const path of ['', ...paths])
      expect((await send('GET', path)).line).toBe(
        `404 {"message":"404: Not Found: this service has no GET /api/v10${path}","code":0}`,
      )
    for (const path of words(
      '/ /api/v11/gateway /api/v5/gateway /api/v10gateway /API/v10/gateway /gateway /api/v10',
    )) {
      const { status, body } = await fetch(new Request(`http://service.test${path}`))
      const where = path === '/api/v10' ? '' : '; it is at /api/v10'
      expect([status, body.message]).toEqual([404, `404: Not Found: this service has no GET ${path}${where}`])
    }
  })

  it('[7-01] another method: 405 with the methods of the path', async ({ send }) => {
    for (const [method, path, allow] of [
      ['PATCH', base, 'GET, HEAD, POST, PUT, OPTIONS'],
      ['DELETE', guildBase, 'GET, HEAD, POST, PUT, OPTIONS'],
      ['POST', `${base}/1`, 'GET, HEAD, PATCH, DELETE, OPTIONS'],
      ['DELETE', `${guildBase}/1/permissions`, 'GET, HEAD, PUT, OPTIONS'],
      ['PATCH', `${guildBase}/permissions`, 'GET, HEAD, OPTIONS'],
      ['POST', '/users/@me', 'GET, HEAD, OPTIONS'],
      ['PROPFIND', base, 'GET, HEAD, POST, PUT, OPTIONS'],
    ] as const) {
      const { line, headers } = await send(method, path)
      expect(line).toBe('405 {"message":"405: Method Not Allowed","code":0}')
      expect(headers.get('allow')).toBe(allow)
    }
  })

  it('[7-01] an unknown command: 404, code 10063', async ({ send }) => {
    for (const path of [`${base}/1`, `${guildBase}/1`]) {
      for (const [method, body] of [['GET'], ['DELETE'], ['PATCH', {}]] as const) {
        const { line } = await send(method, path, { body })
        expect(line).toBe('404 {"message":"Unknown application command","code":10063}')
      }
    }
  })

  it('[7-01] an unknown application: 404, code 10002', async ({ send }) => {
    for (const path of ['/applications/100100100100100199/commands', '/applications/@me', '/users/@me']) {
      const { line } = await send('GET', path, { authorization: 'Bot gone' })
      expect(line).toBe('404 {"message":"Unknown application","code":10002}')
    }
  })

  it('[7-01] invalid ids: 400, code 50035, all at once', async ({ send }) => {
    const path = '/applications/undefined/guilds/0x1/commands/9999999999999999999'
    const { status, body } = await send('GET', path)
    const largest = 'snowflake value should be less than or equal to 9223372036854775807.'
    const errors = {
      application_id: errorNode('NUMBER_TYPE_COERCE', 'Value "undefined" is not snowflake.'),
      guild_id: errorNode('NUMBER_TYPE_COERCE', 'Value "0x1" is not snowflake.'),
      command_id: errorNode('NUMBER_TYPE_MAX', largest),
    }
    expect([status, body]).toEqual([400, invalidBody(errors)])
  })

  it('[2.1-01] [7-01] ids with leading zeros or a letter, of any length: 400', async ({ send }) => {
    for (const id of ['00000000000000000000001', '01', '1000000000000000000000x', '-1', '1e18']) {
      const { status, body } = await send('GET', `/applications/${id}/commands`)
      const error = errorNode('NUMBER_TYPE_COERCE', `Value "${id}" is not snowflake.`)
      expect([status, body.errors.application_id]).toEqual([400, error])
    }
  })

  it('[8-01] [7-01] too many of a type: 400, code 30032', async ({ send }) => {
    await send('PUT', base, { body: [...commands(100), ...commands(15, 2), ...commands(15, 3)] })
    for (const type of [1, 2, 3]) {
      const limit = type === 1 ? 100 : 15
      const body = { ...hello, type, description: type === 1 ? 'd' : '' }
      expect((await send('POST', base, { body })).line).toBe(
        `400 {"message":"Maximum number of application commands reached (${limit})","code":30032}`,
      )
    }
  })

  it('[8-01] a list longer than all limits together: an invalid body', async ({ send }) => {
    const { status, body } = await send('PUT', guildBase, { body: commands(131) })
    const error = errorNode('BASE_TYPE_MAX_LENGTH', 'Must be 130 or fewer in length.')
    expect([status, body]).toEqual([400, invalidBody(error)])
  })

  /** Uses up the creates of a day; two commands are left. */
  async function createAll({ send }: Service): Promise<void> {
    for (const prefix of ['a', 'b']) {
      const body = commands(100).map((command) => ({ ...command, name: prefix + command.name }))
      expect((await send('PUT', base, { body })).status).toBe(200)
    }
    await send('PUT', base, { body: ['bc0', 'bc1'].map((name) => ({ name, description: 'd' })) })
  }

  it('[8-02] [7-01] too many creates in a day: 429, code 30034, without headers that delay updates', async () => {
    const clock = handClock(Date.UTC(2026, 4, 5, 23, 53, 59, 81))
    const rateLimit = { limit: 100, seconds: 60, clock }
    const world = service({ registryOptions: { clock }, rateLimit })
    const { send } = world
    await createAll(world)
    const { line, headers } = await send('POST', base, { body: hello })
    expect(line).toBe(
      '429 {"message":"Max number of daily application command creates has been reached (200)","code":30034,"retry_after":360.919,"global":false}',
    )
    const expected = { 'content-type': 'application/json', 'retry-after': '361', via: '1.1 commandry' }
    expect(Object.fromEntries(headers)).toEqual(expected)
    const updated = await send('POST', base, { body: { ...hello, name: 'bc1' } })
    expect([updated.status, updated.headers.get('x-ratelimit-remaining')]).toEqual([200, '98'])
    clock.advance(360_919)
    expect((await send('POST', base, { body: hello })).status).toBe(201)
  })

  it('[4.2-07] [7-01] an edit to a name in use: 400, code 40041', async ({ send }) => {
    const { body } = await send('POST', base, { body: hello })
    await send('POST', base, { body: { ...hello, name: 'salute' } })
    const { line } = await send('PATCH', `${base}/${body.id}`, { body: { name: 'salute' } })
    expect(line).toBe('400 {"message":"An application command with that name already exists","code":40041}')
  })

  it('[4.1-07] [7-01] an overwrite without the entry point: 400, code 50240', async ({ send, registry }) => {
    await registry.enableActivities(EMBEDDED_APP)
    const path = `/applications/${EMBEDDED_APP}/commands`
    expect((await send('PUT', path, { authorization: 'Bot game', body: [hello] })).line).toBe(
      `400 {"message":"You cannot remove this app's Entry Point command in a bulk update operation. Please include the Entry Point command in your update request or delete it separately.","code":50240}`,
    )
  })

  it('[2.1-19] [7-01] a handler on another type: 400 at the handler', async ({ send }) => {
    for (const fields of [hello, { name: 'Launch', type: 4 }]) {
      const refused = await send('POST', base, { body: { ...fields, handler: 1 } })
      expect([refused.status, Object.keys(refused.body.errors)]).toEqual([400, ['handler']])
    }
  })

  it('[2.4-13] [7-01] autocomplete together with choices: 400 at the option', async ({ send }) => {
    const choices = [{ name: 'x', value: 'y' }]
    const option = { type: 3, name: 'a', description: 'b', autocomplete: true, choices }
    const { status, body } = await send('POST', base, { body: { ...hello, options: [option] } })
    expect([status, Object.keys(body.errors.options)]).toEqual([400, ['0']])
  })

  it('[7-01] every problem of every command at once, each at its path, indices as keys', async ({ send }) => {
    const option = { type: 3, name: 'Bad Name', description: '' }
    const other = { ...hello, name: 'other', options: [{ ...option, description: 'd' }, option] }
    const { status, body } = await send('PUT', base, { body: [hello, { name: 'ok' }, other] })
    expect([status, body.message, body.code]).toEqual([400, 'Invalid Form Body', 50035])
    const missing = errorNode('BASE_TYPE_REQUIRED', 'This field is required')
    expect(body.errors[1]).toEqual({ description: missing })
    expect(Object.keys(body.errors)).toEqual(['1', '2'])
    expect(Object.keys(body.errors[2].options)).toEqual(['0', '1'])
    const length = errorNode('BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 100 in length.')
    expect(body.errors[2].options[1].description).toEqual(length)
  })
})

describe('responds to failures of the service', () => {
  const failing = (cause: unknown) => storeWith(() => Promise.reject(cause))

  it('a failing store: 503, after which the request can be repeated', async () => {
    const errors: unknown[] = []
    const { send } = service({
      registryOptions: { store: failing(new Error('disk full, said /var/lib')) },
      onError: (error) => errors.push(error),
    })
    const { line, headers } = await send('POST', base, { body: hello })
    expect(line).toBe(
      '503 {"message":"503: Service Unavailable. The change may have been written; repeating the request is safe","code":0}',
    )
    expect(headers.get('retry-after')).toBe('1')
    expect(errors).toEqual([expect.any(RegistryError)])
  })

  it.each([
    ['constant concurrent writes', storeWith(async () => ({ ok: false }))],
    ['a refused write', failing(Object.assign(new Error('read-only'), { mayHaveHappened: false }))],
  ])('[7-01] %s: 503 that states that nothing was written', async (_, store) => {
    const { send } = service({ registryOptions: { store, attempts: 1 }, onError: () => {} })
    const answers = [await send('POST', base, { body: hello }), await send('PUT', base, { body: [hello] })]
    for (const { status, body } of answers)
      expect([status, body.message]).toEqual([503, '503: Service Unavailable. Nothing was written'])
  })

  it('[7-01] a failed read: 503 that states nothing about writes', async () => {
    const store: Store = { ...memoryStore(), read: () => Promise.reject(new Error('down')) }
    const { send } = service({ registryOptions: { store }, onError: () => {} })
    for (const method of ['GET', 'HEAD']) expect((await send(method, base)).status).toBe(503)
    expect((await send('GET', base)).body.message).toBe('503: Service Unavailable')
  })

  it('an unexpected error: 500 without details, even when onError throws', async ({ registry }) => {
    const list = () => Promise.reject(new TypeError('secret'))
    const { send } = service({
      registry: Object.assign(Object.create(registry), { list }),
      onError: () => {
        throw new Error('no log')
      },
    })
    expect((await send('GET', base)).line).toBe('500 {"message":"500: Internal Server Error","code":0}')
  })
})
