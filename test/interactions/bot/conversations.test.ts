import fc from 'fast-check'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { snowflakes } from 'commandry'
import {
  type AnswerEvent,
  type AnswerFile,
  type AppMessage,
  type CommandInteraction,
  type Conversations,
  createConversations,
  createInteraction,
  type InteractionRequest,
  MessageFlag,
  pendingAnswers,
  press,
} from 'commandry/interactions'
import { handClock } from '../../support/clock.ts'
import { callbackResponse } from '../../../src/interactions/bot/bot-message.ts'
import { app } from '../../support/fixtures.ts'
import { forAny } from '../../support/properties.ts'
import { accepted } from '../../support/found.ts'
import { heap } from '../../support/heap.ts'

const MINUTE = 60_000
const clock = handClock()
const ids = snowflakes({ clock })

const used = (request: InteractionRequest = {}, command: object = {}): CommandInteraction => {
  const member = { user: { id: '3001', username: 'ada' } }
  const place = { guildId: '2001', channel: { id: '4001', type: 0 }, member, ids } as const
  const body = { application_id: app, name: 'ping', description: 'b', ...command } as never
  return accepted(createInteraction(body, { ...place, ...request })) as CommandInteraction
}

let store: Conversations
let events: AnswerEvent[]

beforeEach(() => {
  store = createConversations({ clock })
  events = []
  store.subscribe((event) => events.push(event))
})

interface Tokened {
  readonly token: string
}
const path = ({ token }: Tokened, messageId?: string) => ({
  ...{ applicationId: app, token },
  ...(messageId !== undefined && { messageId }),
})
const read = (one: Tokened, id?: string) => store.read(path(one, id))
const edit = (one: Tokened, body: object, files: readonly AnswerFile[] = []) =>
  store.edit(path(one), { body, files })
const followUp = (one: Tokened, body: object, files: readonly AnswerFile[] = []) =>
  store.followUp(path(one), { body, files })
const sent = (result: { readonly ok: boolean }): AppMessage => {
  expect(result).toMatchObject({ ok: true })
  return (result as unknown as { message: AppMessage }).message
}
const code = (result: { readonly ok: boolean }) => ('code' in result ? result.code : 'ok')
const row = [{ type: 1, components: [{ type: 2, style: 1, custom_id: 'go', label: 'Go' }] }]

const reply = (content: string, flags = 0) => ({ type: 4, data: { content, flags } }) as const

type Callback = Parameters<Conversations['begin']>[1]

/** An interaction with an answer. */
const answered = (callback: Callback = reply('x')) => begun(callback).interaction

/** The same, with the message of the answer. */
const begun = (callback: Callback = reply('x'), files: readonly AnswerFile[] = []) => {
  const interaction = used()
  return { interaction, message: store.begin(interaction, callback, files)! }
}
const file = { key: '0', filename: 'a.txt', size: 1 }

