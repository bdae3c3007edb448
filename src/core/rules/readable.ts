/** Bodies whose getters, Proxies or `toJSON` throw. */
import { jsonValue, type JsonObject } from '../json.ts'
import { quoted } from '../text.ts'

/**
 * Reads a body. If a getter, Proxy or `toJSON` in it throws, reads a copy: of an incomplete builder its fields, and in
 * place of an unreadable value one that every reader refuses.
 */
export function readJson<Result extends { readonly ok: boolean }, Context>(
  body: unknown,
  read: (source: unknown, context: Context) => Result,
  context?: Context,
): Result {
  try {
    return read(jsonValue(body), context!)
  } catch {
    const incomplete = read(readableCopy(body, builderFields), context!)
    // Its fields are right, and still it throws when it is sent.
    return incomplete.ok ? read(readableCopy(body), context!) : incomplete
  }
}

/** The fields of a builder whose `toJSON` throws, as far as it shows any. */
export function builderFields(builder: object, error: unknown): unknown {
  return 'name' in builder ? { ...builder } : thrownBy(error)
}

// The parts of a command are eleven deep in a list of commands.
const MAX_DEPTH = 12

/**
 * A plain copy of what JSON carries of a value, without functions. Objects in it more than once stay the same object.
 *
 * @param replace gets an object whose `toJSON` throws; the copy is made of what it returns
 */
export function readableCopy(
  value: unknown,
  replace: (builder: object, error: unknown) => unknown = (_, error) => thrownBy(error),
): unknown {
  const copies = new Map<object, unknown>()
  const copyOf = (read: () => unknown, key: string, level: number): unknown => {
    try {
      const given = read()
      if ((typeof given !== 'object' && typeof given !== 'function') || given === null) return given
      if (!copies.has(given)) copyObject(given, key, level)
      return copies.get(given)
    } catch (error) {
      return thrownBy(error)
    }
  }
  const copyObject = (given: object, key: string, level: number) => {
    const source = jsonOf(given, key, replace)
    if (typeof source !== 'object' || source === null) return copies.set(given, source)
    const copy: Record<string, unknown> = Array.isArray(source) ? ([] as never) : Object.create(null)
    copies.set(given, copy)
    if (level === MAX_DEPTH) return
    for (const inner in source) {
      const field = copyOf(() => (source as JsonObject)[inner], inner, level + 1)
      if (typeof field !== 'function') copy[inner] = field
    }
  }
  return copyOf(() => value, '', 0)
}

/** What `JSON.stringify` reads of a value; what `replace` returns if its `toJSON` throws. */
export function jsonOf(
  value: object,
  key: string,
  replace: (builder: object, error: unknown) => unknown,
): unknown {
  try {
    return jsonValue(value, key)
  } catch (error) {
    return replace(value, error)
  }
}

/** What stands for a value whose reading throws: it has no type that a rule allows, and messages show the error. */
export function thrownBy(error: unknown): symbol {
  return Symbol(`a value that throws ${quoted(messageOf(error), 100)} when it is read`)
}

export function messageOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error)
  } catch {
    return 'an error without a message'
  }
}
