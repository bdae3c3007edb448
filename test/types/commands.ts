/** Definitions with every kind of input, for tests of types and of what they compile to. */
import { defineCommand } from 'commandry'

export const roll = defineCommand({
  name: 'roll',
  name_localizations: { de: 'wurf' },
  description: 'Rolls dice',
  options: [
    { type: 4, name: 'sides', description: 'Sides', required: true },
    { type: 3, name: 'mode', description: 'Mode', choices: [{ name: 'Fair', value: 'fair' }] },
    { type: 3, name: 'table', description: 'Where', autocomplete: true },
    { type: 7, name: 'where', description: 'Where', channel_types: [0, 5] },
  ],
})
export const ping = defineCommand({ name: 'ping', description: 'Says pong' })
export const report = defineCommand({ type: 2, name: 'Report' })
export const config = defineCommand({
  name: 'config',
  description: 'Settings',
  options: [
    { type: 1, name: 'show', description: 'Shows them' },
    {
      type: 2,
      name: 'role',
      description: 'Roles',
      options: [
        {
          type: 1,
          name: 'add',
          description: 'Adds one',
          options: [{ type: 8, name: 'role', description: 'Which', required: true }],
        },
      ],
    },
  ],
})
