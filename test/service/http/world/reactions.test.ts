/** Reactions to messages: of bots over REST, of people, and what both get to know. */
import { expect } from 'vitest'
import { permissions } from 'commandry'
import { ADA, GENERAL, SERVER, STAFF, demo, it, open, unknown } from './bed.ts'

const messages = `/channels/${GENERAL}/messages`
const THUMB = encodeURIComponent('👍')

it('reactions of people reach the bot', async ({ call, event, bed }) => {
  await call('POST', messages, { content: 'x' })
  const [message] = bed.channel('general').messages
  await bed.as('ada').react(message!, '👍')
  const place = { channel_id: GENERAL, guild_id: SERVER, message_id: message!.id }
  const emoji = { id: null, name: '👍', animated: false }
  const removed = { ...place, user_id: ADA, emoji, burst: false, type: 0 }
  const member = expect.objectContaining({ user: expect.objectContaining({ id: ADA }) })
  const added = { ...removed, message_author_id: bed.applicationId, member }
  expect(await event('MESSAGE_REACTION_ADD')).toEqual(added)
  await bed.as('ada').react(message!, '🎉')
  expect(bed.channel('general').messages[0]!.reactions).toEqual({ '👍': ['ada'], '🎉': ['ada'] })
  await bed.as('ada').unreact(message!, '👍')
  expect(await event('MESSAGE_REACTION_REMOVE')).toEqual(removed)
  expect(bed.channel('general').messages[0]!.reactions).toEqual({ '🎉': ['ada'] })
  await call('POST', `/channels/${STAFF}/messages`, { content: 'secret' })
  const [hidden] = bed.channel('staff').messages
  await expect(bed.as('ada').react(hidden!, '👍')).rejects.toMatchObject({ code: 'not_visible' })
})

it('reactions are added, listed and removed', async ({ call, event, bed, names }) => {
  const { id } = (await call('POST', messages, { content: 'x' })).body
  const reactions = `${messages}/${id}/reactions`
  expect((await call('GET', `${reactions}/${THUMB}`)).body).toEqual([])
  for (let times = 0; times < 2; times++)
    expect((await call('PUT', `${reactions}/${THUMB}/@me`)).status).toBe(204)
  expect(await event('MESSAGE_REACTION_ADD')).toMatchObject({
    message_id: id,
    user_id: bed.applicationId,
    emoji: { id: null, name: '👍' },
  })
  expect(names()).not.toContain('MESSAGE_REACTION_ADD')
  expect((await call('GET', `${messages}/${id}`)).body.reactions).toMatchObject([
    { count: 1, me: true, me_burst: false },
  ])
  expect((await call('GET', `${reactions}/${THUMB}`)).body).toMatchObject([{ id: bed.applicationId }])
  await call('DELETE', `${reactions}/${THUMB}/@me`)
  expect(await event('MESSAGE_REACTION_REMOVE')).toMatchObject({ emoji: { name: '👍' } })
  expect((await call('GET', `${messages}/${id}`)).body).not.toHaveProperty('reactions')
  await call('PUT', `${reactions}/party:77/@me`)
  await call('DELETE', `${reactions}/party:77/${bed.applicationId}`)
  expect((await event('MESSAGE_REACTION_REMOVE')).emoji).toMatchObject({ id: '77', name: 'party' })
  await call('PUT', `${reactions}/${THUMB}/@me`)
  expect((await call('DELETE', reactions)).status).toBe(204)
  await event('MESSAGE_REACTION_REMOVE_ALL')
  expect((await call('GET', `${messages}/${id}`)).body).not.toHaveProperty('reactions')
  expect(await call('PUT', `${reactions}/ok/@me`)).toMatchObject({ status: 400, body: { code: 10014 } })
  expect(await call('PUT', `${messages}/9/reactions/${THUMB}/@me`)).toMatchObject(unknown(10008))
})

