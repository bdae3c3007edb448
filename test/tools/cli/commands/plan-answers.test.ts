import type { OutgoingHttpHeaders, RequestListener } from 'node:http'
import { describe, expect, it } from 'vitest'
import { serve } from 'commandry/node'
import { listening } from '../../../support/listening.ts'
import { directoryOf, ending, failed, failing } from '../program.ts'
import { planAgainst, run } from '../services.ts'
import { app, guild, hello } from '../../../support/fixtures.ts'

const deployed = { id: '7', application_id: app, version: '8', type: 1, ...hello }

const sends =
  (body: string, status = 200, headers: OutgoingHttpHeaders = {}): RequestListener =>
  (_, response) =>
    void response.writeHead(status, headers).end(body)

const json = (value: unknown) => sends(JSON.stringify(value))

/** Invalid responses, by their messages. A message that contains the token is not printed. */
const invalidResponses: Readonly<Record<string, RequestListener>> = {
  'responds with something that is not JSON ("text/html"); check the address of the service': sends(
    '<h1>Welcome</h1>',
    200,
    { 'content-type': 'text/html' },
  ),
  'responds with something that is not JSON ("without a type"); check the address of the service': sends(''),
  'responds with 404; check the address of the service': sends('<h1>Nothing</h1>', 404),
  'responds with 404 "Unknown application"': sends('{"message":"Unknown application","code":10002}', 404),
  'responds with 403': ({ headers }, response) =>
    void response.writeHead(403).end(JSON.stringify({ message: `Not for ${headers.authorization}` })),
  'redirects with 307; use that address': ({ headers }, response) =>
    void response.writeHead(307, { location: `/?${headers.authorization}` }).end(),
  'returns an object instead of a list of commands': json({}),
  'returns null instead of a list of commands': json(null),
  'returns a list with an entry that is not a command': json([5]),
  'scopes[0].commands[1].id is 5, which is also the id of command 1 of the list; each command can be replaced once':
    json(['a', 'c'].map((name) => ({ id: '5', name, description: 'b' }))),
}
/** Those whose messages vary. */
const furtherResponses: readonly (readonly [RegExp, RequestListener])[] = [
  [
    /^responds with 500 "a\\n\\u001b\[31mb+…"\n$/,
    sends(`{"message":"a\\n\\u001b[31m${'b'.repeat(200)}"}`, 500),
  ],
  [
    /^redirects with 302 to "http:\/\/192\.0\.2\.1\/.*login"; use that address\n$/,
    sends('', 302, { location: 'http://192.0.2.1/\u0080login' }),
  ],
  [
    /^returns a command that this version cannot read: command "\\u001b\[31m\\n", type: is the number 9; .*\n$/,
    json([{ id: '5', type: 9, name: '\u001b[31m\n' }]),
  ],
  [/^returns a list with an entry that is not a command\n$/, json([{ id: 5 }])],
  [/^cannot be reached: .*\n$/, (request) => void request.socket.end('SSH-2.0-server\r\n')],
  [/^cannot be reached: .*\n$/, (request) => void request.socket.destroy()],
]

