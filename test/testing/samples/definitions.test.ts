import { describe, expect, expectTypeOf, it } from 'vitest'
import { CommandRegistry, globalScope, OptionType, validateCommand, validateCommands } from 'commandry'
import type { CommandBody, OptionBody, OptionsOf } from 'commandry'
import { readOptions } from 'commandry/interactions'
import {
  entryPoint,
  interactionFor,
  messageCommand,
  option,
  sampleCommands,
  slashCommand,
  userCommand,
} from 'commandry/testing'
import { accepted, warnings } from '../../support/found.ts'

const commands = { slashCommand, userCommand, messageCommand, entryPoint }

describe('builders of commands', () => {
  it.each(Object.entries(commands))('return a valid definition without warnings: %s', (_, build) => {
    const found = validateCommand(build())
    expect(accepted(found)).toMatchObject(build())
    expect(warnings(found)).toEqual([])
  })

  it('cover every type', () => {
    expect(Object.values(commands).map((build) => build().type)).toEqual([1, 2, 3, 4])
  })

  it('replace defaults by the given fields', () => {
    const ban = { name: 'ban', nsfw: true } as const
    expect(slashCommand(ban)).toEqual({ type: 1, description: 'A command', ...ban })
    expect(userCommand({ name: 'Report', contexts: [0] })).toEqual({ type: 2, name: 'Report', contexts: [0] })
  })

  it('keep literal types, so that options are known', () => {
    const roll = slashCommand({
      name: 'roll',
      options: [option.integer({ name: 'sides', required: true }), option.boolean()],
    })
    expectTypeOf(roll).toExtend<CommandBody>()
    expectTypeOf(roll.name).toEqualTypeOf<'roll'>()
    expectTypeOf(slashCommand().name).toEqualTypeOf<'command'>()
    expectTypeOf<OptionsOf<typeof roll>>().toEqualTypeOf<{
      readonly sides: number
      readonly boolean?: boolean
    }>()
    const { values } = readOptions(interactionFor(roll, { options: { sides: 6 } }), roll)
    expectTypeOf(values.sides).toEqualTypeOf<number>()
    expect({ ...values }).toEqual({ sides: 6 })
  })

  it('reject fields that the type does not have', () => {
    // @ts-expect-error User commands have no options.
    userCommand({ options: [option.string()] satisfies readonly OptionBody[] })
    // @ts-expect-error The type is what the builder is for.
    slashCommand({ type: 2 })
  })
})

describe('builders of options', () => {
  it.each(Object.entries(option))('return a valid definition without warnings: %s', (_, build) => {
    const found = validateCommand(slashCommand({ options: [build()] }))
    accepted(found)
    expect(warnings(found)).toEqual([])
  })

  it('cover every type', () => {
    const types = Object.values(option).map((build) => build().type)
    expect(types.sort((a, b) => a - b)).toEqual(Object.values(OptionType))
  })

  it('name options after their types, so that a list may have one of each', () => {
    const { subcommand, subcommandGroup, ...values } = option
    const options = Object.values(values).map((build) => build())
    accepted(validateCommand(slashCommand({ options })))
    accepted(validateCommand(slashCommand({ options: [subcommand(), subcommandGroup()] })))
  })

  it('return independent definitions', () => {
    const group = option.subcommandGroup()
    expect(() => Object.assign(group.options[0], { name: 'changed' })).toThrow(TypeError)
    expect(() => (group.options as unknown as unknown[]).push('changed')).toThrow(TypeError)
    Object.assign(group, { name: 'changed' })
    Object.assign(slashCommand(), { name: 'changed' })
    expect([option.subcommandGroup().name, slashCommand().name]).toEqual(['group', 'command'])
  })
})

describe('the sample commands', () => {
  it('are valid together, without warnings', () => {
    const found = validateCommands(sampleCommands)
    expect(accepted(found)).toHaveLength(sampleCommands.length)
    expect(warnings(found)).toEqual([])
  })

  it('are frozen and cover every type', () => {
    const [search, settings, report, pin, launch] = sampleCommands
    expect(() => Object.assign(settings.options[0].options[0], { name: 'changed' })).toThrow(TypeError)
    expect(new Set(validated().map(({ type }) => type))).toEqual(new Set([1, 2, 3, 4]))
    const names = [search, settings, report, pin, launch].map(({ name }) => name)
    expect(names.join(', ')).toBe('search, settings, Report, Pin for later, Launch')
    expectTypeOf<OptionsOf<typeof search>['order']>().toEqualTypeOf<'latest' | 'best' | undefined>()
  })

  it('can be deployed, after which a plan is empty', async () => {
    const registry = new CommandRegistry()
    await registry.overwrite(globalScope('1001'), sampleCommands)
    const plan = await registry.plan(globalScope('1001'), sampleCommands)
    expect(plan).toMatchObject({ creates: [], updates: [], deletes: [] })
  })
})

function validated() {
  return accepted(validateCommands(sampleCommands))
}
