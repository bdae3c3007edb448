import { describe, expect, it } from 'vitest'
import { ApplicationFlag, OptionType, snowflakeTime } from 'commandry'
import { defineCommand } from '../../src/command/define.ts'
import { ANSWER_WITHIN, TOKEN_VALID } from '../../src/answer/answer-types.ts'
import { validateCallback, validateFollowUp } from '../../src/answer/callback.ts'
import { createPing } from '../../src/interaction/create.ts'
import { InteractionCallbackType, MessageFlag } from '../../src/interaction/types.ts'
import type { AnyInteraction } from '../../src/interaction/payload.ts'
import { shownBy } from '../../src/answer/rendered.ts'
import { accepted, messages, refusals, several, warnings } from '../support/found.ts'
import { ids, typing, used } from '../support/invoked.ts'

const search = defineCommand({
  name: 'search',
  description: 'b',
  options: [
    { type: OptionType.STRING, name: 'query', description: 'b', autocomplete: true },
    { type: OptionType.INTEGER, name: 'page', description: 'b', autocomplete: true },
  ],
})
const interaction = used(search)
const suggesting = typing(search, { focused: 'query' })
const numbers = typing(search, { focused: 'page' })
const outside = (type: number, fields: object = {}): AnyInteraction => ({ ...interaction, type, ...fields })

const text = { type: 4, data: { content: 'x' } }
const suggestions = (choices: unknown) => ({ type: 8, data: { choices } })
const button = { type: 2, style: 1, label: 'Undo', custom_id: 'undo' }
const input = { type: 4, style: 1, label: 'Why', custom_id: 'why' }
const row = (...components: object[]) => ({ type: 1, components })

const modal = (fields: object) => ({
  type: 9,
  data: { custom_id: 'c', title: 't', components: [row(input)], ...fields },
})
const faults = (callback: unknown, to: AnyInteraction = interaction, context = {}) =>
  refusals(validateCallback(to, callback, context)).map(([code, path]) => [code, path.join('.')])

const data: { readonly [type: number]: unknown } = {
  4: { content: 'x' },
  7: { content: 'x' },
  8: { choices: [] },
  9: modal({}).data,
}

describe('the type of an answer', () => {
  it.each([
    ['a PING', createPing('1001', { ids: ids() }), [1]],
    ['a command', interaction, [4, 5, 9, 10, 12]],
    ['autocomplete', suggesting, [8]],
    ['a component', outside(3), [4, 5, 6, 7, 9, 10, 12]],
    ['a modal', outside(5), [4, 5, 10, 12]],
    ['a modal from a component', outside(5, { message: { id: '1' } }), [4, 5, 6, 7, 10, 12]],
    ['something newer', outside(77), [1, 4, 5, 6, 7, 8, 9, 10, 12]],
  ] as const)('[2.11-10] [2.3-03] [6-04] accepts only the types that answer %s', (_, to, fitting) => {
    const fits = Object.values(InteractionCallbackType).filter(
      (type) => validateCallback(to as AnyInteraction, { type, data: data[type] }).ok,
    )
    expect(fits).toEqual(fitting)
  })

  it('rejects unknown types and bodies that are not objects', () => {
    for (const type of [0, 2, 3, 11, 13, '4', null, undefined, {}]) {
      expect(faults({ type })).toEqual([['callback.type', 'type']])
    }
    for (const callback of [undefined, null, 'x', [], 5])
      expect(faults(callback)).toEqual([['shape.object', '']])
  })

  it('[6-04] accepts LAUNCH_ACTIVITY only from apps with an Activity', () => {
    const launch = { type: InteractionCallbackType.LAUNCH_ACTIVITY }
    expect(faults(launch, interaction, { application: { flags: ApplicationFlag.EMBEDDED } })).toEqual([])
    expect(faults(launch, interaction, { application: {} })).toEqual([['callback.launch', 'type']])
    expect(faults(launch, suggesting, { application: {} })).toEqual([['callback.fits', 'type']])
  })

  it('warns about the deprecated type', () => {
    expect(warnings(validateCallback(interaction, { type: 10 })).map(([code]) => code)).toEqual([
      'callback.deprecated',
    ])
  })
})

