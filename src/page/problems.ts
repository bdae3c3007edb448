import { describePath } from '../command/format-issues.ts'
import type { Issue } from '../core/report.ts'
import { ruleOf, ruleUrl } from '../reference/catalogue.ts'
import type { Problem } from './answers.ts'

/** Issues with their places in words. */
export function problemsOf(issues: readonly Issue[], body?: unknown): readonly Problem[] {
  return issues.slice(0, 200).map(({ code, message, path, params }) => {
    const rule = ruleOf(code)
    return {
      code,
      message,
      path,
      place: body === undefined ? path.join('.') : describePath(path, body),
      rule: rule
        ? { summary: rule.summary, wire: rule.wire?.(params).code ?? '', docs: ruleUrl(code) }
        : null,
    }
  })
}
