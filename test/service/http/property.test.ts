import { validateCommand, validateCommands, validatePermissions } from 'commandry'
import { toErrorBody } from 'commandry/http'
import { rules } from 'commandry/reference'
import type { Validation } from 'commandry'
import { command, commandSet, permissions } from 'commandry/arbitraries'
import { describe, expect } from 'vitest'
import { exchangeOf } from '../../support/handlers.ts'
import { APP, base, GUILD, guildBase } from './ids.ts'
import { applications, service, type Answered, it } from './service.ts'
import { fc, forAnyAsync } from '../../support/properties.ts'

const statuses = [200, 201, 204, 400, 401, 403, 404, 405, 413, 429]

function wellFormed({ status, body, text, headers }: Answered, method: string): void {
  expect(statuses).toContain(status)
  if (method === 'HEAD' || status === 204) expect(text).toBe('')
  else if (status < 400) expect(typeof body).toBe('object')
  else {
    expect(body).toMatchObject({ code: expect.any(Number), message: expect.any(String) })
    if (body.errors !== undefined) wellFormedTree(body.errors)
  }
  if (status === 405) expect(headers.get('allow')).toMatch(/OPTIONS$/)
}

/** Clients read the tree of errors recursively: each node has either errors or children. */
function wellFormedTree(node: any): void {
  if ('_errors' in node) {
    expect(Object.keys(node)).toEqual(['_errors'])
    expect(node._errors.length).toBeGreaterThan(0)
    for (const error of node._errors)
      expect(error).toEqual({ code: expect.any(String), message: expect.any(String) })
  } else {
    expect(Object.keys(node).length).toBeGreaterThan(0)
    for (const child of Object.values(node)) {
      expect(child).toBeTypeOf('object')
      wellFormedTree(child)
    }
  }
}

const id = fc.oneof(
  fc.constantFrom(APP, GUILD, '1', '0', '18446744073709551616', '@me', 'permissions', '', '01', '-1'),
  fc.string({ maxLength: 8 }),
)
const path = fc.oneof(
  fc
    .tuple(id, fc.constantFrom('', '/guilds'), id, id, fc.constantFrom('', '/permissions', '/'))
    .map(([app, guilds, guild, one, end]) =>
      [`/applications/${app}`, guilds && `${guilds}/${guild}`, '/commands', one && `/${one}`, end].join(''),
    ),
  fc.constantFrom('/users/@me', '/gateway', '/gateway/bot', '/applications/@me', '/oauth2/applications/@me'),
  fc.webPath(),
  fc.string({ maxLength: 40 }),
)
const query = fc.oneof(
  fc.constant(''),
  fc.webQueryParameters(),
  fc.constantFrom('with_localizations=%', '&&=&', '?'),
)
const tokens = ['Bot bot', 'Bearer update', 'Bearer manager', 'Bot other', 'Bearer nothing', '', 'x']
const token = fc.constantFrom(...tokens)
const method = fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS')
const type = fc.constantFrom('application/json', 'application/json; charset=utf-8', 'text/plain', '')
const headerText = fc.string({ unit: fc.constantFrom(...'abcXYZ019,;=*-_ "'), maxLength: 30 })
const text = fc.oneof(
  fc.json(),
  command().map((body) => JSON.stringify(body)),
  commandSet().map((bodies) => JSON.stringify(bodies)),
  permissions().map((entries) => JSON.stringify({ permissions: entries })),
  fc.string(),
)

it('[7-01] any request gets a well-formed response below 500 from the handler', async () => {
  const { fetch } = service({ rateLimit: { limit: 40, seconds: 3600 } })
  const names = ['accept-language', 'x-service-locale', 'x-audit-log-reason', 'origin']
  const headers = fc.dictionary(fc.constantFrom(...names), headerText)
  const request = fc.record({ method, path, query, token, type, headers, body: text })
  await forAnyAsync([request], 600, async ({ method, path, query, token, type, headers, body }) => {
    const carries = method !== 'GET' && method !== 'HEAD'
    const sent = new Request(`http://service.test/api/v10${path}?${query}`, {
      method,
      headers: { ...headers, authorization: token, 'content-type': type },
      ...(carries ? { body } : undefined),
    })
    wellFormed(await fetch(sent), method)
  })
})

