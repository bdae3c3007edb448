import { CommandRegistry, PermissionFlag } from 'commandry'
import { openAccess, tokenDirectory, type TokenEntry } from 'commandry/http'
import { describe, expect, vi, onTestFinished } from 'vitest'
import { APP, base, FOREIGN_GUILD, GUILD, guildBase, OTHER_APP, OTHER_GUILD, USER } from './ids.ts'
import { handClock } from '../../support/clock.ts'
import { service, it } from './service.ts'
import { hello } from '../../support/fixtures.ts'
import { createExchange, handlerOf } from '../../support/handlers.ts'
import { worldRoutes } from '../../support/service-tables.ts'
import { World } from '../../support/worlds.ts'

describe('tokens', () => {
  it.for([
    ['none', null],
    ['an unknown one', 'Bot nobody'],
    ['an unknown bearer', 'Bearer nobody'],
    ['the token of a bearer as a bot', 'Bot update'],
    ['the token of a bot as a bearer', 'Bearer bot'],
    ['another scheme', 'Basic bot'],
    ['no scheme', 'bot'],
    ['a scheme alone', 'Bot '],
    ['a scheme without a space', 'Bot'],
    ['the start of a token', 'Bot bo'],
    ['a longer token', 'Bot botbot'],
    ['nothing', ''],
  ] as const)('[5-01] respond with 401 to %s', async ([, authorization], { send }) => {
    const { line, headers } = await send('GET', base, { authorization })
    expect(line).toBe('401 {"message":"401: Unauthorized","code":0}')
    expect(headers.get('www-authenticate')).toBe('Bot, Bearer')
  })

  it('[5-01] responds with 401 and the schemes to a bearer on the routes of servers', async () => {
    const world = new World([], handClock(0))
    const options = { registry: new CommandRegistry(), authenticate: openAccess(), world }
    const exchange = createExchange(options, worldRoutes)
    const request = new Request('http://service.test/api/v10/users/1', {
      headers: { authorization: 'Bearer x' },
    })
    const { status, headers: sent } = await handlerOf(exchange)(request)
    expect([status, sent.get('www-authenticate')]).toEqual([401, 'Bot, Bearer'])
  })

  it('[5-01] allow bots and client credentials to read, write and delete commands', async () => {
    for (const authorization of ['Bot bot', 'Bearer update', 'bot bot', 'BEARER  update']) {
      const { send } = service()
      const { status, body } = await send('POST', base, { authorization, body: hello })
      expect(status).toBe(201)
      const one = `${base}/${body.id}`
      expect((await send('GET', base, { authorization })).status).toBe(200)
      expect((await send('GET', one, { authorization })).status).toBe(200)
      expect((await send('PATCH', one, { authorization, body: { nsfw: true } })).status).toBe(200)
      expect((await send('PUT', base, { authorization, body: [hello] })).status).toBe(200)
      expect((await send('DELETE', one, { authorization })).status).toBe(204)
    }
  })

  it('[5-01] allow any bearer token of the app to read commands and permissions', async ({ send }) => {
    const { body } = await send('POST', guildBase, { body: hello })
    const permissions = { permissions: [{ id: USER, type: 2, permission: true }] }
    const ofCommand = `${guildBase}/${body.id}/permissions`
    await send('PUT', ofCommand, { authorization: 'Bearer manager', body: permissions })
    for (const path of [base, guildBase, `${guildBase}/${body.id}`, `${guildBase}/permissions`, ofCommand]) {
      for (const authorization of ['Bearer nothing', 'Bearer manager', 'Bearer update'])
        expect([path, (await send('GET', path, { authorization })).status]).toEqual([path, 200])
    }
    expect((await send('GET', base, { authorization: 'Bearer unknown' })).status).toBe(401)
  })

  it('[5-01] respond with 403 and code 50026 to writes of a bearer without the scope', async ({ send }) => {
    for (const [method, path, body] of [
      ['POST', base, hello],
      ['PUT', guildBase, []],
      ['PATCH', `${base}/1`, {}],
      ['DELETE', `${base}/1`],
      ['DELETE', `${guildBase}/1`],
    ] as const) {
      for (const authorization of ['Bearer nothing', 'Bearer manager']) {
        const { line } = await send(method, path, { authorization, body })
        expect(line).toBe('403 {"message":"Missing required OAuth2 scope","code":50026}')
      }
    }
  })

  it('[5-01] respond with 403 and code 20012 to a token of another application', async ({ send }) => {
    const expected =
      '403 {"message":"You are not authorized to perform this action on this application","code":20012}'
    for (const path of [base, guildBase, `${base}/1`, `${guildBase}/permissions`])
      expect((await send('GET', path, { authorization: 'Bot other' })).line).toBe(expected)
    const refused = await send('PUT', `/applications/${OTHER_APP}/guilds/${GUILD}/commands/1/permissions`, {
      authorization: 'Bearer manager',
      body: { permissions: [] },
    })
    expect(refused.line).toBe(expected)
  })
})

