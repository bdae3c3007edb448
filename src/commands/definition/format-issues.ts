import { OptionType } from '../../model/command-types.ts'
import { isObject, valueAt, type JsonObject } from '../../core/json.ts'
import { readableCopy } from '../../core/rules/readable.ts'
import { demandIssues } from '../../core/rules/arguments.ts'
import type { Issue } from '../../core/rules/report.ts'
import type { Path, PathStep } from '../../core/rules/rule.ts'
import { quoted } from '../../core/text.ts'

/**
 * Formats issues for people, one line each:
 * `command "config", option "level", name in de: "Stufe 1" has a space; …`
 *
 * @param body the validated body; without it, lines refer to commands and options by number and leave out values
 */
export function formatIssues(issues: readonly Issue[], body?: unknown): string {
  demandIssues(issues, 'issues')
  return inReadable(body, (source) => {
    const item = isAboutPermissions(issues) ? 'entry' : itemNoun(source)
    return issues.map((issue) => lineOf(describeIssue(issue, source, undefined, item))).join('\n')
  })
}

function inReadable(body: unknown, format: (source: unknown) => string): string {
  try {
    return format(body)
  } catch {
    // A getter of the body throws, which an issue says.
    return format(readableCopy(body))
  }
}

/** An issue for a form, which knows its command: `option "who", name: is missing`. */
export function fieldMessage(issue: Issue, body: unknown): string {
  return inReadable(body, (source) => {
    const line = formatIssues([issue], source)
    const command = `${describePath([], source)}, `
    return line.startsWith(command) ? line.slice(command.length) : line
  })
}

/** An issue in words. */
interface DescribedIssue {
  /** Empty for the whole body. */
  readonly place: string
  /** The message, after the text that it is about. */
  readonly problem: string
}

type NameCommand = (command: unknown, index: number) => string

export function describeIssue(
  { path, message, about }: Issue,
  body: unknown,
  nameCommand?: NameCommand,
  item?: string,
): DescribedIssue {
  const isOfBody = path.length === 0 && about === 'value'
  const text = about === 'text' ? valueAt(body, path) : undefined
  return {
    place: describePath(path, body, nameCommand, item) || (isOfBody ? 'body' : ''),
    problem: typeof text === 'string' && text !== '' ? `${quoted(text, 48)} ${message}` : message,
  }
}

function lineOf({ place, problem }: DescribedIssue): string {
  return place === '' ? problem : `${place}: ${problem}`
}

/** The subjects of rules about permission entries; the subject of a code stands before its dot. */
const PERMISSION_SUBJECTS: readonly string[] = ['permission', 'permissions']

/** Without a body, the items of a list are known only by the issues about them. */
function isAboutPermissions(issues: readonly Issue[]): boolean {
  return issues.some(
    ({ code, path }) =>
      PERMISSION_SUBJECTS.includes(code.split('.', 1)[0]!) ||
      (typeof path[0] === 'number' && path[1] === 'permission'),
  )
}

/** More items than any list of commands or permission entries may have. */
const MAX_LIST_LENGTH = 200

/** The noun for the items of a list: a command, a permission entry, or an item if the list has no objects. */
function itemNoun(body: unknown): string {
  if (!Array.isArray(body)) return 'command'
  const objects = body.slice(0, MAX_LIST_LENGTH).filter(isObject)
  if (objects.some(isPermission)) return 'entry'
  return objects.length === 0 && body.length > 0 ? 'item' : 'command'
}

/** Describes a path in words: `command "config", option "level", name in de`; empty for the body itself. */
export function describePath(
  path: Path,
  body: unknown,
  nameCommand: NameCommand = (command, index) => nounFor(command, 'command', index),
  item: string = itemNoun(body),
): string {
  const words: string[] = []
  let value = body
  let index = 0
  if (typeof path[0] === 'number') {
    value = valueAt(value, path.slice(0, 1))
    words.push(item === 'command' ? nameCommand(value, path[0]) : `${item} ${path[0] + 1}`)
    index = 1
  } else if (isObject(body) && typeof body.name === 'string') words.push(nounFor(body, 'command', 0))
  while (index < path.length) {
    const step = path[index]!
    const next = path[index + 1]
    if (typeof next === 'number') {
      value = valueAt(value, [step, next])
      words.push(listNoun(step, value, next))
      index += 2
    } else if (typeof step === 'string' && step.endsWith('_localizations') && next !== undefined) {
      words.push(`${fieldNoun(step.slice(0, -'_localizations'.length))} in ${fieldNoun(next)}`)
      index += 2
    } else {
      words.push(fieldNoun(step))
      value = valueAt(value, [step])
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

function isPermission(value: JsonObject): boolean {
  return 'permission' in value && !('name' in value)
}
