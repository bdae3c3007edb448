/** Rules for descriptions, including where none is allowed (clauses 2.1-09, 2.1-10, 2.4-05). */
import { removeValue } from '../core/fixes.ts'
import { NO_PARAMS, rule } from '../core/rule.ts'
import { counted, fits, lengthOf } from '../core/text.ts'
import { badLength, maxLength } from '../core/wire.ts'
import { breakText, broken, contextMenu, entryPoint, slash, type Body } from './breaking.ts'

export const DESCRIPTION_MIN = 1
export const DESCRIPTION_MAX = 100

export interface Length {
  readonly actual: number
}

const tooLong = ({ actual }: Length) =>
  `has ${counted(actual, 'character')}; at most ${DESCRIPTION_MAX} are allowed`

export const descriptionLength = rule({
  code: 'description.length',
  clause: '2.1-09',
  limit: { min: DESCRIPTION_MIN, max: DESCRIPTION_MAX },
  summary: `Descriptions of slash commands and of options have ${DESCRIPTION_MIN} to ${DESCRIPTION_MAX} characters.`,
  check: (text: string) =>
    text.length >= DESCRIPTION_MIN && fits(text, DESCRIPTION_MAX) ? undefined : { actual: lengthOf(text) },
  message: (params: Length) =>
    params.actual === 0 ? 'is empty; a description has at least 1 character' : tooLong(params),
  wire: badLength(DESCRIPTION_MIN, DESCRIPTION_MAX),
  breaks: (body: Body, pick) =>
    breakText(slash(body), pick, 'description', pick(2) === 0 ? '' : 'x'.repeat(DESCRIPTION_MAX + 1)),
})

export const entryPointDescription = rule({
  code: 'description.entry_point',
  clause: '2.1-09',
  limit: { max: DESCRIPTION_MAX },
  summary: `The description of an entry point command is optional and has at most ${DESCRIPTION_MAX} characters.`,
  check: (text: string) => (fits(text, DESCRIPTION_MAX) ? undefined : { actual: lengthOf(text) }),
  message: tooLong,
  wire: maxLength(DESCRIPTION_MAX),
  breaks: (body: Body) => broken(entryPoint(body), ['description'], 'x'.repeat(DESCRIPTION_MAX + 1)),
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
