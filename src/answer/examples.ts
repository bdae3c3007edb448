/** Valid interactions and answers for the `breaks` of rules. */
import { deepFreeze } from '../core/freeze.ts'
import type { Broken, PathStep } from '../core/rule.ts'
import { InteractionCallbackType } from '../interaction/types.ts'

/** A used slash command. */
export const slash = /* @__PURE__ */ deepFreeze({
  id: '0',
  application_id: '1',
  token: 't',
  type: 2,
  data: { id: '2', name: 'a', type: 1 },
})
/** An autocomplete interaction of a STRING option. */
export const typing = /* @__PURE__ */ deepFreeze({
  ...slash,
  type: 4,
  data: { ...slash.data, options: [{ name: 'o', type: 3, value: '', focused: true }] },
})
/** A message with text. */
export const message = /* @__PURE__ */ deepFreeze({
  type: InteractionCallbackType.CHANNEL_MESSAGE_WITH_SOURCE,
  data: { content: 'x' },
})

/** An invalid answer to the slash command, and the path of the problem. */
export function invalidAnswer(callback: object, ...path: PathStep[]): Broken {
  return { body: { interaction: slash, callback }, path }
}

/** A message with invalid data, and the path of the problem in the data. */
export function messageWith(data: object, ...path: PathStep[]): Broken {
  return invalidAnswer({ ...message, data }, 'data', ...path)
}
