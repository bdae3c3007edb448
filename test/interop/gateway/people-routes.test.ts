/** `commandry serve --gateway`: a bot without a library, and people over HTTP. */
import { beforeEach, describe, expect, it } from 'vitest'
import type { WebSocket } from 'ws'
import { call, directoryOf, serveOnFreePort } from '../../tools/cli/program.ts'
import { loginAt, servingGateway } from './serve-gateway.ts'

const TOKEN = `${btoa('1001').replaceAll('=', '')}.a.b`
const row = (component: object) => ({ type: 1, components: [component] })
const input = { type: 4, custom_id: 'name', label: 'Name', style: 1 }
const upload = { type: 18, label: 'Log', component: { type: 19, custom_id: 'log', required: false } }
const agree = { type: 18, label: 'Agree', component: { type: 23, custom_id: 'agree' } }
const modal = { custom_id: 'form', title: 'Form', components: [row(input), upload, agree] }
const button = { type: 2, style: 1, label: 'Go', custom_id: 'go' }
const menu = { type: 3, custom_id: 'menu', options: [{ label: 'First', value: '1' }] }
const rows = [button, menu].map(row)

/** The answer of the bot to an interaction. */
async function answer({ type, data }: any): Promise<object> {
  if (type === 4) return { type: 8, data: { choices: [{ name: 'apple', value: 'a' }] } }
  if (type === 3) return { type: 7, data: { content: data.values?.join() ?? 'gone', components: rows } }
  if (type === 5) {
    const [name, log, agree] = data.components.map((one: any) => one.component ?? one.components[0])
    const files = log.values.map((id: string) => data.resolved.attachments[id].filename)
    return { type: 4, data: { content: [name.value, agree.value, ...files].join() } }
  }
  if (data.name === 'form') return { type: 9, data: modal }
  if (data.name === 'Quote') return { type: 4, data: data.resolved.messages[data.target_id] }
  if (data.name === 'upload') {
    const { filename, content_type, size, url: address } = Object.values<any>(data.resolved.attachments)[0]
    const bytes = new Uint8Array(await (await fetch(address)).arrayBuffer())
    return { type: 4, data: { content: `${filename} ${content_type} ${size} ${bytes}` } }
  }
  if (data.options?.[0]?.value === 'wrong') return { type: 4, data: { content: 'x'.repeat(2001) } }
  return { type: 4, data: { content: `used ${data.name}`, components: rows } }
}

let url: string
let bot: WebSocket

async function json(path: string, init: RequestInit & { body?: string }): Promise<any> {
  const headers = { authorization: `Bot ${TOKEN}`, 'content-type': 'application/json', ...init.headers }
  const response = await fetch(`${url}${path}`, { method: 'POST', ...init, headers })
  const text = await response.text()
  return { status: response.status, ...(text !== '' && { body: JSON.parse(text) }) }
}
const people = (action: string, body: object = {}) =>
  json(`/people/${action}`, { body: JSON.stringify(body) })

beforeEach(async () => {
  url = await servingGateway()
  const { body } = await json('/api/v10/gateway/bot', { method: 'GET' })
  expect(body.url).toBe(url.replace('http', 'ws'))
  bot = (await loginAt(url, TOKEN)).socket
  bot.on('message', async (data) => {
    const { t, d } = JSON.parse(String(data))
    if (t !== 'INTERACTION_CREATE') return
    await json(`/api/v10/interactions/${d.id}/${d.token}/callback`, { body: JSON.stringify(await answer(d)) })
    if (d.data.name === 'Quote') await json(`/api/v10/webhooks/1001/${d.token}`, { body: '{"content":"x"}' })
  })
  const option = { type: 3, name: 'query', description: 'x', autocomplete: true }
  const commands = [
    { name: 'find', description: 'x', options: [option] },
    { name: 'form', name_localizations: { de: 'formular' }, description: 'x' },
    { name: 'upload', description: 'x', options: [{ type: 11, name: 'log', description: 'x' }] },
    { type: 2, name: 'Greet' },
    { type: 3, name: 'Quote' },
    { type: 4, name: 'launch', description: '', handler: 2 },
  ]
  const deployed = await json('/api/v10/applications/1001/commands', {
    method: 'PUT',
    body: JSON.stringify(commands),
  })
  expect(deployed.status).toBe(200)
})

