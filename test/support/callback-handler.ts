import { CommandRegistry } from 'commandry'
import { createHandler, type Handler } from 'commandry/http'
import type { PendingAnswers } from 'commandry/interactions'

/** A handler whose service knows nobody: only the routes without a token respond. */
export function callbackHandler(answers: PendingAnswers, basePath?: string): Handler {
  const registry = new CommandRegistry()
  return createHandler({
    registry,
    authenticate: () => undefined,
    answers,
    ...(basePath !== undefined && { basePath }),
  })
}