describe('the original answer', () => {
  it('[2.11-11] has every field that client libraries read', () => {
    const { interaction, message } = begun(reply('Hello'))
    const author = { id: app, username: `application${app}`, discriminator: '0' }
    const { id, data, member } = interaction
    const { user } = member!
    const authorizing_integration_owners = { '0': '2001', '1': '3001' }
    const nothing = { mentions: [], mention_roles: [], attachments: [], embeds: [], components: [] }
    expect(message).toEqual({
      id: expect.stringMatching(/^[0-9]+$/),
      channel_id: '4001',
      type: 20,
      content: 'Hello',
      author: { ...author, global_name: null, avatar: null, bot: true },
      timestamp: new Date(clock.now()).toISOString(),
      edited_timestamp: null,
      tts: false,
      mention_everyone: false,
      pinned: false,
      flags: 0,
      application_id: app,
      webhook_id: app,
      interaction_metadata: { id, type: 2, user, authorizing_integration_owners },
      interaction: { id, type: 2, name: data.name, user },
      ...nothing,
    })
    expect(Object.isFrozen(message)).toBe(true)
    for (const name of [undefined, '@original', message.id])
      expect(sent(read(interaction, name))).toBe(message)
  })

  it('[2.11-11] has the type 23 for user and message commands, and 20 for entry points', () => {
    const typeFor = (command: object, request: InteractionRequest) =>
      store.begin(used(request, { name: 'Pin', ...command }), reply('x'))!.type
    const menus = [2, 3].map((type) => typeFor({ type, description: undefined }, { target: '3002' }))
    expect([...menus, typeFor({ type: 4 }, {})]).toEqual([23, 23, 20])
  })

  it('[2.11-11] can be edited, read and deleted', () => {
    const data = { content: 'One', embeds: [{ title: 't' }], flags: 64 }
    const { interaction, message: before } = begun({ type: 4, data })
    expect(before.embeds).toEqual([{ type: 'rich', title: 't' }])
    clock.advance(1_000)
    const after = sent(edit(interaction, { content: 'Two', flags: 0 }))
    const edited_timestamp = new Date(clock.now()).toISOString()
    expect(after).toEqual({ ...before, content: 'Two', edited_timestamp })
    expect(sent(read(interaction))).toEqual(after)
    expect(sent(edit(interaction, { embeds: null })).embeds).toEqual([])
    expect(sent(store.delete(path(interaction))).content).toBe('Two')
    const again = [read(interaction), store.delete(path(interaction)), edit(interaction, { content: 'x' })]
    expect(again.map(code)).toEqual(Array(3).fill('unknown_message'))
    expect(events.map(({ type, message }) => [type, message.content])).toEqual([
      ['message_created', 'One'],
      ['message_updated', 'Two'],
      ['message_updated', 'Two'],
      ['message_deleted', 'Two'],
    ])
  })

  it('[2.11-11] shows a loading state until it is filled, and stays ephemeral if the deferral was', () => {
    for (const flags of [0, 64]) {
      const { interaction, message } = begun({ type: 5, data: { flags } })
      expect(message.flags).toBe(flags + 128)
      const filled = sent(edit(interaction, { content: 'Done', flags: 64 - flags }))
      expect([filled.flags, filled.content, filled.edited_timestamp]).toEqual([flags, 'Done', null])
    }
  })

  it('[2.11-11] is filled by the first follow-up after a deferral, with the flags of the deferral', () => {
    const { interaction, message: loading } = begun({ type: 5 })
    const first = sent(followUp(interaction, { content: 'Done', flags: 64 }))
    expect([first.id, first.flags]).toEqual([loading.id, 0])
    const second = sent(followUp(interaction, { content: 'More', flags: 64 }))
    const message_reference = { message_id: loading.id, channel_id: '4001' }
    expect(second).toMatchObject({ type: 19, flags: 64, message_reference })
  })

  it('[2.11-11] is the message of the component after answers of type 6 and 7', () => {
    const { message } = begun({ type: 4, data: { content: 'Sure?', components: row } })
    const pressed = press(message, 'Go', { interaction: used(), ids })
    expect(store.begin(pressed, { type: 6 })).toBe(message)
    const edited = sent(edit(pressed, { content: 'Done', components: [] }))
    expect(edited).toMatchObject({ id: message.id, components: [] })
    const again = press(message, 'Go', { interaction: used(), ids })
    const updated = store.begin(again, { type: 7, data: { content: 'Changed' } })!
    expect([updated.id, updated.content, updated.components]).toEqual([message.id, 'Changed', []])
    expect(store.message(message.id)).toBe(updated)
    const elsewhere = { ...pressed, token: 'else', message: { ...message, id: '77' } }
    const made = store.begin(elsewhere, { type: 7, data: { content: 'New' } })
    expect(made).toMatchObject({ id: '77', content: 'New' })
  })

  it('[2.11-11] does not exist for modals, suggestions and activities', () => {
    const modal = { type: 9, data: { custom_id: 'c', title: 't', components: [] } } as const
    for (const callback of [modal, { type: 12 } as const]) {
      const { interaction, message } = begun(callback)
      expect(message).toBeNull()
      expect(code(read(interaction))).toBe('unknown_message')
      const message_reference = { message_id: interaction.id, channel_id: '4001' }
      expect(sent(followUp(interaction, { content: 'x' }))).toMatchObject({ message_reference })
    }
  })
})

