import { describe, expect, expectTypeOf, it } from 'vitest'
import { defineCommand, OptionType } from 'commandry'
import type { CommandBody, CommandDefinition, OptionsOf } from 'commandry'
import { isAutocompleteInteraction, isCommandInteraction, isPing, readOptions } from 'commandry/interactions'
import type { AnyInteraction, UsageOf } from 'commandry/interactions'
import { typing, used } from '../../support/invoked.ts'
import { permissions, withOptions } from './commands.ts'

const { STRING, INTEGER, NUMBER, BOOLEAN, USER } = OptionType

const newest = { name: 'Newest', value: 'new' } as const
const search = defineCommand({
  name: 'search',
  description: 'b',
  options: [
    { type: STRING, name: 'query', description: 'b', required: true, autocomplete: true },
    { type: STRING, name: 'sort', description: 'b', choices: [newest, { name: 'Oldest', value: 'old' }] },
    { type: INTEGER, name: 'page', description: 'b', choices: [{ name: 'One', value: 1 }] },
    { type: NUMBER, name: 'score', description: 'b' },
    { type: BOOLEAN, name: 'exact', description: 'b', required: false },
    { type: USER, name: 'by', description: 'b' },
  ],
})

const got = used(permissions, { subcommand: 'user get', options: { user: '7' } })
const empty = { subcommand: null, path: [], values: {}, focused: null }

describe('readOptions', () => {
  it('[2.11-02] returns values by name, and null as the subcommand', () => {
    const options = { query: 'x', page: 1, score: 0.5, exact: false, by: '7' } as const
    expect(readOptions(used(search, { options }), search)).toEqual({ ...empty, values: options })
    expect(readOptions(used(search, { options: { query: '' } })).values).toEqual({ query: '' })
  })

  it('[2.11-02] returns the path to the subcommand', () => {
    const get = readOptions(got, permissions)
    const path = ['user', 'get']
    expect(get).toEqual({ subcommand: 'user get', path, values: { user: '7' }, focused: null })
    const reset = readOptions(used(permissions, { subcommand: 'reset' }))
    expect(reset).toEqual({ ...empty, subcommand: 'reset', path: ['reset'] })
  })

  it('[2.11-05] returns the focused option separately', () => {
    const read = readOptions(typing(search, { focused: 'query', options: { query: 'pa', page: 1 } }), search)
    expect(read).toEqual({ ...empty, values: { page: 1 }, focused: { name: 'query', value: 'pa' } })
  })

  it('returns a frozen object without inherited values', () => {
    const { values } = readOptions(used(search, { options: { query: 'x' } }))
    expect(values.constructor).toBeUndefined()
    expect(values.__proto__).toBeUndefined()
    expect(Object.isFrozen(values)).toBe(true)
    const hostile = withOptions({ type: STRING, name: '__proto__' })
    const read = readOptions(used(hostile, { options: JSON.parse('{"__proto__": "v"}') }))
    expect(Object.entries(read.values)).toEqual([['__proto__', 'v']])
  })

  it('rejects an interaction of another command', () => {
    expect(() => readOptions(used(search, { options: { query: 'x' } }), permissions)).toThrow(
      'command: expected the string "search", which the interaction is for, got permissions',
    )
  })

  it('reads unknown types of options and interactions', () => {
    const base: AnyInteraction = { id: '1', application_id: '2', token: 't', type: 2 }
    const options = [{ name: 'o', type: 99, value: { deep: 1 } }, 5, null]
    const newer = { ...base, data: { name: 'a', options } }
    expect(readOptions(newer).values).toEqual({ o: { deep: 1 } })
    for (const data of [undefined, null, 5, {}, { options: {} }])
      expect(readOptions({ ...base, type: 77, data })).toEqual(empty)
    expect(isCommandInteraction(newer)).toBe(true)
    expect(isCommandInteraction(base)).toBe(false)
    expect(isPing({ ...base, type: 1 })).toBe(true)
    expect(isAutocompleteInteraction(newer)).toBe(false)
  })
})

describe('types', () => {
  it('follow the definition', () => {
    expectTypeOf<OptionsOf<typeof search>>().toEqualTypeOf<{
      readonly query: string
      readonly sort?: 'new' | 'old'
      readonly page?: 1
      readonly score?: number
      readonly exact?: boolean
      readonly by?: string
    }>()
    expectTypeOf<OptionsOf<typeof permissions>>().toEqualTypeOf<
      { readonly user: string } | {} | { readonly hard?: boolean }
    >()
    const plain = defineCommand({ name: 'ping', description: 'b' })
    expectTypeOf<OptionsOf<typeof plain>>().toEqualTypeOf<{}>()
    expectTypeOf(plain.name).toEqualTypeOf<'ping'>()
  })

  it('distinguish subcommands', () => {
    const read = readOptions(got, permissions)
    expectTypeOf(read.subcommand).toEqualTypeOf<'user get' | 'user clear' | 'reset'>()
    switch (read.subcommand) {
      case 'user get':
        expectTypeOf(read.path).toEqualTypeOf<readonly ['user', 'get']>()
        expectTypeOf(read.values).toEqualTypeOf<{ readonly user: string }>()
        break
      case 'reset':
        expectTypeOf(read.values.hard).toEqualTypeOf<boolean | undefined>()
        break
      default:
        expectTypeOf(read.subcommand).toEqualTypeOf<'user clear'>()
        // @ts-expect-error there is no such option here
        void read.values.user
    }
    // @ts-expect-error there is no such subcommand
    expect(read.subcommand === 'user set').toBe(false)
  })

  it('make every option optional during autocomplete', () => {
    const read = readOptions(typing(search, { focused: 'query' }), search)
    expectTypeOf(read.focused.value).toEqualTypeOf<string>()
    expectTypeOf(read.values.query).toEqualTypeOf<string | undefined>()
    expectTypeOf(readOptions(used(search, { options: { query: 'x' } }), search).focused).toEqualTypeOf<null>()
  })

  it('are wide when the definition is unknown', () => {
    type Any = { readonly [name: string]: string | number | boolean }
    expectTypeOf<UsageOf<CommandDefinition>['values']>().toEqualTypeOf<Any>()
    expectTypeOf<OptionsOf<CommandBody>>().toEqualTypeOf<Any>()
    expectTypeOf(readOptions(used(search, { options: { query: 'x' } })).values).toEqualTypeOf<Any>()
  })

  it('reject invalid definitions', () => {
    // @ts-expect-error a type of option there is not
    defineCommand({ name: 'a', description: 'b', options: [{ type: 12, name: 'o', description: 'b' }] })
    // @ts-expect-error a locale there is not
    defineCommand({ name: 'a', description: 'b', name_localizations: { pt_BR: 'a' } })
  })
})
