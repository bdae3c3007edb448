/** What answers of a bot refer to, over its endpoint and over the gateway. */
import { describe, expect, it, onTestFinished } from 'vitest'
import { ApplicationFlag } from 'commandry'
import { testbed, type TestbedOptions } from 'commandry/testbed'

const commands = [{ name: 'x', description: 'd' }]
const V2 = 1 << 15

/** A bot that answers each interaction in its response. */
async function bedWith(answer: (interaction: any) => object, options: TestbedOptions = {}) {
  const seen: any[] = []
  const bed = await testbed({
    commands,
    endpoint: async (request) => {
      const interaction: any = await request.json()
      seen.push(interaction)
      return Response.json(answer(interaction))
    },
    ...options,
  })
  onTestFinished(() => bed.close())
  return { bed, seen }
}

const message = (data: object) => ({ type: 4, data })
const row = (...components: readonly object[]) => [{ type: 1, components }]
const button = (more: object = {}) => ({ type: 2, style: 1, custom_id: 'b', label: 'Go', ...more })
const label = (component: object) => ({ type: 18, label: 'Label', component })
const input = { type: 4, custom_id: 'i', style: 1 }

describe('the answer of an endpoint', () => {
  it.each([
    ['an invalid emoji', message({ components: row(button({ emoji: {} })) }), 'emoji'],
    [
      'a missing file',
      message({ flags: V2, components: [{ type: 13, file: { url: 'attachment://a.txt' } }] }),
      'a.txt',
    ],
    [
      'an id twice',
      message({ components: [...row(button({ id: 2 })), { ...row(button({ custom_id: 'c' }))[0], id: 2 }] }),
      'second time',
    ],
  ])('[2.11-14] is refused for %s', async (_, answer, words) => {
    const { bed } = await bedWith(() => answer)
    await expect(bed.as('ada').use('/x')).rejects.toThrow(words)
  })

  it.each([
    ['a SKU', { type: 10 }, 'SKU'],
    ['an unknown emoji', message({ components: row(button({ emoji: { id: '9' } })) }), 'no server here'],
    ['many bytes', message({ flags: V2, components: [{ type: 10, content: '漢'.repeat(4_000) }] }), 'bytes'],
  ])('[2.11-14] is noted for %s', async (_, answer, words) => {
    const { bed } = await bedWith(() => answer)
    await bed.as('ada').use('/x')
    expect(bed.requests.flatMap(({ notes = [] }) => notes).join()).toContain(words)
  })

  it('[2.11-14] is noted for suggestions of one name', async () => {
    const option = { type: 3, name: 'o', description: 'd', autocomplete: true, required: true } as const
    const choices = [1, 2].map((value) => ({ name: 'same', value: String(value) }))
    const { bed } = await bedWith(() => ({ type: 8, data: { choices } }), {
      commands: [{ ...commands[0]!, options: [option] }],
    })
    await bed.as('ada').suggestions('/x o:s')
    expect(bed.requests).toMatchObject([{ notes: [expect.stringContaining('same')] }])
  })
})

it('[2.11-14] gives the components of answers and modals their numeric ids, which are sent when they are used', async () => {
  const answers: Readonly<Record<number, object>> = {
    2: message({ content: 'a', components: row(button()) }),
    3: {
      type: 9,
      data: { custom_id: 'm', title: 'T', components: [label(input), { type: 10, content: 't' }] },
    },
    5: message({ content: 'done' }),
  }
  const { bed, seen } = await bedWith(({ type }) => answers[type]!)
  const shown = await bed.as('ada').use('/x')
  expect(shown.message?.components).toMatchObject([{ id: 1, components: [{ id: 2 }] }])
  const opened = await bed.as('ada').press(shown, 'Go')
  expect(seen.at(-1).data.id).toBe(2)
  expect(opened.modal?.components).toMatchObject([{ id: 1, component: { id: 2 } }, { id: 3 }])
  await bed.as('ada').submit(opened, { i: 'text' })
  expect(seen.at(-1).data.components).toMatchObject([{ id: 1, component: { id: 2 } }, { id: 3 }])
})

it('[2.11-14] looks up what callbacks, follow-ups and edits refer to', async () => {
  const { bed, seen } = await bedWith(() => message({ content: 'a' }))
  await bed.as('ada').use('/x')
  const { application_id: id, token } = seen[0]
  const call = async (method: string, path: string, emoji: object) => {
    const body = JSON.stringify({ components: row(button({ emoji })) })
    const headers = { 'Content-Type': 'application/json' }
    return (await fetch(`${bed.rest}/v10/webhooks/${id}/${token}${path}`, { method, headers, body })).status
  }
  for (const [method, path] of [
    ['POST', ''],
    ['PATCH', '/messages/@original'],
  ] as const) {
    expect(await call(method, path, { name: 'x' })).toBe(400)
    expect(await call(method, path, { id: '9', name: 'x' })).toBe(200)
    expect(bed.requests.at(-1)?.notes).toHaveLength(1)
  }
})

it('[2.3-02] an application with Activities has its entry point from the start', async () => {
  const { bed } = await bedWith(() => message({ content: 'a' }), { flags: ApplicationFlag.EMBEDDED })
  const launched = await bed.as('ada').launch()
  expect(launched.handledBy).toBe('service')
  const response = await fetch(`${bed.rest}/v10/applications/${bed.applicationId}/commands`, {
    method: 'PUT',
    headers: { Authorization: `Bot ${bed.token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(commands),
  })
  expect(await response.json()).toMatchObject({ code: 50_240 })
})
