import { describe, expect, it } from 'vitest'
import { locales, validateCommand, validateCommands, validatePermissions } from 'commandry'
import { rules } from 'commandry/reference'
import type { CommandBody, OptionBody } from 'commandry'
import {
  brokenCommand,
  choice,
  command,
  commandSet,
  commandUse,
  contextCommand,
  nestedOptions,
  optionValue,
  permissions,
  slashCommand,
  valueOptions,
} from 'commandry/arbitraries'
import { createInteraction } from 'commandry/interactions'
import { sizeOf } from '../../../src/commands/definition/rules/size-rules.ts'
import { fc, type Arbitrary, forAny, sampled } from '../../support/properties.ts'
import { accepted, refusals } from '../../support/found.ts'

/** Within so many values, with a fixed seed, each border is reached, in one of a hundred of them at least. */
const RUNS = 300

/** The share of generated values that have a property. */
const share = <T>(values: readonly T[], has: (value: T) => boolean) => values.filter(has).length / RUNS
const sample = <T>(arbitrary: Arbitrary<T>) => sampled(arbitrary, RUNS)

const options = ({ options: list = [] }: Partial<CommandBody>): readonly OptionBody[] =>
  list.flatMap((option) => [option, ...options(option as Partial<CommandBody>)])
const texts = (value: unknown): readonly string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(texts)
      : []

/** The number of items of the longest list of the subcommands (1) or groups (2) in a list. */
const longest = (list: readonly OptionBody[], type: 1 | 2) =>
  Math.max(
    0,
    ...options({ options: list }).map((one) => (one.type === type ? (one.options?.length ?? 0) : 0)),
  )

describe('generators', () => {
  const most = { maxOptions: 25, maxChoices: 25 }
  const bits = (body: Partial<CommandBody>) => BigInt(body.default_member_permissions ?? 0)
  const largeOptions = sample(valueOptions(most))
  const largeNested = sample(nestedOptions(most))
  const largeCommands = sample(slashCommand(most))
  const slashCommands = sample(slashCommand())
  const choices = sample(choice(3))
  const commands = sample(command())
  const shares = {
    '25 options': share(largeOptions, (list) => list.length === 25),
    '25 subcommands': share(largeNested, (list) => list.length === 25),
    '25 options of a command': share(largeCommands, (body) => body.options?.length === 25),
    '25 choices': share(largeCommands, (body) => options(body).some((one) => one.choices?.length === 25)),
    '3 choices with a long text': share(sample(valueOptions()), (list) =>
      list.some(
        ({ choices = [] }) => choices.length === 3 && texts(choices).some(({ length }) => length > 40),
      ),
    ),
    'a name of 32 characters': share(slashCommands, ({ name }) => [...name].length === 32),
    'a free name of 32 characters': share(sample(contextCommand()), ({ name }) => [...name].length === 32),
    'a description of 100 characters': share(
      slashCommands,
      ({ description }) => [...description!].length === 100,
    ),
    'a choice name of 100 characters': share(choices, ({ name }) => [...name].length === 100),
    '100 permission entries': share(sample(permissions({ maxEntries: 100 })), (list) => list.length === 100),
    '131 global commands': share(sample(commandSet({ maxCommands: 131 })), (list) => list.length === 131),
    '130 commands of a guild': share(
      sample(commandSet({ scope: 'guild', maxCommands: 131 })),
      (list) => list.length === 130,
    ),
    '25 options of a subcommand': share(largeNested, (list) => longest(list, 1) === 25),
    '3 subcommands, one with options': share(
      sample(nestedOptions()),
      (list) => list.length === 3 && list.some(({ type, options = [] }) => type === 1 && options.length > 0),
    ),
    '25 subcommands of a group': share(largeNested, (list) => longest(list, 2) === 25),
    'a longest list of a subcommand by default': share(
      sample(nestedOptions()),
      (list) => longest(list, 1) === 5,
    ),
    '7,980 to 8,000 characters': share(largeCommands, (body) => sizeOf(body as never) >= 7_980),
    'every locale in a dictionary': share(
      slashCommands,
      ({ name_localizations: names }) => Object.keys(names ?? {}).length === locales.length,
    ),
    '10 types of files': share(largeOptions, (list) =>
      list.some(({ file_types: types }) => types?.length === 10),
    ),
    '13 types of channels': share(largeOptions, (list) =>
      list.some(({ channel_types: types }) => types?.length === 13),
    ),
    'an empty value of a choice': share(choices, ({ value }) => value === ''),
    'an entry point': share(commands, ({ type }) => type === 4),
    'a user or message command': share(commands, ({ type }) => type === 2 || type === 3),
    'permission bits from 2^53': share(commands, (body) => bits(body) >= 2n ** 53n),
    'permission bit 2^63': share(commands, (body) => bits(body) >= 2n ** 63n),
  }
  it.each(Object.entries(shares))('reach in a fair share of runs: %s', (_, found) => {
    expect(found).toBeGreaterThanOrEqual(0.01)
  })

  it('generate valid bodies at the limits', () => {
    forAny([command(most)], 200, (body) => void accepted(validateCommand(body)))
    forAny([commandSet({ ...most, maxCommands: 131 })], 20, (list) => void accepted(validateCommands(list)))
    forAny([permissions({ maxEntries: 100 })], 100, (list) => void accepted(validatePermissions(list)))
  })
})

