import fc from 'fast-check'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { validateCommand } from 'commandry'
import { commandSchema, commandsSchema, permissionsSchema } from 'commandry/reference'
import type { CommandDefinition } from 'commandry'
import { command } from 'commandry/arbitraries'
import { hello, ping } from '../support/fixtures.ts'
import { forAny } from '../support/properties.ts'

describe('Standard Schema', () => {
  it('returns the value or every issue with its path', () => {
    const { validate, version, vendor } = commandSchema['~standard']
    expect([version, vendor]).toEqual([1, 'commandry'])
    expect(validate(ping)).toMatchObject({ value: { name: 'ping', type: 1 } })
    expect(validate({ name: 'Ping' })).toMatchObject({
      issues: [{ path: ['description'] }, { path: ['name'], message: 'has upper case; write "ping"' }],
    })
  })

  it('agrees with the validators', () => {
    forAny([fc.oneof(command(), fc.jsonValue())], 100, (body) => {
      const result = commandSchema['~standard'].validate(body)
      const found = validateCommand(body)
      if (found.ok) expect(result).toEqual({ value: found.value })
      else expect(result).toEqual({ issues: found.issues })
    })
  })

  it('[1-05] refuses a list with a hole at the index of the hole', () => {
    const entry = { id: '1', type: 1, permission: true }
    const issues = [{ path: [1], message: 'is null; expected an object' }]
    expect(commandsSchema['~standard'].validate([ping, , hello])).toMatchObject({ issues })
    expect(permissionsSchema['~standard'].validate([entry, , entry])).toMatchObject({ issues })
  })

  it('infers the output type', () => {
    type Output = NonNullable<(typeof commandSchema)['~standard']['types']>['output']
    expectTypeOf<Output>().toEqualTypeOf<CommandDefinition>()
  })
})

it('JSON Schema names the supported drafts', () => {
  expect(() => commandSchema['~standard'].jsonSchema.input({ target: 'openapi-3.0' })).toThrow(
    'target: expected draft-2020-12 or draft-07, got "openapi-3.0"',
  )
})
