/** A function of Node with its `this`. */
type Call = (...given: unknown[]) => unknown

/** What every function in sloppy mode has of its own, such as one that was replaced before. */
const OWN: readonly (string | symbol)[] = ['prototype', 'arguments', 'caller']

/**
 * Replaces a function of Node.
 *
 * @param replacement gets the original, `this`, and the arguments
 */
export function wrap<Self extends object>(
  owner: Self,
  name: string | symbol,
  replacement: (original: Call, self: Self, given: unknown[]) => unknown,
): void {
  const original = (owner as Record<string | symbol, unknown>)[name]
  if (typeof original !== 'function') return
  const replaced = function (this: Self, ...given: unknown[]): unknown {
    return replacement((...passed) => Reflect.apply(original, this, passed), this, given)
  }
  const changeable = { configurable: true, writable: true }
  // Names, lengths and promise variants stay; the last can be wrapped as well.
  for (const key of Reflect.ownKeys(original)) {
    const { value } = Object.getOwnPropertyDescriptor(original, key) ?? {}
    if (!OWN.includes(key)) Object.defineProperty(replaced, key, { value, ...changeable })
  }
  Object.defineProperty(owner, name, { value: replaced, enumerable: true, ...changeable })
}
