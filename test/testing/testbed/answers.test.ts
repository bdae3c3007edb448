import { expect, it } from 'vitest'
import type { AnyInteraction } from 'commandry/interactions'
import { testbed, type Testbed } from 'commandry/testbed'

const commands = [{ name: 'x', description: 'A command' }] as const
const labelled = (component: object) => ({ type: 18, label: 'Name', component })
const modal = (...components: object[]) => ({ type: 9, data: { custom_id: 'm', title: 'T', components } })
const input = { type: 4, custom_id: 'a', style: 1 }

/** A testbed with a bot over HTTP. */
function bedOf(
  answer: (interaction: AnyInteraction, bed: Testbed) => unknown,
  list: Parameters<typeof testbed>[0] & object = {},
): Promise<Testbed> {
  const opened = testbed({
    commands,
    ...list,
    endpoint: async (request) => Response.json(await answer(await request.json(), await opened)),
  })
  return opened
}

/** Sends a request of the bot. */
async function send(bed: Testbed, method: string, path: string, body: object): Promise<any> {
  const headers = { 'content-type': 'application/json', authorization: `Bot ${bed.token}` }
  const response = await fetch(`${bed.rest}/v10${path}`, { method, headers, body: JSON.stringify(body) })
  const text = await response.text()
  return text === '' ? undefined : JSON.parse(text)
}

it('[2.11-10] a modal of a command is closed by a deferred update, and the bot can follow up', async () => {
  await using bed = await bedOf((interaction) =>
    interaction.type === 5 ? { type: 6 } : modal(labelled(input)),
  )
  const form = await bed.as('ada').use('/x')
  const closed = await form.submit({ a: '1' })
  expect([closed.kind, closed.content, closed.message]).toEqual(['nothing', '', null])
  const { token } = closed.interaction
  await send(bed, 'POST', `/webhooks/${bed.applicationId}/${token}`, { content: 'later' })
  expect((await closed.followedUp()).content).toBe('later')
})

it('[2.11-10] a deferral keeps EPHEMERAL and ignores its other flags, which the requests note', async () => {
  const flags = 64 | 32_768 | 4
  await using bed = await bedOf(async ({ id, token }, own) => {
    await send(own, 'POST', `/interactions/${id}/${token}/callback`, { type: 5, data: { flags } })
    return { type: 5 }
  })
  const shown = await bed.as('ada').use('/x')
  expect([shown.kind, shown.ephemeral, shown.message?.flags]).toEqual(['thinking', true, 64 | 128])
  expect(bed.requests).toMatchObject([
    {
      status: 204,
      notes: [expect.stringContaining(`data.flags is ${flags}, but a deferred answer keeps only EPHEMERAL`)],
    },
  ])
})
