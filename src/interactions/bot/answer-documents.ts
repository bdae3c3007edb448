/** What a store has of the answers to an interaction, and how an operation on a table changes it. */
import { bytesOfJson } from '../../core/bounded-map.ts'
import { toHex } from '../../core/bytes.ts'
import { sameJson } from '../../core/json.ts'
import type { Issue } from '../../core/rules/report.ts'
import { temporaryKey, type TemporaryDocument } from '../../storage/documents/temporary.ts'
import { TOKEN_VALID, type InteractionCallback } from '../../model/answer-types.ts'
import type { ApplicationSettings } from '../../model/application.ts'
import type { AnyInteraction } from '../../model/interaction-payload.ts'
import type { AppMessage } from './bot-message.ts'
import type { Conversation } from './conversations.ts'
import type { KeptMessage, LiveMessage } from './kept-messages.ts'
import type { AnswerTable, Waiting } from './pending.ts'

/** A message in a document, beside the interaction that created it. */
export interface MessageState extends Omit<LiveMessage, 'interaction'> {
  readonly until: number
}

/** What arrived for a delivery. */
export interface Arrived {
  readonly callback?: InteractionCallback
  /** The problems of the first invalid answer. */
  readonly refused?: readonly Issue[]
}

/** All of a token, under its digest. */
export interface AnswerDocument extends TemporaryDocument {
  /** Without its token. */
  readonly interaction: AnyInteraction
  readonly waiting: readonly {
    readonly id: string
    /** When the app was sent the interaction, in milliseconds since 1970. */
    readonly since: number
    readonly application?: ApplicationSettings
  }[]
  /** By the id of the delivery. */
  readonly outcomes: Readonly<Record<string, Arrived>>
  readonly conversation: ReturnType<typeof conversationState> | null
  /** Messages as they were created. Those that changed since have documents of their own: other tokens use them too. */
  readonly messages: readonly MessageState[]
}

/** A message that changed since it was created, or whose component was used. */
export interface MessageDocument extends TemporaryDocument {
  readonly state: MessageState
}

/** An operation that was carried out. */
export interface Turn<T> {
  readonly result: T
  /** What arrived for the deliveries so far. */
  readonly outcomes: AnswerDocument['outcomes']
  /** The documents after it, in the order of those before it; undefined for one that stays as it was. */
  readonly next: readonly (AnswerDocument | MessageDocument | undefined)[]
}

/** What is done with a table, and with its deliveries by their ids. */
export type Operation<T> = (table: AnswerTable, waiting: ReadonlyMap<string, Waiting>) => T

/** The digest of a token, which is not stored itself. */
export async function digestOf(token: string): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token))))
}

/** A callback request has no application, so these documents have no owner. `ownerDocument` ends them with theirs. */
export function answerKey(digest: string): string {
  return temporaryKey('0', 'answer', digest)
}

/**
 * The key of a message that several tokens use: it names the interaction that created the message, so that only tokens
 * of that interaction and of its components read it.
 */
export function messageKey(interaction: AnyInteraction, id: string): string {
  const used = usedMessage(interaction)
  const owner = used?.id === id ? (used.interaction_metadata?.id ?? '0') : interaction.id
  return temporaryKey(interaction.application_id, 'message', `${owner}-${id}`)
}

/** The key and the document that remove the document of a token together with its application. */
export function ownerDocument(interaction: AnyInteraction, digest: string, now: number) {
  // Not before the other ends: an answer at its last moment makes its token valid, and then known, as long again.
  const document: TemporaryDocument = { until: now + 4 * TOKEN_VALID, also: answerKey(digest) }
  return { key: temporaryKey(interaction.application_id, 'answer', digest), document }
}

/** The document of a token with one more delivery. */
export function withDelivery(
  known: AnswerDocument | undefined,
  interaction: AnyInteraction,
  delivery: AnswerDocument['waiting'][number],
  now: number,
): AnswerDocument {
  const empty = { conversation: null, messages: [], outcomes: {}, waiting: [], until: 0 }
  const before = known ?? { ...empty, interaction: { ...interaction, token: '' } }
  // As long as a token is valid, and then kept: memory answers a late acknowledgement too.
  const until = Math.max(before.until, now + 2 * TOKEN_VALID)
  return { ...before, waiting: [...before.waiting, delivery], until }
}