describe('refused requests', () => {
  it('[2.11-11] refuses requests before the first answer, with a wrong token or of another application', () => {
    const interaction = used()
    const body = { content: 'x' }
    const expectUnknown = (at: { applicationId: string; token: string }) =>
      expect(
        [store.read(at), store.edit(at, { body }), store.delete(at), store.followUp(at, { body })].map(code),
      ).toEqual(Array(4).fill('unknown_webhook'))
    expectUnknown(path(interaction))
    store.begin(interaction, reply('x'))
    expectUnknown({ applicationId: app, token: 'wrong' })
    expectUnknown({ applicationId: '1002', token: interaction.token })
  })

  it('[2.11-11] accepts requests until exactly 15 minutes after the answer, and refuses later ones', () => {
    const { interaction, message } = begun()
    clock.advance(15 * MINUTE)
    expect(code(read(interaction))).toBe('ok')
    clock.advance(1)
    expect(code(read(interaction))).toBe('invalid_webhook_token')
    expect(code(followUp(interaction, { content: 'x' }))).toBe('invalid_webhook_token')
    expect(store.message(message.id)).toBe(message)
    for (const [time, refusal] of [
      [15 * MINUTE - 1, 'invalid_webhook_token'],
      [1, 'unknown_webhook'],
    ] as const) {
      clock.advance(time)
      answered()
      expect(code(read(interaction))).toBe(refusal)
    }
  })

  it('[2.11-11] refuses messages of other interactions', () => {
    const { message } = begun()
    const other = answered()
    for (const id of [message.id, '99']) expect(code(read(other, id))).toBe('unknown_message')
  })

  it('[2.11-11] refuses empty messages and invalid bodies', () => {
    const interaction = answered()
    for (const body of [{}, { content: '' }, { embeds: [], components: [] }, { tts: true }])
      expect(code(followUp(interaction, body))).toBe('empty_message')
    expect(code(edit(interaction, { content: null }))).toBe('empty_message')
    expect(sent(read(interaction)).content).toBe('x')
    const invalid = followUp(interaction, { content: 'x'.repeat(2001) })
    expect(invalid).toMatchObject({ ok: false, code: 'invalid', issues: [{ code: 'message.content' }] })
    expect(code(followUp(interaction, { sticker_ids: ['1'] }))).toBe('ok')
    expect(code(followUp(interaction, {}, [file]))).toBe('ok')
  })

  it('[2.11-12] [2.11-11] refuses white space alone, and an edit that leaves nothing', () => {
    const interaction = answered({ type: 4, data: { embeds: [{ title: 't' }] } })
    expect(code(followUp(interaction, { content: ' \n' }))).toBe('empty_message')
    for (const body of [{ embeds: [] }, { content: ' ', embeds: null }])
      expect(code(edit(interaction, body))).toBe('empty_message')
    expect(code(edit(interaction, { content: 'x', embeds: [] }))).toBe('ok')
  })

  it('[2.11-11] accepts in an edit the files of the request and the attachments of the message', () => {
    const { interaction, message } = begun({ type: 4, data: {} }, [file])
    const keep = (ids: unknown[], ...files: AnswerFile[]) =>
      edit(interaction, { attachments: ids.map((id) => ({ id })) }, files)
    expect(sent(keep([message.attachments[0]!.id, '0'], file)).attachments).toHaveLength(2)
    expect(keep(['0'])).toMatchObject({ code: 'invalid', issues: [{ code: 'attachment.file' }] })
    expect(code(keep([]))).toBe('empty_message')
  })

  it('[2.11-11] refuses a sixth follow-up when only the user installed the application', () => {
    const send = (interaction: CommandInteraction, times: number) =>
      Array.from({ length: times }, () => code(followUp(interaction, { content: 'x' })))
    const own = used({ installed: [1] })
    store.begin(own, { type: 5 })
    // The first one fills the deferred answer and does not count.
    expect(send(own, 7)).toEqual([...Array(6).fill('ok'), 'too_many_follow_ups'])
    const both = used({ installed: [0, 1] })
    store.begin(both, reply('x'))
    expect(send(both, 7)).toEqual(Array(7).fill('ok'))
  })
})

