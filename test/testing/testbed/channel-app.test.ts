import { expect, it, onTestFinished } from 'vitest'
import { testbed } from 'commandry/testbed'

interface UsedChannels {
  readonly type: number
  readonly channel: object
  readonly data: { readonly resolved?: { readonly channels?: Readonly<Record<string, object>> } }
}

it('[1-07] channels have an app, none, or no such field, as their server says', async () => {
  const fields = [{ application_id: null }, { application_id: '77' }, {}]
  const ids = ['7001', '7002', '7003']
  const seen: unknown[] = []
  const bed = await testbed({
    commands: [
      {
        name: 'look',
        description: 'd',
        options: [{ type: 7, name: 'channel', description: 'd', required: true }],
      },
    ],
    servers: [
      {
        ...{
          id: '2001',
          name: 'Ours',
          owner_id: '3001',
          roles: [{ id: '2001', name: '@everyone', permissions: '3072' }],
        },
        channels: fields.map((each, index) => ({ id: ids[index]!, type: 0, name: `c${index}`, ...each })),
        members: [{ user: { id: '3001', username: 'ada' }, roles: [] }],
      },
    ],
    async endpoint(request) {
      const { type, channel, data } = (await request.json()) as UsedChannels
      if (type === 2) seen.push(channel, ...Object.values(data.resolved?.channels ?? {}))
      return Response.json(type === 1 ? { type: 1 } : { type: 4, data: { content: 'seen' } })
    },
  })
  onTestFinished(() => bed.close())
  const get = async (path: string) =>
    (await fetch(`${bed.rest}/v10${path}`, { headers: { Authorization: `Bot ${bed.token}` } })).json()
  const listed = (await get('/guilds/2001/channels')) as object[]
  for (const [index, expected] of fields.entries()) {
    const { application_id: app } = expected as { application_id?: string | null }
    await bed.as('ada', { channel: `c${index}` }).use('/look', { channel: bed.channel(`c${index}`) })
    for (const channel of [listed[index], await get(`/channels/${ids[index]}`), ...seen.splice(0)]) {
      expect(channel).toMatchObject({ id: ids[index] })
      expect((channel as { application_id?: unknown }).application_id).toBe(app)
    }
  }
})
