import { describePath } from '../command/format-issues.ts'
import type { Issue } from '../core/report.ts'
import { ruleOf, ruleUrl } from '../reference/catalogue.ts'
import { validateCommands } from '../reference/validate.ts'
import type { Problem, RecordedRequest } from './answers.ts'
import { fieldErrors } from './field-errors.ts'
import { parsedJson } from '../core/json.ts'

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

/** The issues of the library, with their rules; for a body that is not a list of commands, those of the response. */
export function problemsIn({ method, path, status, request, response }: RecordedRequest): readonly Problem[] {
  if (status !== 400) return []
  const body = parsedJson(request)
  if (method === 'PUT' && /\/commands$/.test(path) && body !== undefined) {
    const read = validateCommands(body, { scope: path.includes('/guilds/') ? 'guild' : 'global' })
    if (!read.ok) return problemsOf(read.issues, body)
  }
  return fieldErrors(response).map((error) => ({ ...error, place: error.path.join('.'), rule: null }))
}
