import { describe, expect, it } from 'vitest'
import { type CommandBody, CommandType, defineCommand, OptionType, validateCommand } from 'commandry'
import { rules } from 'commandry/reference'
import { createInteraction } from 'commandry/interactions'
import { slash } from '../../support/bodies.ts'
import { lines, messages, refusals } from '../../support/found.ts'
import { read } from '../../support/markdown.ts'
import { ruleSection } from '../../support/rules-page.ts'
import { words } from '../../support/words.ts'
import { faults, firstFault, ids, typing, used } from '../../support/invoked.ts'
import { permissions, withOptions } from './commands.ts'
import { guild } from '../../support/fixtures.ts'

const { STRING, INTEGER, NUMBER, BOOLEAN, USER, CHANNEL, ROLE, MENTIONABLE, ATTACHMENT } = OptionType
const { SUB_COMMAND, SUB_COMMAND_GROUP } = OptionType

/** Fields that are all null. */
const unset = (names: string) => Object.fromEntries(words(names).map((name) => [name, null]))

/** The code of the first issue of a value of one option. */
const codeOf = (option: object, value: string | number) =>
  firstFault(withOptions(option), { options: { o: value } })

it.each(rules.filter(({ on }) => on === 'interaction'))(
  'has the limit, the message and the clause of docs/rules.md: $code',
  (rule) => {
    expect(read('docs/rules.md')).toContain(ruleSection(rule).join('\n'))
    expect([null, 'value', 'text', 'key']).toContain(rule.about)
  },
)

it('offers the options with autocomplete in place of another one', () => {
  const options = [
    { type: STRING, name: 'one', description: 'd' },
    { type: STRING, name: 'two', description: 'd', autocomplete: true },
  ]
  const found = createInteraction({ name: 'a', description: 'b', options }, { focused: 'one' } as never)
  expect(messages(found)[0]).toMatch(/is not an option with autocomplete; .*\btwo\b/)
})

it('completes a role with what new roles have', () => {
  const resolved = { roles: { 7: { id: '7', name: 'Team' } } }
  const { data } = used(withOptions({ type: ROLE }), { guildId: guild, options: { o: '7' }, resolved })
  expect(data.resolved!.roles!['7']).toMatchObject({ mentionable: false, hoist: false, managed: false })
})

