/** What bots for welcomes, moderation and mod-mail catch: closed DMs, polls, outages, rate limits. */
import { describe, expect } from 'vitest'
import { ADA, ALL, demo, GENERAL, it, logIn, open, SERVER } from './bed.ts'

const MESSAGES = `/channels/${GENERAL}/messages`
const POLLS = (1 << 24) | (1 << 25)
const unreachable = { status: 403, body: { code: 50007 } }

describe('a DM', () => {
  async function opened() {
    const bot = await open(null)
    const { body } = await bot.call('POST', '/users/@me/channels', { recipient_id: ADA })
    const send = () => bot.call('POST', `/channels/${body.id}/messages`, { content: 'a' })
    return { ...bot, send, direct: body.id as string }
  }

  it('is refused with 50007 to a person who has closed theirs, until they open them', async () => {
    const { bed, send } = await opened()
    await bed.as('ada').closeDirectMessages()
    expect(await send()).toMatchObject(unreachable)
    await bed.as('ada').openDirectMessages()
    expect(await send()).toMatchObject({ status: 200 })
  })

  it('is refused to a person who blocks the bot, and so are reactions to their messages', async () => {
    const { bed, call, send } = await opened()
    const { id } = await bed.as('alan').say('hello')
    const react = () => call('PUT', `${MESSAGES}/${id}/reactions/${encodeURIComponent('👍')}/@me`)
    await bed.as('ada').block()
    await bed.as('alan').block()
    expect([await send(), await react()]).toMatchObject([unreachable, { status: 403, body: { code: 90001 } }])
    await bed.as('ada').unblock()
    await bed.as('alan').unblock()
    expect([await send(), await react()]).toMatchObject([{ status: 200 }, { status: 204 }])
  })

  it('is refused after the person was kicked, who shares no server any more', async () => {
    const { call, send } = await opened()
    expect(await send()).toMatchObject({ status: 200 })
    await call('DELETE', `/guilds/${SERVER}/members/${ADA}`)
    expect(await send()).toMatchObject(unreachable)
  })
})

describe('a poll', () => {
  const poll = {
    question: { text: 'Tea?' },
    answers: [{ poll_media: { text: 'Yes' } }, { poll_media: { text: 'No' } }],
    duration: 1,
  }

  async function asked(more: object = {}) {
    const bot = await open(ALL | POLLS)
    const { body } = await bot.call('POST', MESSAGES, { poll: { ...poll, ...more } })
    const read = async () => (await bot.call('GET', `${MESSAGES}/${body.id}`)).body.poll.results
    return { ...bot, id: body.id as string, read, message: bot.bed.channel('general').messages.at(-1)! }
  }

  it('has the votes of people, one each, with events', async () => {
    const { bed, event, id, read, message, call } = await asked()
    await bed.as('ada').vote(message, 'Yes')
    expect(await event('MESSAGE_POLL_VOTE_ADD')).toEqual({
      ...{ user_id: ADA, answer_id: 1, message_id: id },
      ...{ channel_id: GENERAL, guild_id: SERVER },
    })
    await bed.as('ada').vote(message, 'No')
    expect(await event('MESSAGE_POLL_VOTE_REMOVE')).toMatchObject({ answer_id: 1 })
    expect(await read()).toEqual({
      is_finalized: false,
      answer_counts: [{ id: 2, count: 1, me_voted: false }],
    })
    const { body } = await call('GET', `/channels/${GENERAL}/polls/${id}/answers/2`)
    expect(body.users).toMatchObject([{ id: ADA }])
    await bed.as('ada').unvote(message, 'No')
    expect(await read()).toMatchObject({ answer_counts: [] })
    await expect(bed.as('ada').vote(message, 'Perhaps')).rejects.toThrow('it has "Yes" and "No"')
    const vote = (length: number) => bed.as('ada').vote(message, 'x'.repeat(length))
    await expect(vote(55)).rejects.toThrow('no such answer')
    await expect(vote(56)).rejects.toThrow('between 1 and 55')
  })

  it('has several votes of one person where it allows them', async () => {
    const { bed, read, message } = await asked({ allow_multiselect: true })
    for (const answer of ['Yes', 'No']) await bed.as('ada').vote(message, answer)
    expect(await read()).toMatchObject({ answer_counts: [{ count: 1 }, { count: 1 }] })
  })

  it('takes the number of an answer too, as two may have one text', async () => {
    const answers = ['Yes', 'Yes'].map((text) => ({ poll_media: { text } }))
    const { bed, read, message } = await asked({ answers })
    await bed.as('ada').vote(message, '2')
    expect(await read()).toMatchObject({ answer_counts: [{ id: 2, count: 1 }] })
    await bed.as('ada').vote(message, 'Yes')
    expect(await read()).toMatchObject({ answer_counts: [{ id: 1, count: 1 }] })
  })

  it('ends by the clock, with a message about its result, and takes no vote afterwards', async () => {
    const { bed, event, id, read, message } = await asked()
    await bed.as('ada').vote(message, 'Yes')
    await bed.advance('1h')
    expect(await read()).toMatchObject({ is_finalized: true })
    expect(await event('MESSAGE_UPDATE')).toMatchObject({ id, poll: { results: { is_finalized: true } } })
    const result = bed.channel('general').messages.at(-1)!
    expect(result.embeds).toMatchObject([{ type: 'poll_result' }])
    await expect(bed.as('ada').vote(message, 'No')).rejects.toMatchObject({ code: 'poll_ended' })
  })

  it('of an answer has its votes in the answer too', async () => {
    const used: any[] = []
    const endpoint = async (request: Request) => {
      used.push(await request.json())
      return Response.json({ type: 4, data: { content: 'a', poll } })
    }
    const { bed, call } = await open(null, { commands: [{ name: 'ask', description: 'd' }], endpoint })
    const shown = await bed.as('alan').use('/ask')
    // Both are the message: the answer, and what it shows.
    await bed.as('ada').vote(shown, 'Yes')
    await bed.as('ada').react(shown.message!, '👍')
    const [{ application_id: id, token }] = used
    const answer_counts = [{ id: 1, count: 1 }]
    const counted = { poll: { results: { answer_counts } }, reactions: [{ count: 1 }] }
    const original = `/webhooks/${id}/${token}/messages/@original`
    expect((await call('GET', original)).body).toMatchObject(counted)
    expect(shown.message).toMatchObject(counted)
  })

  it('is ended by its bot; a message without a poll is 520006', async () => {
    const { bed, call, id } = await asked()
    expect(await call('POST', `/channels/${GENERAL}/polls/${id}/expire`)).toMatchObject({
      status: 200,
      body: { poll: { results: { is_finalized: true } } },
    })
    const { id: plain } = await bed.as('alan').say('hello')
    const path = `/channels/${GENERAL}/polls/${plain}/expire`
    expect(await call('POST', path)).toMatchObject({ status: 400, body: { code: 520006 } })
  })
})

