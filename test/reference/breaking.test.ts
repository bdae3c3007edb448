/** The ways to break a rule, all of them, from bodies of every shape. */
import { expect, it } from 'vitest'
import type { Issue } from 'commandry'
import { rules, type Rule } from 'commandry/reference'
import { several } from '../support/bodies.ts'
import { judge, validBodies } from './judge.ts'

type Placed = ReturnType<Rule['breaks']>

const option = { type: 3, name: 'o', description: 'd', choices: [{ name: 'x', value: 'y' }] }
const subcommand = { type: 1, name: 's', description: 'd' }
const slash = (options: readonly object[]) => ({ name: 'c', description: 'd', options })

const commands = {
  'the smallest command': { name: 'c', description: 'd' },
  'an empty list of options': slash([]),
  'one option with a choice': slash([option]),
  'as many options as there may be': slash(several(25, (i) => ({ ...option, name: `o${i}` }))),
  'translated options': slash([{ ...option, name: 'x0', name_localizations: { fr: 'x1', de: 'x0x' } }]),
  'one subcommand': slash([{ ...subcommand, options: [option] }]),
  'as many subcommands as there may be': slash(several(25, (i) => ({ ...subcommand, name: `s${i}` }))),
  'a group of subcommands': slash([{ type: 2, name: 'g', description: 'd', options: [subcommand] }]),
  'a user command': { type: 2, name: 'c' },
  'a message command': { type: 3, name: 'c' },
  'an entry point': { type: 4, name: 'c' },
}

/** What a rule makes of a valid body with every sequence of choices. */
function everyWay(rule: Rule, valid: unknown) {
  const ways: Placed[] = []
  const left: number[][] = [[]]
  for (let choices = left.pop(); choices !== undefined; choices = left.pop()) {
    const made: number[] = []
    const way = rule.breaks(structuredClone(valid), (count) => {
      const choice = choices[made.length] ?? 0
      // The other choices that could have been made here first.
      if (made.length >= choices.length)
        for (let other = 1; other < count; other++) left.push([...made, other])
      made.push(choice)
      return choice
    })
    ways.push(way)
  }
  return ways
}

/** Expects only this fault of an error; of a warning, that it is among the warnings. */
async function expectBroken({ on, code, level, context }: Rule, { body, path }: Placed) {
  const { issues, warnings } = await judge(on, body, context)
  const places = (found: readonly Issue[]) => found.map(({ code, path }) => ({ code, path }))
  expect(places(issues)).toEqual(level === 'error' ? [{ code, path }] : [])
  if (level === 'warning') expect(places(warnings)).toContainEqual({ code, path })
}

it.each(Object.entries(commands))('every way to break a rule breaks no other, from %s', async (_, valid) => {
  for (const rule of rules.filter(({ on }) => on === 'command')) {
    const { issues } = await judge('command', valid, rule.context)
    // In a server an entry point is wrong as it is.
    if (issues.some(({ code }) => code === 'entry_point.guild')) continue
    expect(issues).toEqual([])
    for (const way of everyWay(rule, valid)) await expectBroken(rule, way)
  }
})

it.each(rules.filter(({ on }) => on !== 'command').map((rule) => [rule.code, rule] as const))(
  'every way to break a rule breaks no other: %s',
  async (_, rule) => {
    for (const way of everyWay(rule, validBodies[rule.on]?.() ?? {})) await expectBroken(rule, way)
  },
)

it('every message is as it was read', async () => {
  const messages = new Set<string>()
  for (const rule of rules) {
    const valid = rule.on === 'command' ? commands['one option with a choice'] : validBodies[rule.on]?.()
    for (const { body } of everyWay(rule, valid ?? {})) {
      const { issues, warnings } = await judge(rule.on, body, rule.context)
      for (const { code, path, message } of [...issues, ...warnings])
        if (code === rule.code) messages.add(`${code} ${path.join('.')}: ${message}`)
    }
  }
  await expect([...messages].sort().join('\n')).toMatchFileSnapshot('messages.txt')
})

const breaksOf = (code: string, valid: object) =>
  everyWay(
    rules.find((rule) => rule.code === code)!,
    valid,
  ).map(({ body }) => body)

it('a broken command keeps its options, as many as there is room for', () => {
  const { 'one option with a choice': one, 'as many options as there may be': full } = commands
  for (const { options } of breaksOf('option.type', one)) expect(options).toEqual([option, expect.anything()])
  for (const { options } of breaksOf('option.type', full)) {
    expect(options).toHaveLength(25)
    expect(options.slice(0, 24)).toEqual(full.options.slice(0, 24))
  }
  for (const { options } of breaksOf('options.mixed', one)) {
    expect(options).toEqual([option, { type: 1, name: 'x0', description: 'b' }])
  }
  const { 'one subcommand': parted } = commands
  for (const { options } of breaksOf('options.empty_group', parted)) {
    expect(options).toEqual([...parted.options, { type: 2, name: 'x0', description: 'b' }])
  }
})

it('a change of type is to another one than that of the command', () => {
  const [rule] = rules.filter(({ code }) => code === 'patch.type')
  const typeFor = (valid: object) => everyWay(rule!, valid).map(({ body }) => body.type)
  expect([{ name: 'c' }, { type: 1 }, { type: 2 }, { type: 3 }].map(typeFor)).toEqual([[2], [2], [1], [1]])
})

it('a broken command keeps its name', () => {
  const { 'the smallest command': smallest } = commands
  for (const code of ['shape.list', 'handler.type'])
    for (const { name } of breaksOf(code, smallest)) expect(name).toBe('c')
})

it('a broken command is broken at each of its options and choices', () => {
  const { 'one option with a choice': one } = commands
  expect(breaksOf('name.case', one).map(({ name, options: [first] }) => [name, first.name])).toContainEqual([
    'c',
    'É',
  ])
  expect(breaksOf('choices.repeated', one)).toEqual([
    slash([
      {
        ...option,
        choices: [
          { name: 'a', value: 'v' },
          { name: 'b', value: 'v' },
        ],
      },
    ]),
  ])
})

it('a name is broken by a twin of a command that is there', () => {
  const list = [
    { type: 4, name: 'launch' },
    { type: 2, name: 'Report' },
  ]
  expect(breaksOf('commands.unique', list)).toEqual([[...list, { type: 2, name: 'Report' }]])
})

it('a scenario creates and deletes nothing that it does not need', () => {
  const churn = ['scope.name_taken', 'scope.entry_point'].map((code) => breaksOf(code, {})[0].churn)
  expect(churn).toEqual([0, 0])
})

it('a size that breaks a limit is one below or one above it', () => {
  const { 'the smallest command': smallest } = commands
  const names = breaksOf('name.length', smallest).map((body) => body.name_localizations?.de ?? body.name)
  expect(new Set(names.map(({ length }) => length))).toEqual(new Set([0, 33]))
  const lists = breaksOf('choices.count', smallest).map(({ options }) => options[0].choices.length)
  expect(new Set(lists)).toEqual(new Set([26]))
  const bounds = breaksOf('length.max', smallest).map(({ options }) => options[0].max_length)
  expect(new Set(bounds)).toEqual(new Set([0, 6001]))
})
