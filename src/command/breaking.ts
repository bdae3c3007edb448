/**
 * The hands of the rules' `breaks`: find a place in a valid body, put something there, and tell the path. Every
 * function leaves the body it is given as it is.
 */
import type { Broken, Path, PathStep, Pick } from '../core/rule.ts'
import { CommandType, OptionType } from './types.ts'

/** A body as its author would write it. */
// Bodies come in every shape an author may choose, and are about to be broken: a closed type would only be in the way.
export type Body = Record<string, any>

const { SUB_COMMAND, SUB_COMMAND_GROUP, STRING } = OptionType

export const smallestSlash: Body = { name: 'a', description: 'b' }
export const smallestUser: Body = { type: CommandType.USER, name: 'A' }
export const smallestEntryPoint: Body = { type: CommandType.PRIMARY_ENTRY_POINT, name: 'Launch' }

export function isSlash(body: Body): boolean {
  return (body.type ?? CommandType.CHAT_INPUT) === CommandType.CHAT_INPUT
}

/** The body itself when it is a slash command, else the smallest one. */
export function slash(body: Body): Body {
  return isSlash(body) ? body : smallestSlash
}

/** The body itself when it is a user or message command, else the smallest one. */
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

/** Puts a value at a path and says so. */
export function broken(body: Body, path: Path, value: unknown): Broken {
  return { body: put(body, path, value), path }
}

/** Paths of the lists that hold, or could hold, value options. */
function valueLists(body: Body): Path[] {
  const options: Body[] = body.options ?? []
  const nested = options.flatMap((option, i): Path[] => {
    if (option.type === SUB_COMMAND) return [['options', i, 'options']]
    if (option.type !== SUB_COMMAND_GROUP) return []
    const inner: Body[] = option.options ?? []
    return inner.map((_, j) => ['options', i, 'options', j, 'options'])
  })
  const holdsSubcommands = options.some(({ type }) => type === SUB_COMMAND || type === SUB_COMMAND_GROUP)
  return holdsSubcommands ? nested : [['options']]
}

/** A slash body with options put at the end of one of its lists of value options, and the path of the first. */
export function withOptions(body: Body, pick: Pick, ...added: Body[]): { body: Body; path: Path } {
  const lists = valueLists(slash(body))
  // Every group is empty: there is no subcommand to take an option, so we start over with none of them.
  const whole = lists.length > 0 ? slash(body) : put(slash(body), ['options'], undefined)
  const list = lists.length > 0 ? lists[pick(lists.length)]! : ['options']
  const kept: Body[] = (get(whole, list) ?? []).slice(0, 25 - added.length)
  const named = added.map((option, i) => ({ name: freshName(kept, i), description: 'b', ...option }))
  return { body: put(whole, list, [...kept, ...named]), path: [...list, kept.length] }
}

/** A slash body with one option more, and a fault at a place inside that option. */
export function withOption(body: Body, pick: Pick, option: Body, ...fault: PathStep[]): Broken {
  const placed = withOptions(body, pick, option)
  return { body: placed.body, path: [...placed.path, ...fault] }
}

/** A slash body that has subcommands or groups at the top, with one more put at the end. */
export function withSubcommand(body: Body, subcommand: Body, ...fault: PathStep[]): Broken {
  const options: Body[] = slash(body).options ?? []
  const kept = options.filter(({ type }) => type === SUB_COMMAND || type === SUB_COMMAND_GROUP).slice(0, 24)
  const added = { name: freshName(kept, 0), description: 'b', ...subcommand }
  return { body: put(slash(body), ['options'], [...kept, added]), path: ['options', kept.length, ...fault] }
}

/** A name no option of a list has, by default or in any locale. */
function freshName(options: readonly Body[], index: number): string {
  const taken = new Set(
    options.flatMap((option) => [option.name, ...Object.values(option.name_localizations ?? {})]),
  )
  let name = `x${index}`
  while (taken.has(name)) name += 'x'
  return name
}

/** Paths of all commands' and options' objects of a body, the body itself first. */
export function holders(body: Body, at: Path = []): Path[] {
  const options: Body[] = body.options ?? []
  return [at, ...options.flatMap((option, i) => holders(option, [...at, 'options', i]))]
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

/** A slash body that has at least one choice, and one of its choices. */
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

/** A slash body that has at least one option, and one of its options. */
export function someOption(body: Body, pick: Pick): { body: Body; path: Path } {
  const whole = slash(body)
  const paths = optionPaths(whole)
  if (paths.length > 0) return { body: whole, path: paths[pick(paths.length)]! }
  return withOptions(whole, pick, { type: STRING })
}

/** Breaks one of the texts of a sort: a default, or one that is put under `de` in its dictionary. */
export function breakText(
  body: Body,
  pick: Pick,
  field: 'name' | 'description',
  text: string,
  holder?: Path,
): Broken {
  const places = holder ? [holder] : holders(body)
  const place = places[pick(places.length)]!
  const path = pick(2) === 0 ? [...place, field] : [...place, `${field}_localizations`, 'de']
  return broken(body, path, text)
}

/** `count` things made from their numbers. */
export function several<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index))
}
