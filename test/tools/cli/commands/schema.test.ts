import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { updating } from '../../../support/examples.ts'
import { standalone } from '../../../../src/reference/json-schema.ts'

/** The schema in `docs/commands.schema.json`: one command, a list of them, or `{ "$schema", "commands" }`. */
function definitionsSchema(): object {
  const { definitions, ...commands } = standalone('CommandItems', 'definitions')
  const { items, ...list } = commands
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Application commands',
    anyOf: [
      { $ref: '#/definitions/Command' },
      { $ref: '#/definitions/Commands' },
      {
        type: 'object',
        required: ['commands'],
        properties: { $schema: { type: 'string' }, commands: { $ref: '#/definitions/Commands' } },
        additionalProperties: false,
      },
    ],
    definitions: {
      Command: items,
      Commands: { ...list, items: { $ref: '#/definitions/Command' } },
      ...(definitions as object),
    },
  }
}

it('docs/commands.schema.json is the schema of the definitions that check accepts', () => {
  const file = new URL('../../../../docs/commands.schema.json', import.meta.url)
  if (updating) writeFileSync(file, `${JSON.stringify(definitionsSchema(), null, 2)}\n`)
  const text = readFileSync(file, 'utf8')
  expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(definitionsSchema())))
})

it('docs/commands.schema.json accepts a command, a list, and a list below "commands"', () => {
  const { anyOf, definitions } = definitionsSchema() as {
    anyOf: object[]
    definitions: Record<string, object>
  }
  expect(anyOf).toEqual([
    { $ref: '#/definitions/Command' },
    { $ref: '#/definitions/Commands' },
    expect.objectContaining({ required: ['commands'] }),
  ])
  const refs = JSON.stringify(definitionsSchema()).match(/#\/definitions\/\w+/g)!
  for (const ref of refs) expect(definitions).toHaveProperty(ref.slice('#/definitions/'.length))
})