describe('[5-02] editing permissions', () => {
  it.for([
    ['responds with 403 and code 50026 to a bearer without the scope', 'update', GUILD, 403, 50026],
    ['allows a user who can manage the guild and its roles', 'manager', GUILD, 200, undefined],
    ['allows an administrator', 'administrator', GUILD, 200, undefined],
    ['responds with 403 and code 50013 to one who can manage only the guild', 'moderator', GUILD, 403, 50013],
    [
      'responds with 403 and code 50013 to one who can manage only roles',
      'moderator',
      OTHER_GUILD,
      403,
      50013,
    ],
    ['responds with 403 and code 50013 to the manager of another guild', 'manager', OTHER_GUILD, 403, 50013],
  ] as const)('[5-02] %s', async ([, token, guildId, status, code], { send }) => {
    const commands = `/applications/${APP}/guilds/${guildId}/commands`
    const { body } = await send('POST', commands, { body: hello })
    const answer = await send('PUT', `${commands}/${body.id}/permissions`, {
      authorization: `Bearer ${token}`,
      body: { permissions: [{ id: '1', type: 1, permission: true }] },
    })
    expect([answer.status, answer.body.code]).toEqual([status, code])
  })

  it('[5-02] [7-01] responds to bots with 403, not 401, and code 20001', async ({ send }) => {
    const { line } = await send('PUT', `${guildBase}/1/permissions`, { body: { permissions: [] } })
    expect(line).toBe('403 {"message":"Bots cannot use this endpoint","code":20001}')
  })

  it('[5-02] responds with 403 and code 50013 to a token without a user', async () => {
    const scopes = ['applications.commands.permissions.update']
    const { send } = service({ authenticate: () => ({ type: 'Bearer', applicationId: APP, scopes }) })
    const { line } = await send('PUT', `${guildBase}/1/permissions`, { body: { permissions: [] } })
    expect(line).toBe('403 {"message":"You lack permissions to perform that action","code":50013}')
  })
})

describe('the first of several problems', () => {
  const wrong = 'abc'
  const foreign = `/applications/${APP}/guilds/${FOREIGN_GUILD}/commands`
  it.for([
    ['404 before 405', 'PUT', '/applications', null, 404, 0],
    ['404 before 401', 'GET', '/nothing', null, 404, 0],
    ['405 before 401', 'PATCH', base, null, 405, 0],
    ['401 before 400 of the path', 'GET', `/applications/${wrong}/commands`, null, 401, 0],
    ['401 before 400 of the body', 'POST', base, null, 401, 0],
    ['400 of the path before 403', 'GET', `/applications/${wrong}/commands`, 'Bot other', 400, 50035],
    ['403 other application before a bot', 'PUT', `${guildBase}/1/permissions`, 'Bot other', 403, 20012],
    ['403 before 400 of the query', 'GET', `${base}?with_localizations=2`, 'Bot other', 403, 20012],
    ['403 before 400 of the body', 'POST', base, 'Bearer nothing', 403, 50026],
    ['400 of the body type before 404 of the command', 'PATCH', `${base}/1`, 'Bot bot', 400, 50035],
    ['404 of the application', 'GET', '/applications/100100100100100199/commands', 'Bot gone', 404, 10002],
    ['403 of the guild before 404 of the command', 'GET', `${foreign}/1`, 'Bot bot', 403, 50001],
  ] as const)(
    '[5-01] [7-01] is reported: %s',
    async ([, method, path, authorization, status, code], { send }) => {
      const answer = await send(method, path, { authorization })
      expect([answer.status, answer.body.code]).toEqual([status, code])
    },
  )

  it('[7-01] is reported: invalid JSON, then the guild, then an invalid body', async ({ send }) => {
    expect((await send('POST', foreign, { body: '{' })).body.code).toBe(50109)
    expect((await send('POST', foreign, { body: {} })).body.code).toBe(50001)
  })

  it('[7-01] is reported: wrong permissions, an unknown command, then a wrong edit', async ({ send }) => {
    const permissions = await send('PUT', `${guildBase}/1/permissions`, {
      authorization: 'Bearer manager',
      body: {},
    })
    expect(permissions.body.code).toBe(50035)
    expect((await send('PATCH', `${base}/1`, { body: { name: 5 } })).body.code).toBe(10063)
  })
})

const SECRET = 'MTAwMQ.secret.0123456789'

