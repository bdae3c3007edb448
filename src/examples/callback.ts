/** How to break the rules about answers: an interaction, and an invalid answer to it. */
import { ANSWER_WITHIN, DEPTH_MAX, TOKEN_VALID } from '../answer/answer-types.ts'
import type { callbackRules } from '../answer/rules.ts'
import type { PathStep } from '../core/rule.ts'
import { snowflakeTime } from '../core/snowflake.ts'
import { InteractionCallbackType, MessageFlag } from '../interaction/types.ts'
import { either, oneOf, type Breaks, type BreaksOf } from './breaking.ts'
import { bodyExamples, slash } from './message.ts'

/** An autocomplete interaction of a STRING option. */
const typing = {
  ...slash,
  type: 4,
  data: { ...slash.data, options: [{ name: 'o', type: 3, value: '', focused: true }] },
}
const message = { type: InteractionCallbackType.CHANNEL_MESSAGE_WITH_SOURCE, data: { content: 'x' } }

/** An answer to the slash command. */
function answer(callback: object, ...path: PathStep[]): Breaks {
  return () => ({ body: { interaction: slash, callback }, path })
}

/** An answer of a type that does not fit the interaction. */
function misfit(interaction: object, callback: object): Breaks {
  return () => ({ body: { interaction, callback }, path: ['type'] })
}

function answeredAfter(milliseconds: number): Breaks {
  const now = snowflakeTime(slash.id) + milliseconds
  return () => ({ body: { interaction: slash, callback: message, now }, path: [] })
}

/** Lists in lists, one level deeper than allowed. Two levels are the answer and its data. */
function tooDeep(): unknown {
  let components: readonly unknown[] = []
  for (let depth = 3; depth <= DEPTH_MAX; depth++) components = [components]
  return components
}

export const callbackExamples: BreaksOf<typeof callbackRules> = {
  'callback.json': answer({ ...message, data: { content: 'x', nonce: 1n } }),
  'callback.depth': answer({ ...message, data: { content: 'x', components: tooDeep() } }),
  'callback.type': oneOf([2, 3, 99, '4', null], (type) => answer({ type }, 'type')),
  'callback.fits': either(
    misfit(slash, { type: 8, data: { choices: [] } }),
    misfit(slash, { type: 7, data: { content: 'x' } }),
    misfit(typing, message),
    misfit({ ...slash, type: 1 }, message),
  ),
  'callback.launch': answer({ type: InteractionCallbackType.LAUNCH_ACTIVITY }, 'type'),
  'callback.late': answeredAfter(ANSWER_WITHIN + 1),
  'callback.token': answeredAfter(TOKEN_VALID + 1),
  'deferred.flags': answer({ type: 5, data: { flags: MessageFlag.EPHEMERAL | 4 } }, 'data', 'flags'),
  'deferred.data': answer({ type: 5, data: { content: 'x' } }, 'data', 'content'),
  'callback.deprecated': answer({ type: InteractionCallbackType.PREMIUM_REQUIRED }, 'type'),
  ...bodyExamples,
}