describe('IS_COMPONENTS_V2', () => {
  const flags = MessageFlag.IS_COMPONENTS_V2
  const components = [{ type: 10, content: 'x' }]

  const fills = ['edit', 'followUp'] as const
  it.each(fills)('[2.11-12] [2.11-11] is set by the %s that fills a deferred answer', (call) => {
    const interaction = answered({ type: 5, data: { flags: 64 } })
    const message = sent(store[call](path(interaction), { body: { flags, components } }))
    expect(message).toMatchObject({ flags: flags | 64, components })
  })

  it('[2.11-12] [2.11-11] is kept by every later edit, which checks components and content by it', () => {
    const interaction = answered()
    const codes = (body: object) => {
      const result = edit(interaction, body)
      return result.ok ? [] : result.issues.map(({ code }) => code)
    }
    expect(codes({ components })).toEqual(['component.flag'])
    expect(codes({ flags, components })).toEqual(['message.legacy'])
    const edited = sent(edit(interaction, { flags, components, content: null }))
    expect(edited).toMatchObject({ flags, content: '', components })
    const twice = [...components, ...components]
    expect(sent(edit(interaction, { flags: 4, components: twice })).flags).toBe(flags | 4)
    expect(codes({ content: 'x' })).toEqual(['message.legacy'])
    expect(sent(edit(interaction, { flags: 0, components })).flags).toBe(flags)
  })
})

