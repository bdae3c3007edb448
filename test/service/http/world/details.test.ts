/** Fields and codes that libraries read, as Discord sends them. */
import { describe, expect } from 'vitest'
import { ADA, GENERAL, LOUNGE, SERVER, demo, invalid, it, open } from './bed.ts'

const messages = `/channels/${GENERAL}/messages`
const channels = `/guilds/${SERVER}/channels`

describe('pages by time', () => {
  it('of pins have each pin once, also while the clock stands still', async ({ call }) => {
    const ids: string[] = []
    for (let index = 0; index < 5; index++) {
      const { id } = (await call('POST', messages, { content: `${index}` })).body
      await call('PUT', `${messages}/pins/${id}`)
      ids.unshift(id)
    }
    const first = (await call('GET', `${messages}/pins?limit=2`)).body
    const second = (await call('GET', `${messages}/pins?before=${first.items[1].pinned_at}`)).body
    const found = [...first.items, ...second.items].map(({ message }: any) => message.id)
    expect([found, first.has_more, second.has_more]).toEqual([ids, true, false])
  })

  it('of archived threads have each thread once, also while the clock stands still', async ({ call }) => {
    const ids: string[] = []
    for (let index = 0; index < 5; index++) {
      const { id } = (await call('POST', `/channels/${GENERAL}/threads`, { name: `${index}`, type: 11 })).body
      await call('PATCH', `/channels/${id}`, { archived: true })
      ids.unshift(id)
    }
    const path = `/channels/${GENERAL}/threads/archived/public`
    const first = (await call('GET', `${path}?limit=2`)).body.threads
    const before = first[1].thread_metadata.archive_timestamp
    const second = (await call('GET', `${path}?before=${before}`)).body.threads
    expect([...first, ...second].map(({ id }: any) => id)).toEqual(ids)
  })
})

describe('messages', () => {
  it('of more than 14 days are refused by their ids, also if they are gone', async ({ call }) => {
    const { id } = (await call('POST', messages, { content: 'x' })).body
    const body = { messages: [id, '1000000000000000000'] }
    expect(await call('POST', `${messages}/bulk-delete`, body)).toMatchObject({
      status: 400,
      body: { code: 50034 },
    })
  })

  it('with a nonce that is enforced are sent once in five minutes', async ({ call, bed }) => {
    const send = async (more: object) =>
      (await call('POST', messages, { content: 'x', nonce: 'a', ...more })).body.id
    const first = await send({ enforce_nonce: true })
    expect(await send({ enforce_nonce: true })).toBe(first)
    expect(await send({})).not.toBe(first)
    expect(await send({ enforce_nonce: true, nonce: 'b' })).not.toBe(first)
    await bed.advance('6m')
    expect(await send({ enforce_nonce: true })).not.toBe(first)
  })

  it('with a poll have the numbers of its answers and its end', async ({ call }) => {
    const poll = {
      question: { text: 'Tea?' },
      answers: [{ poll_media: { text: 'Yes' } }, { poll_media: { text: 'No' } }],
      duration: 2,
    }
    const { body } = await call('POST', messages, { poll })
    expect(body.poll).toMatchObject({
      question: poll.question,
      answers: [
        { answer_id: 1, poll_media: { text: 'Yes' } },
        { answer_id: 2, poll_media: { text: 'No' } },
      ],
      allow_multiselect: false,
      layout_type: 1,
    })
    expect(Date.parse(body.poll.expiry) - Date.parse(body.timestamp)).toBe(2 * 3_600_000)
  })

  it('mark the files that are spoilers', async ({ call }) => {
    const form = new FormData()
    form.set('payload_json', '{}')
    form.set('files[0]', new Blob(['x']), 'SPOILER_a.txt')
    form.set('files[1]', new Blob(['x']), 'b.txt')
    const { attachments } = (await call('POST', messages, form)).body
    expect(attachments.map(({ flags }: any) => flags)).toEqual([8, undefined])
  })
})