describe('the time of an answer', () => {
  const made = snowflakeTime(interaction.id)

  it('accepts a first answer for 3 seconds and reports an expired token after 15 minutes', () => {
    const at = (age: number) => faults(text, interaction, { now: made + age }).map(([code]) => code)
    expect([0, ANSWER_WITHIN].flatMap(at)).toEqual([])
    expect([ANSWER_WITHIN + 1, TOKEN_VALID].map(at)).toEqual([['callback.late'], ['callback.late']])
    expect(at(TOKEN_VALID + 1)).toEqual(['callback.token'])
    expect(faults(text)).toEqual([])
  })

  it('accepts follow-ups until the token expires', () => {
    const follow = (age: number) =>
      refusals(validateFollowUp(interaction, { content: 'x' }, { now: made + age })).map(([code]) => code)
    expect(follow(TOKEN_VALID)).toEqual([])
    expect(follow(TOKEN_VALID + 1)).toEqual(['callback.token'])
    expect(
      refusals(validateFollowUp(interaction, { content: 'x'.repeat(2001) })).map(([code]) => code),
    ).toEqual(['message.content'])
    expect(validateFollowUp(interaction, null).ok).toBe(false)
  })
})

describe('messages', () => {
  it('checks the limits of content, embeds and flags', () => {
    expect(faults({ type: 4, data: { content: '𐐨'.repeat(2000), embeds: several(10, () => ({})) } })).toEqual(
      [],
    )
    expect(faults({ type: 4, data: { content: 'x'.repeat(2001), embeds: several(11, () => ({})) } })).toEqual(
      [
        ['message.content', 'data.content'],
        ['message.embeds', 'data.embeds'],
      ],
    )
    expect(faults({ type: 4, data: { content: 5, embeds: {}, flags: '64' } })).toEqual([
      ['shape.string', 'data.content'],
      ['shape.list', 'data.embeds'],
      ['shape.integer', 'data.flags'],
    ])
    expect(
      faults({ type: 4, data: { content: null, embeds: null, flags: null, components: [row(button)] } }),
    ).toEqual([])
    expect(faults({ type: 4 })).toEqual([['shape.required', 'data']])
    expect(faults({ type: 4, data: 'x' })).toEqual([['shape.object', 'data']])
  })

  it('warns about an empty message unless it updates another one', () => {
    const codes = (callback: unknown, to = interaction as AnyInteraction) =>
      warnings(validateCallback(to, callback)).map(([code]) => code)
    expect(codes({ type: 4, data: { content: '' } })).toEqual(['message.empty'])
    expect(codes({ type: 7, data: { content: '' } }, outside(3))).toEqual([])
    for (const field of [
      { content: 'x' },
      { components: [row(button)] },
      { poll: {} },
      { attachments: [{}] },
    ]) {
      expect(codes({ type: 4, data: field })).toEqual([])
    }
  })

  it('rejects every flag but EPHEMERAL in a deferred answer', () => {
    for (const flags of [undefined, null, 0, MessageFlag.EPHEMERAL]) {
      expect(faults({ type: 5, data: { flags } })).toEqual([])
    }
    expect(faults({ type: 5 })).toEqual([])
    expect(faults({ type: 5, data: { flags: 4 } })).toEqual([['deferred.flags', 'data.flags']])
    expect(faults({ type: 5, data: { flags: 0.5 } })).toEqual([['shape.integer', 'data.flags']])
    // Numbers whose low 32 bits are 0 and EPHEMERAL.
    for (const flags of [2 ** 32, 2 ** 32 + 64, -(2 ** 32)]) {
      expect(faults({ type: 5, data: { flags } })).toEqual([['deferred.flags', 'data.flags']])
    }
  })

  it('warns about ignored fields of a deferred answer', () => {
    const found = (data: object) =>
      warnings(validateCallback(interaction, { type: 5, data })).map(([code, path]) => [code, path.join('.')])
    expect(found({ content: 'x', flags: 64, embeds: [{}], tts: true })).toEqual([
      ['deferred.data', 'data.content'],
      ['deferred.data', 'data.embeds'],
      ['deferred.data', 'data.tts'],
    ])
    expect(found({ content: '', flags: 64, embeds: [], tts: false, poll: null, extra: {} })).toEqual([])
    expect(faults({ type: 5, data: 'x' })).toEqual([['shape.object', 'data']])
  })

  it('returns messages as sent and calls toJSON of builders', () => {
    const sent = { type: 4, data: { content: 'x', allowed_mentions: { parse: [] } } }
    expect(accepted(validateCallback(interaction, sent))).toEqual(sent)
    expect(
      accepted(
        validateCallback(
          interaction,
          new (class {
            toJSON = () => sent
          })(),
        ),
      ),
    ).toEqual(sent)
    expect(Object.isFrozen(sent.data)).toBe(false)
  })
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
    for (const callback of [
      { type: 4, data: { content: 'x', value } },
      { type: 5, value },
    ]) {
      expect(faults(callback)).toEqual([['callback.json', '']])
    }
    expect(refusals(validateFollowUp(interaction, { content: 'x', value })).map(([code]) => code)).toEqual([
      'callback.json',
    ])
  })

  it('reports the reason with line breaks escaped', () => {
    const builder = Object.create({ toJSON: fail(new Error('no\ntitle')) }) as object
    expect(messages(validateCallback(interaction, builder))).toEqual([
      expect.stringMatching(/^cannot be written as JSON: "no\\ntitle"; JSON supports /),
    ])
  })

  it('rejects answers nested more than 100 deep', () => {
    const nested = (depth: number) => JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as unknown
    const inside = (depth: number) => ({ content: 'x', nested: nested(depth - 2) })
    expect(faults({ type: 4, data: inside(100) })).toEqual([])
    for (const depth of [101, 5_000, 100_000]) {
      expect(faults({ type: 4, data: inside(depth) })).toEqual([['callback.depth', '']])
      expect(refusals(validateFollowUp(interaction, inside(depth + 1))).map(([code]) => code)).toEqual([
        'callback.depth',
      ])
      expect(validateCallback(interaction, nested(depth)).ok).toBe(false)
    }
  })

  it('rejects a toJSON that does not return an object', () => {
    for (const nothing of [undefined, 'x', 5, []]) {
      expect(faults({ toJSON: () => nothing })).toEqual([['shape.object', '']])
    }
  })
})

