import type { RequestListener } from 'node:http'
import { describe, expect, it } from 'vitest'
import { serve } from 'commandry/node'
import { listening } from '../support/listening.ts'
import { directoryOf, ending, failing } from './program.ts'
import { run } from './services.ts'
import { app, guild, hello } from '../support/fixtures.ts'

const json =
  (value: unknown): RequestListener =>
  (_, response) =>
    void response.end(JSON.stringify(value))

const deployed = { id: '7', application_id: app, version: '8', type: 1, ...hello }

/** Invalid responses, and the message for each. */
const invalidResponses: readonly (readonly [RequestListener, unknown])[] = [
  [
    (_, response) => void response.setHeader('content-type', 'text/html').end('<h1>Welcome</h1>'),
    'responds with something that is not JSON ("text/html"); check the address of the service',
  ],
  [
    (_, response) => void response.end(),
    'responds with something that is not JSON ("without a type"); check the address of the service',
  ],
  [
    (_, response) => void response.writeHead(404).end('<h1>Nothing</h1>'),
    'responds with 404; check the address of the service',
  ],
  [
    (_, response) => void response.writeHead(404).end('{"message":"Unknown application","code":10002}'),
    'responds with 404 "Unknown application"',
  ],
  [
    (_, response) => void response.writeHead(500).end(`{"message":"a\\n\\u001b[31m${'b'.repeat(200)}"}`),
    expect.stringMatching(/^responds with 500 "a\\n\\u001b\[31mb+…"$/),
  ],
  [
    (_, response) => void response.writeHead(302, { location: 'http://192.0.2.1/\u0080login' }).end(),
    expect.stringMatching(/^redirects with 302 to "http:\/\/192\.0\.2\.1\/.*login"; use that address$/),
  ],
  // A message that contains the token is not printed.
  [
    ({ headers }, response) =>
      void response.writeHead(403).end(JSON.stringify({ message: `Not for ${headers.authorization}` })),
    'responds with 403',
  ],
  [
    ({ headers }, response) => void response.writeHead(307, { location: `/?${headers.authorization}` }).end(),
    'redirects with 307; use that address',
  ],
  [json({}), 'returns an object instead of a list of commands'],
  [json(null), 'returns null instead of a list of commands'],
  [json([5]), 'returns a list with an entry that is not a command'],
  [json([{ id: 5 }]), 'returns a list with an entry that is not a command'],
  [
    json([{ id: '5', type: 9, name: '\u001b[31m\n' }]),
    expect.stringMatching(
      /^returns a command that this version cannot read: command "\\u001b\[31m\\n", type: is the number 9; /,
    ),
  ],
  [
    json([
      { id: '5', name: 'a', description: 'b' },
      { id: '5', name: 'c', description: 'd' },
    ]),
    'scopes[0].commands[1].id is 5, which is also the id of command 1 of the list; each command can be replaced once',
  ],
  [(request) => void request.socket.end('SSH-2.0-server\r\n'), expect.stringMatching(/^cannot be reached: /)],
  [(request) => void request.socket.destroy(), expect.stringMatching(/^cannot be reached: /)],
]

