import { describe, expect, it } from 'vitest'
import { validateFollowUp } from 'commandry/interactions'
import { validateMessage } from '../../../src/interactions/answer/callback.ts'
import { several } from '../../support/bodies.ts'
import { refusals } from '../../support/found.ts'
import { button, faults, faultsIn, input, interaction, modal, row } from './answers.ts'

const V2 = 1 << 15
const buttons = (count: number) => several(count, (i) => ({ ...button, custom_id: `b${i}` }))
const options = (count: number) => several(count, (i) => ({ label: `l${i}`, value: `v${i}` }))
// Tags of the flag of a region, two characters each.
const tags = (count: number) => '\u{e0067}'.repeat(count)
const emojiButton = (name: string) => ({ ...button, emoji: { name } })
const x = (count: number) => 'x'.repeat(count)
const menu = { type: 3, custom_id: 'm', options: options(1) }
const preset = (type: string, id = '1') => ({ id, type })
const users = { type: 5, custom_id: 'u', default_values: [preset('user')] }
const roles = { type: 6, custom_id: 'r', default_values: [preset('role')] }
const mentionables = {
  ...{ type: 7, custom_id: 'b', max_values: 2 },
  default_values: [preset('user'), preset('role', '2')],
}
const channels = { type: 8, custom_id: 'c', default_values: [preset('channel')] }
const twice = [...options(1), ...options(1)]
const text = { type: 10, content: 'x' }
const media = { media: { url: 'attachment://a.png' } }
const section = { type: 9, components: [text], accessory: { type: 11, ...media } }
const { type: _type, ...untyped } = button
const { custom_id: _id, ...anonymous } = button
const link = { ...anonymous, style: 5, url: 'https://a.example' }

type Case = [name: string, components: unknown[], faults: string]

const found = (components: unknown, flags = 0) =>
  faultsIn(['components'], { type: 4, data: { content: flags === 0 ? 'x' : null, flags, components } })

/** A component in a row, and its faults of one rule. */
const one = (name: string, component: object, fault: string): Case => [
  name,
  [row(component)],
  fault.replaceAll(' ', ' 0.components.0.'),
]
const fine = (name: string, ...components: object[]): Case => [name, components, '']