describe('tokenDirectory', () => {
  const place = { applicationId: null, guildId: null }

  it('[5-03] finds each token of a list at any position', () => {
    const entries: TokenEntry[] = Array.from({ length: 40 }, (_, i) => ({
      type: i % 2 === 0 ? 'Bot' : 'Bearer',
      token: `token-${'x'.repeat(i % 7)}${i}`,
      applicationId: String(1000 + i),
    }))
    const authenticate = tokenDirectory(entries)
    for (const { type, token, applicationId } of entries) {
      expect(authenticate({ type, token }, place)).toMatchObject({ type, applicationId })
      for (const other of [`${token}0`, token.slice(1), token.toUpperCase(), `${token}${token}`])
        expect(authenticate({ type, token: other }, place)).toBe(undefined)
    }
  })

  it.for([
    ['tokens alone', SECRET],
    ['an object keyed by tokens', { [SECRET]: { type: 'Bot', applicationId: APP } }],
    ['a token in the type', { type: `Bot ${SECRET}`, token: SECRET, applicationId: APP }],
    ['a token in place of an id', { type: 'Bot', token: SECRET, applicationId: SECRET }],
    ['a token with a space', { type: 'Bot', token: `${SECRET} `, applicationId: APP }],
  ])('refuses %s, and never shows a token', ([, entry]) => {
    expect(() => tokenDirectory([entry as never])).toThrow(/^tokens\[0\](\.\w+)?: expected (?!.*secret)/)
  })

  it('[5-03] compares every entry to the end of the given token, found or not', () => {
    const looks: number[] = []
    const spy = vi.spyOn(String.prototype, 'charCodeAt')
    onTestFinished(() => spy.mockRestore())
    const authenticate = tokenDirectory([
      { type: 'Bot', token: 'first-token', applicationId: '1' },
      { type: 'Bot', token: 'second', applicationId: '2' },
    ])
    for (const token of ['first-token', 'nothing-abc', 'second-5678']) {
      spy.mockClear()
      authenticate({ type: 'Bot', token }, place)
      looks.push(spy.mock.calls.length)
    }
    expect(new Set(looks).size).toBe(1)
    expect(looks[0]).toBeGreaterThanOrEqual(2 * 'first-token'.length)
  })

  it('[5-03] accepts tokens of up to 1024 characters, and does not compare longer ones', () => {
    const longest = 'x'.repeat(1024)
    const entries: TokenEntry[] = Array.from({ length: 500 }, (_, i) => ({
      type: 'Bot',
      token: `${longest.slice(4)}${1000 + i}`,
      applicationId: '7',
    }))
    const authenticate = tokenDirectory(entries)
    const found = authenticate({ type: 'Bot', token: entries[9]!.token }, place)
    expect(found).toMatchObject({ applicationId: '7' })
    expect(() => tokenDirectory([{ ...entries[0]!, token: `${longest}x` }])).toThrow(
      /tokens\[0\]\.token: expected a text of 1 to 1024/,
    )
    const comparisons = vi.spyOn(String.prototype, 'charCodeAt')
    onTestFinished(() => comparisons.mockRestore())
    expect(authenticate({ type: 'Bot', token: 'x'.repeat(2 ** 24) }, place)).toBe(undefined)
    expect(comparisons).not.toHaveBeenCalled()
  })

  it('accepts the spelling of the configuration file', () => {
    const authenticate = tokenDirectory([{ type: 'Bot', token: 'a', application_id: '7' }])
    const principal = { type: 'Bot', applicationId: '7' }
    expect(authenticate({ type: 'Bot', token: 'a' }, place)).toEqual(principal)
  })

  it.each([
    [{ applicationId: 'x' }, /tokens\[0\]\.applicationId: expected a snowflake/],
    [{ token: 'ge heim' }, /tokens\[0\]\.token: expected a text of 1 to 1024/],
    [{ token: '' }, /tokens\[0\]\.token/],
    [{ type: 'User' }, /tokens\[0\]\.type/],
    [{ type: 'Bearer', scopes: new Set(['all']) }, /tokens\[0\]\.scopes: .* got a Set/],
    [{ type: 'Bearer', scopes: ['a b'] }, /tokens\[0\]\.scopes\[0\]/],
    [{ type: 'Bearer', user: { id: 'me' } }, /tokens\[0\]\.user\.id/],
    [
      { type: 'Bearer', user: { id: '2', guilds: { 5: { permissions: '0x8' } } } },
      /tokens\[0\]\.user\.guilds\.5\.permissions/,
    ],
  ])('[5-03] %# reports an invalid entry without its token', (fields, message) => {
    const entry = { type: 'Bot', token: 'geheim', applicationId: '1', ...fields }
    const make = () => tokenDirectory([entry as TokenEntry])
    expect(make).toThrow(TypeError)
    expect(make).toThrow(message)
    expect(make).not.toThrow(/geheim|ge heim/)
  })
})

