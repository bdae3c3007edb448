/** Each door that reads JSON, with a body nested 100,000 deep: an error that names the limit, and the program goes on. */
import { describe, expect, it, onTestFinished } from 'vitest'
import { CommandRegistry, globalScope } from 'commandry'
import { textStore } from 'commandry/storage/text'
import { testbed } from 'commandry/testbed'
import { world } from './service/gateway/harness.ts'
import { call, directoryOf, serveOnFreePort } from './tools/cli/program.ts'

const LIMIT = /nested more than 100 levels deep/

const lists = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const deep = lists(100_000)
const inField = (field: string) => `{"name":"a","description":"b","content":"c","${field}":${deep}}`
const objects = '{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000)
const bodies = [deep, objects, inField('x'), `{"name":"a","description":"b","options":${deep}}`]

function formOf(json: string): FormData {
  const form = new FormData()
  form.set('payload_json', json)
  form.set('files[0]', new Blob(['x']), 'a.txt')
  return form
}

/** A service with a gateway that no bot uses. */
async function origin(): Promise<string> {
  const directory = await directoryOf({
    'node_modules/ws/package.json': { name: 'ws', main: 'index.js' },
    'node_modules/ws/index.js': 'module.exports = { WebSocketServer: class {} }',
  })
  return (await serveOnFreePort(['--gateway'], directory)).origin
}

describe('JSON nested 100,000 deep', () => {
  it('is refused with 400 by every route of a service, of people and of the page', async () => {
    const at = await origin()
    const api = `${at}/api/v10`
    const routes = [
      ['POST', `${api}/applications/1001/commands`],
      ['PUT', `${api}/applications/1001/commands`],
      ['PATCH', `${api}/guilds/2001`],
      ['POST', `${api}/channels/4001/messages`],
      ['PATCH', `${api}/users/@me`],
      ['POST', `${at}/people/use`],
      ['POST', `${at}/people/settled`],
      ['POST', `${at}/people/route`],
      ['POST', `${at}/ui/check`],
      ['POST', `${at}/ui/answer`],
      ['POST', `${at}/ui/plan`],
    ] as const
    const headers = {
      authorization: 'Bot x',
      'content-type': 'application/json',
      'sec-fetch-site': 'same-origin',
    }
    for (const [method, url] of routes)
      for (const body of bodies) {
        const response = await fetch(url, { method, headers, body })
        const text = await response.text()
        expect([method, url, response.status, LIMIT.test(text)]).toEqual([method, url, 400, true])
      }
    const form = await fetch(`${api}/channels/4001/messages`, {
      method: 'POST',
      headers: { authorization: 'Bot x' },
      body: formOf(inField('x')),
    })
    expect([form.status, await form.text()]).toEqual([400, expect.stringMatching(LIMIT)])
    expect((await fetch(`${api}/users/@me`, { headers })).status).toBe(200)
  })

  it('is a problem of a text in the Editor and in Plan', async () => {
    const at = await origin()
    const ask = async (question: string) => {
      const response = await fetch(`${at}/ui/${question}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
        body: JSON.stringify({ app: '1001', text: deep }),
      })
      return [response.status, await response.text()]
    }
    for (const question of ['check', 'plan'])
      expect(await ask(question)).toEqual([200, expect.stringMatching(LIMIT)])
  })

  it('closes the connection of a bot with 4002', async () => {
    const { connect } = world()
    for (const [frame, reason] of [
      [`{"op":1,"d":${lists(1_000)}}`, LIMIT],
      [`{"op":1,"d":${deep}}`, /at most 4096 bytes/],
    ] as const) {
      const client = connect()
      client.connection.receive(frame)
      expect(client.closedWith).toEqual({ code: 4002, reason: expect.stringMatching(reason) })
    }
  })

  it.each<[string, () => Response]>([
    ['a body', () => new Response(inField('x'))],
    ['a form', () => new Response(formOf(inField('x')))],
  ])('is the failure of a bot over HTTP that answers with it: %s', async (_, endpoint) => {
    const bed = await testbed({ commands: [{ name: 'a', description: 'b' }], endpoint })
    onTestFinished(() => bed.close())
    await expect(bed.as('ada').use('/a')).rejects.toMatchObject({
      code: 'no_answer',
      message: expect.stringMatching(LIMIT),
    })
  })

  it.each([
    ['check', ['check', 'deep.json']],
    ['check of stdin', ['check', '-']],
    ['check in a folder', ['check', '.']],
    ['plan', ['plan', 'deep.json', '--against', 'ok.json']],
    ['plan --against', ['plan', 'ok.json', '--against', 'deep.json']],
    ['deploy', ['deploy', 'deep.json', '--to', 'http://127.0.0.1:1', '--application', '1001', '--yes']],
    ['serve --config', ['serve', '--config', 'deep.json', '--port', '0']],
    ['import', ['import', 'deep.json', '--store', 'sqlite:a.db']],
    ['review --config', ['review', '--base', 'main', 'ok.json', '--config', 'deep.json']],
    ['the file of targets', ['status']],
  ])('is an invalid file for %s', async (_, args) => {
    for (const body of bodies) {
      const cwd = await directoryOf({
        'deep.json': body,
        'commandry.targets.json': body,
        'ok.json': [{ name: 'ping', description: 'b' }],
      })
      const { code, out, err } = await call(args, { cwd, stdin: body })
      expect([code, out + err]).toEqual([
        1,
        expect.stringMatching(/deep\.json|commandry\.targets\.json|stdin|-/),
      ])
      expect(out + err).toContain('at most 100 levels of lists and objects are allowed')
    }
  })

  it('has no errors to explain', async () => {
    for (const body of bodies) expect((await call(['explain', '-'], { stdin: body })).code).toBe(2)
  })

  it('is a failure of the store that has such a document', async () => {
    const rows = textStore({
      rows: async (keys) => keys.map((key) => ({ key, revision: 'r'.repeat(36), text: deep })),
      write: async () => false,
      keys: async function* () {},
    })
    const listing = new CommandRegistry({ store: rows }).list(globalScope('1001'))
    await expect(listing).rejects.toMatchObject({ code: 'storage' })
  })
})
