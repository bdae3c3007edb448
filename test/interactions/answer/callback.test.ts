import { describe, expect, it } from 'vitest'
import { ApplicationFlag, InteractionCallbackType, MessageFlag } from 'commandry'
import { createPing, validateCallback, validateFollowUp } from 'commandry/interactions'
import type { AnyInteraction } from 'commandry/interactions'
import { several } from '../../support/bodies.ts'
import { accepted, messages, refusals, warnings } from '../../support/found.ts'
import { ids, typing } from '../../support/invoked.ts'
import { faults, interaction, modal, oneLine, outside, search, suggestions } from './answers.ts'
import { snowflakeTime } from '../../support/snowflakes.ts'

const suggesting = typing(search, { focused: 'query' })
const numbers = typing(search, { focused: 'page' })
const text = { type: 4, data: { content: 'x' } }

const data: Record<number, unknown> = { 4: text.data, 7: text.data, 8: { choices: [] }, 9: modal({}).data }

describe('the type of an answer', () => {
  it.each([
    ['a PING', createPing('1001', { ids: ids() }), [1]],
    ['a command', interaction, [4, 5, 9, 10, 12]],
    ['autocomplete', suggesting, [8]],
    ['a component', outside(3), [4, 5, 6, 7, 9, 10, 12]],
    ['a modal', outside(5), [4, 5, 6, 10, 12]],
    ['a modal from a component', outside(5, { message: { id: '1' } }), [4, 5, 6, 7, 10, 12]],
    ['something newer', outside(77), [1, 4, 5, 6, 7, 8, 9, 10, 12]],
  ] as const)('[2.11-10] [2.3-03] [6-04] accepts only the types that answer %s', (_, to, fitting) => {
    const fits = Object.values(InteractionCallbackType).filter(
      (type) => validateCallback(to as AnyInteraction, { type, data: data[type] }).ok,
    )
    expect(fits).toEqual(fitting)
  })

  it('rejects unknown types and bodies that are not objects', () => {
    for (const type of [0, 2, 3, 11, 13, '4', null, undefined, {}])
      expect(faults({ type })).toBe('callback.type type')
    for (const callback of [undefined, null, 'x', [], 5]) expect(faults(callback)).toBe('shape.object')
  })

  it('[6-04] accepts LAUNCH_ACTIVITY only from apps with an Activity', () => {
    const launch = { type: InteractionCallbackType.LAUNCH_ACTIVITY }
    expect(faults(launch, interaction, { application: { flags: ApplicationFlag.EMBEDDED } })).toBe('')
    expect(faults(launch, interaction, { application: {} })).toBe('callback.launch type')
    expect(faults(launch, suggesting, { application: {} })).toBe('callback.fits type')
  })

  it('warns about the deprecated type, which needs a SKU', () => {
    expect(oneLine(warnings(validateCallback(interaction, { type: 10 })))).toEqual(
      'callback.deprecated type; callback.sku type',
    )
  })
})

const ANSWER_TIMEOUT = 3_000
const TOKEN_VALID = 15 * 60_000

describe('the time of an answer', () => {
  const made = snowflakeTime(interaction.id)

  it('accepts a first answer for 3 seconds and reports an expired token after 15 minutes', () => {
    const at = (age: number) => faults(text, interaction, { now: made + age })
    expect([0, ANSWER_TIMEOUT].map(at)).toEqual(['', ''])
    expect([ANSWER_TIMEOUT + 1, TOKEN_VALID].map(at)).toEqual(['callback.late', 'callback.late'])
    expect(at(TOKEN_VALID + 1)).toBe('callback.token')
    expect(faults(text)).toBe('')
  })

  it('accepts follow-ups until the token expires', () => {
    const follow = (age: number) =>
      oneLine(refusals(validateFollowUp(interaction, { content: 'x' }, { now: made + age })))
    expect(follow(TOKEN_VALID)).toBe('')
    expect(follow(TOKEN_VALID + 1)).toBe('callback.token')
    const long = validateFollowUp(interaction, { content: 'x'.repeat(2001) })
    expect(oneLine(refusals(long))).toEqual('message.content content')
    expect(validateFollowUp(interaction, null).ok).toBe(false)
  })
})

describe('deferred answers', () => {
  it('[2.11-10] accepts every flag of a deferred answer, and warns about those it ignores', () => {
    const withFlags = (flags: unknown) => {
      const read = validateCallback(interaction, { type: 5, data: { flags } })
      return oneLine(read.ok ? warnings(read) : refusals(read))
    }
    for (const flags of [undefined, null, 0, MessageFlag.EPHEMERAL]) expect(withFlags(flags)).toBe('')
    expect(faults({ type: 5 })).toBe('')
    expect(withFlags(0.5)).toBe('shape.integer data.flags')
    // The low 32 bits of the large numbers are 0 and EPHEMERAL.
    for (const flags of [4, 64 | 32_768, 2 ** 32, 2 ** 32 + 64, -(2 ** 32)])
      expect(withFlags(flags)).toBe('deferred.flags data.flags')
  })

  it('warns about ignored fields of a deferred answer', () => {
    const found = (data: object) => oneLine(warnings(validateCallback(interaction, { type: 5, data })))
    expect(found({ content: 'x', flags: 64, embeds: [{}], tts: true })).toBe(
      'deferred.data data.content data.embeds data.tts',
    )
    expect(found({ content: '', flags: 64, embeds: [], tts: false, poll: null, extra: {} })).toBe('')
    expect(faults({ type: 5, data: 'x' })).toBe('shape.object data')
  })
})