describe('commandry serve --gateway', () => {
  it('lets local programs use a bot as users do', async () => {
    expect((await people('online')).body).toEqual([{ application: '1001', shard: null, connected: true }])
    const used = (await people('use', { as: 'member', line: '/find query:x' })).body
    expect(used).toMatchObject({ kind: 'message', content: 'used find', ephemeral: false, follow_ups: [] })
    const suggested = await people('suggest', { as: 'member', line: '/find query:a' })
    expect(suggested.body).toEqual([{ kind: 'choice', name: 'apple', value: 'a' }])
    const greeted = await people('use-on', { as: 'ada', command: 'Greet', user: 'alan' })
    expect(greeted.body.content).toBe('used Greet')
    const message = { id: '100000000000006001', content: 'Hi' }
    const { body: quoted } = await people('use-on', { as: 'ada', command: 'Quote', message })
    expect((await people('followed-up', { id: quoted.id })).body.content).toBe('x')
    expect((await people('launch', { as: 'ada' })).body.text).toBe('Ada used launch')
    const { id } = used
    expect((await people('press', { id, button: 'Go' })).body.content).toBe('gone')
    expect((await people('edited', { id })).body.content).toBe('gone')
    expect((await people('choose', { id, menu: 'menu', values: ['First'] })).body.content).toBe('1')
    expect((await people('read', { id })).body.content).toBe('1')
    const form = (await people('use', { as: 'ada', line: 'formular', values: {}, locale: 'de' })).body
    expect(form.modal).toMatchObject({ title: 'Form' })
    const values = { name: 'Ada', agree: true, log: [{ filename: 'a.log' }] }
    expect((await people('submit', { id: form.id, values })).body.content).toBe('Ada,true,a.log')
    const sent = { log: { filename: 'a.png', base64: '/wA=' } }
    const uploaded = await people('use', { as: 'ada', line: 'upload', values: sent })
    expect(uploaded.body.content).toBe('a.png image/png 2 255,0')
    expect((await people('drop')).body).toMatchObject([{ connected: false }])
  })

  it('refuses invalid requests with the reason', async () => {
    const line = '/find query:x'
    for (const [action, body, status, message] of [
      ['use', { as: 'nobody', line }, 400, 'unknown person "nobody"'],
      ['use', { as: 'member' }, 400, 'line: expected a string'],
      [
        'use',
        { as: 'ada', line: 'x'.repeat(16 * 1024 * 1024) },
        400,
        'the body cannot be read: body_too_large',
      ],
      ['use', { as: 'member', line: '/none' }, 422, 'none'],
      ['press', { id: '9', button: 'Go' }, 400, 'unknown answer "9"'],
      ['fly', {}, 404, 'use, use-on'],
      ['use', { as: 'ada', line, locale: 'de_DE' }, 400, 'locale: expected a locale such as "de"'],
      ['use', { as: 'ada', line, locale: 5 }, 400, 'locale: expected a string, got the number 5'],
      ['use', { as: 'ada', line, channel: {} }, 400, 'channel: expected a string, got an object'],
      ['use', { as: 'ada', line, channel: 'cellar' }, 400, 'unknown channel "cellar"'],
      ['use', { as: 'ada', line, server: 'Nowhere' }, 400, 'unknown server "Nowhere"'],
      ['use', { as: 'ada', line, chanel: 'staff' }, 400, 'chanel: unknown field; did you mean "channel"?'],
      ['use', { as: 5, line: 6 }, 400, 'as: expected a string, got the number 5; line: expected a string'],
      ['use', { as: 'ada', line, values: { query: [] } }, 400, 'query: expected a value'],
      ['use-on', { as: 'ada', command: 'Greet' }, 400, 'user: expected the name of a person, or "message"'],
      ['use-on', { as: 'ada', command: 'Greet', message: {} }, 400, 'message: expected an object with an id'],
      [
        'use',
        { as: 'ada', line, application: 'x' },
        400,
        'application: expected a snowflake such as "1029384756"',
      ],
      ['press', { id: '9', button: 'Go', by: 'alan' }, 400, 'by: unknown field'],
      ['use', { as: 'ada', line, installed: 'here' }, 400, 'installed: expected "server" or "user"'],
      ['route', { method: 'get', path: '/x' }, 400, 'route: expected a method and a path'],
      ['choose', { id: '9', menu: 'm', values: 'a' }, 400, 'values: expected a list of strings, got the'],
      ['choose', { id: '9', menu: 'm', values: [1] }, 400, 'values.0: expected a string, got the number 1'],
      ['set-roles', { name: 'ada' }, 400, 'roles: expected a list of strings, got missing'],
      [
        'timeout',
        { name: 'ada', duration: -5 },
        400,
        'duration: expected milliseconds, a whole number with ms',
      ],
      [
        'timeout',
        { name: 'ada', duration: '5' },
        400,
        'duration: expected milliseconds, a whole number with ms',
      ],
      ['route', { method: 'GET', path: '/x', status: 199 }, 400, 'status: expected an HTTP status'],
      ['route', { method: 'GET', path: '/x', status: 600 }, 400, 'status: expected an HTTP status'],
      ['route', { method: 'GET', path: '/x', status: 204, body: {} }, 400, 'status 204 has no body'],
      ['submit', { id: '9', values: { s: 5 } }, 400, 'values: expected an object of strings, booleans'],
      ['online', { now: true }, 400, 'now: unknown field; the action has no fields'],
    ] as const) {
      const code = { 400: 'bad_request', 404: 'not_found', 422: 'unknown_command' }[status]
      const error = { code, message: expect.stringContaining(message) }
      expect([body, await people(action, body)]).toMatchObject([body, { status, body: { error } }])
    }
    expect((await json('/people/use', { body: '[' })).status).toBe(400)
    expect((await json('/people/online', {})).status).toBe(200)
    const latin = new Uint8Array([...new TextEncoder().encode('{"as":"ada","line":"'), 0xe9, 0x22, 0x7d])
    const { status, body } = await json('/people/use', { body: latin as never })
    expect([status, body.error.message]).toEqual([400, 'the body is not a JSON object in UTF-8'])
    const wrongMethod = { status: 405, body: { error: { code: 'method', message: 'use POST' } } }
    expect(await json('/people/online', { method: 'GET' })).toEqual(wrongMethod)
    bot.terminate()
    await expect.poll(async () => (await people('online')).body[0].connected).toBe(false)
  })

  it('[9-04] lets another person press, and names a route that the service does not have, or answers it', async () => {
    const { id, text } = (await people('use', { as: 'ada', line: '/find query:x' })).body
    expect(text).toBe('used find\n[Go]\n[menu | First ▾]')
    expect((await people('press', { id, button: 'Go', as: 'grace' })).body.content).toBe('gone')
    const unknown = { status: 422, body: { error: { code: 'unknown_component' } } }
    expect(await people('press', { id, button: 'Stop' })).toMatchObject(unknown)
    const pin = { method: 'PUT' }
    const path = '/api/v10/channels/100000000000004001/followers/100000000000006001'
    const missing =
      'this service has no PUT /channels/100000000000004001/followers/100000000000006001; answer it with POST /people/route'
    expect((await json(path, pin)).body).toEqual({ code: 0, message: `404: Not Found: ${missing}` })
    await people('route', { method: 'PUT', path: '/channels/:channel/followers/:follower' })
    expect((await json(path, pin)).status).toBe(204)
    await people('route', { method: 'PUT', path: '/channels/:channel/followers/:follower', body: [1] })
    expect(await json(path, pin)).toEqual({ status: 200, body: [1] })
    await people('route', {
      method: 'PUT',
      path: '/channels/:channel/followers/:follower',
      body: [1],
      status: 201,
    })
    expect(await json(path, pin)).toEqual({ status: 201, body: [1] })
    await people('reset')
    expect((await json(path, pin)).status).toBe(404)
  })

  it('changes servers and shows them', async () => {
    await people('join', { name: 'eve' })
    await people('set-roles', { name: 'eve', roles: ['Moderators'] })
    await people('timeout', { name: 'ada', duration: '5m' })
    await people('timeout', { name: 'eve', duration: 300_000 })
    await people('leave', { name: 'alan' })
    const { members } = (await people('server')).body
    const byName = Object.fromEntries(members.map((one: any) => [one.username, one]))
    expect(byName).toMatchObject({ eve: { roles: ['Moderators'] }, ada: { timeout: expect.any(String) } })
    expect(byName.eve.timeout).toEqual(expect.any(String))
    await people('timeout', { name: 'eve', duration: null })
    expect(byName).not.toHaveProperty('alan')
    await people('say', { as: 'eve', content: 'Hi' })
    const { body } = await people('channel', { channel: 'general' })
    expect(body.messages).toMatchObject([{ author: 'eve', content: 'Hi' }])
    const permissions = { SEND_MESSAGES: false }
    await people('set-permissions', { channel: 'general', name: '@everyone', permissions })
    expect((await people('say', { as: 'eve', content: 'Hi' })).status).toBe(422)
  })

  it('[6-05] keeps a bot out of a server that it has left', async () => {
    expect((await json('/api/v10/users/@me/guilds/100000000000002001', { method: 'DELETE' })).status).toBe(
      204,
    )
    expect((await json('/api/v10/users/@me/guilds', { method: 'GET' })).body).toEqual([])
    expect((await loginAt(url, TOKEN)).ready.guilds).toEqual([])
  })

  it('lets people use messages that the bot has sent to a channel', async () => {
    const path = '/api/v10/channels/100000000000004001/messages'
    const { id } = (await json(path, { body: JSON.stringify({ content: 'Panel', components: rows }) })).body
    const pressed = (await people('press', { id, button: 'Go', as: 'ada' })).body
    expect(pressed).toMatchObject({ id, content: 'gone' })
    const chosen = await people('choose', { id, menu: 'menu', values: ['First'], as: 'grace' })
    expect(chosen.body.content).toBe('1')
    const messages = async () => (await people('channel', { channel: 'general' })).body.messages
    await people('react', { as: 'ada', id, emoji: '👍' })
    expect(await messages()).toMatchObject([{ reactions: { '👍': ['ada'] } }])
    await people('unreact', { as: 'ada', id, emoji: '👍' })
    expect(await messages()).toMatchObject([{ reactions: {} }])
    const own = (await people('say', { as: 'alan', content: 'Hi' })).body
    const edited = await people('edit', { as: 'alan', id: own.id, content: 'Hello' })
    expect(edited.body).toMatchObject({ content: 'Hello', edited: true })
    await people('delete', { as: 'alan', id: own.id })
    expect(await messages()).toHaveLength(1)
    const other = JSON.stringify({ content: 'Panel', components: rows })
    const unnamed = await people('press', { id: (await json(path, { body: other })).body.id, button: 'Go' })
    expect(unnamed.body.error.message).toBe('as: required for a message of a channel')
  })

  it('lets people reply, attach, pin, start threads and go to voice channels', async () => {
    const first = (await people('say', { as: 'alan', content: 'Hi' })).body
    const files = [{ filename: 'a.log' }]
    const reply = (await people('say', { as: 'alan', content: 'Yes', reply: first.id, files })).body
    expect(reply.files).toEqual(['a.log'])
    const pixel = { filename: 'a.png', base64: '/wA=' }
    const image = (await people('say', { as: 'alan', content: 'Look', files: [pixel] })).body
    const seen = await json(`/api/v10/channels/100000000000004001/messages/${image.id}`, { method: 'GET' })
    const bytes = await (await fetch(seen.body.attachments[0].url)).arrayBuffer()
    expect([...new Uint8Array(bytes)]).toEqual([255, 0])
    for (const wrong of [
      { ...pixel, base64: 'a-_=' },
      { ...pixel, base64: 'abc' },
      { ...pixel, content: '' },
    ])
      expect((await people('say', { as: 'alan', content: 'x', files: [wrong] })).status).toBe(400)
    await people('pin', { as: 'alan', id: first.id })
    const pinned = async () => (await people('channel', { channel: 'general' })).body.messages[0].pinned
    expect(await pinned()).toBe(true)
    await people('unpin', { as: 'alan', id: first.id })
    expect(await pinned()).toBe(false)
    const thread = (await people('start-thread', { as: 'alan', name: 'ticket', id: first.id })).body
    expect(thread).toMatchObject({ id: first.id, name: 'ticket' })
    await people('say', { as: 'alan', channel: 'ticket', content: 'In it' })
    expect((await people('channel', { channel: 'ticket' })).body.messages).toMatchObject([
      {},
      { content: 'In it' },
    ])
    const refused = await people('join-voice', { as: 'alan', voice: 'general' })
    expect(refused.body.error.message).toContain('#general is not a voice channel')
    const unheard = await people('mute', { name: 'alan', muted: true })
    expect(unheard.body.error.message).toContain('alan is in no voice channel')
    expect((await people('leave-voice', { as: 'alan' })).body).toEqual({})
    const wrong = await people('say', { as: 'alan', content: 'x', files: [1] })
    expect(wrong.body.error.message).toContain('expected a file with its filename')
  })

  it('has one name for a bot', async () => {
    const { ready, socket } = await loginAt(url, TOKEN)
    socket.terminate()
    const get = async (path: string) => (await json(`/api/v10${path}`, { method: 'GET' })).body
    const { body } = await json('/api/v10/channels/100000000000004001/messages', { body: '{"content":"x"}' })
    const { body: used } = await people('use', { as: 'ada', line: '/form' })
    const names = [
      ready.user.username,
      (await get('/users/@me')).username,
      (await get('/applications/@me')).name,
      (await get('/guilds/100000000000002001/members/1001')).user.username,
      body.author.username,
      (await people('server')).body.members.find(({ id }: any) => id === '1001').username,
    ]
    expect(names).toEqual(names.map(() => 'Your bot'))
    expect(used.kind).toBe('modal')
  })

  it('lets 250 bots into a server', async () => {
    const serversOf = async (application: number) => {
      const headers = { authorization: `Bot ${btoa(String(application)).replaceAll('=', '')}.a.b` }
      return (await (await fetch(`${url}/api/v10/users/@me/guilds`, { headers })).json()) as object[]
    }
    const sizes: number[] = []
    for (let first = 10_000; first < 10_249; first += 83) {
      const found = Array.from({ length: 83 }, async (_, index) => (await serversOf(first + index)).length)
      sizes.push(...(await Promise.all(found)))
    }
    sizes.push((await serversOf(10_249)).length)
    // The bot of this file is one of them.
    expect([sizes.indexOf(0), sizes.filter((size) => size === 0).length]).toEqual([249, 1])
    expect(await serversOf(1001)).toHaveLength(1)
  })

  it('requires the application while several bots are logged in', async () => {
    const other = `${btoa('1002').replaceAll('=', '')}.a.b`
    await loginAt(url, other)
    const message = 'application: required while several bots are logged in: 1001 and 1002'
    const refused = await people('use', { as: 'ada', line: '/find' })
    expect(refused).toMatchObject({ status: 400, body: { error: { message } } })
    const used = await people('use', { as: 'ada', line: '/find', application: '1001' })
    expect(used.body.content).toBe('used find')
  })

  it('takes requests of a bot that has not logged in, whose DM channels other bots do not see', async () => {
    const headers = { authorization: `Bot ${btoa('1002').replaceAll('=', '')}.a.b` }
    const post = (to: string, body: object) => json(`/api/v10${to}`, { body: JSON.stringify(body), headers })
    const { id } = (await post('/users/@me/channels', { recipient_id: '100000000000003001' })).body
    const { body: sent } = await post(`/channels/${id}/messages`, { content: 'Hi <@999>' })
    expect(sent).toMatchObject({ author: { id: '1002', bot: true }, mentions: [{ id: '999' }] })
    expect((await json(`/api/v10/channels/${id}`, { method: 'GET' })).body.code).toBe(50001)
  })

  it('refuses an invalid answer at once, with its problems', async () => {
    const refused = await people('use', { as: 'ada', line: '/find query:wrong' })
    const error = { code: 'refused', issues: [{ path: ['data', 'content'] }] }
    expect(refused).toMatchObject({ status: 504, body: { error } })
  })

  it('refuses pages of a browser', async () => {
    const body = JSON.stringify({ as: 'member', line: '/find' })
    expect((await json('/people/use', { body, headers: { origin: url } })).status).toBe(403)
  })

  it('names the missing package, and has no gateway without the flag', async () => {
    const missing = await call(['serve', '--gateway', '--port', '0'], { cwd: await directoryOf({}) })
    expect([missing.code, missing.err]).toEqual([1, expect.stringContaining('npm install ws')])
    url = (await serveOnFreePort([])).origin
    expect((await people('online')).status).toBe(404)
    url = await servingGateway()
    const { body } = await people('use', { as: 'ada', line: '/find' })
    expect(body.error.message).toBe('application: required while no bot is logged in')
  })
})