describe('modals', () => {
  it('checks the limits of custom_id, title and components', () => {
    expect(
      faults(
        modal({
          custom_id: 'x'.repeat(100),
          title: 'x'.repeat(45),
          components: several(5, () => row(input)),
        }),
      ),
    ).toEqual([])
    expect(faults(modal({ custom_id: '', title: 'x'.repeat(46), components: [] }))).toEqual([
      ['modal.custom_id', 'data.custom_id'],
      ['modal.title', 'data.title'],
      ['modal.components', 'data.components'],
    ])
    expect(faults(modal({ custom_id: 'x'.repeat(101), components: several(6, () => row(input)) }))).toEqual([
      ['modal.custom_id', 'data.custom_id'],
      ['modal.components', 'data.components'],
    ])
    expect(faults({ type: 9, data: {} })).toEqual([
      ['shape.required', 'data.custom_id'],
      ['shape.required', 'data.title'],
      ['shape.required', 'data.components'],
    ])
  })
})

describe('suggestions', () => {
  it('[2.11-05] have at most 25 choices and follow the rules of choices', () => {
    const choices = (count: number) => several(count, (i) => ({ name: `n${i}`, value: `v${i}` }))
    expect(faults(suggestions(choices(25)), suggesting)).toEqual([])
    expect(faults(suggestions(choices(26)), suggesting)).toEqual([['choices.count', 'data.choices']])
    expect(
      faults(
        suggestions([
          { name: '', value: 'x'.repeat(101) },
          { name: 'a', value: 1 },
        ]),
        suggesting,
      ),
    ).toEqual([
      ['choice.name', 'data.choices.0.name'],
      ['choice.value_length', 'data.choices.0.value'],
      ['choice.value_string', 'data.choices.1.value'],
    ])
    expect(faults(suggestions(undefined), suggesting)).toEqual([['shape.required', 'data.choices']])
  })

  it('[2.6-02] have values of the type of the focused option', () => {
    expect(faults(suggestions([{ name: 'a', value: 1 }]), numbers)).toEqual([])
    expect(faults(suggestions([{ name: 'a', value: '1' }]), numbers)).toEqual([
      ['choice.value_integer', 'data.choices.0.value'],
    ])
  })

  it('[2.10-02] [2.10-03] are shown in the language of the user', () => {
    const choices = [
      { name: 'Newest', name_localizations: { de: 'Neueste', 'es-ES': 'Lo nuevo' }, value: 'new' },
    ]
    const seen = (locale: 'de' | 'es-419' | 'fr') => {
      const to = typing(search, { focused: 'query', locale })
      return shownBy(to, accepted(validateCallback(to, suggestions(choices))))
    }
    expect(seen('de')).toEqual({ kind: 'choices', choices: [{ name: 'Neueste', value: 'new' }] })
    expect(seen('es-419')).toMatchObject({ choices: [{ name: 'Lo nuevo' }] })
    expect(seen('fr')).toMatchObject({ choices: [{ name: 'Newest' }] })
  })
})

