/** Rules for descriptions, including where none is allowed (clauses 2.1-09, 2.1-10, 2.4-05). */
import { removeValue } from '../core/fixes.ts'
import { NO_PARAMS, rule } from '../core/rule.ts'
import { badLength, maxLength } from '../core/wire.ts'
import { breakText, broken, contextMenu, entryPoint, slash, type Body } from './breaking.ts'
import { textLength, wrongLength } from './text-length.ts'

export const DESCRIPTION_MIN = 1
export const DESCRIPTION_MAX = 100

export const descriptionLength = rule({
  code: 'description.length',
  clause: '2.1-09',
  summary: `Descriptions of slash commands and of options have ${DESCRIPTION_MIN} to ${DESCRIPTION_MAX} characters.`,
  ...textLength('a description', DESCRIPTION_MAX, DESCRIPTION_MIN),
  wire: badLength(DESCRIPTION_MIN, DESCRIPTION_MAX),
  breaks: (body: Body, pick) =>
    breakText(slash(body), pick, 'description', wrongLength(pick, DESCRIPTION_MAX, DESCRIPTION_MIN)),
})

export const entryPointDescription = rule({
  code: 'description.entry_point',
  clause: '2.1-09',
  summary: `The description of an entry point command is optional and has at most ${DESCRIPTION_MAX} characters.`,
  ...textLength('a description', DESCRIPTION_MAX),
  wire: maxLength(DESCRIPTION_MAX),
  breaks: (body: Body, pick) => broken(entryPoint(body), ['description'], wrongLength(pick, DESCRIPTION_MAX)),
})

export const descriptionForbidden = rule({
  code: 'description.forbidden',
  clause: '2.1-09',
  summary: 'User and message commands have no description.',
  check: (text: string | null) => (text === null || text === '' ? undefined : NO_PARAMS),
  message: () => 'cannot be given: user and message commands have no description, so leave it out',
  wire: {
    code: 'APPLICATION_COMMAND_CONTEXT_MENU_DESCRIPTION_INVALID',
    message: 'Context menu commands cannot have description',
  },
  fix: removeValue,
  breaks: (body: Body, pick) =>
    pick(2) === 0
      ? broken(contextMenu(body), ['description'], 'b')
      : broken(contextMenu(body), ['description_localizations'], { de: 'b' }),
})

export const descriptionRules = [descriptionLength, entryPointDescription, descriptionForbidden] as const