describe('commandry plan FILE --against URL', () => {
  it('reads responses of another server, with extra fields and without versions', async () => {
    const command = { id: '7', type: 1, application_id: app, ...hello, is_new: true }
    const url = await listening((request, response) => {
      const found = request.url === `/bots/applications/${app}/commands?with_localizations=true`
      response.writeHead(found ? 200 : 404, { 'content-type': 'application/json; charset=utf-8' })
      response.end(JSON.stringify(found ? [command] : { message: 'Nothing', code: 0 }))
    })
    const directory = await directoryOf({
      'same.json': hello,
      'other.json': { ...hello, description: 'Says hi' },
    })
    const args = ['--against', `${url}/bots/`, '--application', app]
    const same = await run(['same.json', ...args], directory)
    expect(same).toMatchObject(ending(0, 'No changes: 1 command is deployed as defined.'))
    const other = await run(['other.json', ...args], directory)
    expect(other.out).toContain('description  "Says hello" → "Says hi"')
  })

  it('describes an invalid response in one line and exits with 1', async () => {
    const directory = await directoryOf({ 'hello.json': hello })
    const plan = (url: string, ...more: string[]) =>
      run(['hello.json', '--against', url, '--application', app, ...more], directory, {
        COMMANDRY_TOKEN: 'geheim',
      })
    for (const [listener, message] of invalidResponses) {
      const url = await listening(listener)
      const { code, out, err } = await plan(url)
      const [line, ...rest] = err.split('\n')
      expect([code, out, rest]).toEqual([1, '', ['']])
      const at = `commandry plan: ${url}/api/v10: `
      expect(line!.slice(0, at.length)).toBe(at)
      expect(line!.slice(at.length)).toEqual(message)
    }
    const gone = await serve({ handler: async () => new Response() })
    await gone.close()
    expect(await plan(gone.url)).toMatchObject({ out: '', ...failing(1, 'ECONNREFUSED') })
  })

  it('describes invalid permissions in one line', async () => {
    for (const [permissions, message] of [
      [{}, 'returns an object instead of a list of permissions'],
      [
        [{ id: '7', permissions: [{ id: '1', type: 9, permission: true }] }],
        'returns permissions that this version cannot read: entry 1, type: is the number 9; expected 1 ROLE, 2 USER or 3 CHANNEL',
      ],
    ] as const) {
      const url = await listening(
        ({ url: path = '' }, response) =>
          void response.end(JSON.stringify(path.endsWith('permissions') ? permissions : [deployed])),
      )
      const directory = await directoryOf({ 'hello.json': hello })
      const args = ['hello.json', '--against', url, '--application', app, '--permissions-in', guild]
      expect(await run(args, directory)).toEqual({
        code: 1,
        out: '',
        err: `commandry plan: ${url}/api/v10: ${message}\n`,
      })
    }
  })

  it('reports permissions as unknown when the service does not return them', async () => {
    const url = await listening(({ url: path = '' }, response) => {
      const isHidden = path.endsWith('permissions')
      response.writeHead(isHidden ? 403 : 200)
      response.end(JSON.stringify(isHidden ? { message: 'Missing Access', code: 50001 } : [deployed]))
    })
    const directory = await directoryOf({ 'none.json': [] })
    const args = ['none.json', '--against', url, '--application', app]
    const unknown =
      'Permissions that would be lost are unknown: the service responds with 403 "Missing Access".'
    expect(await run([...args, '--guild', guild], directory)).toMatchObject(ending(0, unknown))
    expect(await run([...args, '--permissions-in', guild], directory)).toMatchObject(
      failing(1, 'responds with 403 "Missing Access"'),
    )
  })

  it('ends slow and endless responses at its limits', async () => {
    const directory = await directoryOf({ 'hello.json': hello })
    const plan = (url: string, seconds: number) =>
      run(['hello.json', '--against', url, '--application', app, '--timeout', `${seconds}`], directory)
    const silent = await listening(() => {})
    const stuck = await listening((_, response) => void response.write('['))
    for (const url of [silent, stuck]) {
      expect(await plan(url, 0.2)).toEqual({
        code: 1,
        out: '',
        err: `commandry plan: ${url}/api/v10: did not respond within 0.2 seconds\n`,
      })
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
    expect(await plan(endless, 60)).toEqual({
      code: 1,
      out: '',
      err: `commandry plan: ${endless}/api/v10: responds with more than 4 MiB\n`,
    })
  })
})

describe('commandry plan', () => {
  it('refuses a folder without commands, which would delete every command', async () => {
    const cwd = await directoryOf({ 'commands/a.mjs': 'export default () => ({})', 'hello.json': hello })
    for (const args of [['commands/'], ['hello.json', 'commands']]) {
      const ended = await run([...args, '--against', 'http://127.0.0.1:1', '--application', app], cwd)
      expect(ended).toMatchObject(ending(1, 'no command found in 1 file'))
    }
  })

  it('lists its options with --help', async () => {
    expect(await run(['--help'])).toMatchObject(ending(0, '--permissions-in GUILD'))
  })
})