it('generates the only value between 0 and -0', () => {
  for (const type of [4, 10] as const) {
    const option: OptionBody = { type, name: 'o', description: 'd', min_value: 0, max_value: -0 }
    expect(validateCommand({ name: 'a', description: 'd', options: [option] }).ok).toBe(true)
    expect(sampled(optionValue(option)!, 3)).toEqual([0, 0, 0])
  }
})

it('generates whole numbers between the bounds too', () => {
  const option: OptionBody = { type: 4, name: 'o', description: 'd', min_value: 1, max_value: 2 ** 50 }
  const values = sampled(optionValue(option)!, 100) as number[]
  expect(values.some((value) => value > 1 && value < 2 ** 50)).toBe(true)
})

it('uses a command with each subcommand and values of every type, and not where no value is valid', () => {
  const of = (type: number, name: string, more = {}) => ({ type, name, description: 'd', ...more })
  const all = [3, 4, 5, 6, 7, 8, 9, 10, 11].map((type) => of(type, `t${type}`))
  const text = of(3, 'text', { required: true, min_length: 3, max_length: 3 })
  const pick = of(4, 'pick', { choices: [{ name: 'One', value: 1 }] })
  const nested = of(2, 'g', { options: [of(1, 't', { options: [text, pick] })] })
  const commandOf = (...options: readonly object[]) =>
    ({ name: 'a', description: 'd', options }) as CommandBody
  const body = commandOf(of(1, 's', { options: all }), nested)
  const uses = sampled(commandUse(body)!, 300)
  for (const use of uses) accepted(createInteraction(body, use as never))
  expect(new Set(uses.map(({ subcommand }) => subcommand))).toEqual(new Set(['s', 'g t']))
  const names = [...all.map(({ name }) => name), 'text', 'pick']
  expect(new Set(uses.flatMap(({ options }) => Object.keys(options)))).toEqual(new Set(names))
  const plain = sampled(commandUse(commandOf(text))!, 9)
  for (const use of plain) expect(use).toEqual({ options: { text: expect.any(String) } })
  const long = of(3, 'x', { min_length: 5, max_length: 2 })
  const large = of(4, 'x', { min_value: 5, max_value: 2 })
  for (const impossible of [long, large]) {
    expect(commandUse(commandOf({ ...impossible, required: true }))).toBeNull()
    expect(sampled(commandUse(commandOf(impossible))!, 3)).toEqual(Array(3).fill({ options: {} }))
  }
  expect(commandUse(commandOf(of(2, 'g', { options: [] })))).toBeNull()
})

