/** The rules about one choice, and about the list of them (clauses 2.4-08, 2.6-01, 2.6-02). */
import { numberIn, replaceValue } from '../core/fixes.ts'
import { rule, warning } from '../core/rule.ts'
import { counted, quoted } from '../core/text.ts'
import { badLength, maxLength, notNumber } from '../core/wire.ts'
import {
  broken,
  get,
  put,
  several,
  slash,
  someChoice,
  withChoice,
  withOption,
  type Body,
} from './breaking.ts'
import { inRange, wireOfRange } from './option-rules.ts'
import { found, type Found } from './shape.ts'
import { textLength, wrongLength } from './text-length.ts'
import { integerRange, numberRange, OptionType } from './types.ts'

export const CHOICES_MAX = 25
export const CHOICE_NAME_MIN = 1
export const CHOICE_NAME_MAX = 100
export const CHOICE_VALUE_MAX = 100

export const choiceCount = rule({
  code: 'choices.count',
  clause: '2.4-08',
  limit: { max: CHOICES_MAX },
  summary: `An option has at most ${CHOICES_MAX} choices.`,
  check: (choices: readonly unknown[]) =>
    choices.length <= CHOICES_MAX ? undefined : { actual: choices.length },
  message: ({ actual }: { actual: number }) =>
    `has ${counted(actual, 'choice')}; at most ${CHOICES_MAX} are allowed; use autocomplete for more`,
  wire: maxLength(CHOICES_MAX),
  at: 'firstSurplusItem',
  breaks: (body: Body, pick) =>
    withOption(
      body,
      pick,
      { type: OptionType.INTEGER, choices: several(CHOICES_MAX + 1, (i) => ({ name: `c${i}`, value: i })) },
      'choices',
    ),
})

export const choiceName = rule({
  code: 'choice.name',
  clause: '2.6-01',
  summary: `The name of a choice has ${CHOICE_NAME_MIN} to ${CHOICE_NAME_MAX} characters.`,
  ...textLength('the name of a choice', CHOICE_NAME_MAX, CHOICE_NAME_MIN),
  wire: badLength(CHOICE_NAME_MIN, CHOICE_NAME_MAX),
  breaks(body: Body, pick) {
    const text = wrongLength(pick, CHOICE_NAME_MAX, CHOICE_NAME_MIN)
    const { body: whole, path } = someChoice(slash(body), pick)
    return broken(whole, pick(2) === 0 ? [...path, 'name'] : [...path, 'name_localizations', 'de'], text)
  },
})

export const choiceString = rule({
  code: 'choice.value_string',
  clause: '2.6-02',
  summary: 'The value of a choice of a STRING option is a string.',
  check: (value: unknown) => (typeof value === 'string' ? undefined : found(value)),
  message: ({ actual }: Found) => `is ${actual}; choices of a STRING option have string values`,
  wire: ({ actual }: Found) => ({
    code: 'STRING_TYPE_CONVERT',
    message: `Could not convert ${actual} to string.`,
  }),
  fix: replaceValue((value) => (typeof value === 'number' ? String(value) : undefined)),
  breaks: (body: Body, pick) => withChoice(body, pick, OptionType.STRING, 1),
})

export const choiceInteger = rule({
  code: 'choice.value_integer',
  clause: '2.6-02',
  summary: 'The value of a choice of an INTEGER option is a whole number.',
  check: (value: unknown) => (Number.isInteger(value) ? undefined : found(value)),
  message: ({ actual }: Found) => `is ${actual}; choices of an INTEGER option are whole numbers`,
  wire: ({ given }: Found) => notNumber(given, 'int'),
  fix: replaceValue((value) => {
    const number = numberIn(value)
    return Number.isInteger(number) ? number : undefined
  }),
  breaks: (body: Body, pick) => withChoice(body, pick, OptionType.INTEGER, 0.5),
})

export const choiceNumber = rule({
  code: 'choice.value_number',
  clause: '2.6-02',
  summary: 'The value of a choice of a NUMBER option is a finite number.',
  check: (value: unknown) => (Number.isFinite(value) ? undefined : found(value)),
  message: ({ actual }: Found) => `is ${actual}; choices of a NUMBER option are numbers`,
  wire: ({ given }: Found) => notNumber(given, 'float'),
  fix: replaceValue(numberIn),
  breaks: (body: Body, pick) => withChoice(body, pick, OptionType.NUMBER, '1'),
})

export const choiceRange = rule({
  code: 'choice.value_range',
  clause: '2.5-01',
  limit: { min: numberRange.min, max: numberRange.max },
  summary: 'The value of a choice is inside the range of its option type.',
  ...inRange,
  wire: wireOfRange,
  breaks: (body: Body, pick) =>
    pick(2) === 0
      ? withChoice(body, pick, OptionType.INTEGER, integerRange.max + 1)
      : withChoice(body, pick, OptionType.NUMBER, -(2 ** 53) - 2),
})

export const choiceValueLength = rule({
  code: 'choice.value_length',
  clause: '2.6-02',
  summary: `The string value of a choice has at most ${CHOICE_VALUE_MAX} characters.`,
  ...textLength('the value of a choice', CHOICE_VALUE_MAX),
  wire: maxLength(CHOICE_VALUE_MAX),
  breaks: (body: Body, pick) =>
    withChoice(body, pick, OptionType.STRING, wrongLength(pick, CHOICE_VALUE_MAX)),
})

export interface Repeated {
  readonly value: string | number
  /** The index of the choice that has it already. */
  readonly first: number
}

export const choiceRepeated = warning({
  code: 'choices.repeated',
  clause: '2.4-08',
  summary: 'The choices of an option differ from one another, in name and in value.',
  check: (value: string | number, first: number, index: number) =>
    first === index ? undefined : { value, first },
  message: ({ value, first }: Repeated) =>
    `is ${typeof value === 'string' ? quoted(value) : value}, as in choice ${first + 1} of the same list`,
  breaks(body: Body, pick) {
    const { body: whole, path } = someChoice(slash(body), pick)
    const list = path.slice(0, -1)
    const value = typeof get(whole, path).value === 'string' ? 'v' : 1
    const twins = ['a', 'b'].map((name) => ({ name, value }))
    return { body: put(whole, list, twins), path: [...list, 1, 'value'] }
  },
})

export const choiceRules = [
  choiceCount,
  choiceName,
  choiceString,
  choiceInteger,
  choiceNumber,
  choiceRange,
  choiceValueLength,
  choiceRepeated,
] as const
