/** The answers that one person alone sees: ephemeral ones, and those in no channel of the world. */
import { BoundedMap } from '../../../core/bounded-map.ts'
import type { BotSession } from '../../../interactions/bot/bot-session.ts'
import type { LiveMessage } from '../../../interactions/bot/kept-messages.ts'
import { isEphemeral } from '../../../model/interaction-types.ts'
import { userOf } from '../../../model/interaction-payload.ts'
import type { World } from '../../../service/world/world.ts'

const MAX_OWN_ANSWERS = 1_000

export class OwnAnswers {
  /** Ends keeping them. */
  readonly close: () => void
  readonly #messages: BotSession['messages']
  readonly #own = new BoundedMap<string, { readonly userId: string; readonly channelId: string }>(
    MAX_OWN_ANSWERS,
  )

  constructor(messages: BotSession['messages'], world: World) {
    this.#messages = messages
    this.close = messages.subscribe(({ interaction, message }) => {
      const { id, channel_id: channelId } = message
      const userId = userOf(interaction)?.id
      // The first one who sees it keeps it: another person may press its button.
      if (this.#own.has(id) || userId === undefined) return
      if (isEphemeral(message) || world.channel(channelId) === undefined)
        this.#own.set(id, { userId, channelId })
    })
  }

  /** Whether a person sees a message of an interaction. */
  isSeenBy(userId: string, messageId: string): boolean {
    return (this.#own.get(messageId)?.userId ?? userId) === userId
  }

  /** Those of a channel, oldest first. */
  of(userId: string, channelId: string): readonly LiveMessage[] {
    const ids = [...this.#own].filter(([, one]) => one.userId === userId && one.channelId === channelId)
    return ids.flatMap(([id]) => {
      const live = this.#messages.live(id)
      return live === undefined || live.isDeleted ? [] : [live]
    })
  }
}
