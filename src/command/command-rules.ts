/** The rules about one command, and about the body of an edit (clauses 2.1-02, 2.1-11, 2.2-01). */
import { NO_PARAMS, rule } from '../core/rule.ts'
import { describeValue } from '../core/text.ts'
import { typeIn } from './number-kinds.ts'
import { CommandType } from './types.ts'

export const commandType = rule({
  code: 'command.type',
  clause: '2.2-01',
  summary: 'The type of a command is one of 1 to 4.',
  ...typeIn(CommandType),
})

export const optionsForbidden = rule({
  code: 'command.options',
  clause: '2.1-11',
  summary: 'Only slash commands have options.',
  check: (type: CommandType) => (type === CommandType.CHAT_INPUT ? undefined : NO_PARAMS),
  message: () => 'is for slash commands only: user, message and entry point commands have no options',
  wire: {
    code: 'APPLICATION_COMMAND_CONTEXT_MENU_OPTIONS_INVALID',
    message: 'Context menu commands cannot have options',
  },
})

export const commandRules = [commandType, optionsForbidden] as const

// Marked, because bundlers keep unmarked calls of a file from which they take anything.
export const patchType = /* @__PURE__ */ rule({
  code: 'patch.type',
  clause: '2.1-02',
  summary: 'The type of a command cannot change.',
  check: (type: unknown, current: number) =>
    type === undefined || type === null || type === current
      ? undefined
      : { actual: describeValue(type), current },
  message: ({ actual, current }) =>
    `is ${actual}, but the command is of type ${current} and types cannot change; delete it and create another`,
  wire: { code: 'APPLICATION_COMMAND_TYPE_IMMUTABLE', message: 'Application command types are immutable' },
})

export const patchRules = [patchType] as const
