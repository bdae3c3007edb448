import { describe, expect, it } from 'vitest'
import { validateCommand } from 'commandry'

const invalid = { name: 'Ping', description: '', hint: 'unknown' }

describe('an invalid result', () => {
  it('is compared, copied and written as JSON like a plain object', () => {
    const found = validateCommand(invalid)
    const plain = { ...found }
    expect(Object.keys(plain)).toEqual(['ok', 'issues', 'warnings'])
    expect(found).toStrictEqual(plain)
    expect(structuredClone(found)).toStrictEqual(plain)
    expect(JSON.parse(JSON.stringify(found))).toEqual(plain)
  })

  it('differs from the result of another body', () => {
    expect(validateCommand(invalid)).not.toEqual(validateCommand({ ...invalid, name: 'Pong' }))
  })

  it('makes its issues and warnings once', () => {
    const found = validateCommand(invalid)
    if (found.ok) throw new Error('expected issues')
    expect(found.issues).toBe(found.issues)
    expect(found.warnings).toBe(found.warnings)
  })
})