describe('content', () => {
  it('[2.11-11] mentions the users and roles that allowed_mentions permits', () => {
    const interaction = used(
      { options: { who: '3003' }, resolved: { users: { '3003': { id: '3003', username: 'alan' } } } },
      { options: [{ type: 6, name: 'who', description: 'b' }] },
    )
    const content = '<@3001> <@!3002> <@3002> <@3003> <@&5001> @everyone'
    const of = (allowed_mentions?: object) => {
      const data = { content, ...(allowed_mentions && { allowed_mentions }) }
      const message = store.begin({ ...interaction, token: `t${events.length}` }, { type: 4, data })!
      const { mentions, mention_roles, mention_everyone } = message
      return [mentions.map(({ username }) => username), mention_roles, mention_everyone]
    }
    const named = ['ada', 'user3002', 'alan']
    expect(of()).toEqual([named, ['5001'], true])
    expect(of({ parse: [] })).toEqual([[], [], false])
    expect(of({ parse: ['users'] })).toEqual([named, [], false])
    expect(of({ users: ['3002'], roles: ['5001'] })).toEqual([['user3002'], ['5001'], false])
    // discord.py sends ids as numbers.
    expect(of({ users: [3002], roles: [5001] })).toEqual([['user3002'], ['5001'], false])
    expect(of({ parse: ['everyone'] })).toEqual([[], [], true])
  })

  it('[2.11-11] keeps names, types and sizes of files, and removes files that an edit omits', () => {
    const text = { filename: 'a.txt', size: 3, content_type: 'text/plain' }
    const picture = { filename: 'renamed.png', description: 'A picture' }
    const data = { content: 'x', attachments: [{ id: 1, ...picture }] }
    const files = [
      { key: '0', ...text },
      { key: '1', filename: 'b.png', size: 5 },
    ]
    const { interaction, message } = begun({ type: 4, data }, files)
    expect(message.attachments).toMatchObject([text, { ...picture, size: 5 }])
    const [first, second] = message.attachments
    expect(first!.id).not.toBe(second!.id)
    expect(sent(edit(interaction, { content: 'y' })).attachments).toEqual(message.attachments)
    const kept = sent(edit(interaction, { attachments: [{ id: second!.id }, { id: 0 }] }, [file]))
    expect(kept.attachments.map(({ filename }) => filename)).toEqual(['renamed.png', 'a.txt'])
    expect(sent(edit(interaction, { attachments: [] })).attachments).toEqual([])
  })

  it('[2.11-11] takes the author from the host', () => {
    const named = createConversations({ clock, bot: (id) => ({ id: '9', username: `bot of ${id}` }) })
    const { author } = named.begin(used(), reply('x'))!
    expect(author).toMatchObject({ id: '9', username: `bot of ${app}`, bot: true })
  })

  it('keeps a change when a listener fails, and does not call unsubscribed listeners', () => {
    const errors: unknown[] = []
    const failing = createConversations({ clock, onListenerError: (error) => errors.push(error) })
    const told: string[] = []
    failing.subscribe(() => {
      throw new Error('listener')
    })
    const stop = failing.subscribe(({ type }) => told.push(type))
    const interaction = used()
    failing.begin(interaction, reply('x'))
    stop()
    expect(code(failing.delete(path(interaction)))).toBe('ok')
    expect([told, errors.length]).toEqual([['message_created'], 2])
  })

  it('handles rejected promises of listeners, and a handler of errors that throws', async () => {
    const unhandled: unknown[] = []
    const note = (error: unknown) => unhandled.push(error)
    process.on('unhandledRejection', note)
    const console = vi.spyOn(globalThis.console, 'error').mockImplementation(() => {})
    const fail = (error: unknown) => {
      throw error
    }
    const failing = createConversations({ clock, onListenerError: fail })
    failing.subscribe(async () => Promise.reject(new Error('later')))
    failing.subscribe(() => fail(new Error('now')))
    expect(failing.begin(used(), reply('x'))!.content).toBe('x')
    await new Promise((resolve) => setImmediate(resolve))
    expect(console.mock.calls.map(([error]) => error.message)).toEqual(['now', 'later'])
    expect(unhandled).toEqual([])
    process.off('unhandledRejection', note)
    console.mockRestore()
  })

  it('[2.11-11] keeps a message while a later interaction uses it, and no longer', () => {
    const { interaction, message } = begun()
    clock.advance(20 * MINUTE)
    const later = press({ ...message, components: row } as never, 'Go', { interaction, ids })
    store.begin(later, { type: 6 })
    for (const kept of [message.id, undefined]) {
      clock.advance(20 * MINUTE)
      answered()
      expect(store.message(message.id)?.id).toBe(kept)
    }
  })

  it('does not bring a deleted message back when its button was pressed', () => {
    const { interaction, message } = begun()
    const pressed = press({ ...message, components: row } as never, 'Go', { interaction, ids })
    store.delete(path(interaction))
    expect(store.begin(pressed, { type: 7, data: { content: 'back' } })).toBe(null)
    expect([code(read(interaction)), code(read(pressed))]).toEqual(['unknown_message', 'unknown_message'])
  })

  it('holds no memory for interactions that have expired', () => {
    const answers = pendingAnswers({ clock })
    const answerAll = (count: number) => {
      for (let i = 0; i < count; i++) {
        const interaction = used()
        answers.expect(interaction)
        answers.receive(interaction.id, interaction.token, reply('x'.repeat(500)))
        if (i % 10 === 0) answers.conversations.followUp(path(interaction), { body: { content: 'more' } })
      }
      clock.advance(31 * MINUTE)
      answers.expect(used()).acknowledge({ type: 5 })
    }
    answerAll(100)
    const before = heap()
    answerAll(4_000)
    expect((heap() - before) / 1024 / 1024).toBeLessThan(1)
  })

  it('keeps the newest messages of an application, up to 32 MiB', () => {
    const large = () => reply('x'.repeat(3_900_000))
    const other = used({}, { application_id: '1' })
    store.begin(other, large())
    const begun = Array.from({ length: 5 }, () => answered(large()))
    expect(begun.map((one) => read(one).ok)).toEqual([false, ...Array(4).fill(true)])
    expect(store.read({ applicationId: '1', token: other.token }).ok).toBe(true)
  })

  it('keeps the newest interactions of an application, up to 32 MiB, and their messages', () => {
    const large = () => {
      const interaction = { ...used(), note: 'x'.repeat(3_900_000) }
      store.begin(interaction, reply('x'))
      return interaction
    }
    const first = large()
    const created = store.createdBy(first.id)
    const others = Array.from({ length: 4 }, large)
    expect(others.map((one) => code(read(one)))).toEqual(Array(4).fill('ok'))
    expect([code(read(first)), store.message(created[0]!)]).toEqual(['unknown_webhook', undefined])
  })

  it('keeps the newest interactions of all applications, up to 96 MiB', () => {
    const large = (_: unknown, index: number) => {
      const interaction = { ...used({}, { application_id: String(index + 1) }), note: 'x'.repeat(3_900_000) }
      store.begin(interaction, reply('x'))
      return interaction
    }
    const begun = Array.from({ length: 14 }, large)
    const kept = begun.map(({ token }, index) => store.read({ applicationId: String(index + 1), token }).ok)
    expect(kept).toEqual([...Array(2).fill(false), ...Array(12).fill(true)])
  })
})

