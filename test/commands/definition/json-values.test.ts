import { describe, expect, it } from 'vitest'
import { validateCommand, validateCommands, validatePatch } from 'commandry'
import { accepted, refused } from '../../support/found.ts'

const valid = { name: 'a', description: 'b' }

describe('[1-06] fields are own properties, as JSON.stringify reads them', () => {
  class Getters {
    get name() {
      return 'a'
    }
    get description() {
      return 'b'
    }
  }

  it.each<readonly [string, object]>([
    ['getters of a class', new Getters()],
    ['a prototype', Object.create(valid)],
    ['hidden properties', Object.defineProperties({}, { name: { value: 'a' }, description: { value: 'b' } })],
  ])('so %s are missing', (_, body) => {
    expect(JSON.stringify(body)).toBe('{}')
    expect(refused(validateCommand(body))).toEqual([
      'shape.required name 2.1-22',
      'shape.required description 2.1-22',
    ])
  })

  it('so an inherited type, option, choice or translation is absent', () => {
    const body = Object.assign(
      Object.create({ type: 2, options: [7], default_member_permissions: 'x' }),
      valid,
    )
    const option = { type: 3, name: 'o', description: 'b' }
    const choice = Object.assign(Object.create({ name_localizations: { de: 7 } }), { name: 'c', value: 'v' })
    const choices = [choice]
    const dictionary = Object.create({ de: 7, xx: 'y', 'en-US': 'b' })
    const whole = { ...valid, description_localizations: dictionary, options: [{ ...option, choices }] }
    expect(accepted(validateCommand(body))).toMatchObject({ type: 1, default_member_permissions: null })
    expect(accepted(validateCommand(whole)).options?.[0]).toMatchObject({ choices: [{ name: 'c' }] })
    const inherited = Object.create(option)
    expect(refused(validateCommand({ ...valid, options: [inherited] }))).toHaveLength(3)
  })

  it('so an inherited field of an edit keeps what is stored', () => {
    const current = { ...accepted(validateCommand(valid)), id: '1', application_id: '2', version: '3' }
    const patch = Object.assign(Object.create({ type: 2, name: 'X' }), { nsfw: true })
    expect(accepted(validatePatch(patch, current as never))).toMatchObject({ type: 1, name: 'a', nsfw: true })
  })

  it('but getters of its own are read', () => {
    const body = {
      description: 'b',
      get name() {
        return 'a'
      },
    }
    expect(accepted(validateCommand(body)).name).toBe('a')
  })
})

describe('[1-06] a function that has toJSON is read as what it returns', () => {
  const converting = <T>(value: T) => Object.assign(() => {}, { toJSON: () => value })

  it('at every depth', () => {
    const option = converting({ type: 3, name: converting('o'), description: 'b' })
    const body = converting({ ...valid, name: converting('x'), options: converting([option]) })
    const translations = converting({ de: converting('y') })
    const whole = converting({ ...valid, description_localizations: translations, options: [option] })
    expect(accepted(validateCommand(body))).toMatchObject({ name: 'x', options: [{ name: 'o' }] })
    expect(accepted(validateCommand(whole))).toMatchObject({ description_localizations: { de: 'y' } })
    expect(accepted(validateCommands(converting([body])))).toHaveLength(1)
  })

  it('and one that has none is reported', () => {
    expect(refused(validateCommand({ ...valid, name: () => 'a' }))).toEqual(['shape.string name 2.1-24'])
  })
})
