import { describe, expect, it } from 'vitest'
import { several } from '../support/found.ts'
import { faults, input, modal, row } from './answers.ts'

describe('modals', () => {
  it('checks the limits of custom_id, title and components', () => {
    expect(
      faults(
        modal({
          custom_id: 'x'.repeat(100),
          title: 'x'.repeat(45),
          components: several(5, (i) => row({ ...input, custom_id: `i${i}` })),
        }),
      ),
    ).toEqual([])
    expect(faults(modal({ custom_id: '', title: '', components: [] }))).toEqual([
      ['modal.custom_id', 'data.custom_id'],
      ['modal.title', 'data.title'],
      ['modal.components', 'data.components'],
    ])
    expect(
      faults(
        modal({
          custom_id: 'x'.repeat(101),
          components: several(6, (i) => row({ ...input, custom_id: `i${i}` })),
        }),
      ),
    ).toEqual([
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
