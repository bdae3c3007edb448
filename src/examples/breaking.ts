/** How to break a rule: choose a place in a valid body, and set a value there. The given body never changes. */
import type { Path, PathStep, Rule } from '../core/rule.ts'
import { CommandType, isNesting, OptionType } from '../command/types.ts'

/** A body of any shape. */
export type Body = Record<string, any>

/** A body and a place in it. Of a broken rule: a body with exactly one fault, and the path of the fault. */
export interface Placed {
  readonly body: any
  readonly path: Path
}

/** Chooses one of `count` places, from 0 to `count - 1`. */
export type PickIndex = (count: number) => number

/** Chooses a place in a valid body, which may change for it. */
export type Place = (body: any, pick: PickIndex) => Placed

/** The smallest way to break a rule and no other, starting from a valid body. */
export type Breaks = Place

type RuleOf<Rules> = Rules extends readonly Rule[] ? Rules[number] : Extract<Rules[keyof Rules], Rule>

/** The examples of rules, by code. */
export type BreaksOf<Rules> = Readonly<Record<RuleOf<Rules>['code'], Breaks>>

const { SUB_COMMAND, SUB_COMMAND_GROUP, STRING } = OptionType

// --- Values ---------------------------------------------------------------------------------------------------

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

/** A list of `count` items, each created from its index. */
export function several<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index))
}

/** Values just beyond the limits of a rule: lists of items, texts, or numbers. */
export function beyond({ limit, about }: Rule, item?: (index: number) => unknown): readonly unknown[] {
  const { min, max } = limit as { min?: number; max: number }
  const sizes = min === undefined ? [max + 1] : [min - 1, max + 1]
  if (item !== undefined) return sizes.map((size) => several(size, item))
  return about === 'text' ? sizes.map((size) => 'x'.repeat(size)) : sizes
}

// --- Ways -----------------------------------------------------------------------------------------------------

/** One of several ways. */
export function either(...ways: readonly Place[]): Place {
  return (body, pick) => ways[pick(ways.length)]!(body, pick)
}

/** One of several values. */
export function oneOf<T>(values: readonly T[], way: (value: T) => Place): Place {
  return either(...values.map((value) => way(value)))
}

/** The same body and place for every given body. */
export function constant(body: unknown, path: Path = []): Place {
  return () => ({ body, path })
}

/**
 * Sets one of some values below a place.
 *
 * @param steps the path from the place, such as `options.0.name`
 */
export function set(place: Place, steps: string, ...values: readonly unknown[]): Breaks {
  const below = steps.split('.').map((step) => (/^[0-9]+$/.test(step) ? Number(step) : step))
  return (given, pick) => {
    const { body, path } = place(given, pick)
    const whole = [...path, ...below]
    return { body: put(body, whole, values[pick(values.length)]), path: whole }
  }
}

// --- Commands -------------------------------------------------------------------------------------------------

export const smallestSlash: Body = { name: 'a', description: 'b' }

/** The body if it is a slash command, otherwise the smallest slash command. */
export function slash(body: Body): Body {
  return (body.type ?? CommandType.CHAT_INPUT) === CommandType.CHAT_INPUT ? body : smallestSlash
}

/** The command itself, of any type or of some. */
export const anyCommand: Place = (body) => ({ body, path: [] })
export const slashCommand: Place = (body) => ({ body: slash(body), path: [] })
export const contextMenu = commandOf({ type: CommandType.USER, name: 'A' }, CommandType.MESSAGE)
export const entryPoint = commandOf({ type: CommandType.PRIMARY_ENTRY_POINT, name: 'Launch' })

/** The command if it has the type of the sample, or the other type; otherwise the sample. */
function commandOf(sample: Body, other?: CommandType): Place {
  return (body) => ({ body: [sample.type, other].includes(body.type ?? 1) ? body : sample, path: [] })
}

/** The paths of a body and of all its options. */
function holders(body: Body, at: Path = []): Path[] {
  const options: Body[] = body.options ?? []
  return [at, ...options.flatMap((option, i) => holders(option, [...at, 'options', i]))]
}

/** A slash command, or an option of it. */
export const someHolder: Place = (body, pick) => {
  const paths = holders(slash(body))
  return { body: slash(body), path: paths[pick(paths.length)]! }
}

/** An option of a slash command; it is added if there is none. */
export const someOption: Place = (body, pick) => {
  const paths = holders(slash(body)).slice(1)
  if (paths.length === 0) return option({ type: STRING })(body, pick)
  return { body: slash(body), path: paths[pick(paths.length)]! }
}

/** A choice of a slash command; it is added if there is none. */
export const someChoice: Place = (body, pick) => {
  const paths = holders(slash(body)).flatMap((path) => {
    const choices: Body[] = get(slash(body), path).choices ?? []
    return choices.map((_, i) => [...path, 'choices', i])
  })
  if (paths.length > 0) return { body: slash(body), path: paths[pick(paths.length)]! }
  const added = option({ type: STRING, choices: [{ name: 'a', value: 'a' }] })(body, pick)
  return { ...added, path: [...added.path, 'choices', 0] }
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

/** Adds an option to one of the lists of value options of a slash command, after `before`. */
export function option(added: Body, ...before: readonly Body[]): Place {
  return (body, pick) => {
    const lists = valueLists(slash(body))
    // Every group is empty, and so no list can take an option: start again without groups.
    const whole = lists.length > 0 ? slash(body) : put(slash(body), ['options'], undefined)
    const list = lists.length > 0 ? lists[pick(lists.length)]! : ['options']
    const kept: Body[] = (get(whole, list) ?? []).slice(0, 24 - before.length)
    return appended(whole, list, kept, [...before, added])
  }
}

/** Adds a subcommand or a group to those of a slash command. */
export function subcommand(added: Body): Place {
  return (body) => {
    const options: Body[] = slash(body).options ?? []
    const kept = options.filter(({ type }) => isNesting(type)).slice(0, 24)
    return appended(slash(body), ['options'], kept, [added])
  }
}

/** Appends options to a list; the place is that of the last one. */
export function appended(body: Body, list: Path, kept: readonly Body[], added: readonly Body[]): Placed {
  const options = [...kept]
  for (const [i, one] of added.entries()) options.push({ name: freshName(kept, i), description: 'b', ...one })
  return { body: put(body, list, options), path: [...list, options.length - 1] }
}

/** A name that no option of a list has, by default or in any locale. */
function freshName(options: readonly Body[], index: number): string {
  const taken = options.flatMap((option) => [option.name, ...Object.values(option.name_localizations ?? {})])
  let name = `x${index}`
  while (taken.includes(name)) name += 'x'
  return name
}
