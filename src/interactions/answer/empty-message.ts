/** The code of messages that show nothing, apart from their rules, which a service without deliveries does not need. */
import type { Issue } from '../../core/rules/report.ts'

export const MESSAGE_EMPTY = 'message.empty'

/** Whether the only problem of a message is that it is empty, which has an error code of its own. */
export function isEmptyMessage(issues: readonly Issue[]): boolean {
  return issues.every(({ code }) => code === MESSAGE_EMPTY)
}
