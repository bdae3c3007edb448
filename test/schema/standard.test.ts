import fc from 'fast-check'
import { createRequire } from 'node:module'
import { describe, expect, expectTypeOf, it } from 'vitest'
import {
  commandSchema,
  commandsSchema,
  permissionsSchema,
  validateCommand,
  type CommandDefinition,
} from 'commandry'
import { command, commandSet, permissions } from 'commandry/arbitraries'

// A validator of JSON Schema that several packages here bring along.
const require = createRequire(import.meta.url)
const Ajv2020 = require('ajv/dist/2020') as typeof import('ajv/dist/2020').default
const Ajv = require('ajv') as typeof import('ajv').default

describe('Standard Schema', () => {
  it('gives the value, or every issue with its path', () => {
    const { validate, version, vendor } = commandSchema['~standard']
    expect([version, vendor]).toEqual([1, 'commandry'])
    expect(validate({ name: 'ping', description: 'Says pong' })).toMatchObject({
      value: { name: 'ping', type: 1 },
    })
    expect(validate({ name: 'Ping' })).toMatchObject({
      issues: [{ path: ['description'] }, { path: ['name'], message: 'has upper case; write "ping"' }],
    })
  })

  it('agrees with the validators', () => {
    fc.assert(
      fc.property(fc.oneof(command(), fc.jsonValue()), (body) => {
        const result = commandSchema['~standard'].validate(body)
        const found = validateCommand(body)
        if (found.ok) expect(result).toEqual({ value: found.value })
        else expect(result).toEqual({ issues: found.issues })
      }),
    )
  })

  it('infers what comes out', () => {
    type Output = NonNullable<(typeof commandSchema)['~standard']['types']>['output']
    expectTypeOf<Output>().toEqualTypeOf<CommandDefinition>()
  })
})

describe('JSON Schema', () => {
  const cases = [
    ['command', commandSchema, command()],
    ['commands', commandsSchema, commandSet()],
    ['permissions', permissionsSchema, permissions().map((list) => ({ permissions: list }))],
  ] as const

  it.each(cases)('of a %s takes every valid body, in both editions', (_, schema, valid) => {
    const { input } = schema['~standard'].jsonSchema
    const editions = [
      new Ajv2020({ strict: false, validateFormats: false }).compile(input({ target: 'draft-2020-12' })),
      new Ajv({ strict: false, validateFormats: false }).compile(input({ target: 'draft-07' })),
    ]
    fc.assert(
      fc.property(valid as fc.Arbitrary<unknown>, (body) => {
        for (const check of editions) {
          expect(check(JSON.parse(JSON.stringify(body))), JSON.stringify(check.errors)).toBe(true)
        }
      }),
      { numRuns: 60 },
    )
  })

  it('refuses what is wrong in form', () => {
    const check = new Ajv2020({ strict: false }).compile(
      commandSchema['~standard'].jsonSchema.input({ target: 'draft-2020-12' }),
    )
    expect(check({ name: 'a', description: 'b' })).toBe(true)
    for (const body of [
      {},
      { name: '' },
      { name: 'a', options: 5 },
      { name: 'a', name_localizations: { xx: 'b' } },
    ]) {
      expect(check(body)).toBe(false)
    }
  })

  it('says which editions there are', () => {
    expect(() => commandSchema['~standard'].jsonSchema.input({ target: 'openapi-3.0' })).toThrow(
      'target: expected draft-2020-12 or draft-07, got "openapi-3.0"',
    )
  })
})
