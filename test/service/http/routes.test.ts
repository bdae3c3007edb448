import { describe, expect } from 'vitest'
import type { RegistryEvent } from 'commandry'
import { APP, base, EMBEDDED_APP, FOREIGN_GUILD, GUILD, guildBase, OTHER_GUILD, USER } from './ids.ts'
import { service, it, errorNode } from './service.ts'
import { hello } from '../../support/fixtures.ts'

const manager = 'Bearer manager'

describe.each([
  {
    where: 'global',
    path: base,
    section: '4.1',
    scope: { dm_permission: true, contexts: null, integration_types: [0, 1] },
  },
  { where: 'guild', path: guildBase, section: '4.2', scope: { guild_id: GUILD } },
])('$where commands', ({ path, section, scope }) => {
  const registered = {
    id: expect.stringMatching(/^[0-9]+$/),
    application_id: APP,
    version: expect.stringMatching(/^[0-9]+$/),
    default_member_permissions: null,
    type: 1,
    ...hello,
    name_localizations: null,
    description_localizations: null,
    nsfw: false,
    ...scope,
  }

  it(`[${section}-02] [2.1-21] [2.10-11] POST of a new name: 201 and the whole command`, async ({ send }) => {
    const created = await send('POST', path, { body: hello })
    expect([created.status, created.body]).toEqual([201, registered])
    // An empty list of options is left out and never null.
    expect(Object.keys(created.body)).not.toContain('options')
  })

  it(`[${section}-02] [4.2-07] POST overwrites: 200, the id kept, absent fields reset`, async ({ send }) => {
    const { body: first } = await send('POST', path, { body: { ...hello, nsfw: true } })
    const second = await send('POST', path, { body: { ...hello, description: 'Greets' } })
    const expected = { ...registered, id: first.id, description: 'Greets' }
    expect([second.status, second.body]).toEqual([200, expected])
    expect(BigInt(second.body.version)).toBeGreaterThan(BigInt(first.version))
  })

  it(`[${section}-01] [${section}-03] GET returns all commands, and one`, async ({ send }) => {
    const { body: created } = await send('POST', path, { body: hello })
    const { name_localizations, description_localizations, ...listed } = created
    const list = await send('GET', path)
    expect([list.status, list.body]).toEqual([200, [listed]])
    const one = await send('GET', `${path}/${created.id}`)
    expect([one.status, one.body]).toEqual([200, created])
  })

  it(`[${section}-01] GET returns an empty list`, async ({ send }) => {
    expect((await send('GET', path)).text).toBe('[]')
  })

  it(`[${section}-04] PATCH replaces given fields and keeps the rest`, async ({ send }) => {
    const { body: created } = await send('POST', path, {
      body: { ...hello, nsfw: true, name_localizations: { de: 'hallo', fr: 'bonjour' } },
    })
    const fields = { name_localizations: { de: 'servus' }, default_member_permissions: '8' }
    const patched = await send('PATCH', `${path}/${created.id}`, { body: fields })
    expect(patched.status).toBe(200)
    expect(patched.body).toEqual({ ...created, ...fields, version: patched.body.version })
    expect((await send('GET', `${path}/${created.id}`)).body).toEqual(patched.body)
  })

  it(`[${section}-05] DELETE responds with 204, no body, and a content type`, async ({ send }) => {
    const { body: created } = await send('POST', path, { body: hello })
    const deleted = await send('DELETE', `${path}/${created.id}`)
    expect(deleted.line).toBe('204 ')
    // discord.js 13 reads it.
    expect(deleted.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect((await send('GET', `${path}/${created.id}`)).status).toBe(404)
  })

  it(`[${section}-06] [4.1-07] PUT replaces commands of all types, keeps matching ids`, async ({ send }) => {
    const { body: kept } = await send('POST', path, { body: hello })
    await send('POST', path, { body: { name: 'Report', type: 3 } })
    const body = [
      { ...hello, description: 'Greets' },
      { name: 'High five', type: 2 },
    ]
    const put = await send('PUT', path, { body })
    expect(put.status).toBe(200)
    expect(put.body.map(({ name }: { name: string }) => name)).toEqual(['hello', 'High five'])
    expect(put.body[0].id).toBe(kept.id)
    expect((await send('GET', `${path}?with_localizations=true`)).body).toEqual(put.body)
  })

  it(`[${section}-06] PUT is all or nothing`, async ({ send }) => {
    await send('POST', path, { body: hello })
    const before = (await send('GET', path)).text
    const put = await send('PUT', path, { body: [{ name: 'a', description: 'b' }, { name: 'UPPER' }] })
    expect(put.status).toBe(400)
    expect((await send('GET', path)).text).toBe(before)
  })

  it(`[${section}-06] [2.1-22] PUT of an empty list deletes all, of null is refused`, async ({ send }) => {
    await send('POST', path, { body: hello })
    const before = (await send('GET', path)).text
    expect((await send('PUT', path, { body: 'null' })).status).toBe(400)
    expect((await send('GET', path)).text).toBe(before)
    const put = await send('PUT', path, { body: '[]' })
    expect(put.line).toBe('200 []')
    expect((await send('GET', path)).text).toBe('[]')
  })
})

it('[4.2-02] [4.2-04] [1-02] makes a guild command available at once, in it only', async ({ send }) => {
  const { body } = await send('POST', guildBase, { body: hello })
  expect((await send('GET', guildBase)).body).toHaveLength(1)
  expect((await send('GET', base)).body).toEqual([])
  expect((await send('GET', `/applications/${APP}/guilds/${OTHER_GUILD}/commands`)).body).toEqual([])
  expect((await send('GET', `${base}/${body.id}`)).status).toBe(404)
  await send('PATCH', `${guildBase}/${body.id}`, { body: { description: 'Greets' } })
  expect((await send('GET', guildBase)).body[0].description).toBe('Greets')
})

it('[2.1-20] [2.8-04] ignores unknown fields that clients send', async ({ send }) => {
  const created = await send('POST', guildBase, {
    body: {
      ...hello,
      // Fields that clients send besides the documented ones.
      defaultMemberPermissions: 8,
      guild_id: [GUILD],
      options: [],
      name_localizations: {},
      contexts: [0, 1, 2],
      integration_types: [0],
      dm_permission: true,
      default_member_permissions: 8,
      application_id: '1',
      version: '1',
    },
  })
  expect(created.status).toBe(201)
  expect(created.body.default_member_permissions).toBe('8')
  for (const key of ['contexts', 'integration_types', 'dm_permission', 'options'])
    expect(created.body).not.toHaveProperty(key)
})

describe('permissions', () => {
  const entries = [
    { id: '400400400400400401', type: 1, permission: true },
    { id: String(BigInt(GUILD) - 1n), type: 3, permission: false },
  ]

  /** A service with a command, and how a manager sets permissions: by default those of the command. */
  async function withCommand() {
    const running = service()
    const { body } = await running.send('POST', guildBase, { body: hello })
    const path = `${guildBase}/${body.id}/permissions`
    const set = (permissions: unknown, to = path) =>
      running.send('PUT', to, { authorization: manager, body: { permissions } })
    const expected = { id: body.id, application_id: APP, guild_id: GUILD, permissions: entries }
    return { ...running, set, path, expected }
  }
  const test = it.extend('made', () => withCommand())

  test('[4.3-03] [6-01] PUT replaces the entries, returns the object and notifies listeners', async ({
    made: { set, expected, registry },
  }) => {
    const events: RegistryEvent[] = []
    registry.subscribe((event) => events.push(event))
    const put = await set(entries)
    expect([put.status, put.body]).toEqual([200, expected])
    const by = { applicationId: APP, userId: USER }
    expect(events).toEqual([
      { type: 'permissions_updated', applicationId: APP, guildId: GUILD, permissions: expected, by },
    ])
    const replaced = await set([entries[1]])
    expect(replaced.body.permissions).toEqual([entries[1]])
  })

  test('[4.3-01] [4.3-02] GET returns all permissions, and those of one command', async ({
    made: { send, set, path, expected },
  }) => {
    const all = `${guildBase}/permissions`
    expect((await send('GET', all)).text).toBe('[]')
    await set(entries)
    expect((await send('GET', path)).body).toEqual(expected)
    expect((await send('GET', all)).body).toEqual([expected])
    expect((await send('GET', all, { authorization: manager })).body).toEqual([expected])
  })

  test('[4.3-02] GET responds with 404 and code 10066 for a command without permissions', async ({
    made: { send, path },
  }) => {
    const { line } = await send('GET', path)
    expect(line).toBe('404 {"message":"Unknown application command permissions","code":10066}')
  })

  test('[4.3-03] PUT of an empty list removes them', async ({ made: { send, set, path, expected } }) => {
    await set(entries)
    expect((await set([])).body).toEqual({ ...expected, permissions: [] })
    expect((await send('GET', path)).status).toBe(404)
  })

  test('[2.9-01] also exist for the application itself', async ({ made: { send, set } }) => {
    const path = `${guildBase}/${APP}/permissions`
    const put = await set(entries, path)
    expect([put.status, put.body.id]).toEqual([200, APP])
    expect((await send('GET', path)).body).toEqual(put.body)
  })

  it('[4.3-04] have no batch edit: 405', async ({ send }) => {
    const put = await send('PUT', `${guildBase}/permissions`, { authorization: manager, body: [] })
    expect(put.line).toBe('405 {"message":"405: Method Not Allowed","code":0}')
    expect(put.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
  })

  test('[8-05] have at most 100 entries', async ({ made: { set } }) => {
    const many = Array.from({ length: 101 }, (_, i) => ({ id: String(i + 1), type: 1, permission: true }))
    const error = errorNode('BASE_TYPE_MAX_LENGTH', 'Must be 100 or fewer in length.')
    const put = await set(many)
    expect([put.status, put.body.errors]).toEqual([400, { permissions: error }])
    expect((await set(many.slice(1))).status).toBe(200)
  })

  test('[4.3-03] respond with 404 and code 10063 for an unknown command', async ({ made: { set } }) => {
    const put = await set([], `${guildBase}/1/permissions`)
    expect([put.status, put.body.code]).toEqual([404, 10063])
  })

  test('[4.3-03] require an object with the list', async ({ made: { send, set, path } }) => {
    for (const permissions of [undefined, null]) {
      const put = await set(permissions)
      expect([put.status, put.body.errors.permissions._errors[0].code]).toEqual([400, 'BASE_TYPE_REQUIRED'])
    }
    const bare = await send('PUT', path, { authorization: manager, body: entries })
    expect([bare.status, bare.body.errors._errors[0].code]).toEqual([400, 'MODEL_TYPE_CONVERT'])
  })
})

it('[1-03] guilds respond with 403 and code 50001 until they authorize the app', async ({ send }) => {
  const path = `/applications/${APP}/guilds/${FOREIGN_GUILD}/commands`
  const answers = [
    await send('GET', path),
    await send('GET', `${path}/1`),
    await send('POST', path, { body: hello }),
    await send('PUT', path, { body: [] }),
    await send('PATCH', `${path}/1`, { body: {} }),
    await send('DELETE', `${path}/1`),
    await send('GET', `${path}/permissions`),
    await send('GET', `${path}/1/permissions`),
    await send('PUT', `${path}/1/permissions`, { authorization: manager, body: { permissions: [] } }),
  ]
  for (const { line } of answers) expect(line).toBe('403 {"message":"Missing Access","code":50001}')
})

it('[4.4-02] guilds have no entry point command', async ({ send }) => {
  const path = `/applications/${EMBEDDED_APP}/guilds/${GUILD}/commands`
  const made = await send('POST', path, { body: { name: 'Launch', type: 4 }, authorization: 'Bot game' })
  expect([made.status, Object.keys(made.body.errors)]).toEqual([400, ['type']])
})

describe('login routes', () => {
  it('return the application of a token', async ({ send }) => {
    const user = {
      ...{ id: EMBEDDED_APP, username: 'game', discriminator: '0000', bot: true, flags: 0, public_flags: 0 },
      ...{ global_name: null, avatar: null, banner: null, accent_color: null },
    }
    for (const path of ['/applications/@me', '/oauth2/applications/@me', '/applications/%40me']) {
      const { status, body } = await send('GET', path, { authorization: 'Bot game' })
      expect(status).toBe(200)
      expect(body).toEqual({
        ...{
          id: EMBEDDED_APP,
          name: 'game',
          flags: 131072,
          flags_new: '131072',
          embedded: true,
          verify_key: '0'.repeat(64),
        },
        ...{ icon: null, description: '', summary: '', type: null, team: null, bot: user, owner: user },
        ...{ bot_public: true, bot_require_code_grant: false, hook: true, is_discoverable: false },
        ...{ rpc_origins: [], redirect_uris: [], tags: [], approximate_guild_count: 0 },
        integration_types_config: { 0: {}, 1: {} },
      })
    }
  })

  it('return the user of a token', async ({ send }) => {
    expect((await send('GET', '/users/@me')).body).toMatchObject({ id: APP, username: 'demo', bot: true })
    const { body } = await send('GET', '/users/@me', { authorization: manager })
    expect(body).toMatchObject({ id: '300300300300300301', bot: false, locale: 'de' })
  })

  it('return the configured gateway, or one that follows the Host header', async () => {
    const url = 'ws://127.0.0.1:8788'
    const fixed = service({ gateway: url })
    const limit = { total: 1000, remaining: 1000, reset_after: 0, max_concurrency: 1 }
    const { body: address } = await fixed.send('GET', '/gateway', { authorization: null })
    expect(address).toEqual({ url })
    const { body: forBots } = await fixed.send('GET', '/gateway/bot')
    expect(forBots).toEqual({ url, shards: 1, session_start_limit: limit })
    const seven = { ...limit, remaining: 7, max_concurrency: 16 }
    const limited = service({ sessionStartLimit: (id) => (id === APP ? seven : limit) })
    expect((await limited.send('GET', '/gateway/bot')).body.session_start_limit).toEqual(seven)
    const following = service({ gateway: (host) => (host === null ? 'ws://localhost' : `ws://${host}`) })
    const headers = { host: 'bot.test:8787' }
    expect((await following.send('GET', '/gateway', { headers })).body.url).toBe('ws://bot.test:8787')
    expect((await following.send('GET', '/gateway')).body.url).toBe('ws://localhost')
  })

  it('answer 404 for an application of which the directory returns null', async () => {
    const { send } = service({ applications: { get: () => null as never } })
    for (const path of ['/applications/@me', '/oauth2/applications/@me', '/users/@me'])
      expect((await send('GET', path)).body).toEqual({ message: 'Unknown application', code: 10002 })
  })

  it('return an unreachable gateway by default', async ({ send }) => {
    const url = 'wss://gateway.invalid'
    expect((await send('GET', '/gateway', { authorization: null })).body).toEqual({ url })
    const limits = { shards: 1, session_start_limit: { remaining: 1000, max_concurrency: 1 } }
    expect((await send('GET', '/gateway/bot')).body).toMatchObject({ url, ...limits })
    expect((await send('GET', '/gateway/bot', { authorization: null })).status).toBe(401)
  })

  it('count the servers of an application', async () => {
    for (const [guilds, count] of [
      [['2001', '2002'], 2],
      [undefined, 0],
    ] as const) {
      const { send } = service({ applications: { get: () => ({ ...(guilds && { guilds }) }) } })
      expect((await send('GET', '/applications/@me')).body.approximate_guild_count).toBe(count)
    }
  })

  it('accept any application without a directory', async () => {
    const { send } = service({ applications: { get: () => ({}) } })
    const { body } = await send('GET', '/applications/@me')
    expect(body).toMatchObject({ id: APP, name: `application ${APP}` })
  })
})
