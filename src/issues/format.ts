/** Issues for people: one line each, with the command, the option, the locale and the value they are about. */
import { OptionType } from '../command/kinds.ts'
import { isObject } from '../core/json.ts'
import type { Issue } from '../core/report.ts'
import type { Path, PathStep } from '../core/rule.ts'
import { quoted } from '../core/text.ts'

/**
 * Writes issues for people, a line each:
 * `command "config", option "level", name in de: "Stufe 1" has a space; …`
 *
 * @param body what was validated; without it, places are told by their numbers and values are left out
 */
export function formatIssues(issues: readonly Issue[], body?: unknown): string {
  return issues.map((issue) => formatIssue(issue, body)).join('\n')
}

function formatIssue({ path, message }: Issue, body: unknown): string {
  const place = placeOf(path, body)
  const value = shown(get(body, path))
  // A message that quotes the value says it already; one that starts with a quotation is about that: a key, say.
  const isSaid = value === undefined || message.startsWith('"') || message.includes(value)
  const what = isSaid ? message : `${value} ${message}`
  return place === '' ? what : `${place}: ${what}`
}

/** The place of a path in words: `command "config", option "level", name in de`. */
export function placeOf(path: Path, body: unknown): string {
  const words: string[] = []
  let value = body
  let index = 0
  if (typeof path[0] === 'number') {
    value = get(value, path.slice(0, 1))
    words.push(isPermission(value) ? `entry ${path[0] + 1}` : nounFor(value, 'command', path[0]))
    index = 1
  } else if (isObject(body) && typeof body.name === 'string') words.push(nounFor(body, 'command', 0))
  while (index < path.length) {
    const step = path[index]!
    const next = path[index + 1]
    if (typeof next === 'number') {
      value = get(value, [step, next])
      words.push(listNoun(step, value, next))
      index += 2
    } else if (typeof step === 'string' && step.endsWith('_localizations') && next !== undefined) {
      words.push(`${fieldNoun(step.slice(0, -'_localizations'.length))} in ${fieldNoun(next)}`)
      index += 2
    } else {
      words.push(fieldNoun(step))
      value = get(value, [step])
      index += 1
    }
  }
  return words.join(', ')
}

function fieldNoun(step: PathStep): string {
  if (typeof step === 'string' && step.endsWith('_localizations')) {
    return `${step.slice(0, -'_localizations'.length)} localizations`
  }
  return /^[\w-]+$/.test(String(step)) ? String(step) : quoted(String(step), 40)
}

function listNoun(list: PathStep, value: unknown, index: number): string {
  if (list === 'options') {
    const type = isObject(value) ? value.type : undefined
    const noun =
      type === OptionType.SUB_COMMAND
        ? 'subcommand'
        : type === OptionType.SUB_COMMAND_GROUP
          ? 'group'
          : 'option'
    return nounFor(value, noun, index)
  }
  if (list === 'choices') return nounFor(value, 'choice', index)
  if (list === 'permissions') return `entry ${index + 1}`
  return `${fieldNoun(list)}, entry ${index + 1}`
}

function nounFor(value: unknown, noun: string, index: number): string {
  return isObject(value) && typeof value.name === 'string' && value.name !== ''
    ? `${noun} ${quoted(value.name, 40)}`
    : `${noun} ${index + 1}`
}

function isPermission(value: unknown): boolean {
  return isObject(value) && 'permission' in value && !('name' in value)
}

/** A value short enough to be worth showing: texts, and nothing else that the message does not already say. */
function shown(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? quoted(value, 48) : undefined
}

function get(value: unknown, path: Path): unknown {
  let found = value
  for (const step of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined
    found = (found as Readonly<Record<PathStep, unknown>>)[step]
  }
  return found
}