/** The document of a token with another time of a delivery, if that still waits. */
export function withTime(known: AnswerDocument, id: string, since: number): AnswerDocument {
  return { ...known, waiting: known.waiting.map((one) => (one.id === id ? { ...one, since } : one)) }
}

/** The messages that an operation can change: the original, that of the path, and that whose component was used. */
export function messageIdsOf(known: AnswerDocument | undefined, messageId: string | undefined) {
  if (known === undefined) return []
  const { original = null, messages = [] } = known.conversation ?? {}
  const named = messages.includes(messageId ?? '') ? messageId : null
  const ids = [original, named, usedMessage(known.interaction)?.id]
  return [...new Set(ids.filter((id) => typeof id === 'string'))]
}

/** The message whose component was used. */
function usedMessage(interaction: AnyInteraction) {
  const { message } = interaction as { readonly message?: Pick<AppMessage, 'id'> & Partial<AppMessage> }
  return message
}

/**
 * Carries out an operation on an empty table that takes over the documents.
 *
 * @param documents that of the token, and those of the messages with the ids, as far as they exist
 */
export function takeTurn<T>(
  table: AnswerTable,
  token: string,
  ids: readonly string[],
  documents: readonly (AnswerDocument | MessageDocument | undefined)[],
  operate: Operation<T>,
): Turn<T> {
  const [before, ...others] = documents as [AnswerDocument?, ...(MessageDocument | undefined)[]]
  const waiting = new Map<string, Waiting>()
  if (before === undefined) return { result: operate(table, waiting), outcomes: {}, next: [] }
  const interaction: AnyInteraction = { ...before.interaction, token }
  const outcomes: Record<string, Arrived> = { ...before.outcomes }
  for (const { id, since, application } of before.waiting) {
    const one: Waiting = {
      interaction,
      since,
      application,
      settle: (callback) => (outcomes[id] = { ...outcomes[id], callback }),
      refuse: (refused) => (outcomes[id] = { refused, ...outcomes[id] }),
    }
    waiting.set(id, one)
    table.add(one)
  }
  const { byId, byToken } = table.conversations
  const changed = others.flatMap((document) => document?.state ?? [])
  const states = new Map([...before.messages, ...changed].map((state) => [state.message.id, state]))
  for (const [id, { until, ...state }] of states)
    byId.set(id, { live: { interaction, ...state }, until, size: bytesOfJson(state.message) })
  if (before.conversation !== null) {
    const own = { interaction, messages: new Set(before.conversation.messages), size: 0 }
    byToken.set(token, { ...before.conversation, ...own })
  }

  const result = operate(table, waiting)
  const conversation = byToken.get(token)
  const used = usedMessage(before.interaction)?.id
  const created = [...byId].filter(([id]) => id !== used && !states.has(id))
  const after: AnswerDocument = {
    ...before,
    waiting: before.waiting.filter(({ id }) => table.isWaiting(waiting.get(id)!)),
    outcomes,
    conversation: conversation === undefined ? null : conversationState(conversation),
    messages: [
      ...before.messages.filter(({ message }) => byId.has(message.id)),
      ...created.map(([, message]) => messageState(message)),
    ],
    until: Math.max(before.until, (conversation?.until ?? 0) + TOKEN_VALID),
  }
  const next = ids.map((id): MessageDocument | undefined => {
    const kept = byId.get(id)
    if (kept === undefined || (id !== used && !states.has(id))) return undefined
    const state = messageState(kept)
    return sameJson(states.get(id), state) ? undefined : { until: state.until + TOKEN_VALID, state }
  })
  return { result, outcomes, next: [sameJson(before, after) ? undefined : after, ...next] }
}

function messageState({ live: { interaction: _, ...state }, until }: KeptMessage): MessageState {
  return { ...state, until }
}

/** A conversation in a document, beside its interaction. */
function conversationState({ until, original, messages, followUps }: Conversation) {
  return { until, original, messages: [...messages], followUps }
}
