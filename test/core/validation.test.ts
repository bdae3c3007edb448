import { describe, expect, it } from 'vitest'
import { type Issue, validateCommand } from 'commandry'

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

  it('keeps the order of its issues when the keys of the body are reordered afterwards', () => {
    const body: Record<string, unknown> = { ...invalid, nsfw: 5, color: 'unknown' }
    const { name } = body
    const found = validateCommand(body)
    delete body.name
    delete body.hint
    Object.assign(body, { name, hint: 'unknown' })
    const paths = (issues: readonly Issue[]) => issues.map(({ path }) => path.join('.'))
    if (found.ok) throw new Error('expected issues')
    expect(paths(found.issues)).toEqual(['name', 'description', 'nsfw'])
    expect(paths(found.warnings)).toEqual(['hint', 'color'])
    const again = validateCommand(body)
    expect(paths(again.ok ? [] : again.issues)).toEqual(['description', 'nsfw', 'name'])
    expect(paths(again.warnings)).toEqual(['color', 'hint'])
  })
})
