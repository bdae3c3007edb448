/** Checks of what a host passes, each of which throws a TypeError that names the value. */
import { isObject, type JsonObject } from './json.ts'
import { expected, type OptionCheck } from './known-options.ts'

export type OptionChecks = Readonly<Record<string, OptionCheck>>

/** An object with fields. A Map or a Set has none, so what it holds would be overlooked. */
export function checkObject(value: unknown, label: string, form = 'an object'): JsonObject {
  expected(form, (given) => isObject(given) && !(Symbol.iterator in given))(value, label)
  return value as JsonObject
}

/** An object with these fields, of which the optional ones may be undefined. */
/* @__NO_SIDE_EFFECTS__ */
export function objectCheck(required: OptionChecks, optional: OptionChecks = {}, form?: string): OptionCheck {
  return (value, label) => {
    const fields = checkObject(value, label, form)
    const at = (name: string) => (label === '' ? name : `${label}.${name}`)
    for (const [name, check] of Object.entries(required)) check(fields[name], at(name))
    for (const [name, check] of Object.entries(optional))
      if (fields[name] !== undefined) check(fields[name], at(name))
  }
}

/* @__NO_SIDE_EFFECTS__ */
export function listCheck(item: OptionCheck, form: string): OptionCheck {
  return (value, label) => {
    expected(form, Array.isArray)(value, label)
    const items = value as readonly unknown[]
    // By index, so that a hole is refused too.
    for (let i = 0; i < items.length; i++) item(items[i], `${label}[${i}]`)
  }
}

/* @__NO_SIDE_EFFECTS__ */
export function orNull(check: OptionCheck): OptionCheck {
  return (value, label) => value === null || check(value, label)
}

/* @__NO_SIDE_EFFECTS__ */
export function oneOf(form: string, ...values: readonly unknown[]): OptionCheck {
  return expected(form, (value) => values.includes(value))
}

export const checkFlag: OptionCheck = /* @__PURE__ */ expected(
  'true or false',
  (value) => typeof value === 'boolean',
)

export const checkText: OptionCheck = /* @__PURE__ */ expected(
  'a string',
  (value) => typeof value === 'string',
)
