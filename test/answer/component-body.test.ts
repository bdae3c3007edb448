import { describe, expect, it } from 'vitest'
import { validateFollowUp } from '../../src/answer/callback.ts'
import { refusals } from '../support/found.ts'
import { button, faults, input, interaction, modal, row } from './answers.ts'

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
