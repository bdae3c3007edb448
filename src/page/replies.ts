/** The messages of answers as the page shows them: each under the interaction that created it, with its changes. */
import type { AnswerEvent, Conversations } from '../answer/conversations.ts'
import { BoundedMap } from '../core/bounded-map.ts'
import { MessageFlag } from '../interaction/types.ts'
import type { ShownMessage } from './answers.ts'

// Interactions whose messages are kept.
const MOST_INTERACTIONS = 500

export class Replies {
  /** By interaction, in the order in which the messages were created. */
  readonly #shown = new BoundedMap<string, Map<string, ShownMessage>>(MOST_INTERACTIONS)
  readonly #stop: () => void

  /** @param changed called with the interaction after each change */
  constructor(conversations: Conversations, changed: (interactionId: string) => void) {
    this.#stop = conversations.subscribe((event) => changed(this.#hear(event)))
  }

  /** The messages that an interaction created, oldest first. */
  of(interactionId: string): readonly ShownMessage[] {
    return [...(this.#shown.get(interactionId)?.values() ?? [])]
  }

  close(): void {
    this.#stop()
  }

  /** @returns the interaction that created the message: an update comes with that of the component */
  #hear({ type, interaction, message }: AnswerEvent): string {
    const { id } = message
    const owner = [...this.#shown].find(([, messages]) => messages.has(id))?.[0] ?? interaction.id
    const messages = this.#shown.get(owner) ?? new Map<string, ShownMessage>()
    const before = messages.get(id)
    const wasLoading = before !== undefined && (before.message.flags & MessageFlag.LOADING) !== 0
    messages.set(id, {
      message,
      isEdited: before !== undefined && (before.isEdited || !wasLoading),
      isDeleted: type === 'message_deleted',
    })
    this.#shown.set(owner, messages)
    return owner
  }
}
