/** Reads errors of Discord as libraries print them, and finds the rules behind them. */
import { parsedJson } from '../core/json.ts'
import type { Issue } from '../core/report.ts'
import type { Path, Rule } from '../core/rule.ts'
import { type RuleCode } from '../reference/catalogue.ts'
import { rules } from '../reference/rules.ts'
import { toErrorBody } from '../reference/error-body.ts'
import { errorsInResponse, type ResponseError } from '../reference/response-errors.ts'
import { ruleExample } from '../testing/rule-example.ts'

const FIELD = String.raw`(?:\d+|[a-z][a-z_]*)(?:\.[\w-]+|\[\d+\])*`
/** `1.options[0].name[CODE]: message` (discord.js), `In 1.options.0.name: message` (discord.py), and without `In` (oceanic.js, eris). */
const ERROR_LINE = new RegExp(String.raw`^(?:In )?(${FIELD})(?:\[([A-Z][A-Z0-9_]+)\])?(?:: (\S.*))?$`)
/** JDA prints the path alone, and below it `- CODE: message`. discord.js prints errors of the whole body without a path. */
const CODE_LINE = /^(?:- )?([A-Z][A-Z0-9]*_[A-Z0-9_]+): (.+)$/

/** The errors in a text, each with its path in the request; a code that the library leaves out is empty. */
export function readPastedErrors(text: string): readonly ResponseError[] {
  const json = errorsInResponse(parsedJson(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)))
  if (json.length > 0) return json
  const found: ResponseError[] = []
  let above: Path = []
  for (const line of text.split(/\r?\n/).map((each) => each.trim())) {
    const [, code, message = ''] = CODE_LINE.exec(line) ?? []
    if (code !== undefined) found.push({ path: above, code, message })
    const [, place, own = '', said = ''] = ERROR_LINE.exec(line) ?? []
    above = place === undefined ? above : pathOf(place)
    // Other lines of an inspected error are `code: 50035,` and `method: 'PUT',`.
    const isError = own !== '' || (said !== '' && !said.endsWith(',') && isBodyPath(above))
    if (place !== undefined && isError) found.push({ path: above, code: own, message: said })
  }
  return found
}

function pathOf(place: string): Path {
  return place
    .split(/[.[\]]+/)
    .flatMap((step) => (step === '' ? [] : /^\d+$/.test(step) ? Number(step) : step))
}

/** Paths in the body of one command start with these; those in a list with an index. */
const FIELDS = /^(?:name|description|type|options|choices|contexts|integration_types|handler|nsfw|.+_.+)$/

function isBodyPath([first]: Path): boolean {
  return typeof first === 'number' || FIELDS.test(String(first))
}

/** The errors that the service would send for an issue. */
export function wireErrorsOf(issue: Issue): readonly ResponseError[] {
  return errorsInResponse(toErrorBody([issue]))
}

/** Whether two errors are the same at the same place, as far as the library printed them. */
export function isSameError(one: ResponseError, pasted: ResponseError): boolean {
  return one.path.join() === pasted.path.join() && hasSameText(one, pasted)
}

function hasSameText(one: ResponseError, pasted: ResponseError): boolean {
  if (pasted.code !== '') return one.code === pasted.code
  // Values and numbers of the rule's example are not those of the user's command.
  const shape = (message: string) => message.replace(/"[^"]*"/g, '""').replace(/-?\d+/g, '0')
  return shape(one.message) === shape(pasted.message)
}

/** The rules that report this error at this kind of place; at other places if there are none. */
export function rulesBehind(pasted: ResponseError): readonly Rule<RuleCode>[] {
  // Answers share codes with commands, but a deploy never sends them.
  const same = rules.flatMap((rule) => {
    if (rule.on === 'callback') return []
    const { issue } = rule.wire === null ? {} : ruleExample(rule)
    const error = issue && wireErrorsOf(issue).find((each) => hasSameText(each, pasted))
    return error === undefined ? [] : [{ rule, place: fieldsOf(error.path) }]
  })
  const place = fieldsOf(pasted.path)
  const closest = [
    same.filter((each) => each.place.join() === place.join()),
    same.filter((each) => each.place.at(-1) === place.at(-1)),
    same,
  ].find((list) => list.length > 0)
  return (closest ?? []).map(({ rule }) => rule)
}

/** The fields of a path: `options, name` for `3.options[0].options[1].name`. */
function fieldsOf(path: Path): readonly string[] {
  const isLocale = (index: number) => String(path[index - 1]).endsWith('_localizations')
  return path
    .filter((step, index) => typeof step === 'string' && !isLocale(index))
    .map(String)
    .filter((field, index, all) => field !== 'options' || all[index - 1] !== 'options')
}