it('a valid answer is returned as sent with toJSON of builders called', () => {
  const sent = { type: 4, data: { content: 'x', allowed_mentions: { parse: [] } } }
  expect(accepted(validateCallback(interaction, sent))).toEqual(sent)
  const builder = { toJSON: () => sent }
  expect(accepted(validateCallback(interaction, builder))).toEqual(sent)
  expect(Object.isFrozen(sent.data)).toBe(false)
})

describe('values that JSON does not support', () => {
  const loop: { self?: unknown } = {}
  loop.self = loop
  const fail = (error: unknown) => () => {
    throw error
  }

  it.each([
    ['a bigint', 1n],
    ['a circular value', loop],
    ['a builder that fails', { toJSON: fail(new Error('no title')) }],
    ['a field that fails', Object.defineProperty({}, 'x', { enumerable: true, get: fail('never') })],
    ['an error without a text', { toJSON: fail(Object.create(null)) }],
  ])('rejects %s', (_, value) => {
    expect(faults({ type: 4, data: { content: 'x', value } })).toBe('callback.json')
    expect(faults({ type: 5, value })).toBe('callback.json')
    expect(oneLine(refusals(validateFollowUp(interaction, { content: 'x', value })))).toEqual('callback.json')
  })

  it('reports the reason with line breaks escaped', () => {
    const builder = Object.create({ toJSON: fail(new Error('no\ntitle'.padEnd(200, '.'))) }) as object
    expect(messages(validateCallback(interaction, builder))).toEqual([
      expect.stringMatching(/^cannot be written as JSON: "no\\ntitle\.{91}…"; JSON supports /),
    ])
  })

  it('rejects answers nested more than 100 deep', () => {
    const nested = (depth: number) => JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as unknown
    const inside = (depth: number) => ({ content: 'x', nested: nested(depth - 2) })
    expect(faults({ type: 4, data: inside(100) })).toBe('')
    for (const depth of [101, 5_000, 100_000]) {
      expect(faults({ type: 4, data: inside(depth) })).toBe('callback.depth')
      expect(oneLine(refusals(validateFollowUp(interaction, inside(depth + 1))))).toEqual('callback.depth')
      expect(validateCallback(interaction, nested(depth)).ok).toBe(false)
    }
  })

  it('rejects a toJSON that does not return an object', () => {
    for (const nothing of [undefined, 'x', 5, []])
      expect(faults({ toJSON: () => nothing })).toBe('shape.object')
  })
})

it('[2.11-05] suggestions have at most 25 choices and follow the rules of choices', () => {
  const choices = (count: number) => several(count, (i) => ({ name: `n${i}`, value: `v${i}` }))
  expect(faults(suggestions(choices(25)), suggesting)).toBe('')
  expect(faults(suggestions(choices(26)), suggesting)).toBe('choices.count data.choices')
  const long = { name: '', value: 'x'.repeat(101) }
  expect(faults(suggestions([long, { name: 'a', value: 1 }]), suggesting)).toBe(
    'choice.name data.choices.0.name; choice.value_length data.choices.0.value; choice.value_string data.choices.1.value',
  )
  expect(faults(suggestions(undefined), suggesting)).toBe('shape.required data.choices')
})

it('[2.6-02] suggestions have values of the type of the focused option', () => {
  expect(faults(suggestions([{ name: 'a', value: 1 }]), numbers)).toBe('')
  const wrong = ['a', '1.5', '', true].map((value) => ({ name: 'a', value }))
  expect(faults(suggestions(wrong), numbers)).toBe(
    `choice.value_integer ${wrong.map((_, index) => `data.choices.${index}.value`).join(' ')}`,
  )
})

it('[2.11-09] digits in a suggestion for numbers count as the number, within its range', () => {
  const read = validateCallback(numbers, suggestions([{ name: 'a', value: '-12' }, { name: 'b' }]))
  expect(oneLine(refusals(read))).toBe('shape.required data.choices.1.value')
  expect(accepted(validateCallback(numbers, suggestions([{ name: 'a', value: '12' }])))).toEqual(
    suggestions([{ name: 'a', value: 12 }]),
  )
  expect(faults(suggestions([{ name: 'a', value: '1288000000000000000' }]), numbers)).toBe(
    'choice.value_range data.choices.0.value',
  )
  const noObjects = suggestions([null, { name: 'a', value: '12' }])
  expect(faults(noObjects, numbers)).toBe('shape.object data.choices.0')
  const texts = suggestions([{ name: 'a', value: '12' }])
  expect(accepted(validateCallback(suggesting, texts))).toEqual(texts)
})

it('reads suggestions for an option of a type that it does not know', () => {
  const options = [{ type: 99, name: 'query', value: '', focused: true }]
  const newer = { ...suggesting, data: { ...suggesting.data, options } } as never
  const texts = suggestions([{ name: 'a', value: '12' }])
  expect(accepted(validateCallback(newer, texts))).toEqual(texts)
})

it('[2.1-26] [2.11-09] refuses a suggestion whose name is white space or invisible characters alone', () => {
  const named = (name: string) =>
    faults(
      suggestions([
        { name: 'a', value: 'a' },
        { name, value: 'b' },
      ]),
      suggesting,
    )
  for (const name of ['', ' ', '\n\t', '\u00a0', '\u200b'])
    expect(named(name)).toBe('choice.name data.choices.1.name')
  expect(named(' b ')).toBe('')
})
