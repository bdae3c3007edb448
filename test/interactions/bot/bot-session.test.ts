import { describe, expect, it } from 'vitest'
import { snowflakes } from 'commandry'
import { createEndpointKeys, pendingAnswers, type AnyInteraction } from 'commandry/interactions'
import { testClock } from 'commandry/testing'
import { ids, used } from '../../support/invoked.ts'
import { BotSession, type BotSessionOptions } from '../../../src/interactions/bot/bot-session.ts'
import { turn } from '../../support/waiting.ts'

const clock = testClock()

const ask = (from = ids()) =>
  used({ name: 'ping', description: 'Replies' }, { user: { id: '3001' }, ids: from })

/** A session of bots at a gateway, and what they were sent. */
function atGateway(bots: number, options: BotSessionOptions = {}) {
  const sent: AnyInteraction[] = []
  const answers = pendingAnswers()
  const dispatch = (interaction: AnyInteraction) => (sent.push(interaction), bots)
  return { sent, answers, session: new BotSession({ answers, gateway: { dispatch }, ...options }) }
}

const pong = { type: 4, data: { content: 'Pong' } }

describe('a session', () => {
  it('asks the gateway, and the endpoint while there is one', async () => {
    const { sent, answers, session } = atGateway(1)
    const interaction = ask()
    const asked = session.ask(interaction)
    await turn()
    answers.receive(interaction.id, interaction.token, pong)
    expect(await asked).toMatchObject({ ok: true, via: 'callback', rendered: { content: 'Pong' } })
    const { privateKey } = await createEndpointKeys()
    session.endpoint = { url: 'http://bot.invalid', privateKey, fetch: async () => Response.json(pong) }
    expect(await session.ask(ask(), { label: 'ping' })).toMatchObject({ ok: true, via: 'response' })
    expect(sent).toEqual([interaction])
    expect(session.traffic.requestsSince()).toMatchObject([
      { direction: 'out', method: 'GATEWAY', status: 200, summary: 'message' },
      { direction: 'out', method: 'POST', path: 'bot.invalid  ping', status: 200 },
    ])
    expect(session.traffic.since().map(({ id }) => id)).toEqual([1, 2])
    expect(JSON.stringify(session.traffic.since())).not.toContain(interaction.token)
  })

  it('says why there is no answer', async () => {
    expect(await atGateway(0).session.ask(ask())).toMatchObject({ ok: false, code: 'not_connected' })
    expect(await atGateway(1, { timeout: 10 }).session.ask(ask())).toMatchObject({ code: 'timeout' })
    const { session } = atGateway(1)
    const asked = session.ask(ask())
    session.close()
    expect(await asked).toMatchObject({ ok: false, code: 'closed', rendered: { kind: 'failure' } })
  })

  it('checks an answer against the application, and the private key of the endpoint', async () => {
    const { answers, session } = atGateway(1, { applications: { get: async () => ({}) } })
    const interaction = ask()
    const asked = session.ask(interaction)
    await turn()
    answers.receive(interaction.id, interaction.token, { type: 12 })
    expect(await asked).toMatchObject({ code: 'invalid', issues: [{ code: 'callback.launch' }] })
    session.endpoint = { url: 'http://bot.invalid', privateKey: 'x' as never }
    await expect(session.ask(ask())).rejects.toThrow('privateKey: expected 64 digits of hex')
    expect(session.traffic.requestsSince(1)).toMatchObject([{ status: 0, summary: 'unreachable' }])
    session.traffic.clear()
    expect(session.traffic.since()).toEqual([])
  })

  it('waits 3 seconds by its clock', async () => {
    const { session } = atGateway(1, { clock, timeout: Infinity })
    const now = snowflakes({ clock })
    const asked = session.ask(ask(now))
    await turn()
    clock.advance(2_999)
    session.checkTime()
    expect(await Promise.race([asked, turn()])).toBe(undefined)
    clock.advance(1)
    session.checkTime()
    expect(await Promise.race([asked, turn()])).toMatchObject({ code: 'timeout' })
    const late = session.ask(ask(now), { since: clock.now() - 3_000 })
    expect(await Promise.race([late, turn()])).toMatchObject({ code: 'timeout' })
  })

  it('[2.11-15] waits from when the bot is sent the interaction, however long the settings of its app took', async () => {
    let found = (_: object) => {}
    const applications = { get: () => new Promise<object>((resolve) => (found = resolve)) }
    const { answers, sent, session } = atGateway(1, { clock, timeout: Infinity, applications })
    const interaction = ask(snowflakes({ clock }))
    const asked = session.ask(interaction)
    clock.advance(60_000)
    session.checkTime()
    found({})
    await turn()
    session.checkTime()
    expect(sent).toEqual([interaction])
    expect(answers.receive(interaction.id, interaction.token, pong)).toMatchObject({ ok: true })
    expect(await asked).toMatchObject({ ok: true, via: 'callback' })
  })

  it('tells its listeners of each use, and of its answer', async () => {
    const { answers, session } = atGateway(1)
    const told: Parameters<Parameters<typeof session.subscribe>[0]>[0][] = []
    const stop = session.subscribe((one) => told.push(one))
    const interaction = ask()
    const asked = session.ask(interaction)
    expect(told.map((one) => one.interaction)).toEqual([interaction])
    await turn()
    answers.receive(interaction.id, interaction.token, { type: 4, data: { content: 'x' } })
    expect(await told[0]!.answer).toEqual(await asked)
    stop()
    void session.ask(ask())
    expect(told).toHaveLength(1)
    session.close()
  })

  it('returns an invalid answer at once, and keeps the message of a valid one that follows', async () => {
    const { answers, session } = atGateway(1)
    const interaction = ask()
    const { id, token } = interaction
    const asked = session.ask(interaction)
    await turn()
    answers.receive(id, token, { type: 4, data: { content: [] } })
    expect(await asked).toMatchObject({ code: 'invalid', issues: [{ path: ['data', 'content'] }] })
    expect(session.messages.createdBy(id)).toEqual([])
    expect(session.traffic.requestsSince()).toMatchObject([{ status: 0, summary: '1 issue', response: '' }])
    expect(answers.receive(id, token, pong).ok).toBe(true)
    const [message] = session.messages.createdBy(id)
    expect(session.messages.live(message!)).toMatchObject({ message: { content: 'Pong' }, changes: 0 })
  })
})

it('a message of a session shows its edits and its deletion, also to those who hold it', () => {
  const { conversations } = pendingAnswers()
  const interaction = ask()
  const { id } = conversations.begin(interaction, { type: 5 })!
  const live = conversations.live(id)!
  const path = { applicationId: interaction.application_id, token: interaction.token }
  conversations.edit(path, { body: { content: 'Done' } })
  expect(live).toMatchObject({ message: { content: 'Done' }, isEdited: false, changes: 1 })
  conversations.edit(path, { body: { content: 'Again' } })
  expect(live).toMatchObject({ isEdited: true, isDeleted: false, changes: 2 })
  conversations.delete(path)
  expect(live).toMatchObject({ message: { content: 'Again' }, isDeleted: true, changes: 3 })
  expect(conversations.message(id)).toBe(undefined)
})
