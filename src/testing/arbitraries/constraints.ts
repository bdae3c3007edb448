/** Checks of what generators are called with. */
import {
  anObject,
  argument,
  demand,
  listArgument,
  objectArgument,
  oneOf,
  withMethods,
} from '../../core/rules/arguments.ts'
import { optional } from '../../core/rules/readers.ts'
import { optionTraits } from '../../model/command-types.ts'
import { isLocale } from '../../model/locales.ts'

/* @__NO_SIDE_EFFECTS__ */
function countTo(most: number) {
  return argument<number>(
    `a whole number from 0 to ${most}`,
    (value) => Number.isInteger(value) && value >= 0 && value <= most,
  )
}

/** The constraints of any generator; each takes some of them. */
const readConstraints = /* @__PURE__ */ demand(
  objectArgument({
    style: optional(oneOf("'any' or 'plain'", 'any', 'plain')),
    locales: optional(listArgument(argument('a locale of the service', isLocale), 'a list of locales')),
    scope: optional(oneOf("'global' or 'guild'", 'global', 'guild')),
    maxOptions: optional(countTo(25)),
    maxChoices: optional(countTo(25)),
    maxCommands: optional(countTo(131)),
    maxEntries: optional(countTo(100)),
  }),
)

export function checkConstraints(constraints: object): void {
  readConstraints(constraints, 'constraints')
}

export const checkArbitrary = /* @__PURE__ */ demand(
  withMethods('an arbitrary of fast-check', 'generate', 'shrink'),
)

export const checkLength = /* @__PURE__ */ demand(
  argument<number>('a whole number from 1', (value) => Number.isInteger(value) && value >= 1),
)

export const checkOptionType = /* @__PURE__ */ demand(
  argument<number>(
    'the type of an option',
    (value) => typeof value === 'number' && optionTraits[value] !== undefined,
  ),
)

export const checkDefinition = /* @__PURE__ */ demand(anObject)
