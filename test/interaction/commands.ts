/** Commands for the tests of interactions. */
import { type CommandBody, defineCommand, OptionType } from 'commandry'
import { slash } from '../support/found.ts'

const { BOOLEAN, SUB_COMMAND, SUB_COMMAND_GROUP, USER } = OptionType

export function withOptions(...options: object[]): CommandBody {
  return slash({ options: options.map((one) => ({ name: 'o', description: 'b', ...one })) }) as never
}

export const permissions = defineCommand({
  name: 'permissions',
  description: 'b',
  options: [
    {
      type: SUB_COMMAND_GROUP,
      name: 'user',
      description: 'b',
      options: [
        {
          type: SUB_COMMAND,
          name: 'get',
          description: 'b',
          options: [{ type: USER, name: 'user', description: 'b', required: true }],
        },
        { type: SUB_COMMAND, name: 'clear', description: 'b' },
      ],
    },
    {
      type: SUB_COMMAND,
      name: 'reset',
      description: 'b',
      options: [{ type: BOOLEAN, name: 'hard', description: 'b' }],
    },
  ],
})