describe('values', () => {
  it('are reported once when they are no choice', () => {
    const chosen = withOptions({ type: STRING, choices: [{ name: 'a', value: 'a' }] })
    expect(faults(chosen, { options: { o: 'x'.repeat(6001) } })).toHaveLength(1)
  })

  const id = 'an id such as "1029384756"'

  it.each([
    ['STRING', STRING, ['', 'text'], [5, true, null, {}], 'a string'],
    ['INTEGER', INTEGER, [0, 2 ** 53 - 1, -(2 ** 53) + 1], [1.5, '1', NaN, null, Infinity], 'a whole number'],
    ['NUMBER', NUMBER, [0.5, 2 ** 53, -(2 ** 53)], ['1', 'x', NaN, Infinity, null], 'a finite number'],
    ['BOOLEAN', BOOLEAN, [true, false], ['true', 1, null], 'true or false'],
    ['USER', USER, ['7'], [7, 'x', 'ada', '', '-1', null], id],
    ['CHANNEL', CHANNEL, ['7'], [7, 'x'], id],
    ['ROLE', ROLE, ['7'], [7, '07', true], id],
    ['MENTIONABLE', MENTIONABLE, ['7'], [7, '', '9223372036854775808'], id],
    ['ATTACHMENT', ATTACHMENT, ['7'], [7, {}, []], id],
  ] as const)('[2.11-07] [2.5-03] are checked for type %s', (name, type, good, bad, expected) => {
    const command = withOptions({ type })
    for (const value of good) {
      expect(used(command, { options: { o: value } }).data.options).toEqual([{ name: 'o', type, value }])
    }
    for (const value of bad) {
      const found = createInteraction(command, { options: { o: value as never } })
      expect(lines(refusals(found))).toEqual(['argument.type options.o 2.11-07'])
      expect(messages(found)[0]).toMatch(new RegExp(`^is .+; an option of type ${name} takes ${expected}$`))
    }
  })

  it('[2.5-01] [2.5-02] must be in the range of their type', () => {
    for (const value of [2 ** 53, -(2 ** 53)]) {
      expect(codeOf({ type: INTEGER }, value)).toBe('argument.range')
      expect(codeOf({ type: NUMBER }, value)).toBeUndefined()
    }
    for (const value of [2 ** 53 + 2, -1e300]) expect(codeOf({ type: NUMBER }, value)).toBe('argument.range')
  })

  it('[2.11-07] must be within the bounds of their option', () => {
    const code = (fields: object, value: string | number) =>
      codeOf({ type: typeof value === 'string' ? STRING : INTEGER, ...fields }, value)
    const [range, length] = ['argument.range', 'argument.length']
    const ranged = [1, 2, 3, 4].map((value) => code({ min_value: 2, max_value: 3 }, value))
    expect(ranged).toEqual([range, undefined, undefined, range])
    // Lengths count characters, not UTF-16 units.
    const texts = ['x', '𐐨𐐨', '𐐨𐐨𐐨', '𐐨𐐨𐐨𐐨'].map((value) => code({ min_length: 2, max_length: 3 }, value))
    expect(texts).toEqual([length, undefined, undefined, length])
    expect(code({ min_length: 0 }, '')).toBeUndefined()
    expect(['𐐨'.repeat(6000), 'x'.repeat(6001)].map((value) => code({}, value))).toEqual([undefined, length])
    // Bounds that exclude every value are legal, and refuse every value.
    expect(code({ min_value: 3, max_value: 2 }, 3)).toBe(range)
  })

  it('[2.6-03] must be one of the choices, if any; [2.6-04] are not restricted by autocomplete', () => {
    const choices = [{ name: 'One', value: 1 }]
    const of = (fields: object, value: number) =>
      faults(withOptions({ type: INTEGER, ...fields }), { options: { o: value } })
    expect(of({ choices }, 1)).toEqual([])
    expect(of({ choices }, 2)).toEqual(['argument.choice options.o 2.6-03'])
    expect(of({ choices: [] }, 2)).toEqual([])
    expect(of({ autocomplete: true }, 2)).toEqual([])
  })

  it('[2.1-22] are not restricted by null fields', () => {
    const fields = unset(`
      required choices options channel_types min_value max_value min_length max_length autocomplete
    `)
    for (const [type, values] of [
      [STRING, ['', 'text']],
      [INTEGER, [-5, 5]],
      [NUMBER, [-0.5, 0.5]],
      [BOOLEAN, [true]],
      [CHANNEL, ['7']],
      [ATTACHMENT, ['7']],
    ] as const) {
      const command = withOptions({ type, ...fields })
      expect(validateCommand(command).ok).toBe(true)
      expect(faults(command)).toEqual([])
      for (const value of values) {
        expect(used(command, { options: { o: value } }).data.options).toEqual([{ name: 'o', type, value }])
      }
      expect(faults(command, { focused: 'o' })).toEqual(['focused.option focused 2.11-05'])
    }
    const short = withOptions({ type: STRING, min_length: null, max_length: 2 })
    const long = createInteraction(short, { options: { o: 'xyz' } })
    expect(messages(long)).toEqual(['has 3 characters; 0 to 2 are allowed'])
    const typed = (type: number, bounds: object, text: string) =>
      faults(withOptions({ type, ...bounds, autocomplete: true }), { focused: 'o', options: { o: text } })
    expect(typed(STRING, { max_length: null }, 'text')).toEqual([])
    expect(typed(STRING, {}, 'x'.repeat(6001))).toHaveLength(1)
    expect(typed(INTEGER, { min_value: null, max_value: null }, '-5')).toEqual([])
  })

  it('[2.1-22] are the same for null fields as for absent fields', () => {
    const nothing = unset(`
      type guild_id options contexts integration_types nsfw dm_permission default_permission
      default_member_permissions handler
    `)
    const command = slash(nothing) as never
    expect(validateCommand(command).ok).toBe(true)
    for (const place of [{ guildId: guild }, {}]) {
      const request = { ...place, user: { id: '3001' }, ids: ids(), tokens: () => 't' }
      expect(used(command, request)).toEqual(used(slash() as never, { ...request, ids: ids() }))
    }
    const nested = withOptions({ type: SUB_COMMAND, name: 's', options: null })
    expect(faults(nested, { subcommand: 's' })).toEqual([])
  })

  it('[2.11-07] are reported when a required one is missing, or when its option is unknown', () => {
    const command = withOptions({ type: STRING, required: true }, { type: STRING, name: 'p' })
    expect(faults(command)).toEqual(['argument.required options.o 2.11-07'])
    expect(firstFault(command, { options: { o: undefined as never } })).toBe('argument.required')
    expect(faults(command, { options: { o: 'x', q: 1, constructor: 1 } })).toEqual([
      'argument.unknown options.q 2.11-07',
      'argument.unknown options.constructor 2.11-07',
    ])
    expect(faults(withOptions({ type: STRING, name: 'constructor' }))).toEqual([])
    const hostile = JSON.parse('{"__proto__": "v"}')
    expect(used(withOptions({ type: STRING, name: '__proto__' }), { options: hostile }).data.options).toEqual(
      [{ name: '__proto__', type: 3, value: 'v' }],
    )
  })

  it('[7-01] are reported with all their problems, in the given order', () => {
    const command = withOptions(
      { type: INTEGER, name: 'a' },
      { type: STRING, name: 'b', choices: [{ name: 'x', value: 'x' }] },
      { type: BOOLEAN, name: 'c', required: true },
    )
    expect(faults(command, { options: { b: 'y', z: 1, a: 1.5 }, target: '1' })).toEqual([
      'argument.required options.c 2.11-07',
      'argument.choice options.b 2.6-03',
      'argument.unknown options.z 2.11-07',
      'argument.type options.a 2.11-07',
      'target.none target 2.11-03',
    ])
  })
})

