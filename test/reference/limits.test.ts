import { expect, it } from 'vitest'
import { validateCommand } from 'commandry'
import { rules, type Rule } from 'commandry/reference'
import { valueAt } from '../support/paths.ts'
import { replacedAt } from '../../src/reference/examples/breaking.ts'
import { words } from '../support/words.ts'
import { judge, validBodies } from './judge.ts'

type Path = readonly (string | number)[]
// Bodies of every kind, changed at a path.
type Tree = any

/** Rules whose limit is not the size of a value at one path, or is not one step away; each has tests of its own. */
const elsewhere = new Set(
  words(`
  default_member_permissions.value scope.daily_creates snapshot.latest_max snapshot.creates embeds.size
  components.text callback.depth callback.late callback.token
`),
)

interface Sized {
  readonly size: number
  /** The body with another size. */
  readonly resize: (size: number) => Tree
}

/** The path in the body of the value that breaks a rule with a limit. */
function placeOf({ on, code }: Rule, path: Path): Path {
  if (on === 'callback') return ['callback', ...path]
  return code.startsWith('commands.count_') ? [] : path
}

/** The size of the value at a path, and the way to change it. A list that is too short gets the item. */
function sized(whole: Tree, at: Path, item: unknown): Sized {
  const value: Tree = valueAt(whole, at)
  const change = (next: unknown) => replacedAt(whole, at, next)
  if (typeof value === 'number') return { size: value, resize: change }
  if (typeof value === 'string') {
    const characters = Array.from(value)
    const resize = (size: number) => change(characters.slice(0, size).join('').padEnd(size, 'x'))
    return { size: characters.length, resize }
  }
  const list: unknown[] = value
  const resize = (size: number) => change(size > list.length ? [...list, item] : list.slice(0, size))
  return { size: list.length, resize }
}

/** A command whose combined characters exceed the limit; the value of its last choice changes. */
function combined(body: Tree): Sized {
  const found = validateCommand(body)
  const size = found.ok ? 0 : Number(found.issues[0]!.params.actual)
  const option = body.options.length - 1
  const choice = body.options[option].choices.length - 1
  const { value } = body.options[option].choices[choice]
  const path = ['options', option, 'choices', choice, 'value']
  return { size, resize: (to) => replacedAt(body, path, value.slice(0, value.length + to - size)) }
}

/** The sizes and bodies of many examples that break a rule. */
function examples(rule: Rule): Sized[] {
  const picks = Array.from({ length: 24 }, (_, turn) => {
    let state = turn
    return (count: number) => {
      state = (state * 5 + 3) % 1009
      return (turn < 2 ? turn * (count - 1) : state) % count
    }
  })
  const broken = picks.map((pick) => rule.breaks(validBodies[rule.on]?.(), pick))
  if (rule.code === 'command.size') return broken.map(({ body }) => combined(body))
  const values = broken.map(({ body, path }) => valueAt(body, placeOf(rule, path)))
  // Only lists of numbers have no example that is too long.
  const [longest] = values.filter(Array.isArray).toSorted((a, b) => b.length - a.length)
  return broken.map(({ body, path }) => sized(body, placeOf(rule, path), longest?.at(-1) ?? 0))
}

/** The nearest allowed size; the range of INTEGER ends one inside that of NUMBER, which is the rule's limit. */
function nearestAllowed(size: number, { min, max }: { min: number; max: number }): number {
  const bound = size <= min ? min : max
  return size === bound ? size - Math.sign(size) : bound
}

const limited = rules.filter(({ code, limit }) => limit !== null && !elsewhere.has(code))

it.each(limited.map((rule) => [rule.code, rule] as const))(
  'rules with a limit have examples one step beyond each end, and accept the nearest allowed size: %s',
  async (code, rule) => {
    const issuesOf = async (body: unknown) => (await judge(rule.on, body, rule.context)).issues
    const bounds = { min: Number(rule.limit!.min ?? -Infinity), max: Number(rule.limit!.max ?? Infinity) }
    const ends = new Set<number>()
    for (const { size, resize } of examples(rule)) {
      expect(await issuesOf(resize(size)), `${code} of ${size}`).not.toEqual([])
      const allowed = nearestAllowed(size, bounds)
      expect(await issuesOf(resize(allowed)), `${code} of ${allowed}`).toEqual([])
      // Beyond 2^53 the next number is two away.
      if (Math.abs(size - allowed) <= (Math.abs(size) > 2 ** 53 ? 2 : 1))
        ends.add(size <= bounds.min ? bounds.min : bounds.max)
    }
    expect([...ends].toSorted((a, b) => a - b)).toEqual([bounds.min, bounds.max].filter(Number.isFinite))
  },
)

it('rules with a limit are all covered but the listed ones', () => {
  const codes = new Set(rules.filter(({ limit }) => limit !== null).map(({ code }) => code))
  for (const code of elsewhere) expect(codes).toContain(code)
  expect(limited.length).toBeGreaterThan(25)
})
