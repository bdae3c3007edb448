import { describe, expect, vi } from 'vitest'
import { CommandRegistry, globalScope, guildScope, memoryStore, PermissionFlag } from 'commandry'
import { openSession } from '../session.ts'
import { createRecorder } from '../../../../src/tools/page/questions/recorder.ts'
import { it, post, postTo, service, type Service, who } from '../open.ts'
import { app, everywhere, demoGuild as guild } from '../../../support/fixtures.ts'

const hostile = '<img src=x onerror=alert(1)>'
const member = { type: 6, name: 'member', description: 'Whom', required: true }
const name_localizations = { de: 'bannen', ar: 'حظر' }
const show = { type: 1, name: 'get', description: 'Show them' }
const commands = [
  { name: 'ban', description: 'Ban a member', name_localizations, options: [member] },
  { name: 'permissions', description: 'Permissions', options: [show] },
  { name: 'admin', description: 'For administrators', default_member_permissions: '0' },
  { type: 2, name: hostile },
]

describe('the document of the page', () => {
  it('loads nothing, runs only its own script, and makes no markup of text', async () => {
    const response = await service().ask('/')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const [page, pagePolicy] = [await response.text(), response.headers.get('content-security-policy')]
    expect(pagePolicy).not.toContain('unsafe')
    expect(pagePolicy).toContain("default-src 'none'")
    expect(pagePolicy).toContain("require-trusted-types-for 'script'")
    expect(page).not.toMatch(/innerHTML|insertAdjacentHTML|document\.write|\beval\(/)
    expect(page.match(/<script/g)).toHaveLength(1)
  })

  it('answers only requests under the names of this machine', async ({ made }) => {
    const own = ['localhost', 'localhost:8787', '127.0.0.1:8787', '[::1]:8787']
    for (const host of [...own, 'evil.example', 'localhost.evil.example', '127.0.0.1.evil.example']) {
      const status = own.includes(host) ? 200 : 404
      expect((await made.ask('/', { headers: { host } })).status, host).toBe(status)
      expect((await postTo(made, 'about', {}, { host })).status, host).toBe(status)
    }
  })

  it('accepts questions only from the page itself, as JSON, and within limits', async ({ made }) => {
    const status = async (headers: Record<string, string>) =>
      (await postTo(made, 'clear', {}, headers)).status
    expect(await status({})).toBe(200)
    expect(await status({ 'sec-fetch-site': 'cross-site' })).toBe(404)
    expect(await status({ 'sec-fetch-site': 'same-site' })).toBe(404)
    expect(await status({ 'content-type': 'text/plain' })).toBe(400)
    const clear = (headers: Record<string, string>) =>
      made.ask('/ui/clear', { method: 'POST', headers, body: '{}' })
    const json = { 'content-type': 'application/json' }
    expect((await clear(json)).status).toBe(404)
    expect((await clear({ ...json, origin: 'http://localhost' })).status).toBe(200)
    expect((await made.ask('/ui/clear')).status).toBe(405)
    const large = { text: 'x'.repeat(9 * 1024 * 1024) }
    expect((await postTo(made, 'clear', large)).status).toBe(413)
  })

  it('opens no stream for other sites, and lets none embed an answer', async ({ made: { ask } }) => {
    const answered = (path: string, site: string | null) =>
      ask(path, site === null ? {} : { headers: { 'sec-fetch-site': site } })
    for (const site of [null, 'same-origin', 'none', 'same-site', 'cross-site']) {
      const { status, headers } = await answered('/ui/changes', site)
      expect(status, `${site}`).toBe(site === 'same-site' || site === 'cross-site' ? 404 : 200)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
    }
    // A link of another site may open the page.
    expect((await answered('/', 'cross-site')).status).toBe(200)
  })

  it('kicks for a person only those below them, and never the owner', async () => {
    const role = (id: string, permissions: string, position: number) => ({
      id,
      name: `r${id}`,
      permissions,
      position,
    })
    const member = (id: string, ...roles: string[]) => ({ user: { id, username: `u${id}` }, roles })
    const roles = [role(guild, '1024', 0), role('51', '2', 1), role('52', '8', 2)]
    const members = [member('31'), member('32', '51'), member('33', '52'), member('34')]
    const made = service({ servers: [{ id: guild, name: 'Ours', owner_id: '31', roles, members }] })
    const kick = async (as: string, user: string) => (await postTo(made, 'kick', { ...who, as, user })).status
    for (const user of ['31', '32', '33']) expect(await kick('32', user), user).toBe(400)
    expect([await kick('34', '32'), await kick('33', '31')]).toEqual([400, 400])
    expect([await kick('32', '34'), await kick('33', '32'), await kick('31', '33')]).toEqual([200, 200, 200])
    expect((await post(made, 'rail', who)).people.map(({ id }: any) => id)).toEqual(['31'])
  })

  it('answers 503 while the store fails', async () => {
    const store = memoryStore()
    const fail = () => {
      throw new Error('down')
    }
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    const failing = service({}, { ...store, read: async () => fail(), keys: fail })
    for (const name of ['about', 'picker']) {
      const response = await postTo(failing, name, who)
      const body = { message: '503: Service Unavailable', code: 0 }
      expect([name, response.status, await response.json()]).toEqual([name, 503, body])
    }
    expect(logged).toHaveBeenCalledTimes(2)
    logged.mockRestore()
  })

  it('has no write of its own, and passes every other path on to the service', async ({ made: { ask } }) => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      for (const path of ['/', '/ui/changes']) expect((await ask(path, { method })).status).toBe(405)
    }
    expect(await (await ask('/', { method: 'HEAD' })).text()).toBe('')
    expect((await ask('/ui/nothing')).status).toBe(404)
    const list = await ask(`/api/v10/applications/${app}/commands`, { headers: { authorization: 'Bot x' } })
    expect(await list.json()).toEqual([])
  })
})

