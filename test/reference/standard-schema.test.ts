import { describe, expect, expectTypeOf, it } from 'vitest'
import { validateCommand } from 'commandry'
import { commandSchema, commandsSchema, permissionsSchema, type StandardSchema } from 'commandry/reference'
import type { CommandBody, CommandDefinition, CommandPermission, Issue } from 'commandry'
import { command } from 'commandry/arbitraries'
import { hello, ping } from '../support/fixtures.ts'
import { fc, forAny } from '../support/properties.ts'

describe('Standard Schema', () => {
  it('returns the value or every issue with its path', () => {
    const { validate, version, vendor } = commandSchema['~standard']
    expect([version, vendor]).toEqual([1, 'commandry'])
    expect(validate(ping)).toMatchObject({ value: { name: 'ping', type: 1 } })
    expect(validate({ name: 'Ping' })).toMatchObject({
      issues: [
        { path: ['description'], message: 'description: is missing' },
        { path: ['name'], message: 'name: "Ping" has upper case; write "ping"' },
      ],
    })
  })

  it('starts each message with its field', () => {
    const messages = (schema: typeof commandSchema | typeof commandsSchema, value: unknown) =>
      schema['~standard'].validate(value).issues?.map(({ message }) => message)
    const options = [{ type: 3, name: 'who', description: '' }]
    expect(messages(commandSchema, { ...ping, options })).toEqual([
      expect.stringMatching(/^option "who", description: /),
    ])
    expect(messages(commandSchema, 42)).toEqual([expect.stringMatching(/^body: /)])
    expect(messages(commandsSchema, [ping, { ...hello, options }])).toEqual([
      expect.stringMatching(/^command "hello", option "who", description: /),
    ])
    expect(permissionsSchema['~standard'].validate([{ id: '1', type: 9, permission: true }])).toMatchObject({
      issues: [{ message: expect.stringMatching(/^entry 1, type: /) as string }],
    })
  })

  it('agrees with the validators', () => {
    forAny([fc.oneof(command(), fc.jsonValue())], 100, (body) => {
      const result = commandSchema['~standard'].validate(body)
      const found = validateCommand(body)
      if (found.ok) expect(result).toEqual({ value: found.value })
      else {
        const others = ({ message, ...issue }: Issue) => issue
        expect(result.issues?.map(others)).toEqual(found.issues.map(others))
      }
    })
  })

  it('[1-05] refuses a list with a hole at the index of the hole', () => {
    const entry = { id: '1', type: 1, permission: true }
    const issues = (item: string) => [{ path: [1], message: `${item} 2: is null; expected an object` }]
    expect(commandsSchema['~standard'].validate([ping, , hello])).toMatchObject({ issues: issues('command') })
    expect(permissionsSchema['~standard'].validate([entry, , entry])).toMatchObject({
      issues: issues('entry'),
    })
  })

  it('infers the types of the input and the output', () => {
    type Types<Schema extends StandardSchema<any, any>> = NonNullable<Schema['~standard']['types']>
    expectTypeOf<Types<typeof commandSchema>['input']>().toEqualTypeOf<CommandBody>()
    expectTypeOf<Types<typeof commandSchema>['output']>().toEqualTypeOf<CommandDefinition>()
    expectTypeOf<Types<typeof commandsSchema>['input']>().toEqualTypeOf<readonly CommandBody[]>()
    type Permissions = Types<typeof permissionsSchema>['input']
    expectTypeOf<{ permissions: CommandPermission[] }>().toExtend<Permissions>()
    expectTypeOf<CommandPermission[]>().toExtend<Permissions>()
  })
})

it('JSON Schema names the supported drafts', () => {
  expect(() => commandSchema['~standard'].jsonSchema.input({ target: 'openapi-3.0' })).toThrow(
    'target: expected draft-2020-12 or draft-07, got "openapi-3.0"',
  )
})

it('freezes the schemas', () => {
  for (const schema of [commandSchema, commandsSchema, permissionsSchema]) {
    const standard = schema['~standard']
    expect([schema, standard, standard.jsonSchema].filter((one) => !Object.isFrozen(one))).toEqual([])
  }
})