it('[7-01] any request gets one from the listener, with any method, path and bytes', async () => {
  const { handler } = service({ maxBodyBytes: 200 })
  const exchange = exchangeOf(handler)!
  const others = fc.constantFrom('TRACE', 'CONNECT', 'get', '')
  const names = ['authorization', 'content-type', 'accept-language', 'x-discord-locale']
  const failures = fc.constantFrom('body_broken', 'body_timed_out', 'body_too_large')
  const request = fc.record({
    method: fc.oneof(method, others, fc.string({ maxLength: 8 })),
    path: fc.oneof(
      path.map((below) => `/api/v10${below}`),
      fc.string(),
      fc.constantFrom('*', '/api/v10/%zz/%', ''),
    ),
    query: fc.oneof(query, fc.string()),
    headers: fc.dictionary(fc.constantFrom(...names), fc.oneof(token, type, fc.string())),
    bytes: fc.oneof(fc.uint8Array({ maxLength: 300 }), failures),
  })
  await forAnyAsync([request], 600, async ({ method, path, query, headers: given, bytes }) => {
    const { status, headers, body } = await exchange({
      ...{ method, path, query, raw: null },
      header: (name) => (Object.hasOwn(given, name) ? given[name]! : null),
      body: async () => bytes as Uint8Array,
      isAborted: () => false,
      abandon: () => {},
    })
    expect([...statuses, 408]).toContain(status)
    expect(body === null).toBe(status === 204 || method === 'HEAD')
    if (body !== null) expect(headers['Content-Type']).toBe('application/json')
    const json = typeof body === 'string' ? JSON.parse(body) : undefined
    if (status >= 400 && json !== undefined) expect(json.code).toBeTypeOf('number')
  })
})

describe('the service accepts exactly the bodies that the validators accept', () => {
  const application = applications[0]!
  const sent = (body: unknown) => JSON.parse(JSON.stringify(body)) as unknown
  const anything = fc.jsonValue({ maxDepth: 3 })
  /** Bodies that each break one of the rules. */
  const breaking = (bodies: fc.Arbitrary<any>, broken: typeof rules) =>
    fc
      .tuple(bodies, fc.constantFrom(...broken), fc.nat())
      .map(([body, rule, seed]) => sent(rule.breaks(body, (count) => seed % count).body))
  const manager = 'Bearer manager'

  function expectSame({ status, body }: Answered, validation: Validation<unknown>) {
    if (validation.ok) expect(status).toBeLessThan(300)
    else expect([status, body]).toEqual([400, sent(toErrorBody(validation.issues))])
  }

  it.each([
    ['global', base],
    ['guild', guildBase],
  ] as const)('[7-01] for one %s command', async (scope, path) => {
    const broken = breaking(
      command({ scope }),
      rules.filter(({ on, level }) => on === 'command' && level === 'error'),
    )
    await forAnyAsync([fc.oneof(command({ scope }).map(sent), broken, anything)], 250, async (body) => {
      const { send } = service()
      expectSame(
        await send('POST', path, { body: JSON.stringify(body) }),
        validateCommand(body, { scope, application }),
      )
    })
  })

  it('[7-01] for a list', async () => {
    const broken = breaking(
      commandSet({ scope: 'guild', maxCommands: 3 }),
      rules.filter(({ on, code }) => on === 'commands' && !code.startsWith('commands.count_')),
    )
    await forAnyAsync(
      [fc.oneof(commandSet({ scope: 'guild' }).map(sent), broken, anything)],
      150,
      async (body) => {
        const { send } = service()
        expectSame(
          await send('PUT', guildBase, { body: JSON.stringify(body) }),
          validateCommands(body, { scope: 'guild', application }),
        )
      },
    )
  })

  it('[7-01] for permissions', async ({ send }) => {
    const { body: made } = await send('POST', guildBase, { body: { name: 'a', description: 'b' } })
    const path = `${guildBase}/${made.id}/permissions`
    await forAnyAsync([fc.oneof(permissions(), anything)], 150, async (entries) => {
      const body = sent({ permissions: entries })
      expectSame(await send('PUT', path, { authorization: manager, body }), validatePermissions(body))
    })
  })
})
