/** The rules about answers; they join the catalogue. */
import { envelopeRules } from './callback-rules.ts'
import { componentRules } from './component-rules.ts'
import { embedRules } from './embed-rules.ts'
import { fieldRules } from './message-fields.ts'
import { messageRules } from './message-rules.ts'
import { referenceRules } from './reference-rules.ts'

export const callbackRules = [
  ...Object.values(envelopeRules),
  ...fieldRules,
  ...Object.values(messageRules),
  ...Object.values(embedRules),
  ...Object.values(componentRules),
  ...Object.values(referenceRules),
] as const