it('a timed-out member neither presses nor writes', async () => {
  const { bed, call } = await open(null)
  const components = [{ type: 1, components: [{ type: 2, style: 1, custom_id: 'b', label: 'Go' }] }]
  await call('POST', MESSAGES, { content: 'a', components })
  bed.server.timeout('ada', '5m')
  const [message] = bed.channel('general').messages
  await expect(bed.as('ada').press(message!, 'Go')).rejects.toMatchObject({ code: 'timed_out' })
  await expect(bed.as('ada').say('a')).rejects.toThrow('ada is timed out')
})

describe('a server with an outage', () => {
  const channels = [{ id: '4201', name: 'elsewhere', type: 0 }]
  const servers = [demo, { id: '2002', name: 'Other', channels }]
  const outage = { id: '2002', unavailable: true }

  it('goes with GUILD_DELETE, sends nothing, and comes back', async () => {
    const { bed, event, names } = await open(ALL, { servers })
    await event('GUILD_CREATE')
    bed.servers[1]!.setAvailable(false)
    expect(await event('GUILD_DELETE')).toEqual(outage)
    await bed.as('grace', { server: 'Other' }).say('unheard')
    expect(names()).not.toContain('MESSAGE_CREATE')
    bed.servers[1]!.setAvailable(true)
    expect(await event('GUILD_CREATE')).toMatchObject({ id: '2002' })
  })

  it('is named to a bot that logs in meanwhile, which gets it when it comes back', async () => {
    const { bed } = await open(null, { servers })
    bed.servers[1]!.setAvailable(false)
    const { ready, event, names, request } = await logIn(bed)
    expect(ready.guilds).toContainEqual(outage)
    await request(8, { guild_id: '2002', query: '', limit: 0 })
    expect(names()).toEqual([])
    bed.servers[1]!.setAvailable(true)
    expect(await event('GUILD_CREATE')).toMatchObject({ id: '2002' })
  })
})

it('requests beyond a rate limit of their route get 429, each channel by itself', async () => {
  const { bed, call } = await open(null)
  const remove = bed.rateLimit('POST /channels/:channel/messages', { limit: 1, seconds: 60 })
  const send = (channel: string) => call('POST', `/channels/${channel}/messages`, { content: 'a' })
  expect([await send(GENERAL), await send('4002')]).toMatchObject([{ status: 200 }, { status: 200 }])
  const limited = await send(GENERAL)
  expect(limited).toMatchObject({ status: 429, body: { global: false, retry_after: expect.any(Number) } })
  expect(limited.headers.get('x-ratelimit-remaining')).toBe('0')
  expect(bed.requests.at(-1)).toMatchObject({ status: 429 })
  remove()
  expect(await send(GENERAL)).toMatchObject({ status: 200 })
})