it('[2.11-11] with_response returns the message for types 4 and 7, and the state of other answers', () => {
  const state = (id: string, message: AppMessage, loading: boolean) => ({
    ...{ id, type: 2, response_message_id: message.id },
    response_message_loading: loading,
    response_message_ephemeral: !loading,
  })
  const { interaction, message } = begun(reply('x', 64))
  const { id } = interaction
  expect(callbackResponse(interaction, reply('x', 64), message)).toEqual({
    interaction: state(id, message, false),
    resource: { type: 4, message },
  })
  const { interaction: deferred, message: loading } = begun({ type: 5 })
  expect(callbackResponse(deferred, { type: 5 }, loading)).toEqual({
    interaction: state(deferred.id, loading, true),
    resource: { type: 5 },
  })
  expect(callbackResponse(interaction, { type: 12 }, null)).toEqual({
    interaction: { id, type: 2, activity_instance_id: `i-${id}` },
    resource: { type: 12, activity_instance: { id: `i-${id}` } },
  })
})

it('[2.11-11] pending answers open the conversation with the first answer, from a response or a callback', () => {
  const answers = pendingAnswers({ clock })
  const [posted, inline] = [used(), used()]
  answers.expect(posted)
  const received = answers.receive(posted.id, posted.token, reply('x'))
  expect(received).toMatchObject({ ok: true, message: { content: 'x' } })
  expect(code(answers.conversations.read(path(posted)))).toBe('ok')
  const expected = answers.expect(inline)
  expect(code(answers.conversations.read(path(inline)))).toBe('unknown_webhook')
  expected.acknowledge(reply('y'))
  expect(sent(answers.conversations.read(path(inline))).content).toBe('y')
  expect(answers.receive(inline.id, inline.token, reply('z'))).toMatchObject({ code: 'already_answered' })
})

it('[2.11-11] any sequence of requests reads the last written content and keeps the ephemeral flag', () => {
  const move = fc.record({
    kind: fc.constantFrom('edit', 'delete', 'follow', 'wait'),
    at: fc.nat(5),
    // White space alone is nothing.
    content: fc.string({ maxLength: 5 }).map((text) => `x${text}`),
    flags: fc.constantFrom(0, 64),
  })
  let edits = 0
  forAny([fc.constantFrom(0, 64), fc.array(move, { maxLength: 12 })], 100, (flags, moves) => {
    const conversations = createConversations({ clock })
    const interaction = used()
    const original = conversations.begin(interaction, reply('first', flags))!
    const model = new Map([[original.id, { content: 'first', flags }]])
    const known = [original.id]
    for (const { kind, at, content, flags: given } of moves) {
      const id = known[at % known.length]!
      const request = { body: { content, flags: given } }
      if (kind === 'edit') {
        expect(conversations.edit(path(interaction, id), request).ok).toBe(model.has(id))
        if (model.has(id)) model.set(id, { ...model.get(id)!, content })
        edits++
      } else if (kind === 'delete') {
        expect(conversations.delete(path(interaction, id)).ok).toBe(model.delete(id))
      } else if (kind === 'follow') {
        const message = sent(conversations.followUp(path(interaction), request))
        known.push(message.id)
        model.set(message.id, { content, flags: given })
      } else clock.advance(1_000)
      const stateOf = (one: string) => {
        const found = conversations.read(path(interaction, one))
        return found.ok ? { content: found.message.content, flags: found.message.flags } : undefined
      }
      for (const one of known) expect(stateOf(one)).toEqual(model.get(one))
    }
  })
  expect(edits).toBeGreaterThan(50)
})
