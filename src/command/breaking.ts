/**
 * Helpers for the `breaks` of rules: they choose a place in a valid body, set a value there, and return the path. They
 * never change the given body.
 */
import type { Broken, Path, PathStep, Pick } from '../core/rule.ts'
import { CommandType, isNesting, OptionType } from './types.ts'

/** The body of a command. */
// An open type: rules break bodies of any shape.
export type Body = Record<string, any>

const { SUB_COMMAND, SUB_COMMAND_GROUP, STRING } = OptionType

export const smallestSlash: Body = { name: 'a', description: 'b' }
export const smallestUser: Body = { type: CommandType.USER, name: 'A' }
export const smallestEntryPoint: Body = { type: CommandType.PRIMARY_ENTRY_POINT, name: 'Launch' }

export function isSlash(body: Body): boolean {
  return (body.type ?? CommandType.CHAT_INPUT) === CommandType.CHAT_INPUT
}

/** The body if it is a slash command, otherwise the smallest slash command. */
export function slash(body: Body): Body {
  return isSlash(body) ? body : smallestSlash
}

/** The body if it is a user or message command, otherwise the smallest one. */
export function contextMenu(body: Body): Body {
  return body.type === CommandType.USER || body.type === CommandType.MESSAGE ? body : smallestUser
}

export function entryPoint(body: Body): Body {
  return body.type === CommandType.PRIMARY_ENTRY_POINT ? body : smallestEntryPoint
}

/** The body with one value replaced; `undefined` removes it. */
export function put(body: Body, path: Path, value: unknown): Body {
  const [step, ...rest] = path as [PathStep, ...PathStep[]]
  const copy: any = Array.isArray(body) ? [...body] : { ...body }
  copy[step] = rest.length === 0 ? value : put(copy[step] ?? {}, rest, value)
  if (copy[step] === undefined && !Array.isArray(copy)) delete copy[step]
  return copy
}

export function get(body: Body, path: Path): any {
  return path.reduce<any>((value, step) => value?.[step], body)
}

/** The body with a value at a path, and the path. */
export function broken(body: Body, path: Path, value: unknown): Broken {
  return { body: put(body, path, value), path }
}

/** The paths of the lists that contain, or can contain, value options. */
function valueLists(body: Body): Path[] {
  const options: Body[] = body.options ?? []
  const nested = options.flatMap((option, i): Path[] => {
    if (option.type === SUB_COMMAND) return [['options', i, 'options']]
    if (option.type !== SUB_COMMAND_GROUP) return []
    const inner: Body[] = option.options ?? []
    return inner.map((_, j) => ['options', i, 'options', j, 'options'])
  })
  return options.some(({ type }) => isNesting(type)) ? nested : [['options']]
}

/** A slash command with options added to one of its lists of value options, and the path of the first one. */
export function withOptions(body: Body, pick: Pick, ...added: Body[]): { body: Body; path: Path } {
  const lists = valueLists(slash(body))
  // Every group is empty, and so no list can take an option: start again without groups.
  const whole = lists.length > 0 ? slash(body) : put(slash(body), ['options'], undefined)
  const list = lists.length > 0 ? lists[pick(lists.length)]! : ['options']
  const kept: Body[] = (get(whole, list) ?? []).slice(0, 25 - added.length)
  const named = added.map((option, i) => ({ name: freshName(kept, i), description: 'b', ...option }))
  return { body: put(whole, list, [...kept, ...named]), path: [...list, kept.length] }
}

/** A slash command with one more option, and a path inside that option. */
export function withOption(body: Body, pick: Pick, option: Body, ...fault: PathStep[]): Broken {
  const placed = withOptions(body, pick, option)
  return { body: placed.body, path: [...placed.path, ...fault] }
}

/** A slash command with one more option, whose only choice has a value, and the path of that value. */
export function withChoice(body: Body, pick: Pick, type: OptionType, value: unknown): Broken {
  return withOption(body, pick, { type, choices: [{ name: 'a', value }] }, 'choices', 0, 'value')
}

/** A slash command with subcommands or groups, and one more at the end. */
export function withSubcommand(body: Body, subcommand: Body, ...fault: PathStep[]): Broken {
  const options: Body[] = slash(body).options ?? []
  const kept = options.filter(({ type }) => isNesting(type)).slice(0, 24)
  const added = { name: freshName(kept, 0), description: 'b', ...subcommand }
  return { body: put(slash(body), ['options'], [...kept, added]), path: ['options', kept.length, ...fault] }
}

/** A name that no option of a list has, by default or in any locale. */
function freshName(options: readonly Body[], index: number): string {
  const taken = new Set(
    options.flatMap((option) => [option.name, ...Object.values(option.name_localizations ?? {})]),
  )
  let name = `x${index}`
  while (taken.has(name)) name += 'x'
  return name
}

/** The paths of a body and of all its options. */
export function holders(body: Body, at: Path = []): Path[] {
  const options: Body[] = body.options ?? []
  return [at, ...options.flatMap((option, i) => holders(option, [...at, 'options', i]))]
}

/** The path of a body or of one of its options. */
export function someHolder(body: Body, pick: Pick): Path {
  const paths = holders(body)
  return paths[pick(paths.length)]!
}

/** Paths of all options of a body at any depth. */
export function optionPaths(body: Body): Path[] {
  return holders(body).slice(1)
}

/** Paths of all choices of a body. */
export function choicePaths(body: Body): Path[] {
  return optionPaths(body).flatMap((path) => {
    const choices: Body[] = get(body, path).choices ?? []
    return choices.map((_, i) => [...path, 'choices', i])
  })
}

/** A slash command with a choice, and the path of the choice. */
export function someChoice(body: Body, pick: Pick): { body: Body; path: Path } {
  const whole = slash(body)
  const paths = choicePaths(whole)
  if (paths.length > 0) return { body: whole, path: paths[pick(paths.length)]! }
  const { body: made, path } = withOptions(whole, pick, {
    type: STRING,
    choices: [{ name: 'a', value: 'a' }],
  })
  return { body: made, path: [...path, 'choices', 0] }
}

/** A slash command with an option, and the path of the option. */
export function someOption(body: Body, pick: Pick): { body: Body; path: Path } {
  const whole = slash(body)
  const paths = optionPaths(whole)
  if (paths.length > 0) return { body: whole, path: paths[pick(paths.length)]! }
  return withOptions(whole, pick, { type: STRING })
}

/** Breaks a text of one kind: a default, or the translation into German, which is added. */
export function breakText(body: Body, pick: Pick, field: 'name' | 'description', text: string): Broken {
  const place = someHolder(body, pick)
  const path = pick(2) === 0 ? [...place, field] : [...place, `${field}_localizations`, 'de']
  return broken(body, path, text)
}

/** A list of `count` items, each created from its index. */
export function several<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index))
}
