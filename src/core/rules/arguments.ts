/** Arguments and options of public functions: read with the same readers, and a TypeError for the first problem. */
import { MAX_TIMER_DELAY } from '../clock.ts'
import { hasFields, isObject, type JsonObject } from '../json.ts'
import { suggestion } from '../nearest.ts'
import { isSnowflake } from '../snowflake.ts'
import { describeValue, quoted } from '../text.ts'
import {
  objectOf,
  valueOf,
  type AnyFields,
  type Field,
  type FieldReader,
  type Reader,
  type ValuesOf,
} from './readers.ts'
import { Report, type ReportedRule } from './report.ts'
import { rule, type Path, type TypeRule } from './rule.ts'

/** Throws at the first error. */
class Demand extends Report {
  readonly #label: string
  readonly #whole: string

  constructor(label: string, whole: string) {
    super()
    this.#label = label
    this.#whole = whole
  }

  protected override add({ level, message }: ReportedRule, params: object): void {
    if (level === 'error') throw new TypeError(`${this.#place()}: ${message(params)}`)
  }

  #place(): string {
    const { path } = this
    return path.length === 0 ? this.#whole : labelWithPath(this.#label, path)
  }
}

/** `member.roles[0]`. */
function labelWithPath(label: string, path: Path): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`
    return text === '' ? step : `${text}.${step}`
  }, label)
}

/** What a reader reads of an argument. Throws a TypeError for the first error: `member.roles[0]: expected …, got …`. */
export type Demanded<T> = (value: unknown, label: string) => T

/** @param whole the name of the whole value in messages. Default: the label */
/* @__NO_SIDE_EFFECTS__ */
export function demand<T>(read: Reader<T>, whole?: string): Demanded<T> {
  return (value, label) => read(new Demand(label, whole ?? label), value) as T
}

/** An expectation of an argument: a rule without a code, whose message is that of a TypeError. */
/* @__NO_SIDE_EFFECTS__ */
export function expectation<T = any>(
  description: string,
  isValid: (value: any) => boolean,
  remedy?: string,
): TypeRule<T> {
  return rule({
    code: 'argument',
    clause: '',
    summary: description,
    check: (value: unknown) => (isValid(value) ? undefined : { value }),
    message: ({ value }) =>
      `expected ${description}${remedy === undefined ? `, got ${inWords(value)}` : `; ${remedy}`}`,
  })
}

/** A value in words. Arguments may be what JSON has no word for: `5n`, `a Set`. */
function inWords(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`
  return isObject(value) && !hasFields(value)
    ? `a ${Object.prototype.toString.call(value).slice(8, -1)}`
    : describeValue(value)
}

/** An argument of any form. */
/* @__NO_SIDE_EFFECTS__ */
export function argument<T = any>(
  description: string,
  isValid: (value: any) => boolean,
  remedy?: string,
): Reader<T> {
  return valueOf(expectation<T>(description, isValid, remedy))
}

/** A list of arguments, of which a hole is refused like a missing value. */
/* @__NO_SIDE_EFFECTS__ */
export function listArgument<T>(item: Reader<T>, form = 'a list'): Reader<readonly T[]> {
  const isList = expectation<readonly unknown[]>(form, Array.isArray)
  return (report, value) => {
    if (!report.check(isList, value)) return undefined
    const items: T[] = []
    // By index: much faster than the iterator of the list, and it refuses holes too.
    for (let i = 0; i < value.length; i++) items.push(report.at(i, item, value[i]) as T)
    return items
  }
}

/** An object with fields, as it was given. */
/* @__NO_SIDE_EFFECTS__ */
export function anyObject(form = 'an object'): Reader<JsonObject> {
  return argument(form, hasFields)
}

/** An object of these arguments; further keys are ignored. Each field is read once. */
/* @__NO_SIDE_EFFECTS__ */
export function objectArgument<const Own extends AnyFields>(
  fields: Own,
  form = 'an object',
): Reader<ValuesOf<Own>> {
  return objectOf(fields, { type: expectation<JsonObject>(form, hasFields), missing: null })
}