describe('shownBy', () => {
  it.each([
    [
      { type: 4, data: { content: 'x', flags: 64 } },
      { kind: 'message', content: 'x', ephemeral: true },
    ],
    [
      { type: 4, data: { embeds: [{}] } },
      { kind: 'message', content: '', ephemeral: false },
    ],
    [
      { type: 5, data: { flags: 64 } },
      { kind: 'thinking', ephemeral: true },
    ],
    [{ type: 5 }, { kind: 'thinking', ephemeral: false }],
    [modal({ title: 'Tell' }), { kind: 'modal', title: 'Tell' }],
    [{ type: 12 }, { kind: 'activity' }],
    [{ type: 10 }, { kind: 'premium_required' }],
  ])('renders %j', (callback, seen) => {
    expect(shownBy(interaction, accepted(validateCallback(interaction, callback)))).toMatchObject(seen)
  })
})

describe('components', () => {
  const found = (components: unknown) =>
    faults({ type: 4, data: { content: 'x', components } }).map(([code, path]) => [
      code,
      String(path).replace(/^data\.components\.?/, ''),
    ])
  const { type: _type, ...untyped } = button
  const { custom_id: _id, ...anonymous } = button

  it.each<[string, unknown[], [string, string][]]>([
    ['a row with five buttons', [row(button, button, button, button, button)], []],
    ['a component without a type', [{ components: [button] }], [['component.type', '0.type']]],
    ['a button without a type', [row(untyped)], [['component.type', '0.components.0.type']]],
    ['a type that is a text', [row({ ...button, type: '2' })], [['component.type', '0.components.0.type']]],
    ['an empty row', [row()], [['component.row', '0.components']]],
    ['a row without a list', [{ type: 1 }], [['shape.required', '0.components']]],
    [
      'a row of six',
      [row(button, button, button, button, button, button)],
      [['component.row', '0.components']],
    ],
    [
      'a button without a custom_id',
      [row(button, anonymous)],
      [['component.custom_id_required', '0.components.1.custom_id']],
    ],
    [
      'link and premium buttons without a custom_id',
      [row({ ...anonymous, style: 5 }, { ...anonymous, style: 6 })],
      [],
    ],
    [
      'a menu without a custom_id',
      [row({ type: 3 })],
      [['component.custom_id_required', '0.components.0.custom_id']],
    ],
    [
      'a custom_id of 101',
      [row({ ...button, custom_id: 'x'.repeat(101) })],
      [['component.custom_id', '0.components.0.custom_id']],
    ],
    ['a custom_id of 100', [row({ ...button, custom_id: 'x'.repeat(100) })], []],
    [
      'an empty custom_id',
      [row({ ...button, custom_id: '' })],
      [['component.custom_id', '0.components.0.custom_id']],
    ],
    [
      'a number as custom_id',
      [row({ ...button, custom_id: 7 })],
      [['shape.string', '0.components.0.custom_id']],
    ],
    ['text and separators', [{ type: 10, content: 'x' }, { type: 14 }], []],
    [
      'a button in a container in a section',
      [{ type: 17, components: [{ type: 9, components: [{ type: 10 }], accessory: anonymous }] }],
      [['component.custom_id_required', '0.components.0.accessory.custom_id']],
    ],
    ['an unknown type', [{ type: 99, components: [{ type: 98 }] }], []],
    [
      'values that are not objects',
      [5, null],
      [
        ['shape.object', '0'],
        ['shape.object', '1'],
      ],
    ],
  ])('[2.11-09] reads %s', (_, components, expected) => {
    expect(found(components)).toEqual(expected)
  })

  it('[2.11-09] reads the labels and rows of a modal', () => {
    const { custom_id: _none, ...field } = input
    expect(faults(modal({ components: [{ type: 18, label: 'Why', component: input }] }))).toEqual([])
    expect(faults(modal({ components: [{ type: 18, label: 'Why', component: field }, row()] }))).toEqual([
      ['component.custom_id_required', 'data.components.0.component.custom_id'],
      ['component.row', 'data.components.1.components'],
    ])
  })

  it('[2.11-09] checks components of follow-ups', () => {
    expect(refusals(validateFollowUp(interaction, { components: [row()] })).map(([code]) => code)).toEqual([
      'component.row',
    ])
  })
})