describe('channels', () => {
  it('of text have names in lower case with hyphens, and other channels keep theirs', async ({ call }) => {
    const nameOf = async (type: number) =>
      (await call('POST', channels, { name: ' My  Room', type })).body.name
    expect([await nameOf(0), await nameOf(15), await nameOf(2), await nameOf(4)]).toEqual([
      'my-room',
      'my-room',
      ' My  Room',
      ' My  Room',
    ])
    expect((await call('PATCH', `/channels/${GENERAL}`, { name: 'Big Talk' })).body.name).toBe('big-talk')
    expect((await call('PATCH', `/channels/${LOUNGE}`, { name: 'Big Talk' })).body.name).toBe('Big Talk')
  })

  it('of posts have a default reaction, which null removes', async ({ call }) => {
    const emoji = { emoji_name: '👍' }
    const forum = { name: 'f', type: 15, default_reaction_emoji: emoji }
    const { id, default_reaction_emoji: first } = (await call('POST', channels, forum)).body
    expect(first).toEqual({ emoji_id: null, emoji_name: '👍' })
    const { body } = await call('PATCH', `/channels/${id}`, { default_reaction_emoji: null })
    expect(body.default_reaction_emoji).toBeNull()
  })

  it('of voice have a region and a quality', async ({ call }) => {
    const body = { rtc_region: 'rotterdam', video_quality_mode: 2 }
    expect((await call('PATCH', `/channels/${LOUNGE}`, body)).body).toMatchObject(body)
    expect(await call('PATCH', `/channels/${LOUNGE}`, { video_quality_mode: 3 })).toMatchObject(
      invalid({ video_quality_mode: expect.anything() }),
    )
  })

  it('that are DMs are closed, and keep their messages', async ({ call, bed }) => {
    const open = async () => (await call('POST', '/users/@me/channels', { recipient_id: ADA })).body.id
    const id = await open()
    await call('POST', `/channels/${id}/messages`, { content: 'Hi' })
    expect(await call('DELETE', `/channels/${id}`)).toMatchObject({ status: 200, body: { id, type: 1 } })
    expect([await open(), bed.directMessages('ada').length]).toEqual([id, 1])
  })
})

it('an invite has the number of members for those who ask', async ({ call, bed }) => {
  const { code } = (await call('POST', `/channels/${GENERAL}/invites`, {})).body
  const counted = (await call('GET', `/invites/${code}?with_counts=true`)).body
  expect(counted.approximate_member_count).toBe(bed.server.members.length)
  expect((await call('GET', `/invites/${code}`)).body).not.toHaveProperty('approximate_member_count')
})

it('an application has the number of servers of its bot', async ({ call, bed }) => {
  const count = async () => (await call('GET', '/applications/@me')).body.approximate_guild_count
  expect(await count()).toBe(1)
  bed.addServer({ id: '2002', name: 'Second' })
  expect(await count()).toBe(2)
})

it('people write in the first channel that has messages, and in no category', async () => {
  const [category, ...others] = demo.channels.toReversed()
  const { bed } = await open(null, {
    servers: [{ ...demo, roles: [], members: [], channels: [category!, ...others.reverse()] }],
  })
  bed.server.addPerson('bob')
  expect((await bed.as('bob').say('Hi')).channel_id).toBe(GENERAL)
  await expect(bed.as('bob', { channel: 'Texts' }).say('Hi')).rejects.toThrow('#Texts has no messages')
})

it('people join voice channels without a role, also those that were created after them', async () => {
  const { bed, call } = await open(null, { servers: [{ id: SERVER, name: 'Ours', channels: [] }] })
  const ada = bed.as('ada')
  await call('POST', channels, { name: 'New', type: 2 })
  await ada.joinVoice('New')
  expect(bed.server.members.find(({ username }) => username === 'ada')!.voice).toBe('New')
})

it('an entry of the audit log about an invite has no target: discord.py reads one as a number', async ({
  call,
  event,
}) => {
  await call('POST', `/channels/${GENERAL}/invites`, {})
  const { body } = await call('GET', `/guilds/${SERVER}/audit-logs`)
  expect(body.audit_log_entries).toMatchObject([{ action_type: 40, target_id: null }])
  expect(await event('GUILD_AUDIT_LOG_ENTRY_CREATE')).toMatchObject({ action_type: 40, target_id: null })
})

it('bots of discord.py join threads by POST, and wait for messages of webhooks by 1', async ({ call }) => {
  const { id } = (await call('POST', `/channels/${GENERAL}/threads`, { name: 'x', type: 11 })).body
  const me = `/channels/${id}/thread-members/@me`
  await call('DELETE', me)
  expect((await call('POST', me)).status).toBe(204)
  expect((await call('GET', me)).status).toBe(200)
  const hook = (await call('POST', `/channels/${GENERAL}/webhooks`, { name: 'x' })).body
  const sent = await call('POST', `/webhooks/${hook.id}/${hook.token}?wait=1`, { content: 'Hi' })
  expect(sent.body).toMatchObject({ content: 'Hi' })
})
