/** The messages of answers as they are now, and who follows their changes. */
import { BoundedMap, bytesOfJson } from '../../core/bounded-map.ts'
import { Emitter } from '../../core/emitter.ts'
import { demandFunction, demandObject, demandText } from '../../core/rules/arguments.ts'
import type { AnyInteraction } from '../../model/interaction-payload.ts'
import { hasFlag, MessageFlag } from '../../model/interaction-types.ts'
import type { AppMessage } from './bot-message.ts'

/** A message of an answer. The object changes with every edit of the app. */
export interface LiveMessage {
  /** The interaction that created it. */
  readonly interaction: AnyInteraction
  /** As it is now; of a deleted message, as it was. */
  readonly message: AppMessage
  /** Whether the app changed it after it was complete. */
  readonly isEdited: boolean
  readonly isDeleted: boolean
  /** The number of edits, and of the deletion. */
  readonly changes: number
}

/** A change of a message that a person sees. */
export interface AnswerEvent {
  readonly type: 'message_created' | 'message_updated' | 'message_deleted'
  /** The interaction whose token was used. */
  readonly interaction: AnyInteraction
  /** As it is now; of a deleted message, as it was. */
  readonly message: AppMessage
}

/** A message that is kept until the last token that changed it ends. */
export interface KeptMessage {
  readonly live: { -readonly [Field in keyof LiveMessage]: LiveMessage[Field] }
  readonly until: number
  readonly size: number
}

/** The token of a request. */
export interface UsedToken {
  readonly interaction: AnyInteraction
  /** When it ends, in milliseconds since 1970. */
  readonly until: number
}

// The oldest messages beyond these sizes are dropped, of one application and of all.
const MAX_MESSAGE_BYTES = 96 * 1024 * 1024
const MAX_MESSAGE_BYTES_OF_ONE = 32 * 1024 * 1024

export class KeptMessages {
  readonly byId: BoundedMap<string, KeptMessage>
  /** The ids of messages by the id of the interaction that created them. */
  readonly #created = new Map<string, string[]>()
  readonly #events: Emitter<AnswerEvent>

  /** @param most the bytes of the messages of an application */
  constructor(onListenerError: (error: unknown) => void, most = MAX_MESSAGE_BYTES_OF_ONE) {
    this.byId = new BoundedMap(MAX_MESSAGE_BYTES, ({ size }) => size, {
      share: { most, ownerOf: ({ live }) => live.interaction.application_id },
    })
    this.#events = new Emitter(onListenerError)
  }

  message(id: string): AppMessage | undefined {
    const live = this.live(id)
    return live?.isDeleted === false ? live.message : undefined
  }

  live(id: string): LiveMessage | undefined {
    demandText(id, 'id')
    return this.byId.get(id)?.live
  }

  createdBy(interactionId: string): readonly string[] {
    demandText(interactionId, 'interactionId')
    return this.#created.get(interactionId) ?? []
  }

  replace(id: string, message: AppMessage | null): boolean {
    demandText(id, 'id')
    if (message !== null) demandObject(message, 'message')
    const kept = this.byId.get(id)
    if (kept === undefined || kept.live.isDeleted) return false
    const used = { interaction: kept.live.interaction, until: kept.until }
    if (message === null) this.remove(kept.live.message, used)
    else this.put('message_updated', used, message)
    return true
  }

  subscribe(listener: (event: AnswerEvent) => void): () => void {
    demandFunction(listener, 'listener')
    return this.#events.add(listener)
  }

  /** Lists the messages that an interaction creates from now on. */
  protected keepFor({ id }: AnyInteraction): void {
    this.#created.set(id, this.#created.get(id) ?? [])
  }

  /** Drops what only a token needed that was forgotten. */
  protected forget({ interaction, messages, until }: UsedToken & { readonly messages: ReadonlySet<string> }) {
    this.#created.delete(interaction.id)
    for (const id of messages) {
      if ((this.byId.get(id)?.until ?? 0) <= until) this.byId.delete(id)
    }
  }

  /** The message whose component was used: `@original` of such an interaction. Null for a deleted one. */
  protected use(used: UsedToken): AppMessage | null {
    const { message: sent } = used.interaction as { readonly message?: AppMessage }
    if (sent === undefined) return null
    const { message, isDeleted } = this.#keep(this.live(sent.id)?.message ?? sent, used)
    return isDeleted ? null : message
  }

  protected put(
    type: 'message_created' | 'message_updated',
    used: UsedToken,
    message: AppMessage,
  ): AppMessage {
    const before = this.live(message.id)
    const wasLoading = before !== undefined && hasFlag(before.message.flags, MessageFlag.LOADING)
    const isEdited = before !== undefined && (before.isEdited || !wasLoading)
    const live = this.#keep(message, used)
    Object.assign(live, { isEdited, changes: before === undefined ? 0 : live.changes + 1 })
    this.#events.publish([{ type, interaction: used.interaction, message }])
    return message
  }

  protected remove(message: AppMessage, used: UsedToken): void {
    const live = this.#keep(message, used)
    live.isDeleted = true
    live.changes++
    this.#events.publish([{ type: 'message_deleted', interaction: used.interaction, message }])
  }

  /** Keeps a message for at least as long as a token. */
  #keep(message: AppMessage, { interaction, until }: UsedToken): KeptMessage['live'] {
    const { id } = message
    const before = this.byId.get(id)
    const { message: used } = interaction as { readonly message?: { readonly id: string } }
    if (before === undefined && used?.id !== id) this.#created.get(interaction.id)?.push(id)
    const live = before?.live ?? { interaction, message, isEdited: false, isDeleted: false, changes: 0 }
    live.message = message
    const size = bytesOfJson(message)
    this.byId.set(id, { live, until: Math.max(before?.until ?? until, until), size })
    return live
  }
}
