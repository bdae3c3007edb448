/** The rules about one command, its descriptions, and the body of an edit (clauses 2.1-02, 2.1-09 to 2.1-11, 2.2-01). */
import { removeValue, textRule, typeIn } from '../../../core/rules/rule-kinds.ts'
import { NO_PARAMS, rule } from '../../../core/rules/rule.ts'
import { describeValue } from '../../../core/text.ts'
import { CommandType } from '../../../model/command-types.ts'

export const DESCRIPTION_MIN = 1
export const DESCRIPTION_MAX = 100

export const commandRules = {
  commandType: rule({
    code: 'command.type',
    clause: '2.2-01',
    summary: 'The type of a command is one of 1 to 4.',
    ...typeIn(CommandType),
  }),
  optionsForbidden: rule({
    code: 'command.options',
    clause: '2.1-11',
    summary: 'Only slash commands have options.',
    check: (type: CommandType) => (type === CommandType.CHAT_INPUT ? undefined : NO_PARAMS),
    message: () => 'is for slash commands only: user, message and entry point commands have no options',
    wire: {
      code: 'APPLICATION_COMMAND_CONTEXT_MENU_OPTIONS_INVALID',
      message: 'Context menu commands cannot have options',
    },
  }),
} as const

export const descriptionRules = {
  descriptionLength: textRule({
    code: 'description.length',
    clause: '2.1-09',
    subject: 'Descriptions of slash commands and of options have',
    max: DESCRIPTION_MAX,
    min: DESCRIPTION_MIN,
    remedy: 'a description has at least 1 character',
    isVisible: true,
  }),
  entryPointDescription: textRule({
    code: 'description.entry_point',
    clause: '2.1-09',
    subject: 'The description of an entry point command is optional and has',
    max: DESCRIPTION_MAX,
  }),
  descriptionForbidden: rule({
    code: 'description.forbidden',
    clause: '2.1-09',
    summary: 'User and message commands have no description.',
    check: (isGiven: boolean) => (isGiven ? NO_PARAMS : undefined),
    about: 'text',
    message: () => 'cannot be given: user and message commands have no description, so leave it out',
    wire: {
      code: 'APPLICATION_COMMAND_CONTEXT_MENU_DESCRIPTION_INVALID',
      message: 'Context menu commands cannot have description',
    },
    fix: removeValue,
  }),
} as const

export const patchRules = {
  patchType: rule({
    code: 'patch.type',
    clause: '2.1-02',
    summary:
      'The type of a command cannot change, but an edit may make a global command without options the entry point of an app with Activities.',
    check: (type: unknown, current: number) =>
      type === undefined || type === null || type === current
        ? undefined
        : { actual: describeValue(type), current },
    message: ({ actual, current }) =>
      actual === describeValue(CommandType.PRIMARY_ENTRY_POINT)
        ? `is ${actual}, but only an edit of a global command without options makes it the entry point, and only of an app with Activities; delete it and create another`
        : `is ${actual}, but the command is of type ${current} and types cannot change; delete it and create another`,
    wire: { code: 'APPLICATION_COMMAND_TYPE_IMMUTABLE', message: 'Application command types are immutable' },
  }),
} as const
