/** The answers of a service without deliveries: it expects none. Nothing of what reads answers is needed for it. */
import { refused } from '../../core/rules/result.ts'
import { Files } from './files.ts'
import type { PendingAnswers, TokenAnswers } from './pending.ts'

export interface NoAnswers extends Pick<PendingAnswers, 'stateOf' | 'receive'> {
  readonly conversations: TokenAnswers['conversations'] & { readonly files: Files }
}

export function noAnswers(): NoAnswers {
  const none = () => refused('unknown_webhook')
  return {
    stateOf: () => 'unknown_interaction',
    receive: () => refused('unknown_interaction'),
    conversations: { files: new Files(), read: none, edit: none, delete: none, followUp: none },
  }
}
