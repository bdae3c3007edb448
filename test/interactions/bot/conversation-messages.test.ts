import { describe, expect, it, vi } from 'vitest'
import { createConversations, press } from 'commandry/interactions'
import { app } from '../../support/fixtures.ts'
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
  sent,
  code,
  row,
  reply,
  answered,
  begun,
  file,
  useConversations,
} from './conversation.ts'
import { turn } from '../../support/waiting.ts'

useConversations()

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

  it('[2.11-11] keeps whom a message mentions in an edit without content, and reads it again with content', () => {
    const data = { content: 'Hi @everyone', allowed_mentions: { parse: [] } }
    const { interaction, message } = begun({ type: 4, data })
    const components = [{ type: 1, components: [{ type: 2, style: 1, label: 'Go', custom_id: 'go' }] }]
    const everyone = [
      message,
      sent(edit(interaction, { components })),
      sent(edit(interaction, { content: 'Hi @here' })),
    ]
    expect(everyone.map(({ mention_everyone }) => mention_everyone)).toEqual([false, false, true])
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
    await turn()
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
