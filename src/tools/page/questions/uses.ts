/** The uses of commands and components on the page, and the messages that only one person sees. */
import type { Rendered } from '../../../interactions/answer/rendered.ts'
import type { BotSession } from '../../../interactions/bot/bot-session.ts'
import { BoundedMap } from '../../../core/bounded-map.ts'
import { Emitter } from '../../../core/emitter.ts'
import type { AnyInteraction, InteractionMessage } from '../../../model/interaction-payload.ts'
import type { World } from '../../../service/world/world.ts'
import { OwnAnswers } from '../../../testing/testbed/answers/own-answers.ts'
import type { Problem } from './decision-words.ts'

/** Why a use was refused before it reached the bot. */
export interface UseRefusal {
  readonly code: string
  readonly message: string
  readonly issues: readonly Problem[]
}

/** A use of a command or a component by a person on the page. */
export interface PageUse {
  readonly id: number
  /** When it was used, in milliseconds since 1970. */
  readonly time: number
  milliseconds: number
  readonly as: string
  readonly channelId: string
  readonly lang: string
  /** In words: `used` and `/ban`, or `pressed` and `Yes`. */
  readonly verb: string
  readonly label: string
  /** The line that was typed; empty for a component. */
  readonly line: string
  /** The id of the command; empty for a component. */
  readonly command: string
  /** The use as code of a test; empty for a component. */
  readonly test: string
  readonly refusal: UseRefusal | null
  /** The interaction that the app received, if any. */
  readonly interaction: AnyInteraction | null
  /** The message of the service that launched an Activity. */
  readonly launched: InteractionMessage | null
  /** Whether the bot is being asked. */
  isSending: boolean
  /** Whether a bot was asked. */
  isByBot: boolean
  /** The first answer as the person sees it; null before it comes. */
  shown: Rendered | null
  failure: string
  issues: readonly Problem[]
  /** What the program of the bot wrote about the failure; empty for nothing. */
  error: string
  /** Does the same again; null for what cannot be repeated. */
  readonly again: (() => Promise<unknown>) | null
  /** Whether the modal of the answer was submitted. */
  isSubmitted: boolean
}

const MAX_USES = 500

export type Uses = ReturnType<typeof createUses>

export function createUses({ messages }: BotSession, world: World) {
  const uses = new BoundedMap<number, PageUse>(MAX_USES)
  const byInteraction = new Map<string, PageUse>()
  const own = new OwnAnswers(messages, world)
  const changes = new Emitter<number>((error) => console.error(error))
  let count = 0
  return {
    add(use: Omit<PageUse, 'id' | 'isSubmitted'>): PageUse {
      const added = { ...use, id: ++count, isSubmitted: false }
      uses.set(added.id, added)
      if (added.interaction !== null) byInteraction.set(added.interaction.id, added)
      for (const [id, one] of byInteraction) if (!uses.has(one.id)) byInteraction.delete(id)
      changes.publish([added.id])
      return added
    },
    get: (id: number) => uses.get(id),
    of: (interactionId: string) => byInteraction.get(interactionId),
    /** Tells the pages that a use has changed. */
    changed: (use: PageUse) => changes.publish([use.id]),
    subscribe: (listener: (id: number) => void) => changes.add(listener),
    /** The uses of a person in a channel, oldest first. */
    by: (as: string, channelId: string) =>
      [...uses.values()].filter((use) => use.as === as && use.channelId === channelId),
    /** Whether a person sees a message of an interaction. */
    sees: (as: string, messageId: string) => own.isSeenBy(as, messageId),
    /** The messages of a channel that only one person sees, oldest first. */
    messagesOf: (as: string, channelId: string) => own.of(as, channelId),
    close: own.close,
  }
}
