/** What people act on, and what comes of a launch. */
import type { InteractionMessage } from '../../../model/interaction-payload.ts'
import type { Shown } from '../answers/shown.ts'
import type { MessageView } from './server-view.ts'

/** The result of a launch: an answer of the bot, or a message of the service, which the bot does not receive. */
export type Launched =
  | { readonly handledBy: 'app'; readonly shown: Shown; readonly message: null }
  | { readonly handledBy: 'service'; readonly shown: null; readonly message: InteractionMessage }

/** A message: an answer to a person, what it shows, or a message of a channel. */
export type MessageTarget = Shown | NonNullable<Shown['message']> | MessageView