describe('components', () => {
  it.each<Case>([
    fine('five rows', ...several(5, (i) => row({ ...button, custom_id: `b${i}` }))),
    fine('a row with five buttons', row(...buttons(5))),
    ['an empty row', [row()], 'component.row 0.components'],
    ['a row without a list', [{ type: 1 }], 'shape.required 0.components'],
    ['a component without a type', [{ components: [button] }], 'component.type 0.type'],
    ['type 99', [{ type: 99 }], 'component.type 0.type'],
    one('a button without a type', untyped, 'component.type type'),
    one('a type that is a text', { ...button, type: '2' }, 'component.type type'),
    ['a button at top level', [button], 'component.place 0.type'],
    one('a row in a row', row(button), 'component.place type'),
    one('a text input in a message', input, 'component.place type'),
    ['a menu beside a button', [row(menu, button)], 'component.width 0.components.1'],
    ['two custom_ids alike', [row(button), row(button)], 'components.unique 1.components.0.custom_id'],
    one('a button without a style', { ...button, style: undefined }, 'shape.required style'),
    one('style 9', { ...button, style: 9 }, 'button.style style'),
    fine('an emoji in place of a label', row({ ...button, label: undefined, emoji: { name: '🔥' } })),
    fine('an emoji of 64 characters', row(emojiButton(`\u{1f3f4}${tags(31)}`))),
    one('an emoji of 65 characters', emojiButton(`\u263a${tags(32)}`), 'component.emoji emoji.name'),
    one('neither', { ...button, label: undefined }, 'button.required label'),
    fine('a link', row(link)),
    one('a link without a url', { ...link, url: undefined }, 'button.required url'),
    one('a link with a custom_id', { ...link, custom_id: 'x' }, 'button.fields custom_id'),
    one('a link with a sku_id', { ...link, sku_id: '77' }, 'button.fields sku_id'),
    one('a url and a sku_id', { ...button, url: link.url, sku_id: '77' }, 'button.fields url sku_id'),
    one(
      'a premium button with everything',
      { ...button, ...link, emoji: { name: '🔥' }, style: 6, sku_id: '77', custom_id: 'x' },
      'button.fields label custom_id url emoji',
    ),
    one('a link to nowhere', { ...link, url: 'nope' }, 'message.url url'),
    fine('a premium button', row({ type: 2, style: 6, sku_id: '77' })),
    one('a premium button without a sku_id', { type: 2, style: 6 }, 'button.required sku_id'),
    one('a button without a custom_id', anonymous, 'component.custom_id_required custom_id'),
    one('an empty custom_id', { ...button, custom_id: '' }, 'component.custom_id custom_id'),
    one('a list as custom_id', { ...button, custom_id: [7] }, 'shape.string custom_id'),
    fine('a menu of 25 options', row({ ...menu, options: options(25), min_values: 0, max_values: 25 })),
    fine('menus without options', ...[5, 6, 7, 8].map((type) => row({ type, custom_id: `m${type}` }))),
    one('a string menu without options', { ...menu, options: undefined }, 'shape.required options'),
    one('a menu without a custom_id', { ...menu, custom_id: null }, 'component.custom_id_required custom_id'),
    one('two values alike', { ...menu, options: twice }, 'menu_options.unique options.1.value'),
    one(
      'options that are not objects',
      { ...menu, options: [null, 'a', 'a'] },
      'message.part options.0 options.1 options.2',
    ),
    one('min above max', { ...menu, min_values: 3, max_values: 2 }, 'component.bounds min_values'),
    one(
      'min above the number of options',
      { ...menu, options: options(3), min_values: 4, max_values: 5 },
      'component.bounds min_values',
    ),
    fine(
      'a menu of which all must be chosen',
      row({ ...menu, options: options(3), min_values: 3, max_values: 3 }),
    ),
    one(
      'min above max_values, which is 1 unless given',
      { ...menu, min_values: 2 },
      'component.bounds min_values',
    ),
    fine('default values of each kind', ...[users, roles, mentionables, channels].map((one) => row(one))),
    one(
      'a default value of another kind',
      { ...users, default_values: [{ id: '1', type: 'role' }] },
      'menu.default_kind default_values.0.type',
    ),
    one(
      'default values without an id and a type',
      { ...users, default_values: [{}] },
      'shape.required default_values.0.id default_values.0.type',
    ),
    one(
      'two default values, while max_values is 1',
      { ...users, default_values: [preset('user', '1'), preset('user', '2')] },
      'menu.default_count default_values',
    ),
    one(
      'fewer default values than min_values',
      { ...mentionables, min_values: 3, max_values: 5 },
      'menu.default_count default_values',
    ),
    fine('no default values', row({ ...users, min_values: 3, max_values: 5, default_values: [] })),
    fine('a disabled menu', row({ ...menu, disabled: true })),
    ['values that are not objects', [5, null], 'message.part 0 1'],
    ['other components without the flag', [text, section], 'component.flag 0.type 1.type'],
  ])('[2.11-12] reads %s', (_, components, expected) => {
    expect(found(components)).toBe(expected)
  })

  it.each<Case>([
    fine('every type', row(button), section, text, { type: 12, items: [media] }, { type: 14, spacing: 2 }),
    fine('a file in a container', {
      type: 17,
      accent_color: 0xff_ff_ff,
      components: [{ type: 13, file: { url: 'attachment://a.pdf' } }, row(menu)],
    }),
    fine('40 components', ...several(40, () => text)),
    [
      '41 components, nested ones included',
      [{ type: 17, components: several(10, () => ({ ...section, components: [text, text] })) }],
      'components.total',
    ],
    fine('4000 characters', ...several(2, () => ({ ...text, content: x(2000) }))),
    ['an empty text', [{ ...text, content: ' ' }], 'text_display.content 0.content'],
    [
      'a section of four texts without an accessory',
      [{ type: 9, components: several(4, () => text) }],
      'shape.required 0.accessory; component.section 0.components',
    ],
    [
      'a button without a custom_id in a section',
      [{ ...section, accessory: anonymous }],
      'component.custom_id_required 0.accessory.custom_id',
    ],
    ['a nested container', [{ type: 17, components: [{ type: 17 }] }], 'component.place 0.components.0.type'],
    [
      'parts without their required fields',
      [
        ...[{ type: 9, accessory: { type: 11 } }, { type: 10 }, { type: 12 }, { type: 12, items: [{}] }],
        ...[{ type: 13 }, { type: 13, file: {} }, { type: 17 }],
      ],
      'shape.required 0.components 0.accessory.media 1.content 2.items 3.items.0.media 4.file 5.file.url 6.components',
    ],
    ['a file from the web', [{ type: 13, file: { url: 'https://a.example/b' } }], 'message.url 0.file.url'],
    [
      'a custom_id that a container has too',
      [row(button), { type: 17, components: [row(button)] }],
      'components.unique 1.components.0.components.0.custom_id',
    ],
  ])('[2.11-12] reads with IS_COMPONENTS_V2 %s', (_, components, expected) => {
    expect(found(components, V2)).toBe(expected)
  })

  it('[2.11-12] checks components of follow-ups and of messages without an interaction', () => {
    const body = { components: [row()] }
    for (const read of [validateFollowUp(interaction, body), validateMessage(body)])
      expect(refusals(read).map(([code]) => code)).toEqual(['component.row'])
  })
})

