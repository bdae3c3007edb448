import { describe, expect, it } from 'vitest'
import { validateCommand, type CommandDefinition, type CommandOption } from 'commandry'
import {
  command,
  commandUse,
  contextCommand,
  slashCommand,
  snowflake,
  type CommandUse,
} from 'commandry/arbitraries'
import { createInteraction, readOptions, validateCallback, validateFollowUp } from 'commandry/interactions'
import type { AnyInteraction, AutocompleteInteraction } from 'commandry/interactions'
import { accepted, lines, refusals } from '../../support/found.ts'
import { guild } from '../../support/fixtures.ts'
import { fc, forAny } from '../../support/properties.ts'

const definitions = slashCommand().map((body) => accepted(validateCommand(body)))

interface Used {
  readonly definition: CommandDefinition
  readonly use: CommandUse
}

const person = '3001'

const uses: fc.Arbitrary<Used> = definitions
  .map((definition) => ({ definition, use: commandUse(definition) }))
  .filter(({ use }) => use !== null)
  .chain(({ definition, use }) => use!.map((one) => ({ definition, use: one })))
  // An id of the user is not a role, and the id of the guild is not a user.
  .filter(({ use }) => !Object.values(use.options).some((value) => value === person || value === guild))

const places = fc.record(
  { guildId: fc.constant(guild), user: fc.constant({ id: person }), locale: fc.constantFrom('de', 'en-US') },
  { requiredKeys: ['user'] },
) as fc.Arbitrary<{ guildId?: string; user: { id: string }; locale?: 'de' }>

/** The options of the subcommand that is used. */
function optionsOf({ definition, use }: Used): readonly CommandOption[] {
  return (use.subcommand?.split(' ') ?? []).reduce<readonly CommandOption[]>(
    (options, name) => options.find((option) => option.name === name)?.options ?? [],
    definition.options ?? [],
  )
}

