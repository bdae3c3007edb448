/** The largest bit set of the service: 2^64 - 1. */
export const LARGEST_BITS = '18446744073709551615'

/** A bit set as the service answers it; `undefined` if the value is not one. Real clients send numbers too. */
export function canonicalBits(value: unknown): string | undefined {
  if (typeof value === 'bigint') return value >= 0n ? canonicalBits(String(value)) : undefined
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? String(value) : undefined
  if (typeof value !== 'string' || !/^[0-9]{1,100}$/.test(value)) return undefined
  const digits = value.startsWith('0') ? value.replace(/^0+(?=[0-9])/, '') : value
  const fits =
    digits.length < LARGEST_BITS.length || (digits.length === LARGEST_BITS.length && digits <= LARGEST_BITS)
  return fits ? digits : undefined
}