describe('openAccess', () => {
  it('accepts any token for the application in the path', async () => {
    const { send } = service({ authenticate: openAccess() })
    for (const authorization of ['Bot anything', 'Bearer something']) {
      const path = `/applications/${OTHER_APP}/commands`
      expect((await send('PUT', path, { authorization, body: [hello] })).status).toBe(200)
    }
    expect((await send('GET', base, { authorization: null })).status).toBe(401)
  })

  it('[5-02] allows a bearer, but not a bot, to edit permissions', async () => {
    const { send } = service({ authenticate: openAccess() })
    const { body } = await send('POST', guildBase, { body: hello })
    const path = `${guildBase}/${body.id}/permissions`
    const permissions = [{ id: USER, type: 2, permission: true }]
    expect((await send('PUT', path, { body: { permissions } })).status).toBe(403)
    expect((await send('PUT', path, { authorization: 'Bearer me', body: { permissions } })).status).toBe(200)
  })

  it('uses the application of the token when the path has none', async () => {
    const { send } = service({ authenticate: openAccess(), applications: { get: () => ({}) } })
    const idFor = async (token: string) =>
      (await send('GET', '/applications/@me', { authorization: `Bot ${token}` })).body.id
    expect(await idFor(`${btoa(APP)}.Gabcde.secret`)).toBe(APP)
    expect(await idFor('whatever')).toBe('1000000000000000000')
    const { body: user } = await send('GET', '/users/@me', { authorization: 'Bearer whatever' })
    expect(user.id).toBe('1000000000000000001')
  })
})

it('[5-03] responds with 500 to a failing authenticate, and only onError gets its error', async () => {
  const errors: unknown[] = []
  const failure = new Error('the token store is down; asked for bot')
  const { send } = service({
    authenticate: () => Promise.reject(failure),
    onError: (error) => errors.push(error),
  })
  expect((await send('GET', base)).line).toBe('500 {"message":"500: Internal Server Error","code":0}')
  expect(errors).toEqual([failure])
})

const { BAN_MEMBERS, MANAGE_GUILD, MANAGE_ROLES, USE_APPLICATION_COMMANDS } = PermissionFlag
const both = MANAGE_GUILD | MANAGE_ROLES

/** A service whose bearer tokens are of a user with these permissions. */
function managedBy(permissions: bigint) {
  const scopes = ['applications.commands.permissions.update']
  const guilds = { [GUILD]: { permissions: String(permissions) } }
  return service({
    authenticate: (credentials, place) =>
      credentials.type === 'Bot'
        ? openAccess()(credentials, place)
        : { type: 'Bearer', applicationId: APP, scopes, user: { id: USER, guilds } },
  })
}

describe('[5-02] a manager of permissions', () => {
  const all = both | USE_APPLICATION_COMMANDS
  const forBanners = { default_member_permissions: String(BAN_MEMBERS) }
  const closed = { default_member_permissions: '0' }
  const entry = (id: string, type: number, permission: boolean) => ({ id, type, permission })
  const everyone = (permission: boolean) => entry(GUILD, 1, permission)

  it.each<[string, bigint, fields: object, before: object | null, status: number]>([
    ['without its default permissions', all, forBanners, null, 403],
    ['with its default permissions', all | BAN_MEMBERS, forBanners, null, 200],
    ['with an entry that denies it', both, {}, entry(USER, 2, false), 403],
    ['with default permissions that nobody has', all, closed, null, 403],
    ['with an entry for @everyone', all, closed, everyone(true), 200],
    ['with an entry for a role they may have', all, closed, entry('5001', 1, true), 200],
    ['with an entry that denies @everyone', all, {}, everyone(false), 403],
    ['unknown to have USE_APPLICATION_COMMANDS', both, closed, null, 200],
    ['unknown to be denied as @everyone', both, {}, everyone(false), 200],
    ['known to lack MANAGE_ROLES', MANAGE_GUILD, {}, null, 403],
  ])('[5-02] must be able to run the command: %s', async (_, permissions, fields, before, status) => {
    const { send, registry } = managedBy(permissions)
    const { body: created } = await send('POST', base, { body: { ...hello, ...fields } })
    if (before !== null) await registry.setPermissions(APP, GUILD, created.id, [before])
    const { status: answered, body } = await send('PUT', `${guildBase}/${created.id}/permissions`, {
      authorization: 'Bearer user',
      body: { permissions: [entry('7', 2, true)] },
    })
    expect([answered, body.code]).toEqual([status, status === 200 ? undefined : 50013])
  })
})
