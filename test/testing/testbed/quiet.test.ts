import { once } from 'node:events'
import net from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { testbed, type Testbed } from 'commandry/testbed'
import { passed } from '../../support/waiting.ts'

const commands = [{ name: 'ask', description: 'x' }]

/** A bot over HTTP that works on after its response, with requests to the service. */
async function workingBot(work: (bed: Testbed, path: string) => Promise<unknown>) {
  const bed: Testbed = await testbed({
    commands,
    endpoint: async (request) => {
      const { application_id: id, token } = JSON.parse(await request.text())
      setImmediate(() => void work(bed, `/v10/webhooks/${id}/${token}/messages/@original`))
      return Response.json({ type: 5 })
    },
  })
  onTestFinished(() => bed.close())
  return bed
}

const edit = (bed: Testbed, path: string, content: string) =>
  fetch(bed.rest + path, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ content }),
  })

describe('bed.settled', () => {
  it('resolves once a bot over HTTP is done, also with what it awaits from elsewhere', async () => {
    const elsewhere = net.createServer((socket) =>
      socket.on('data', () => void passed(30).then(() => socket.end('row'))),
    )
    await once(elsewhere.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void elsewhere.close())
    const bed = await workingBot(async (bed, path) => {
      await edit(bed, path, 'working')
      const socket = net.connect((elsewhere.address() as net.AddressInfo).port, '127.0.0.1').end('select')
      await once(socket.resume(), 'close')
      await edit(bed, path, 'done')
    })
    const shown = await bed.as('ada').use('/ask')
    expect(shown.kind).toBe('thinking')
    await bed.settled()
    expect(shown.content).toBe('done')
  })

  it('rejects with what is still going on, and takes a time limit', async () => {
    const bed = await workingBot(async () => {})
    let release = () => {}
    bed.on('GET /held', () => new Promise<void>((resolve) => (release = resolve)))
    const request = fetch(`${bed.rest}/v10/held`)
    await expect(bed.settled({ timeout: 50 })).rejects.toMatchObject({
      code: 'not_settled',
      message: expect.stringContaining('GET /api/v10/held'),
    })
    release()
    await request
    await bed.settled()
  })

  it('finds a bot that never stops', async () => {
    let isOver = false
    const bed = await workingBot(async (bed, path) => {
      for (let count = 0; !isOver; count++) await edit(bed, path, String(count))
    })
    await bed.as('ada').use('/ask')
    await expect(bed.settled({ timeout: 200 })).rejects.toThrow(/^still going on after 0\.2 s/)
    isOver = true
    await bed.settled()
  })
})

describe('sees and noLongerSees', () => {
  it('take a string as the whole text of a message, a RegExp as a part, and say so', async () => {
    const bed = await testbed({ commands, timeout: 50, endpoint: () => new Response() })
    onTestFinished(() => bed.close())
    const { id } = await bed.as('ada').say('ada was warned: spam')
    const grace = bed.as('grace')
    expect([(await grace.sees(/warned/g)).id, (await grace.sees(/WARNED/i)).id]).toEqual([id, id])
    const advice = /it is a part of "ada was warned: spam": give the whole text, or a RegExp/
    await expect(grace.sees('warned')).rejects.toThrow(advice)
    await expect(grace.noLongerSees('warned')).rejects.toThrow(advice)
    await expect(grace.noLongerSees(/warned/)).rejects.toThrow('grace still sees the message /warned/')
    await grace.noLongerSees('banned')
    await expect(grace.sees(5 as any)).rejects.toThrow(
      'text: expected the whole text of a message, or a RegExp',
    )
  })
})

describe('bed.advance', () => {
  it.each(['x', '1.5h', '-5m', -1, NaN])('rejects %j with all units of a duration', async (duration) => {
    const bed = await workingBot(async () => {})
    const advanced = bed.advance(duration)
    await expect(advanced).rejects.toThrow(TypeError)
    await expect(advanced).rejects.toThrow('a whole number with ms, s, m, h or d')
  })

  it('moves the clock after the uses before it, and before those after it', async () => {
    const bed = await workingBot(async () => {})
    const ada = bed.as('ada')
    const timeOf = ({ interaction }: { readonly interaction: { readonly id: string } }) =>
      Number(BigInt(interaction.id) >> 22n)
    const before = ada.use('/ask').then(timeOf)
    const moved = bed.advance('1s')
    const after = ada.use('/ask').then(timeOf)
    await moved
    expect((await after) - (await before)).toBeGreaterThanOrEqual(1_000)
  })
})
