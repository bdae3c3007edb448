import { describe, expect, it } from 'vitest'
import { MessageFlag } from 'commandry'
import {
  type AnswerFile,
  type AppMessage,
  type CommandInteraction,
  createConversations,
  type InteractionRequest,
  pendingAnswers,
  press,
} from 'commandry/interactions'
import { callbackResponse } from '../../../src/interactions/bot/callback-response.ts'
import { app } from '../../support/fixtures.ts'
import { fc, forAny } from '../../support/properties.ts'
import {
  MINUTE,
  clock,
  ids,
  used,
  store,
  events,
  path,
  read,
  edit,
  followUp,
  sent,
  code,
  row,
  reply,
  answered,
  begun,
  file,
  useConversations,
} from './conversation.ts'

useConversations()

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
    const data = { content: 'One', embeds: [{ title: 't', timestamp: 0 }], flags: 64 }
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
    // A message that the bot has sent by itself is not one of the answer.
    expect(store.createdBy(elsewhere.id)).toEqual([])
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

  it('[2.11-14] warns of custom emojis that the application cannot use', () => {
    const hasEmoji = (applicationId: string, id: string) => applicationId === app && id === '77'
    const conversations = createConversations({ clock, hasEmoji })
    const interaction = used()
    conversations.begin(interaction, reply('x'))
    const warned = ['77', '78'].map((id) => {
      const button = { ...row[0]!.components[0]!, emoji: { id, name: 'parrot' } }
      const body = { content: 'x', components: [{ type: 1, components: [button] }] }
      const result = conversations.followUp(path(interaction), { body })
      expect(result.ok).toBe(true)
      return 'warnings' in result ? result.warnings!.map(({ code }) => code) : []
    })
    expect(warned).toEqual([[], ['component.emoji_unknown']])
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

it.each<[string, (given: any) => unknown]>([
  ['path', (given) => store.read(given)],
  ['path', (given) => store.delete(given)],
  ['request', (given) => store.edit({ applicationId: app, token: 'x' }, given)],
  ['request', (given) => store.followUp({ applicationId: app, token: 'x' }, given)],
  ['interaction', (given) => store.begin(given, reply('x'))],
  ['id', (given) => store.message(given)],
  ['id', (given) => store.replace(given, null)],
  ['message', (given) => store.replace('1', given ?? 'text')],
  ['interactionId', (given) => store.createdBy(given)],
  ['listener', (given) => store.subscribe(given)],
  ['interaction', (given) => pendingAnswers().expect(given)],
  ['interactionId', (given) => pendingAnswers().stateOf(given, 'x')],
  ['token', (given) => pendingAnswers().receive('1', given, {})],
])('refuses %s of a wrong kind with a TypeError that names it', (name, call) => {
  for (const given of [undefined, 5, null]) expect(() => call(given)).toThrow(`${name}: expected `)
})
