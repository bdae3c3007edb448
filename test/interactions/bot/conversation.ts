/** Interactions of people and the requests of a bot about its answers. */
import { beforeEach, expect } from 'vitest'
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
} from 'commandry/interactions'
import { handClock } from '../../support/clock.ts'
import { app } from '../../support/fixtures.ts'
import { accepted } from '../../support/found.ts'

export const MINUTE = 60_000
export const clock = handClock()
export const ids = snowflakes({ clock })

export const used = (request: InteractionRequest = {}, command: object = {}): CommandInteraction => {
  const member = { user: { id: '3001', username: 'ada' } }
  const place = { guildId: '2001', channel: { id: '4001', type: 0 }, member, ids } as const
  const body = { application_id: app, name: 'ping', description: 'b', ...command } as never
  return accepted(createInteraction(body, { ...place, ...request })) as CommandInteraction
}

beforeEach(() => {
  store = createConversations({ clock })
  events = []
  store.subscribe((event) => events.push(event))
})

export interface Tokened {
  readonly token: string
}
export const path = ({ token }: Tokened, messageId?: string) => ({
  ...{ applicationId: app, token },
  ...(messageId !== undefined && { messageId }),
})
export const read = (one: Tokened, id?: string) => store.read(path(one, id))
export const edit = (one: Tokened, body: object, files: readonly AnswerFile[] = []) =>
  store.edit(path(one), { body, files })
export const followUp = (one: Tokened, body: object, files: readonly AnswerFile[] = []) =>
  store.followUp(path(one), { body, files })
export const sent = (result: { readonly ok: boolean }): AppMessage => {
  expect(result).toMatchObject({ ok: true })
  return (result as unknown as { message: AppMessage }).message
}
export const code = (result: { readonly ok: boolean }) => ('code' in result ? result.code : 'ok')
export const row = [{ type: 1, components: [{ type: 2, style: 1, custom_id: 'go', label: 'Go' }] }]

export const reply = (content: string, flags = 0) => ({ type: 4, data: { content, flags } }) as const

export type Callback = Parameters<Conversations['begin']>[1]

/** An interaction with an answer. */
export const answered = (callback: Callback = reply('x')) => begun(callback).interaction

/** The same, with the message of the answer. */
export const begun = (callback: Callback = reply('x'), files: readonly AnswerFile[] = []) => {
  const interaction = used()
  return { interaction, message: store.begin(interaction, callback, files)! }
}
export const file = { key: '0', filename: 'a.txt', size: 1 }

export let store: Conversations
export let events: AnswerEvent[]

/** Begins each test of the file without conversations. */
export function useConversations(): void {
  beforeEach(() => {
    store = createConversations({ clock })
    events = []
    store.subscribe((event) => events.push(event))
  })
}
