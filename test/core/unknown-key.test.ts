import { describe, expect, it, vi } from 'vitest'
import { UnknownKey } from '../../src/core/unknown-key.ts'

describe('UnknownKey', () => {
  it('looks for a suggestion when it is read', () => {
    const suggest = vi.fn(() => 'name')
    const unknown = new UnknownKey('nmae', suggest)
    expect(suggest).not.toHaveBeenCalled()
    expect(unknown.suggestion).toBe('name')
    expect(suggest).toHaveBeenCalledWith('nmae')
  })

  it('gives plain params', () => {
    expect(new UnknownKey('x', () => null).toJSON()).toStrictEqual({ key: 'x', suggestion: null })
  })
})
