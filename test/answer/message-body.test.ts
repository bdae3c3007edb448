import { describe, expect, it } from 'vitest'
import { validateCallback } from '../../src/answer/callback.ts'
import type { AnyInteraction } from '../../src/interaction/payload.ts'
import { several, warnings } from '../support/found.ts'
import { button, faults, interaction, outside, row } from './answers.ts'

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
})