describe('commandry plan FILE --against URL', () => {
  it('reads responses of another server, with extra fields and without versions', async () => {
    const command = { id: '7', type: 1, application_id: app, ...hello, is_new: true }
    const url = await listening((request, response) => {
      const found = request.url === `/bots/applications/${app}/commands?with_localizations=true`
      response.writeHead(found ? 200 : 404, { 'content-type': 'application/json; charset=utf-8' })
      response.end(JSON.stringify(found ? [command] : { message: 'Nothing', code: 0 }))
    })
    const other = { ...hello, description: 'Says hi' }
    const directory = await directoryOf({ 'same.json': hello, 'other.json': other })
    const same = await planAgainst(`${url}/bots/`, directory, ['same.json'])
    expect(same).toMatchObject(ending(0, 'No changes: 1 command is deployed as defined.'))
    const changed = await planAgainst(`${url}/bots/`, directory, ['other.json'])
    expect(changed.out).toContain('description  "Says hello" → "Says hi"')
  })

  const planOf = async (url: string, ...more: readonly string[]) => {
    const directory = await directoryOf({ 'hello.json': hello })
    return planAgainst(url, directory, ['hello.json', ...more], { COMMANDRY_TOKEN: 'geheim' })
  }

  it.each([...Object.entries(invalidResponses), ...furtherResponses])(
    'exits with 1 and one line for a response that %s',
    async (message, listener) => {
      const url = await listening(listener)
      const { code, out, err } = await planOf(url)
      const [before, reason] = err.split(`commandry plan: ${url}/api/v10: `)
      expect([code, out, before]).toEqual([1, '', ''])
      expect(reason).toEqual(typeof message === 'string' ? `${message}\n` : expect.stringMatching(message))
    },
  )

  it('reports that no service listens', async () => {
    const gone = await serve({ handler: async () => new Response() })
    await gone.close()
    expect(await planOf(gone.url)).toMatchObject({ out: '', ...failing(1, 'ECONNREFUSED') })
  })

  it.each([
    ['returns an object instead of a list of permissions', {}],
    [
      'returns permissions that this version cannot read: entry 1, type: is the number 9; expected 1 ROLE, 2 USER or 3 CHANNEL',
      [{ id: '7', permissions: [{ id: '1', type: 9, permission: true }] }],
    ],
  ])('exits with 1 and one line for a service that %s', async (message, permissions) => {
    const url = await listening(
      ({ url: path = '' }, response) =>
        void response.end(JSON.stringify(path.endsWith('permissions') ? permissions : [deployed])),
    )
    const ended = await planOf(url, '--permissions-in', guild)
    expect(ended).toEqual(failed(`commandry plan: ${url}/api/v10: ${message}`))
  })

  it('reports permissions as unknown when the service does not return them', async () => {
    const url = await listening(({ url: path = '' }, response) => {
      const isHidden = path.endsWith('permissions')
      response.writeHead(isHidden ? 403 : 200)
      response.end(JSON.stringify(isHidden ? { message: 'Missing Access', code: 50001 } : [deployed]))
    })
    const directory = await directoryOf({ 'none.json': [] })
    const planNone = (...more: readonly string[]) => planAgainst(url, directory, ['none.json', ...more])
    const unknown =
      'Permissions that would be lost are unknown: the service responds with 403 "Missing Access".'
    expect(await planNone('--guild', guild)).toMatchObject(ending(0, unknown))
    const expected = failing(1, 'responds with 403 "Missing Access"')
    expect(await planNone('--permissions-in', guild)).toMatchObject(expected)
  })

  it('ends slow and endless responses at its limits', async () => {
    const silent = await listening(() => {})
    const stuck = await listening((_, response) => void response.write('['))
    for (const url of [silent, stuck]) {
      const expected = failed(`commandry plan: ${url}/api/v10: did not respond within 0.2 seconds`)
      expect(await planOf(url, '--timeout', '0.2')).toEqual(expected)
    }
    const chunk = Buffer.alloc(1024 * 1024, 0x20)
    const endless = await listening((_, response) => {
      const more = () => {
        while (!response.destroyed && response.write(chunk)) {
          // Until the buffer of the other side is full.
        }
      }
      response.on('drain', more)
      more()
    })
    const expected = failed(`commandry plan: ${endless}/api/v10: responds with more than 4 MiB`)
    expect(await planOf(endless, '--timeout', '60')).toEqual(expected)
  })
})

describe('commandry plan', () => {
  it('refuses a folder without commands, which would delete every command', async () => {
    const cwd = await directoryOf({ 'commands/a.mjs': 'export default () => ({})', 'hello.json': hello })
    for (const args of [['commands/'], ['hello.json', 'commands']]) {
      const ended = await planAgainst('http://127.0.0.1:1', cwd, args)
      expect(ended).toMatchObject(ending(1, 'no command found in 1 file'))
    }
  })

  it('lists its options with --help', async () => {
    expect(await run(['--help'])).toMatchObject(ending(0, '--permissions-in GUILD'))
  })
})