describe('constraints', () => {
  it('keep lists within their length', () => {
    forAny([slashCommand({ maxOptions: 2, maxChoices: 1 })], 100, (body) => {
      expect(body.options?.length ?? 0).toBeLessThanOrEqual(2)
      for (const { choices = [] } of options(body)) expect(choices.length).toBeLessThanOrEqual(1)
    })
    forAny([slashCommand({ maxOptions: 1 })], 300, ({ options: list = [] }) => {
      for (const one of list ?? []) expect(one.options?.length ?? 0).toBeLessThanOrEqual(1)
    })
    forAny([slashCommand({ maxOptions: 0 })], 100, ({ options: list }) => void expect(list ?? []).toEqual([]))
    forAny([commandSet({ maxCommands: 3 })], 100, ({ length }) => void expect(length).toBeLessThanOrEqual(3))
  })

  it('keep entry points out of guilds', () => {
    forAny([command({ scope: 'guild' })], 300, ({ type }) => void expect(type).not.toBe(4))
    forAny([commandSet({ scope: 'guild' })], 100, (list) => {
      expect(list.map(({ type }) => type)).not.toContain(4)
    })
  })

  it('keep dictionaries within the given locales', () => {
    const locales = (value: unknown): string[] =>
      [...JSON.stringify(value).matchAll(/_localizations":\{([^}]*)/g)].flatMap(([, inner]) =>
        [...inner!.matchAll(/"([\w-]+)":"/g)].map(([, key]) => key!),
      )
    const found = sampled(command({ locales: ['de', 'fr'], style: 'plain' }), 100)
    expect(new Set(found.flatMap(locales))).toEqual(new Set(['de', 'fr']))
    const none = sampled(command({ locales: [], style: 'plain' }), 100)
    expect(none.flatMap(locales)).toEqual([])
  })

  it("generate readable words with style: 'plain'", () => {
    forAny([command({ style: 'plain', maxOptions: 25, maxChoices: 25 })], 100, (body) => {
      expect(validateCommand(body).ok).toBe(true)
      for (const text of texts(body)) expect(text).toMatch(/^[A-Za-z]*([ -][a-z]+)*$|^\d+$/)
    })
  })
})

describe('brokenCommand', () => {
  it('breaks exactly the named rule, at the returned path', () => {
    const broken = fc.oneof(brokenCommand(), brokenCommand({ style: 'plain' }))
    forAny([broken], 300, ({ body, code, path }) => {
      expect(refusals(validateCommand(body)).map((fact) => fact.slice(0, 2))).toEqual([[code, path]])
    })
  })

  const found = sampled(brokenCommand({ style: 'plain' }), 3_000)

  it('breaks every rule about one command', () => {
    const breakable = rules.filter(
      ({ on, level, context }) => on === 'command' && level === 'error' && context === null,
    )
    expect(new Set(found.map(({ code }) => code))).toEqual(new Set(breakable.map(({ code }) => code)))
  })

  it.each([
    ['name.length', [0, 33]],
    ['description.length', [0, 101]],
    ['description.entry_point', [101]],
    ['contexts.empty', [0]],
    ['integration_types.empty', [0]],
    ['options.count', [26]],
    ['length.min', [-1, 6001]],
    ['length.max', [0, 6001]],
    ['choices.count', [26]],
    ['choice.name', [0, 101]],
    ['choice.value_length', [101]],
    ['command.size', [8001]],
  ])('exceeds the limits of %s by one', (code, expected) => {
    const sizes = found
      .filter((one) => one.code === code)
      .map(({ body, path }) => {
        const value = path.reduce<any>((inner, step) => inner[step], body)
        if (code === 'command.size') return sizeOf(value)
        return typeof value === 'number' ? value : value.length
      })
    expect([...new Set(sizes)].sort((a, b) => a - b)).toEqual(expected)
  })
})
