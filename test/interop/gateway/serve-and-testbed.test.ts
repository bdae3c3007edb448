/** A pair: `commandry serve --gateway` and a testbed answer the same requests of a bot and of people, with the same events. */
import { expect, it, onTestFinished } from 'vitest'
import { WebSocketServer } from 'ws'
import { testbed } from 'commandry/testbed'
import { comparable } from '../../support/comparable.ts'
import { loginAt, servingGateway } from './serve-gateway.ts'

const ALL = 0xffff
const commands = [{ name: 'ping', description: 'Says pong' }]
const pong = {
  type: 4,
  data: {
    content: 'pong',
    components: [{ type: 1, components: [{ type: 2, style: 1, label: 'Go', custom_id: 'go' }] }],
  },
}

interface Place {
  readonly origin: string
  readonly token: string
  /** What Ada gets for a line that uses a command, or for a text that she writes: a text, or the reason why not. */
  readonly use: (line: string) => Promise<string>
  readonly say: (content: string) => Promise<string>
}

async function atServe(): Promise<Place> {
  const config = {
    applications: [{ id: '1000000000000000000', name: 'testbed', integration_types: [0, 1] }],
    tokens: [{ type: 'Bot', token: 'secret', application_id: '1000000000000000000' }],
  }
  const files = { 'commands.json': commands, 'service.json': config }
  const origin = await servingGateway(['commands.json', '--config', 'service.json'], files)
  const act = async (action: string, body: object) => {
    const response = await fetch(`${origin}/people/${action}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ as: 'ada', ...body }),
    })
    const { error, content } = (await response.json()) as any
    return error?.message ?? content
  }
  return {
    ...{ origin, token: 'secret' },
    use: (line) => act('use', { line }),
    say: (content) => act('say', { content }),
  }
}

async function inTestbed(): Promise<Place> {
  const bed = await testbed({ ws: { WebSocketServer }, commands })
  onTestFinished(() => bed.close())
  const ada = bed.as('ada')
  const contentOf = (act: Promise<any>) =>
    act.then(
      (shown) => shown.content,
      ({ message }: Error) => message,
    )
  return {
    ...{ origin: new URL(bed.rest).origin, token: bed.token },
    use: (line) => contentOf(ada.use(line)),
    say: (content) => contentOf(ada.say(content)),
  }
}

type Step = readonly [method: string, path: string, body?: object]

const channel = '/channels/100000000000004001'
const server = '/guilds/100000000000002001'
/** `{name}` in a path is an id of the response before the last that had it. */
const steps: readonly Step[] = [
  ['GET', '/users/@me'],
  ['GET', '/applications/@me'],
  ['GET', '/applications/1000000000000000000/commands'],
  ['GET', server],
  ['GET', `${server}/channels`],
  ['GET', `${server}/members/100000000000003001`],
  ['POST', `${channel}/messages`, { content: 'hello <@100000000000003001>' }],
  ['PATCH', `${channel}/messages/{id}`, { content: 'changed' }],
  ['PUT', `${channel}/messages/{id}/reactions/%F0%9F%91%8D/@me`],
  ['PUT', `${channel}/messages/pins/{id}`],
  ['POST', `${channel}/messages/{id}/threads`, { name: 'thread' }],
  ['POST', `${channel}/messages/{id}/threads`, { name: 'again' }],
  ['POST', `${channel}/messages`, { content: '' }],
  ['POST', `${server}/roles`, { name: 'new' }],
  ['PUT', `${server}/members/100000000000003001/roles/{id}`],
  ['PATCH', `${server}/members/100000000000003001`, { nick: 'Lady' }],
  ['PATCH', `${server}/members/100000000000003001`, { nick: 'x'.repeat(40) }],
  ['POST', `${server}/channels`, { name: 'New Channel' }],
  ['DELETE', '/channels/{id}'],
  ['GET', '/channels/{id}'],
  ['PUT', `${server}/bans/100000000000003002`, {}],
  ['GET', `${server}/bans`],
  ['PATCH', `${server}/nothing`],
  ['POST', '/users/@me/channels', { recipient_id: '100000000000003001' }],
  ['POST', '/applications/1000000000000000000/commands', { name: 'Bad Name', description: 'x' }],
  ['GET', `${server}/audit-logs`],
]

async function answersOf({ origin, token, use, say }: Place): Promise<unknown> {
  const { socket } = await loginAt(origin, token, ALL)
  const events: string[] = []
  // The answer to a heartbeat comes after the events that were sent before it.
  let haveArrived = () => {}
  const call = async (url: string, method: string, body?: object) => {
    const headers = { authorization: `Bot ${token}`, ...(body && { 'content-type': 'application/json' }) }
    const response = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    const text = await response.text()
    return { status: response.status, body: text === '' ? null : JSON.parse(text) }
  }
  socket.on('message', async (text) => {
    const { op, t, d } = JSON.parse(String(text))
    if (op === 11) haveArrived()
    if (typeof t === 'string' && t !== 'GUILD_CREATE') events.push(t)
    if (t !== 'INTERACTION_CREATE') return
    await call(`${origin}/api/v10/interactions/${d.id}/${d.token}/callback`, 'POST', pong)
  })
  const answers: unknown[] = []
  let id = ''
  for (const [method, path, body] of steps) {
    const answer = await call(`${origin}/api/v10${path.replace('{id}', id)}`, method, body)
    id = answer.body?.id ?? id
    // How a route that is missing can be answered differs.
    if (answer.status === 404) answer.body.message = answer.body.message.replace(/; answer it with .*/, '')
    answers.push([`${method} ${path}`, answer])
  }
  for (const line of ['/ping', '/nothing', '/ping a:b']) answers.push([line, await use(line)])
  for (const content of ['hi', '', 'x'.repeat(2001)]) answers.push([content, await say(content)])
  await new Promise<void>((resolve) => {
    haveArrived = resolve
    socket.send('{"op":1,"d":null}')
  })
  return { answers, events }
}

it('commandry serve and a testbed give a bot and people the same answers and events', async () => {
  const served = comparable(await answersOf(await atServe()))
  const inBed = comparable(await answersOf(await inTestbed()))
  expect(inBed).toEqual(served)
  expect(served).toMatchObject({
    answers: expect.arrayContaining([['/ping', 'pong']]),
    events: expect.arrayContaining(['MESSAGE_REACTION_ADD', 'THREAD_CREATE', 'GUILD_BAN_ADD']),
  })
})
