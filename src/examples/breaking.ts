/**
 * How to break a rule: ways to choose a place in a valid body, to set a value there, and to return the path. They never
 * change the given body.
 */
import type { Path, PathStep, Rule } from '../core/rule.ts'
import { CommandType, isNesting, OptionType } from '../command/types.ts'

/** The body of a command. */
// An open type: rules break bodies of any shape.
export type Body = Record<string, any>

/** A body with exactly one fault, and the path of the fault. */
export interface Broken {
  /** The body. */
  readonly body: unknown
  /** The path of the fault. */
  readonly path: Path
}

/** Chooses one of `count` places, from 0 to `count - 1`. */
export type PickIndex = (count: number) => number

/** The smallest way to break a rule and no other, starting from a valid body. */
export type Breaks = (body: any, pick: PickIndex) => Broken

/** The examples of a list of rules, by code. */
export type BreaksOf<Rules extends readonly Rule[]> = Readonly<Record<Rules[number]['code'], Breaks>>

const { SUB_COMMAND, SUB_COMMAND_GROUP, STRING } = OptionType

// --- Bodies ---------------------------------------------------------------------------------------------------

export const smallestSlash: Body = { name: 'a', description: 'b' }

/** The body if it is a slash command, otherwise the smallest slash command. */
export function slash(body: Body): Body {
  return (body.type ?? CommandType.CHAT_INPUT) === CommandType.CHAT_INPUT ? body : smallestSlash
}

/** The body if it is a user or message command, otherwise the smallest one. */
export function contextMenu(body: Body): Body {
  return body.type === CommandType.USER || body.type === CommandType.MESSAGE
    ? body
    : { type: CommandType.USER, name: 'A' }
}

export function entryPoint(body: Body): Body {
  const type = CommandType.PRIMARY_ENTRY_POINT
  return body.type === type ? body : { type, name: 'Launch' }
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

/** The body with a value at a path, and the path, or one below it. */
export function broken(body: Body, path: Path, value: unknown, ...below: PathStep[]): Broken {
  return { body: put(body, path, value), path: [...path, ...below] }
}

/** A list of `count` items, each created from its index. */
export function several<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index))
}

// --- Ways -----------------------------------------------------------------------------------------------------

/** One of several ways. */
export function either(...ways: readonly Breaks[]): Breaks {
  return (body, pick) => ways[pick(ways.length)]!(body, pick)
}

/** One of several values. */
export function oneOf<T>(values: readonly T[], way: (value: T) => Breaks): Breaks {
  return either(...values.map(way))
}

/** The sizes just beyond the limit of a rule. */
export function sizesBeyond({ limit }: Rule): readonly number[] {
  const { min, max } = limit as { min?: number; max: number }
  return min === undefined ? [max + 1] : [min - 1, max + 1]
}

/** Texts that are one character too short or too long for a rule. */
export function wrongTexts(rule: Rule): readonly string[] {
  return sizesBeyond(rule).map((size) => 'x'.repeat(size))
}

/** Lists that are one item too short or too long for a rule. */
export function wrongLists<T>(rule: Rule, item: (index: number) => T): readonly (readonly T[])[] {
  return sizesBeyond(rule).map((size) => several(size, item))
}

/** Sets a field of a command. */
export function field(name: string, value: unknown, ...below: PathStep[]): Breaks {
  return (body: Body) => broken(body, [name], value, ...below)
}

/** Sets a field of a command of another kind. */
export function fieldOf(kind: (body: Body) => Body, name: string, value: unknown): Breaks {
  return (body: Body) => broken(kind(body), [name], value)
}

/** Sets a text of one kind: a default, or the translation into German, which is added. */
export function text(name: 'name' | 'description', value: string, kind = (body: Body) => body): Breaks {
  return (body: Body, pick) => {
    const place = someHolder(kind(body), pick)
    const path = pick(2) === 0 ? [...place, name] : [...place, `${name}_localizations`, 'de']
    return broken(kind(body), path, value)
  }
}

/** Adds an option to a slash command. */
export function option(added: Body, ...below: PathStep[]): Breaks {
  return (body: Body, pick) => {
    const placed = withOptions(body, pick, added)
    return { body: placed.body, path: [...placed.path, ...below] }
  }
}

/** Adds an option with one choice, which has a value. */
export function choice(type: OptionType, value: unknown): Breaks {
  return option({ type, choices: [{ name: 'a', value }] }, 'choices', 0, 'value')
}

/** Adds a subcommand or a group. */
export function subcommand(added: Body, ...below: PathStep[]): Breaks {
  return (body: Body) => {
    const { body: placed, path } = withSubcommand(body, added)
    return { body: placed, path: [...path, ...below] }
  }
}

// --- Places ---------------------------------------------------------------------------------------------------

/** A body with a place in it. */
export interface Placed {
  readonly body: Body
  readonly path: Path
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
export function withOptions(body: Body, pick: PickIndex, ...added: Body[]): Placed {
  const lists = valueLists(slash(body))
  // Every group is empty, and so no list can take an option: start again without groups.
  const whole = lists.length > 0 ? slash(body) : put(slash(body), ['options'], undefined)
  const list = lists.length > 0 ? lists[pick(lists.length)]! : ['options']
  const kept: Body[] = (get(whole, list) ?? []).slice(0, 25 - added.length)
  const named = added.map((option, i) => ({ name: freshName(kept, i), description: 'b', ...option }))
  return { body: put(whole, list, [...kept, ...named]), path: [...list, kept.length] }
}

/** A slash command with subcommands or groups, and one more at the end. */
export function withSubcommand(body: Body, subcommand: Body): Placed {
  const options: Body[] = slash(body).options ?? []
  const kept = options.filter(({ type }) => isNesting(type)).slice(0, 24)
  const added = { name: freshName(kept, 0), description: 'b', ...subcommand }
  return { body: put(slash(body), ['options'], [...kept, added]), path: ['options', kept.length] }
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
function holders(body: Body, at: Path = []): Path[] {
  const options: Body[] = body.options ?? []
  return [at, ...options.flatMap((option, i) => holders(option, [...at, 'options', i]))]
}

/** The path of a body or of one of its options. */
export function someHolder(body: Body, pick: PickIndex): Path {
  const paths = holders(body)
  return paths[pick(paths.length)]!
}

/** A slash command with an option, and the path of the option. */
export function someOption(body: Body, pick: PickIndex): Placed {
  const whole = slash(body)
  const paths = holders(whole).slice(1)
  return paths.length > 0
    ? { body: whole, path: paths[pick(paths.length)]! }
    : withOptions(whole, pick, { type: STRING })
}

/** A slash command with a choice, and the path of the choice. */
export function someChoice(body: Body, pick: PickIndex): Placed {
  const whole = slash(body)
  const paths = holders(whole).flatMap((path) => {
    const choices: Body[] = get(whole, path).choices ?? []
    return choices.map((_, i) => [...path, 'choices', i])
  })
  if (paths.length > 0) return { body: whole, path: paths[pick(paths.length)]! }
  const made = withOptions(whole, pick, { type: STRING, choices: [{ name: 'a', value: 'a' }] })
  return { body: made.body, path: [...made.path, 'choices', 0] }
}
