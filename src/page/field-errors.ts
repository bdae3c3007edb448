import { errorsInResponse, type ResponseError } from '../reference/response-errors.ts'
import { parsedJson } from '../core/json.ts'

/** The errors in the text of a response, at most 200. */
export function fieldErrors(response: string): readonly ResponseError[] {
  return errorsInResponse(parsedJson(response)).slice(0, 200)
}
