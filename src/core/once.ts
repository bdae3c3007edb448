/** A function of a list that never changes, which computes its value once for each list. */
export function once<List extends object, Value>(compute: (list: List) => Value): (list: List) => Value {
  const known = new WeakMap<List, { readonly value: Value }>()
  return (list) => {
    const found = known.get(list) ?? { value: compute(list) }
    known.set(list, found)
    return found.value
  }
}
