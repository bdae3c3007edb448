/** The rules about one choice, and about the list of them (clauses 2.4-08, 2.6-01, 2.6-02). */
import { form, inRange, listRule, numberIn, replaceValue, textRule } from '../../../core/rules/rule-kinds.ts'
import { rule, warning } from '../../../core/rules/rule.ts'
import { countCharacters, counted, quoted } from '../../../core/text.ts'
import type { CommandOption } from '../../../model/command-definition.ts'
import { notConvertible, notNumberOf } from '../../../core/rules/wire-errors.ts'
import { numberRange } from '../../../model/command-types.ts'

export const CHOICES_MAX = 25
export const CHOICE_NAME_MIN = 1
export const CHOICE_NAME_MAX = 100
export const CHOICE_VALUE_MAX = 100

type Bounds = Pick<CommandOption, 'min_value' | 'max_value' | 'min_length' | 'max_length'>

export const choiceRules = {
  choiceCount: rule({
    ...listRule({
      code: 'choices.count',
      clause: '2.4-08',
      subject: 'An option has',
      item: 'choice',
      max: CHOICES_MAX,
      min: 0,
      advice: '; use autocomplete for more',
    }),
    at: 'firstSurplusItem',
  }),
  choiceName: textRule({
    code: 'choice.name',
    clause: '2.6-01',
    subject: 'The name of a choice has',
    max: CHOICE_NAME_MAX,
    min: CHOICE_NAME_MIN,
    remedy: 'the name of a choice has at least 1 character',
    isVisible: true,
  }),
  choiceString: rule({
    code: 'choice.value_string',
    clause: '2.6-02',
    summary: 'The value of a choice of a STRING option is a string.',
    ...form((value) => typeof value === 'string', 'choices of a STRING option have string values'),
    wire: notConvertible('string'),
    fix: replaceValue((value) => (typeof value === 'number' ? String(value) : undefined)),
  }),
  choiceInteger: rule({
    code: 'choice.value_integer',
    clause: '2.6-02',
    summary: 'The value of a choice of an INTEGER option is a whole number.',
    ...form(Number.isInteger, 'choices of an INTEGER option are whole numbers'),
    wire: notNumberOf('int'),
    fix: replaceValue((value) => {
      const number = numberIn(value)
      return Number.isInteger(number) ? number : undefined
    }),
  }),
  choiceNumber: rule({
    code: 'choice.value_number',
    clause: '2.6-02',
    summary: 'The value of a choice of a NUMBER option is a finite number.',
    ...form(Number.isFinite, 'choices of a NUMBER option are numbers'),
    wire: notNumberOf('float'),
    fix: replaceValue(numberIn),
  }),
  choiceRange: rule({
    code: 'choice.value_range',
    clause: '2.5-01',
    limit: { min: numberRange.min, max: numberRange.max },
    summary: 'The value of a choice is inside the range of its option type.',
    ...inRange,
  }),
  choiceValueLength: textRule({
    code: 'choice.value_length',
    clause: '2.6-02',
    subject: 'The string value of a choice has',
    max: CHOICE_VALUE_MAX,
  }),
  choiceOutside: warning({
    code: 'choice.outside',
    clause: '2.6-05',
    summary: 'The value of a choice is inside the bounds of its option.',
    check(value: string | number, { min_value, max_value, min_length, max_length }: Bounds) {
      const isText = typeof value === 'string'
      const min = isText ? min_length : min_value
      const max = isText ? max_length : max_value
      if (min === undefined && max === undefined) return undefined
      const size = isText ? countCharacters(value) : value
      if (min !== undefined && size < min)
        return { bound: isText ? 'min_length' : 'min_value', limit: min, size }
      if (max !== undefined && size > max)
        return { bound: isText ? 'max_length' : 'max_value', limit: max, size }
      return undefined
    },
    message: ({ bound, limit, size }) => {
      const what = bound.endsWith('length') ? `has ${counted(size, 'character')}` : `is ${size}`
      const relation = bound.startsWith('min') ? 'below' : 'above'
      return `${what}, ${relation} the ${bound} ${limit} of the option, so its use is refused; change one of them`
    },
  }),
  choiceRepeated: warning({
    code: 'choices.repeated',
    clause: '2.4-08',
    summary: 'The choices of an option differ from one another, in name and in value.',
    check: (value: string | number, first: number, index: number) =>
      first === index ? undefined : { value, first },
    message: ({ value, first }) =>
      `is ${typeof value === 'string' ? quoted(value) : value}, as in choice ${first + 1} of the same list`,
  }),
} as const