describe('any command', () => {
  it('[2.11-07] [2.11-02] accepts the values that its definition allows, which the app then reads', () => {
    forAny([uses, places], 300, ({ definition, use }, place) => {
      const interaction = accepted(createInteraction(definition, { ...place, ...use }))
      const read = readOptions(interaction)
      expect(read.subcommand).toBe(use.subcommand ?? null)
      expect(read.path.join(' ')).toBe(use.subcommand ?? '')
      expect(Object.entries(read.values).sort()).toEqual(Object.entries(use.options).sort())
      expect(read.focused).toBeNull()
    })
  })

  it('[2.11-01] creates interactions that survive JSON, with a user and a context', () => {
    forAny([uses, places], 100, ({ definition, use }, place) => {
      const interaction = accepted(createInteraction(definition, { ...place, ...use }))
      expect(JSON.parse(JSON.stringify(interaction))).toEqual(interaction)
      expect('member' in interaction).toBe(place.guildId !== undefined)
      expect('user' in interaction).toBe(place.guildId === undefined)
      expect(interaction.data).not.toHaveProperty('focused')
    })
  })

  it('[2.11-03] carries its target when it is a user or message command', () => {
    forAny([contextCommand(), snowflake(), places], 100, (body, target, place) => {
      const definition = accepted(validateCommand(body))
      const { data } = accepted(createInteraction(definition, { ...place, target }))
      expect(data).toMatchObject({ name: definition.name, type: definition.type, target_id: target })
      const { resolved } = data as { resolved: any }
      expect((resolved.users ?? resolved.messages)[target].id).toBe(target)
    })
  })

  it('[2.11-07] refuses any value that does not match the definition, at its option', () => {
    const outside = fc.oneof(
      fc.constantFrom(null, [], {}, { id: '1' }, NaN, Infinity, -Infinity),
      fc.double({ min: 2 ** 54, max: 1e300 }),
      fc.constantFrom('-1', 'x y', ' '),
    )
    let checked = 0
    forAny([uses, outside, fc.nat(24)], 300, (used, value, at) => {
      const options = optionsOf(used)
      if (options.length === 0) return
      const option = options[at % options.length]!
      // A string is a valid value of a STRING option.
      if (option.type === 3 && typeof value === 'string') return
      const said = { ...used.use, options: { ...used.use.options, [option.name]: value as never } }
      const found = refusals(createInteraction(used.definition, said))
      expect(found.map(([, path]) => path)).toEqual([['options', option.name]])
      expect(found[0]![0]).toMatch(/^argument\.(type|range|choice)$/)
      checked++
    })
    expect(checked).toBeGreaterThan(50)
  })

  it('[2.6-03] refuses any value that is not one of the choices', () => {
    // One command in twenty has some where they are used.
    const withChoices = uses.filter((used) => optionsOf(used).some(({ choices = [] }) => choices.length > 0))
    let checked = 0
    forAny([withChoices, fc.string(), fc.integer()], 50, (used, text, number) => {
      for (const option of optionsOf(used)) {
        const values: readonly unknown[] = option.choices?.map(({ value }) => value) ?? []
        const value = option.type === 3 ? text : number
        if (values.length === 0 || values.includes(value)) continue
        const said = { ...used.use, options: { ...used.use.options, [option.name]: value } }
        expect(lines(refusals(createInteraction(used.definition, said)))).toEqual([
          `argument.choice options.${option.name} 2.6-03`,
        ])
        checked++
      }
    })
    expect(checked).toBeGreaterThan(40)
  })

  it('[2.7-03] requires one of its subcommands if it has any, and accepts no other name', () => {
    let checked = 0
    forAny([uses, fc.string()], 100, ({ definition, use }, name) => {
      if (use.subcommand !== undefined) checked++
      const { subcommand, ...rest } = use
      const codes = (said: object) => refusals(createInteraction(definition, said)).map(([code]) => code)
      if (use.subcommand !== undefined) expect(codes(rest)).toEqual(['subcommand.missing'])
      if (name !== '')
        expect(codes({ ...use, subcommand: `${subcommand ?? ''} ${name}` })).toEqual(['subcommand.unknown'])
    })
    expect(checked).toBeGreaterThan(10)
  })

  it('[2.11-05] accepts autocomplete without required options', () => {
    let checked = 0
    forAny([uses, fc.string({ maxLength: 5 })], 400, (used, text) => {
      for (const option of optionsOf(used)) {
        const isText = option.type === 3
        const value = isText ? text : ''
        const { subcommand } = used.use
        const typed = { focused: option.name, options: { [option.name]: value } }
        const found = createInteraction(used.definition, { ...(subcommand && { subcommand }), ...typed })
        if (option.autocomplete !== true) {
          expect(refusals(found)[0]?.[0]).toBe('focused.option')
          continue
        }
        const interaction = accepted(found) as AutocompleteInteraction
        expect(readOptions(interaction).focused).toEqual({ name: option.name, value })
        expect(interaction.type).toBe(4)
        expect(validateCallback(interaction, { type: 8, data: { choices: [] } }).ok).toBe(true)
        checked++
      }
    })
    expect(checked).toBeGreaterThan(5)
  })

  it('never throws for any request', () => {
    const anyOptions = fc.dictionary(fc.string(), fc.anything())
    forAny([command(), anyOptions, fc.anything()], 100, (body, options, subcommand) => {
      const definition = accepted(validateCommand(body))
      const found = createInteraction(definition, { options, subcommand } as never)
      expect(typeof found.ok).toBe('boolean')
    })
  })

  it('never throws for any JSON as a value or a name', () => {
    const textless = [{ toString: [] }, [{ toString: [] }], Object.create(null), Symbol()] as unknown[]
    const strange = fc.oneof(fc.constantFrom(...textless), fc.anything())
    const strangeType = strange.filter((type) => type !== 1 && type !== 2)
    forAny([uses, strange, strangeType, fc.nat(24)], 100, ({ definition, use }, value, type, at) => {
      const options = optionsOf({ definition, use })
      const name = options[at % options.length]?.name ?? 'a'
      const said = { ...use, options: { ...use.options, [name]: value } } as never
      for (const request of [said, { ...(said as object), focused: name }]) {
        const found = createInteraction(definition, request)
        expect(found.ok || found.issues.length > 0).toBe(true)
      }
      const received = { type: 4, data: { name: 'a', options: [{ name, type, value, focused: true }] } }
      const focused = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
      expect(readOptions(received as unknown as AnyInteraction).focused).toEqual({ name, value: focused })
      const unnamed = { type: 2, data: { name: 'a', options: [{ name: value, type, value: 1 }] } }
      expect(Object.keys(readOptions(unnamed as unknown as AnyInteraction).values)).toEqual(
        typeof value === 'string' ? [value] : [],
      )
    })
  })

  it('never makes validateCallback throw for any answer', () => {
    const interaction = accepted(createInteraction({ name: 'a' }))
    forAny([fc.jsonValue(), fc.jsonValue(), fc.integer({ min: 0, max: 13 })], 500, (value, data, type) => {
      const full = { type, data: { choices: data, content: value, flags: data } }
      for (const callback of [value, { type, data }, full]) {
        const found = validateCallback(interaction, callback)
        if (found.ok)
          expect(validateCallback(interaction, found.value)).toMatchObject({ ok: true, value: found.value })
        else expect(found.issues.length).toBeGreaterThan(0)
      }
    })
  })

  it('never throws for values that JSON does not support', () => {
    const interaction = accepted(createInteraction({ name: 'a' }))
    const anything = fc.anything({
      withBigInt: true,
      withBoxedValues: true,
      withDate: true,
      withMap: true,
      withNullPrototype: true,
      withSet: true,
      withSparseArray: true,
      withTypedArray: true,
    })
    forAny([anything, fc.integer({ min: 0, max: 13 })], 500, (value, type) => {
      const message = { type, data: { content: value, flags: value } }
      for (const callback of [value, { type, data: value }, message])
        for (const validate of [validateCallback, validateFollowUp]) {
          const found = validate(interaction, callback)
          expect(found.ok || found.issues.length > 0).toBe(true)
        }
    })
  })
})
