/** The JSON Schema of files with definitions, for editors. */
import { standalone } from '../reference/json-schema.ts'

/** The schema in `docs/commands.schema.json`: one command, a list of them, or `{ "$schema", "commands" }`. */
export function definitionsSchema(): object {
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
