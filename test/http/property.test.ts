import fc from 'fast-check'
import { rules, toErrorBody, validateCommand, validateCommands, validatePermissions } from 'commandry'
import { command, commandSet, permissions } from 'commandry/arbitraries'
import { describe, expect } from 'vitest'
import { exchangeOf } from '../../src/http/web-handler.ts'
import type { Incoming } from '../../src/core/http-message.ts'
import { answered, APP, applications, base, GUILD, guildBase, service, type Answered, it } from './service.ts'

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
    for (const error of node._errors) {
      expect(error).toEqual({ code: expect.any(String), message: expect.any(String) })
    }
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
const token = fc.constantFrom(
  'Bot bot',
  'Bearer update',
  'Bearer manager',
  'Bot other',
  'Bearer nothing',
  '',
  'x',
)
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

describe('any request', () => {
  it('[7-01] gets a well-formed response below 500 from the handler', async () => {
    const { handler } = service({ rateLimit: { limit: 40, seconds: 3600 } })
    const headers = fc.record(
      {
        'accept-language': headerText,
        'x-service-locale': headerText,
        'x-audit-log-reason': headerText,
        origin: headerText,
      },
      { requiredKeys: [] },
    )
    await fc.assert(
      fc.asyncProperty(
        method,
        path,
        query,
        token,
        type,
        headers,
        text,
        async (...[m, p, q, t, c, h, body]) => {
          const carries = m !== 'GET' && m !== 'HEAD'
          const request = new Request(`http://service.test/api/v10${p}?${q}`, {
            method: m,
            headers: { ...h, authorization: t, 'content-type': c },
            ...(carries ? { body } : undefined),
          })
          wellFormed(await answered(await handler(request)), m)
        },
      ),
      { numRuns: 600 },
    )
  })

  it('[7-01] gets one from the listener, with any method, path and bytes', async () => {
    const { handler } = service({ maxBodyBytes: 200 })
    const exchange = exchangeOf(handler)!
    const anyMethod = fc.oneof(
      method,
      fc.constantFrom('TRACE', 'CONNECT', 'get', ''),
      fc.string({ maxLength: 8 }),
    )
    await fc.assert(
      fc.asyncProperty(
        anyMethod,
        fc.oneof(
          path.map((below) => `/api/v10${below}`),
          fc.string(),
          fc.constantFrom('*', '/api/v10/%zz/%', ''),
        ),
        fc.oneof(query, fc.string()),
        fc.dictionary(
          fc.constantFrom('authorization', 'content-type', 'accept-language', 'x-discord-locale'),
          fc.oneof(token, type, fc.string()),
        ),
        fc.oneof(
          fc.uint8Array({ maxLength: 300 }),
          fc.constantFrom('body_broken', 'body_timed_out', 'body_too_large'),
        ),
        async (m, p, q, h, bytes) => {
          const incoming: Incoming = {
            method: m,
            path: p,
            query: q,
            header: (name) => (Object.hasOwn(h, name) ? h[name]! : null),
            body: async () => bytes as Uint8Array,
            abandon: () => {},
          }
          const { status, headers, body } = await exchange(incoming)
          expect([...statuses, 408]).toContain(status)
          expect(body === null).toBe(status === 204 || m === 'HEAD')
          if (body !== null) expect(headers['Content-Type']).toBe('application/json')
          const json = typeof body === 'string' ? JSON.parse(body) : undefined
          if (status >= 400 && json !== undefined) expect(json.code).toBeTypeOf('number')
        },
      ),
      { numRuns: 600 },
    )
  })
})

describe('the service accepts exactly the bodies that the validators accept', () => {
  const application = applications[0]!
  const sent = (body: unknown) => JSON.parse(JSON.stringify(body)) as unknown
  const anything = fc.jsonValue({ maxDepth: 3 })
  const manager = 'Bearer manager'

  async function same(
    answer: Answered,
    validation:
      | ReturnType<typeof validateCommands>
      | ReturnType<typeof validateCommand>
      | ReturnType<typeof validatePermissions>,
  ) {
    if (validation.ok) expect(answer.status).toBeLessThan(300)
    else {
      expect(answer.status).toBe(400)
      expect(answer.body).toEqual(sent(toErrorBody(validation.issues)))
    }
  }

  it.each([
    ['global', base],
    ['guild', guildBase],
  ] as const)('[7-01] for one %s command', async (scope, path) => {
    const broken = fc
      .tuple(
        command({ scope }),
        fc.constantFrom(...rules.filter(({ on, level }) => on === 'command' && level === 'error')),
        fc.nat(),
      )
      .map(([body, rule, seed]) => sent(rule.breaks(body, (count) => seed % count).body))
    await fc.assert(
      fc.asyncProperty(fc.oneof(command({ scope }).map(sent), broken, anything), async (body) => {
        const { send } = service()
        await same(
          await send('POST', path, { body: JSON.stringify(body) }),
          validateCommand(body, { scope, application }),
        )
      }),
      { numRuns: 250 },
    )
  })

  it('[7-01] for a list', async () => {
    const broken = fc
      .tuple(
        commandSet({ scope: 'guild', maxCommands: 3 }),
        fc.constantFrom(
          ...rules.filter(({ on, code }) => on === 'commands' && !code.startsWith('commands.count_')),
        ),
        fc.nat(),
      )
      .map(([bodies, rule, seed]) => sent(rule.breaks(bodies, (count) => seed % count).body))
    await fc.assert(
      fc.asyncProperty(fc.oneof(commandSet({ scope: 'guild' }).map(sent), broken, anything), async (body) => {
        const { send } = service()
        await same(
          await send('PUT', guildBase, { body: JSON.stringify(body) }),
          validateCommands(body, { scope: 'guild', application }),
        )
      }),
      { numRuns: 150 },
    )
  })

  it('[7-01] for permissions', async ({ send, registry }) => {
    const [made] = await registry.overwrite({ kind: 'guild', applicationId: APP, guildId: GUILD }, [
      { name: 'a', description: 'b' },
    ])
    const path = `${guildBase}/${made!.id}/permissions`
    await fc.assert(
      fc.asyncProperty(fc.oneof(permissions(), anything), async (entries) => {
        const body = sent({ permissions: entries })
        await same(await send('PUT', path, { authorization: manager, body }), validatePermissions(body))
      }),
      { numRuns: 150 },
    )
  })
})
