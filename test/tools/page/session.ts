/** The session of a bot that the page asks, which a test plays. */
import { BotSession, type BotSessionOptions } from '../../../src/interactions/bot/bot-session.ts'

export type { BotSession }

export function openSession(options: BotSessionOptions = {}): BotSession {
  return new BotSession(options)
}
