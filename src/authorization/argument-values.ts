import { argument, aString, demand } from '../core/rules/arguments.ts'
import { orNull, type Reader } from '../core/rules/readers.ts'

/**
 * An unsigned 64-bit id as an input: a `bigint`, its decimal digits, or a number small enough to be exact. As an
 * output it is always a `bigint`.
 */
export type ApplicationId = bigint | string | number

const LARGEST = 2n ** 64n - 1n

/** Whether a value is a `bigint`, or its decimal digits, from 0 to 2^64 - 1. */
export function isUnsigned64(value: unknown): value is bigint | string {
  const isExact =
    typeof value === 'bigint' || (typeof value === 'string' && /^(?:0|[1-9]\d{0,19})$/.test(value))
  return isExact && BigInt(value) >= 0n && BigInt(value) <= LARGEST
}

/**
 * An id, which is not rounded: an integer from 0 to 2^64 - 1 without leading zeros. A number above 2^53 - 1 is already
 * rounded.
 */
export const anApplicationId = /* @__PURE__ */ argument<ApplicationId>(
  `a bigint from 0n to ${LARGEST}n, its digits, or a number up to 2^53 - 1`,
  (value) => isUnsigned64(value) || (Number.isSafeInteger(value) && value >= 0),
)

export const aUrl = /* @__PURE__ */ argument<string>('an absolute URL', (value) => URL.canParse(value))

/** An installation: 0 in a guild, 1 for the user. */
export const anInstallation = /* @__PURE__ */ argument<0 | 1>(
  '0 for a guild install or 1 for a user install',
  (value) => value === 0 || value === 1,
)

const demandApplicationId = /* @__PURE__ */ demand(anApplicationId)

/** @throws TypeError `label: expected …, got …` when it is invalid */
export function readApplicationId(value: ApplicationId, label: string): bigint {
  return BigInt(demandApplicationId(value, label))
}

/** @throws TypeError `label: expected …, got …` when it is invalid */
export const readString = /* @__PURE__ */ demand(aString)

/** Reads a field that `undefined` and `null` unset. @throws TypeError when it is invalid */
/* @__NO_SIDE_EFFECTS__ */
export function unsettable<T>(read: Reader<T>): (value: unknown, label: string) => T | undefined {
  const demanded = demand(orNull(read))
  return (value, label) => demanded(value ?? null, label) ?? undefined
}