it('take emojis in the forms of discord.js and discord.py', async ({ call, event }) => {
  const { id } = (await call('POST', messages, { content: 'x' })).body
  const forms = {
    'party:7': false,
    ':party:7': false,
    'a:wave:8': true,
    'a:a_:9': true,
    '1️⃣': false,
    '🇳🇱': false,
  }
  for (const [form, animated] of Object.entries(forms)) {
    const path = `${messages}/${id}/reactions/${encodeURIComponent(form)}/@me`
    expect((await call('PUT', path)).status).toBe(204)
    if (!form.startsWith(':')) expect((await event('MESSAGE_REACTION_ADD')).emoji).toMatchObject({ animated })
  }
  const { reactions } = (await call('GET', `${messages}/${id}`)).body
  expect(reactions.map(({ emoji }: any) => emoji)).toEqual([
    { id: '7', name: 'party' },
    { id: '8', name: 'wave', animated: true },
    { id: '9', name: 'a_', animated: true },
    { id: null, name: '1️⃣' },
    { id: null, name: '🇳🇱' },
  ])
  // Without the `a`, it is the same emoji.
  expect((await call('DELETE', `${messages}/${id}/reactions/wave:8/@me`)).status).toBe(204)
  expect((await event('MESSAGE_REACTION_REMOVE')).emoji).toEqual({ id: '8', name: 'wave', animated: true })
  for (const form of ['<:party:7>', '::party:7', 'b:party:7', 'p:7', 'party:x'])
    expect(await call('PUT', `${messages}/${id}/reactions/${encodeURIComponent(form)}/@me`)).toMatchObject({
      status: 400,
      body: { code: 10014 },
    })
})

it('of people are with emojis of the server by their names, of the message, or with any other', async ({
  call,
  event,
  bed,
}) => {
  const image = 'data:image/png;base64,iVBORw0KGgo='
  const { body: party } = await call('POST', `/guilds/${SERVER}/emojis`, { name: 'party', image })
  const { id } = (await call('POST', messages, { content: 'x' })).body
  await call('PUT', `${messages}/${id}/reactions/a:wave:8/@me`)
  await event('MESSAGE_REACTION_ADD')
  const ada = bed.as('ada')
  for (const [text, emoji] of [
    ['party', { id: party.id, name: 'party', animated: false }],
    [':wave:', { id: '8', name: 'wave', animated: true }],
    ['<:other:9>', { id: '9', name: 'other', animated: false }],
    ['<a:party:10>', { id: '10', name: 'party', animated: true }],
  ] as const) {
    await ada.react({ id } as never, text)
    expect((await event('MESSAGE_REACTION_ADD')).emoji).toEqual(emoji)
    await ada.seesReaction({ id } as never, text)
  }
  await bed.as('grace').react({ id } as never, '<a:party:10>')
  const shown = bed.channel('general').messages[0]!.reactions
  expect(shown).toEqual({ wave: ['testbed', 'ada'], party: ['ada', 'grace'], other: ['ada'] })
  await ada.unreact({ id } as never, `<:party:${party.id}>`)
  expect((await event('MESSAGE_REACTION_REMOVE')).emoji.id).toBe(party.id)
  for (const text of ['', 'nothing', '<:>', 5 as never])
    await expect(ada.react({ id } as never, text)).rejects.toThrow(
      /^emoji: expected a character such as 👍, the name of one of the server's, or <:party:1>, got /,
    )
  await expect(ada.seesReaction({ id } as never, 5 as never)).rejects.toThrow(/^emoji: expected an emoji/)
})

it('of people need ADD_REACTIONS, unless the emoji is there, and are of 20 emojis at most', async () => {
  const few = permissions('VIEW_CHANNEL', 'READ_MESSAGE_HISTORY')
  const roles = [{ id: SERVER, name: '@everyone', permissions: few }]
  const { call, bed } = await open(null, { servers: [{ ...demo, roles, owner_id: ADA }] })
  const { id } = (await call('POST', messages, { content: 'x' })).body
  const alan = bed.as('alan')
  await expect(alan.react({ id } as never, '👍')).rejects.toThrow(
    'alan lacks ADD_REACTIONS in #general of Demo Server',
  )
  await call('PUT', `${messages}/${id}/reactions/${THUMB}/@me`)
  await alan.react({ id } as never, '👍')
  expect(bed.channel('general').messages[0]!.reactions).toEqual({ '👍': ['testbed', 'alan'] })
  // The owner of the server has every permission.
  const owner = bed.as('ada')
  for (let index = 10; index < 29; index++) await owner.react({ id } as never, `<:e${index}:${index}>`)
  await expect(owner.react({ id } as never, '🎉')).rejects.toThrow('Maximum number of reactions reached: 20')
  await owner.react({ id } as never, 'e28')
})