/* @__NO_SIDE_EFFECTS__ */
export function oneOf<T>(form: string, ...values: readonly T[]): Reader<T> {
  return argument(form, (value) => values.includes(value))
}

// --- Options --------------------------------------------------------------------------------------------------

/** A misspelt option would be ignored. */
const optionName = /* @__PURE__ */ rule({
  code: 'option.name',
  clause: '',
  summary: 'Options have the names of the function.',
  check: (name: string, names: readonly string[]) => (names.includes(name) ? undefined : { name, names }),
  message: ({ name, names }) =>
    `unknown option ${quoted(name)}${suggestion(name, names, names.length === 0 ? 'it takes none' : `expected ${names.join(', ')}`)}`,
})

/** The options of a function, each with its reader: the compiler reports a missing row. */
export type OptionReaders<Options> = {
  readonly [Name in keyof Options]-?: undefined extends Options[Name] ? Field<any> : FieldReader<any>
}

/** An object with these options and no others. */
/* @__NO_SIDE_EFFECTS__ */
export function optionsReader<Options extends object>(readers: OptionReaders<Options>): Reader<Options> {
  const names = Object.keys(readers)
  const read = objectArgument(readers as AnyFields, 'an object with options')
  return (report, options) => {
    if (isObject(options))
      for (const name of Object.keys(options))
        if (!names.includes(name)) report.check(optionName, name, names)
    return read(report, options) as Options | undefined
  }
}

/** Reads the options of a function. Throws a TypeError for an unknown name, and for the first invalid value. */
/* @__NO_SIDE_EFFECTS__ */
export function optionsOf<Options extends object>(
  caller: string,
  readers: OptionReaders<Options>,
  label = '',
): (options: Options) => Options {
  const read = demand(optionsReader(readers), caller)
  return (options) => read(options, label)
}

// --- Frequent arguments ---------------------------------------------------------------------------------------

export const aFunction = /* @__PURE__ */ argument('a function', (value) => typeof value === 'function')

export const aString = /* @__PURE__ */ argument<string>('a string', (value) => typeof value === 'string')

export const aFlag = /* @__PURE__ */ argument<boolean>('true or false', (value) => typeof value === 'boolean')

export const anObject = /* @__PURE__ */ anyObject()

export const aList = /* @__PURE__ */ argument<readonly unknown[]>('a list', Array.isArray)

export const demandObject = /* @__PURE__ */ demand(anObject)
export const demandList = /* @__PURE__ */ demand(aList)
export const demandText = /* @__PURE__ */ demand(aString)
export const demandFunction = /* @__PURE__ */ demand(aFunction)

/** The issues of a validator. */
export const demandIssues = /* @__PURE__ */ demand(
  listArgument(objectArgument({ code: aString, path: aList, message: aString }), 'a list of issues'),
)

export const anId = /* @__PURE__ */ argument<string>('a snowflake such as "1029384756"', isSnowflake)

export const aSignal = /* @__PURE__ */ argument<AbortSignal>(
  'an AbortSignal',
  (value) => typeof value?.addEventListener === 'function' && typeof value.aborted === 'boolean',
)

/** Whether a request can be sent to an address. */
export function isHttpAddress(value: unknown): value is string | URL {
  if (typeof value !== 'string' && !(value instanceof URL)) return false
  const { protocol, username, password } = URL.canParse(value) ? new URL(value) : { protocol: '' }
  return /^https?:$/.test(protocol) && !username && !password
}

/** An object with functions. */
/* @__NO_SIDE_EFFECTS__ */
export function withMethods(description: string, ...methods: readonly string[]): Reader<any> {
  return argument(description, (value) => methods.every((method) => typeof value?.[method] === 'function'))
}

export const aClock = /* @__PURE__ */ withMethods('a Clock with now', 'now')
export const anIdSource = /* @__PURE__ */ withMethods('an IdSource with next', 'next')

/** A time for a timer; `Infinity` stands for no timer. */
export const aDuration = /* @__PURE__ */ argument<number>(
  `an integer of milliseconds from 1 to ${MAX_TIMER_DELAY}, or Infinity for no limit`,
  (value) => value === Infinity || (Number.isInteger(value) && value > 0 && value <= MAX_TIMER_DELAY),
)