describe('the questions of the page', () => {
  it('lists applications, servers with names, and languages', async () => {
    const store = memoryStore()
    const open = service({}, store)
    expect(await post(open, 'about', {})).toMatchObject({ applications: [], servers: [{ id: guild }] })
    await open.registry.upsert(everywhere, commands[0])
    await open.registry.upsert(guildScope(app, '100000000000002009'), commands[1])
    const about = await post(open, 'about', {})
    expect(about.applications).toEqual([{ id: app, name: app }])
    expect(about.servers.map(({ id, name }: any) => [id, name])).toEqual([
      ['100000000000002009', 'Server 100000000000002009'],
    ])
    expect(about.locales).toHaveLength(34)
    const servers = [{ id: '100000000000002002', name: 'Mine', channels: [{ id: '7', name: 'talk' }] }]
    const configured = service(
      { applications: [{ id: '1002', guilds: ['100000000000002003'] }], servers },
      store,
    )
    const known = await post(configured, 'about', {})
    expect(known.applications.map(({ id }: any) => id)).toEqual(['1002'])
    expect(known.servers.map(({ id }: any) => id)).toEqual(['100000000000002002', '100000000000002003'])
    expect(known.servers[0].channels).toEqual([{ id: '7', name: 'talk' }])
  })

  it('[2.9-07] [2.10-02] lists what one person sees, and why the rest is hidden', async ({ made }) => {
    await made.registry.overwrite(everywhere, commands)
    const picker = (over: object) => post(made, 'picker', { ...who, ...over })
    const german = await picker({ lang: 'de' })
    expect(german.entries.map(({ name }: any) => name)).toEqual(['bannen', 'permissions get', hostile])
    expect(german.hidden).toMatchObject([{ name: 'admin', reason: 'for administrators' }])
    expect(german.hidden[0].trace.at(-1).outcome).toBe('denied')
    expect((await picker({ as: '100000000000003003' })).hidden).toEqual([])
    expect((await picker({ roles: '100000000000005002' })).hidden).toEqual([])
    expect((await picker({ channel: 'bot' })).hidden).toEqual([])
    expect((await picker({ channel: 'group' })).entries).toEqual([])
    await made.registry.upsert(everywhere, { name: 'adult', description: 'For adults', nsfw: true })
    const inBotDm = async (over: object) =>
      (await picker({ channel: 'bot', ...over })).entries.some(({ name }: any) => name === 'adult')
    expect(await inBotDm({})).toBe(false)
    expect(await inBotDm({ with: 'dms' })).toBe(true)
    expect(await inBotDm({ with: 'dms,minor' })).toBe(false)
  })

  it('[2.9-08] gives the reason for each hidden command in a few words', async () => {
    const everyone = { id: guild, name: '@everyone', permissions: '1024' }
    const users = { id: '100000000000005001', name: 'Users', permissions: String(2n ** 31n) }
    const made = service({ servers: [{ id: guild, name: 'Mine', roles: [everyone, users] }] })
    const group = { type: 2, name: 'empty', description: 'Nothing', options: [] }
    await made.deploy([commands[0]!, { name: 'groups', description: 'Empty', options: [group] }])
    const reasons = async (over: object) =>
      (await post(made, 'picker', { ...who, ...over })).hidden.map(({ reason }: any) => reason)
    expect(await reasons({})).toEqual(['needs USE_APPLICATION_COMMANDS', 'needs USE_APPLICATION_COMMANDS'])
    expect(await reasons({ roles: '100000000000005001' })).toEqual(['nothing to choose'])
    const inGroups = 'for servers and bot DM only'
    expect(await reasons({ channel: 'group' })).toEqual([inGroups, inGroups])
  })

  it('[1-03] [2.11-08] shows an app only where and as it is installed', async () => {
    const made = service({
      applications: [
        { id: app, flags: 131072, guilds: [guild, '100000000000002002'] },
        { id: '1002', integration_types: [0, 1], guilds: [] },
      ],
    })
    for (const id of [app, '1002']) {
      await made.registry.overwrite(globalScope(id), [{ name: 'ping', description: 'Says pong' }])
    }
    await made.registry.enableActivities(app)
    const shown = async (over: object) => {
      const { entries } = await post(made, 'picker', { ...who, ...over })
      return entries.map(({ name }: any) => name)
    }
    expect(await shown({})).toEqual(['ping', 'Launch'])
    expect(await shown({ server: '100000000000002003' })).toEqual([])
    expect(await shown({ with: 'no0' })).toEqual([])
    expect(await shown({ app: '1002' })).toEqual(['ping'])
    expect(await shown({ app: '1002', with: 'no1' })).toEqual([])
    expect(await shown({ app: '1002', channel: 'bot' })).toEqual(['ping'])
  })

  it('[2.8-07] shows a server without the bot what a person takes along', async () => {
    const made = service({
      applications: [{ id: app, integration_types: [0, 1] }],
      servers: [{ id: guild, name: 'Theirs', bot: false }],
    })
    await made.registry.overwrite(globalScope(app), [
      { name: 'everywhere', description: 'd', integration_types: [0, 1] },
      { name: 'here', description: 'd', integration_types: [0] },
    ])
    const { entries } = await post(made, 'picker', who)
    expect(entries.map(({ name }: any) => name)).toEqual(['everywhere'])
  })

  it('[8-04] describes a command: its size, why it is usable, its overrides by name', async ({ made }) => {
    const [ban] = await made.registry.overwrite(everywhere, commands)
    await made.registry.setPermissions(app, guild, ban!.id, [
      { id: guild, type: 1, permission: false },
      { id: '100000000000005001', type: 1, permission: true },
    ])
    await made.registry.setPermissions(app, guild, app, [
      { id: '100000000000002000', type: 3, permission: true },
    ])
    const command = (over: object) => post(made, 'command', { ...who, command: ban!.id, ...over })
    expect(await command({})).toMatchObject({
      size: { used: 6 + 12 + 6 + 4, most: 8000 },
      shown: false,
      why: [expect.stringContaining('@everyone')],
      overrides: [
        { of: 'this command', target: '@everyone', allowed: false },
        { of: 'this command', target: 'role Moderators', allowed: true },
        { of: 'the whole app', target: 'all channels', allowed: true },
      ],
    })
    const grace = await command({ as: '100000000000003002' })
    expect(grace).toMatchObject({ shown: true, why: [] })
    expect(grace.trace.at(-1)).toMatchObject({ name: 'Command overrides', outcome: 'allowed' })
    expect(grace.trace.at(-1).text).toMatch(/^The command's entry for role Moderators allows it/)
  })

  it('names the role or person of an override wherever it says why a command is hidden', async ({ made }) => {
    const [ban] = await made.registry.overwrite(everywhere, commands)
    await made.registry.setPermissions(app, guild, ban!.id, [
      { id: '100000000000003001', type: 2, permission: false },
    ])
    const why = "The command's entry for user Ada denies it."
    const { hidden } = await post(made, 'picker', who)
    expect(hidden.find(({ name }: any) => name === 'ban').why).toEqual([why])
    expect(await post(made, 'command', { ...who, command: ban!.id })).toMatchObject({ why: [why] })
    const used = await post(made, 'use', {
      ...who,
      type: 1,
      path: 'ban',
      values: { member: '100000000000003003' },
    })
    expect(used).toMatchObject({ ok: false, code: 'permission_denied', message: why })
  })

  it('[2.11-01] [2.11-05] uses a command as a person, or gives the reason against it', async ({ made }) => {
    await made.registry.overwrite(everywhere, commands)
    const use = (over: object) => post(made, 'use', { ...who, type: 1, path: 'ban', ...over })
    const used = await use({ values: { member: '100000000000003003' } })
    expect(used.interaction.data.options).toEqual([{ name: 'member', type: 6, value: '100000000000003003' }])
    expect(used.interaction.data.resolved.users['100000000000003003'].username).toBe('alan')
    expect(used.interaction.member.user.username).toBe('ada')
    const refused = await use({ values: {} })
    expect(refused).toMatchObject({ ok: false, issues: [{ path: ['options', 'member'] }] })
    expect(await use({ path: 'admin' })).toMatchObject({ ok: false, code: 'permission_denied' })
    expect((await use({ values: { member: {} } })).ok).toBe(false)
    const report = await use({ type: 2, path: hostile, target: '100000000000003002' })
    expect(report.interaction.data.target_id).toBe('100000000000003002')
    const checked = (callback: object) => post(made, 'answer', { use: used.id, callback })
    const { shown } = await checked({ type: 4, data: { content: 'Done', flags: 64 } })
    expect(shown).toMatchObject({ content: 'Done', ephemeral: true })
    expect((await checked({ type: 4, data: { content: 5 } })).issues).toHaveLength(1)
  })

  it('[2.11-04] refuses a line where the person cannot see the channel or may not write in it', async () => {
    const denied = (deny: bigint) => ({
      permission_overwrites: [{ id: guild, type: 0 as const, allow: '0', deny: String(deny) }],
    })
    const { VIEW_CHANNEL, SEND_MESSAGES } = PermissionFlag
    const channels = [
      { id: '41', name: 'open', type: 0 },
      { id: '42', name: 'hidden', type: 0, ...denied(VIEW_CHANNEL) },
      { id: '43', name: 'read-only', type: 0, ...denied(SEND_MESSAGES) },
    ]
    const made = service({ servers: [{ id: guild, name: 'Ours', channels }] })
    await made.registry.overwrite(everywhere, commands)
    const use = (channel: string) =>
      post(made, 'use', { ...who, channel, type: 1, path: 'permissions get', values: {} })
    expect((await use('41')).ok).toBe(true)
    expect((await use('42')).message).toBe('ada lacks VIEW_CHANNEL in #hidden of Ours')
    expect((await use('43')).message).toContain('may not send messages in this channel')
  })

  it('names the problem of every invalid question', async ({ made }) => {
    const wrong = [
      ['picker', {}],
      ['picker', []],
      ['picker', { ...who, app: 'x' }],
      ['picker', { ...who, server: '' }],
      ['picker', { ...who, channel: 5 }],
      ['picker', { ...who, as: '' }],
      ['command', who],
      ['command', { ...who, command: '5' }],
    ] as const
    for (const [name, body] of wrong) {
      const response = await postTo(made, name, body)
      expect(response.status, JSON.stringify(body)).toBe(400)
      expect(((await response.json()) as { message: string }).message).toMatch(/\w/)
    }
    expect((await postTo(made, 'request', { id: 5 })).status).toBe(400)
    for (const body of [{}, { use: [] }, { use: 77, callback: 5 }]) {
      expect((await postTo(made, 'answer', body)).status).toBeLessThan(500)
    }
    expect((await postTo(made, 'picker', { ...who, roles: [5, {}], lang: {} })).status).toBe(200)
  })
})

describe('the record of requests', () => {
  const putText = (made: Service, body: string) =>
    made.ask(`/api/v10/applications/${app}/commands`, {
      method: 'PUT',
      headers: { authorization: 'Bot secret-token', 'content-type': 'application/json' },
      body,
    })
  const put = (made: Service, body: unknown) => putText(made, JSON.stringify(body))
  const rows = async (made: Service) => post(made, 'requests')

  it('records requests, the events they caused and what changed, without the token', async ({ made }) => {
    await put(made, [commands[0]])
    await put(made, [{ ...commands[0], description: 'Ban somebody' }])
    const list = await rows(made)
    const accepted = { method: 'PUT', status: 200, credential: 'Bot' }
    expect(list).toMatchObject([
      { ...accepted, summary: '+1 ~0 -0', events: ['command_created /ban'] },
      { ...accepted, summary: '+0 ~1 -0', events: ['command_updated /ban'] },
    ])
    const detail = await post(made, 'request', { id: list[1].id })
    expect(detail.changes).toEqual(['~ /ban', '    description  "Ban a member" → "Ban somebody"'])
    expect(detail.request).toContain('Ban somebody')
    expect(JSON.stringify([list, detail])).not.toContain('secret-token')
    expect((await postTo(made, 'clear', {})).status).toBe(200)
    expect(await rows(made)).toEqual([])
  })

  it('names the rules that a refused deploy breaks, and their lines', async ({ made }) => {
    await put(made, [{ name: 'Ban', description: 'x' }])
    const [row] = await rows(made)
    expect(row).toMatchObject({ status: 400, summary: '1 issue', events: [], codes: ['name.case'] })
    const detail = await post(made, 'request', { id: row.id })
    expect(detail.issues).toMatchObject([{ code: 'name.case', place: '/Ban, name', path: [0, 'name'] }])
    expect(detail.faults).toEqual([3])
  })

  it('masks interaction tokens and explains a path without the base path', async ({ made }) => {
    await made.ask('/api/v10/interactions/1/secret-token/callback', { method: 'POST', body: '{}' })
    await made.ask(`/applications/${app}/commands`)
    const list = await rows(made)
    expect(list[0].path).toBe('/api/v10/interactions/1/***/callback')
    const summary = `404: Not Found: this service has no GET /applications/${app}/commands; it is at /api/v10`
    expect(list[1]).toMatchObject({ status: 404, summary })
  })

  it('keeps the last 2,000 requests, and of bodies larger than 256 KB the size', async ({ made }) => {
    for (let i = 0; i < 2_003; i++) await made.ask('/api/v10/nothing')
    const list = await post(made, 'exchanges')
    expect(list).toHaveLength(2_000)
    expect(list.at(-1).id).toBe(2_003)
    await put(made, [{ name: 'x'.repeat(300_000) }])
    const kept = await post(made, 'request', { id: 2_004 })
    expect(kept.request).toBe('(300013 bytes)')
  })

  it('keeps at most 16 MB of bodies', async ({ made }) => {
    for (let i = 0; i < 100; i++) await put(made, [{ name: 'x'.repeat(250_000) }])
    expect(await rows(made)).toHaveLength(67)
  })

  it('shows bodies without tokens, and of bodies that are not JSON the size', async ({ made }) => {
    await put(made, [{ name: 'x', token: 's3cret' }])
    await putText(made, '{"token": "s3cret')
    expect((await post(made, 'request', { id: 1 })).request).toBe('[{"name":"x","token":"***"}]')
    expect((await post(made, 'request', { id: 2 })).request).toBe('(17 bytes)')
    expect(JSON.stringify(await post(made, 'exchanges'))).not.toMatch(/s3cret|secret-token/)
  })

  it('answers a request whose recording a listener cannot take', async () => {
    const session = openSession()
    const subscribe = () => Object.assign(() => {}, { [Symbol.dispose]() {} })
    const places = { world: { subscribe }, uses: { subscribe } }
    const recorder = createRecorder(new CommandRegistry(), session, places)
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    recorder.subscribe(() => {
      throw new Error('gone')
    })
    const exchange = session.traffic.recording(async () => ({ status: 204, headers: {}, body: null }))
    const incoming = { method: 'GET', path: '/', query: '', header: () => null } as never
    expect((await exchange(incoming)).status).toBe(204)
    expect(error).toHaveBeenCalledOnce()
    error.mockRestore()
  })

  it('streams notifications to open pages until they leave or the server closes', async ({ made }) => {
    const response = await made.ask('/ui/changes')
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader.read()).value).toContain('retry')
    await made.registry.upsert(everywhere, commands[0])
    expect((await reader.read()).value).toBe('data: commands\n\n')
    await made.ask('/api/v10/nothing')
    expect((await reader.read()).value).toBe('data: request\n\n')
    made.workbench.close()
    expect((await reader.read()).done).toBe(true)
    // A page connects again, and a stream would keep the server.
    expect((await made.ask('/ui/changes')).status).toBe(503)
  })
})

describe('a definition that no app has', () => {
  const checked = (body: unknown) =>
    post(service(), 'check', { ...who, scope: '', text: JSON.stringify(body) })

  it('is only counted when it is a list of more than 1000', async () => {
    const message = 'has 1001 definitions; lists of more than 1000 are not checked'
    expect(await checked(Array.from({ length: 1001 }, () => ({})))).toMatchObject({
      findings: [{ level: 'error', code: 'definitions', path: [], line: 1, column: 1, message }],
      count: 1001,
      preview: [],
      size: { used: 0, most: 8000 },
    })
    expect((await checked(Array.from({ length: 1000 }, () => ({})))).findings).toHaveLength(200)
  })

  it('is previewed in part when it has too many subcommands and options', async () => {
    const options = (type: number, inner: object = {}) =>
      Array.from({ length: 30 }, (_, index) => ({ type, name: `o${index}`, description: 'd', ...inner }))
    const groups = options(2, { options: options(1, { options: options(3) }) })
    const command = { name: 'a', description: 'd', options: groups }
    const { preview } = await checked([command, command])
    expect([preview.length, preview[0].options.length]).toEqual([1000, 25])
  })
})