describe('components of a modal', () => {
  const label = (component: object, fields: object = {}) => ({ type: 18, label: 'Why', component, ...fields })
  const { label: _label, ...unlabelled } = input
  const { custom_id: _none, ...unnamed } = input
  const radio = { type: 21, custom_id: 'r', options: options(2) }
  const group = { type: 22, custom_id: 'c', options: options(1) }
  const upload = { type: 19, custom_id: 'u' }

  it.each<Case>([
    fine('a text and a label', text, label(unlabelled)),
    fine('every input', ...[5, 8, 19, 23].map((type) => label({ type, custom_id: `i${type}` }))),
    fine('choices', label(radio), label(group)),
    fine('an input with its bounds', row({ ...input, min_length: 0, max_length: 4000, placeholder: x(100) })),
    ['two ids alike', [row(input), label(unlabelled)], 'components.unique 1.component.custom_id'],
    ['a button', [row(button)], 'component.place 0.components.0.type'],
    ['an input at top level', [input], 'component.place 0.type'],
    one('an input without a style', { ...input, style: undefined }, 'shape.required style'),
    one('an input without a label', unlabelled, 'shape.required label'),
    one('an input without a custom_id', unnamed, 'component.custom_id_required custom_id'),
    one('min above max', { ...input, min_length: 3, max_length: 2 }, 'component.bounds min_length'),
    ['two inputs in a row', [row(input, { ...input, custom_id: 'j' })], 'component.width 0.components.1'],
    [
      'an upload and a checkbox group with min_values above what they allow unless max_values is given',
      [label({ ...upload, min_values: 2 }), label({ ...group, min_values: 2 })],
      'component.bounds 0.component.min_values 1.component.min_values',
    ],
    [
      'disabled inputs',
      [label({ ...menu, disabled: true }), row({ ...input, disabled: true })],
      'component.disabled 0.component.disabled 1.components.0.disabled',
    ],
    fine(
      'inputs that are not disabled',
      label({ ...menu, disabled: false }),
      row({ ...input, disabled: false }),
    ),
    fine('a checkbox group with its bounds', label({ ...group, min_values: 1, max_values: 10 })),
    [
      'bounds of a checkbox group beyond 10',
      [label({ ...group, min_values: 11, max_values: 11 })],
      'checkbox_group.min_values 0.component.min_values; checkbox_group.max_values 0.component.max_values',
    ],
    [
      'a checkbox group with min above max',
      [label({ ...group, options: options(3), min_values: 3, max_values: 2 })],
      'component.bounds 0.component.min_values',
    ],
    [
      'a checkbox group, an upload and a menu that are required, with 0 as min_values',
      [group, { ...upload, required: true }, menu].map((one) => label({ ...one, min_values: 0 })),
      'component.required_min 0.component.min_values 1.component.min_values 2.component.min_values',
    ],
    fine(
      'the same that are not required',
      ...[group, upload, menu].map((one) => label({ ...one, min_values: 0, required: false })),
    ),
    [
      'defaults that are not booleans',
      [label({ type: 23, custom_id: 'b', default: 'yes' }), label({ ...radio, required: 'no' })],
      'shape.boolean 0.component.default 1.component.required',
    ],
    [
      'a radio group of one option in a label of 46',
      [label({ ...radio, options: options(1) }, { label: x(46) })],
      'input.label 0.label; radio_group.options 0.component.options',
    ],
    ['a label without an input', [label(undefined as never)], 'shape.required 0.component'],
  ])('[2.11-12] reads %s', (_, components, expected) => {
    expect(faultsIn(['components'], modal({ components }))).toBe(expected)
  })
})

it('checks the limits of custom_id, title and components of a modal', () => {
  const rows = (count: number) => several(count, (i) => row({ ...input, custom_id: `i${i}` }))
  expect(faults(modal({ custom_id: x(100), title: x(45), components: rows(5) }))).toBe('')
  expect(faults(modal({ custom_id: '', title: '', components: [] }))).toBe(
    'modal.custom_id data.custom_id; modal.title data.title; modal.components data.components',
  )
  expect(faults(modal({ custom_id: x(101), components: rows(6) }))).toBe(
    'modal.custom_id data.custom_id; modal.components data.components',
  )
  expect(faults({ type: 9, data: {} })).toBe('shape.required data.custom_id data.title data.components')
})
