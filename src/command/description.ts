/** Rules for descriptions, including where none is allowed (clauses 2.1-09, 2.1-10, 2.4-05). */
import { removeValue } from '../core/fixes.ts'
import { NO_PARAMS, rule } from '../core/rule.ts'
import { textLength } from '../core/length.ts'

export const DESCRIPTION_MIN = 1
export const DESCRIPTION_MAX = 100

export const descriptionLength = rule({
  code: 'description.length',
  clause: '2.1-09',
  summary: `Descriptions of slash commands and of options have ${DESCRIPTION_MIN} to ${DESCRIPTION_MAX} characters.`,
  ...textLength(DESCRIPTION_MAX, DESCRIPTION_MIN, 'a description has at least 1 character'),
})

export const entryPointDescription = rule({
  code: 'description.entry_point',
  clause: '2.1-09',
  summary: `The description of an entry point command is optional and has at most ${DESCRIPTION_MAX} characters.`,
  ...textLength(DESCRIPTION_MAX),
})

export const descriptionForbidden = rule({
  code: 'description.forbidden',
  clause: '2.1-09',
  summary: 'User and message commands have no description.',
  check: (text: string | null) => (text === null || text === '' ? undefined : NO_PARAMS),
  about: 'text',
  message: () => 'cannot be given: user and message commands have no description, so leave it out',
  wire: {
    code: 'APPLICATION_COMMAND_CONTEXT_MENU_DESCRIPTION_INVALID',
    message: 'Context menu commands cannot have description',
  },
  fix: removeValue,
})

export const descriptionRules = [descriptionLength, entryPointDescription, descriptionForbidden] as const
