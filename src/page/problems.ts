/** Problems of a body with their rules, as the page shows them. */
import { labelOf } from '../authoring/words.ts'
import { describeIssue } from '../command/format-issues.ts'
import { parsedJson } from '../core/json.ts'
import type { Issue } from '../core/report.ts'
import { ruleOf, ruleUrl } from '../reference/catalogue.ts'
import { errorsInResponse, type ResponseError } from '../reference/response-errors.ts'
import { validateCommands } from '../reference/validate.ts'
import type { Problem, RecordedRequest } from './answers.ts'

/** The page shows no more problems of one body. */
export const MOST_PROBLEMS = 200

/** Issues with their places in words. */
export function problemsOf(issues: readonly Issue[], body?: unknown): readonly Problem[] {
  return issues.slice(0, MOST_PROBLEMS).map((issue) => {
    const { code, message, path } = issue
    const place = body === undefined ? path.join('.') : describeIssue(issue, body, labelOf).place
    return { code, message, path, place, rule: ruleWords(issue) }
  })
}

/** The rule of an issue, for those who look it up. */
export function ruleWords({ code, params }: Issue): Problem['rule'] {
  const rule = ruleOf(code)
  if (rule === undefined) return null
  return { summary: rule.summary, wire: rule.wire?.(params).code ?? '', docs: ruleUrl(code) }
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

/** The errors in the text of a response. */
export function fieldErrors(response: string): readonly ResponseError[] {
  return errorsInResponse(parsedJson(response)).slice(0, MOST_PROBLEMS)
}