describe('subcommands', () => {
  it('[2.7-03] exclude the base command and groups', () => {
    const unknown = ['subcommand.unknown subcommand 2.7-03']
    expect(faults(permissions)).toEqual(['subcommand.missing subcommand 2.7-03'])
    for (const subcommand of ['user', 'get', 'user get more', 'reset reset', 'user  get', 'constructor'])
      expect(faults(permissions, { subcommand })).toEqual(unknown)
    for (const options of [undefined, [{ type: SUB_COMMAND_GROUP, name: 'x', description: 'b' }]])
      expect(faults(slash({ options }) as never, { subcommand: 'x' })).toEqual(unknown)
  })

  it('[2.7-03] are offered when one is missing or unknown, with their groups', () => {
    for (const request of [{}, { subcommand: 'x' }]) {
      const [message] = messages(createInteraction(permissions as CommandBody, request))
      expect(message).toMatch(/user get, user clear (and|or) reset$/)
    }
    const [none] = messages(createInteraction(withOptions({ type: STRING }), { subcommand: 'x' }))
    expect(none).toBe('is "x", but the command has no subcommands')
  })

  it('[2.11-07] accept only options of the subcommand', () => {
    expect(faults(permissions, { subcommand: 'reset', options: { user: '7' } })).toEqual([
      'argument.unknown options.user 2.11-07',
    ])
  })
})

describe('autocomplete', () => {
  const search = defineCommand({
    name: 'search',
    description: 'b',
    options: [
      { type: STRING, name: 'query', description: 'b', required: true, autocomplete: true, max_length: 5 },
      { type: INTEGER, name: 'page', description: 'b', required: true, autocomplete: true, min_value: 1 },
      { type: NUMBER, name: 'score', description: 'b', autocomplete: true },
      { type: BOOLEAN, name: 'exact', description: 'b' },
      { type: ATTACHMENT, name: 'file', description: 'b' },
    ],
  })

  it('[2.11-05] [2.11-02] [6-03] sends the partial value as text, with the filled options and without attachments', () => {
    const { data, type } = typing(search, { focused: 'page', options: { page: 12, exact: true, file: '7' } })
    expect(type).toBe(4)
    expect(data.options).toEqual([
      { name: 'page', type: 4, value: '12', focused: true },
      { name: 'exact', type: 5, value: true },
    ])
    expect(data.version).toMatch(/^[0-9]+$/)
    expect(typing(search, { focused: 'query' }).data.options).toEqual([
      { name: 'query', type: 3, value: '', focused: true },
    ])
  })

  it('[2.11-05] sends partial strings, and no invalid numbers', () => {
    const sent = (focused: string, values: readonly (string | number)[]) =>
      values.filter((value) => faults(search, { focused, options: { [focused]: value } }).length === 0)
    expect(sent('query', ['', 'p', 'parts', 'partsx'])).toEqual(['', 'p', 'parts'])
    expect(sent('page', ['', '1', '12', 3])).toEqual(['', '1', '12', 3])
    expect(sent('page', ['0', '-1', '1.5', '1x', ' 1', '0x1', '1e3'])).toEqual([])
    expect(sent('score', ['1.5', '-2', '.5', '1.', 'NaN', 'Infinity'])).toEqual(['1.5', '-2'])
    expect(faults(search, { focused: 'page', options: { page: 'x' } })).toEqual([
      'focused.value options.page 2.11-05',
    ])
  })

  it('[2.11-05] is refused for options without it', () => {
    for (const focused of ['exact', 'nothing', '__proto__']) {
      expect(faults(search, { focused })).toEqual(['focused.option focused 2.11-05'])
    }

    for (const [command, request] of [
      [{ type: CommandType.USER, name: 'R' }, { target: '5' }],
      [{ type: CommandType.PRIMARY_ENTRY_POINT, name: 'R' }, {}],
      [slash() as never, {}],
      [permissions, { subcommand: 'reset' }],
    ] as const) {
      expect(faults(command, { ...request, focused: 'o' })).toEqual(['focused.option focused 2.11-05'])
    }
  })

  it('[2.11-05] sends no value of another option that the client refuses, such as one that is still too short', () => {
    const choices = [{ name: 'A', value: 'a' }]
    const options = [
      { type: 3, name: 'title', description: 'x', min_length: 3 },
      { type: 4, name: 'page', description: 'x', min_value: 5 },
      { type: 3, name: 'kind', description: 'x', choices },
      { type: 3, name: 'query', description: 'x', autocomplete: true },
    ]
    const sent = (values: object) =>
      typing(
        { name: 'find', description: 'x', options } as never,
        { focused: 'query', options: { query: 'q', ...values } } as never,
      ).data.options?.map(({ name }) => name)
    expect(sent({ title: 'ab', page: 4, kind: 'b' })).toEqual(['query'])
    expect(sent({ title: 'abc', page: '-', kind: 'a' })).toEqual(['title', 'kind', 'query'])
    expect(sent({ page: 5 })).toEqual(['page', 'query'])
    expect(firstFault(search, { focused: 'query', options: { exact: 1 } })).toBe('argument.type')
  })
})
