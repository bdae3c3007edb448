/** The components of a list with the nested ones, and their numeric ids. */
import { isObject, type JsonObject } from '../../core/json.ts'
import type { Path } from '../../core/rules/rule.ts'

/** A component, nested ones included, and where it is. */
export interface Part {
  readonly component: JsonObject
  readonly path: Path
}

// Far more than any message may have. Those beyond are neither counted nor compared.
const MAX_PARTS = 500

/** All components of a list in the order in which they are shown: a component before those in it. */
export function partsOf(components: readonly unknown[], path: Path = [], found: Part[] = []): Part[] {
  for (const [index, one] of components.entries()) {
    if (found.length >= MAX_PARTS) break
    addParts(one, [...path, index], found)
  }
  return found
}

function addParts(component: unknown, path: Path, found: Part[]): void {
  if (!isObject(component)) return
  found.push({ component, path })
  const { components, accessory, component: labelled } = component
  if (Array.isArray(components)) partsOf(components, [...path, 'components'], found)
  addParts(accessory, [...path, 'accessory'], found)
  addParts(labelled, [...path, 'component'], found)
}

/** The numeric id of a component; undefined for none. An id of 0 counts as left out. */
export function numberOf({ id }: JsonObject): number | undefined {
  return typeof id === 'number' && id > 0 ? id : undefined
}

/** Components with a numeric id each: given ones stay, the others follow in order (clause 2.11-14). */
export function withNumbers<Component extends object>(
  components: readonly Component[],
): readonly Component[] {
  const given = partsOf(components).map(({ component }) => numberOf(component))
  if (given.every((id) => id !== undefined)) return components
  const taken = new Set(given)
  let last = 0
  const nextNumber = () => {
    while (taken.has(++last));
    return last
  }
  const numbered = <One>(one: One): One => {
    if (!isObject(one)) return one
    const id = numberOf(one) ?? nextNumber()
    const { components: nested, accessory, component } = one
    return {
      ...one,
      id,
      ...(Array.isArray(nested) && { components: nested.map(numbered) }),
      ...(isObject(accessory) && { accessory: numbered(accessory) }),
      ...(isObject(component) && { component: numbered(component) }),
    }
  }
  return components.map(numbered)
}
