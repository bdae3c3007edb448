/** Commands for the tests of interactions. */
import { type CommandBody, defineCommand, OptionType } from 'commandry'
import { slash } from '../../support/bodies.ts'

const { BOOLEAN, SUB_COMMAND, SUB_COMMAND_GROUP, USER } = OptionType

export function withOptions(...options: object[]): CommandBody {
  return slash({ options: options.map((one) => ({ name: 'o', description: 'b', ...one })) }) as never
}

const user = { type: USER, name: 'user', description: 'b', required: true } as const
const get = { type: SUB_COMMAND, name: 'get', description: 'b', options: [user] } as const
const clear = { type: SUB_COMMAND, name: 'clear', description: 'b' } as const
const hard = { type: BOOLEAN, name: 'hard', description: 'b' } as const

export const permissions = defineCommand({
  name: 'permissions',
  description: 'b',
  options: [
    { type: SUB_COMMAND_GROUP, name: 'user', description: 'b', options: [get, clear] },
    { type: SUB_COMMAND, name: 'reset', description: 'b', options: [hard] },
  ],
})
