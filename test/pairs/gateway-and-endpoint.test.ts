/** A pair: a bot at the gateway and one at an endpoint get the same interactions, and people see the same answers. */
import { once } from 'node:events'
import { beforeAll, describe, expect, it } from 'vitest'
import { testbed, type Testbed } from 'commandry/testbed'
import { comparable } from '../support/comparable.ts'
import { WebSocket, WebSocketServer } from '../support/sockets.ts'

const option = (type: number, name: string, more = {}) => ({ type, name, description: 'x', ...more })

const commands = [
  {
    name: 'all',
    description: 'Has an option of every type',
    options: [
      option(3, 'text', { required: true, autocomplete: true }),
      ...[4, 5, 6, 7, 8, 9, 10, 11].map((type) => option(type, `of-${type}`)),
    ],
  },
  { name: 'group', description: 'x', options: [option(1, 'one', { options: [option(3, 'text')] })] },
  { name: 'later', description: 'Answers later' },
  { name: 'hidden', description: 'Answers its person alone', contexts: [0, 1] },
  { name: 'form', description: 'Opens a form' },
  { name: 'wrong', description: 'Answers what is invalid' },
  { type: 2, name: 'Greet' },
  { type: 3, name: 'Quote' },
]

const button = { type: 2, style: 1, label: 'Again', custom_id: 'again' }
const menu = { type: 3, custom_id: 'menu', options: [{ label: 'First', value: '1' }] }
const components = [
  { type: 1, components: [button] },
  { type: 1, components: [menu] },
]
const input = { type: 18, label: 'Why', component: { type: 4, custom_id: 'why', style: 1 } }

/** What the bot answers to an interaction, in either place. */
function answerTo({ type, data }: any): object {
  if (type === 4) return { type: 8, data: { choices: [{ name: 'One', value: 'one' }] } }
  if (type === 5) return { type: 4, data: { content: `because ${data.components[0].component.value}` } }
  if (type === 3) return { type: 7, data: { content: `${data.custom_id} ${data.values ?? ''}` } }
  if (data.name === 'later') return { type: 5 }
  if (data.name === 'form') return { type: 9, data: { title: 'Form', custom_id: 'f', components: [input] } }
  if (data.name === 'wrong') return { type: 4, data: { content: 'x'.repeat(2001) } }
  return {
    type: 4,
    data: { content: `${data.name} done`, components, flags: data.name === 'hidden' ? 64 : 0 },
  }
}

/** Fills in the answer of `/later` as bots do, through the webhook of the interaction. */
async function fillIn(bed: Testbed, { application_id, token, data }: any): Promise<void> {
  if (data.name !== 'later') return
  await fetch(`${bed.rest}/v10/webhooks/${application_id}/${token}/messages/@original`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ content: 'done later' }),
  })
}

type Received = Record<string, any>

async function withEndpoint(received: Received[]): Promise<Testbed> {
  const bed: Testbed = await testbed({
    commands,
    async endpoint(request) {
      const interaction = (await request.json()) as Received
      received.push(interaction)
      const answer = answerTo(interaction)
      setImmediate(() => fillIn(bed, interaction))
      return Response.json(answer)
    },
  })
  return bed
}

async function withGateway(received: Received[]): Promise<Testbed> {
  const bed = await testbed({ commands, ws: { WebSocketServer } })
  const socket = new WebSocket(`${bed.gateway}/?v=10&encoding=json`)
  await once(socket, 'open')
  socket.send(JSON.stringify({ op: 2, d: { token: bed.token, intents: 0, properties: {} } }))
  socket.on('message', async (text) => {
    const { t, d } = JSON.parse(String(text))
    if (t !== 'INTERACTION_CREATE') return
    received.push(d)
    await fetch(`${bed.rest}/v10/interactions/${d.id}/${d.token}/callback`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(answerTo(d)),
    })
    await fillIn(bed, d)
  })
  await bed.online()
  return bed
}

const shownBy = async (use: Promise<{ readonly kind?: string; text(): string }>) =>
  use.then(
    (shown) => [shown.kind, shown.text()],
    ({ name, code }: Error & { code?: string }) => [name, code],
  )

const situations: Readonly<Record<string, (bed: Testbed) => Promise<unknown>>> = {
  'a command with options of every type': (bed) =>
    shownBy(
      bed.as('ada').use('/all', {
        text: 'a',
        'of-4': 1,
        'of-5': true,
        'of-6': '@grace',
        'of-7': '#general',
        'of-10': 1.5,
        'of-11': { filename: 'cat.png' },
      }),
    ),
  'a subcommand': (bed) => shownBy(bed.as('ada').use('/group one text:b')),
  suggestions: (bed) => bed.as('ada').suggestions('/all text:o'),
  'an answer that comes later': async (bed) => {
    await bed.as('ada').use('/later')
    return (await bed.as('ada').sees(/done later/)).content
  },
  'an answer for one person': (bed) => shownBy(bed.as('ada').use('/hidden')),
  'a DM': (bed) => shownBy(bed.as('ada', { channel: 'dm' }).use('/hidden')),
  'a form': async (bed) => shownBy((await bed.as('ada').use('/form')).submit({ Why: 'so' })),
  'a button': async (bed) => shownBy((await bed.as('ada').use('/group one')).press('Again')),
  'a menu': async (bed) => shownBy((await bed.as('ada').use('/group one')).choose('menu', 'First')),
  'a user command': (bed) => shownBy(bed.as('ada').useOn('Greet', 'grace')),
  'an invalid answer': (bed) => shownBy(bed.as('ada').use('/wrong')),
  'a person of another language': (bed) => shownBy(bed.as('ada', { locale: 'de' }).use('/group one')),
}

describe('a bot at the gateway and one at an endpoint', () => {
  const places = { endpoint: [] as Received[], gateway: [] as Received[] }
  let beds: { readonly endpoint: Testbed; readonly gateway: Testbed }
  beforeAll(async () => {
    beds = { endpoint: await withEndpoint(places.endpoint), gateway: await withGateway(places.gateway) }
    return async () => {
      await beds.endpoint.close()
      await beds.gateway.close()
    }
  })

  it.each(Object.entries(situations))('get the same of %s, and people see the same', async (_, act) => {
    places.endpoint.length = 0
    places.gateway.length = 0
    const [atEndpoint, atGateway] = [await act(beds.endpoint), await act(beds.gateway)]
    expect(atGateway).toEqual(atEndpoint)
    expect(places.endpoint.length).toBeGreaterThan(0)
    expect(comparable(places.gateway)).toEqual(comparable(places.endpoint))
  })
})
