/** Finds the inputs of a modal by what people and programs call them: the label or the custom_id. */
import { isObject, type JsonObject } from '../../core/json.ts'
import { listed, quoted } from '../../core/text.ts'

export interface NamedInput {
  readonly input: JsonObject
  /** Its own label, or that around it. */
  readonly label: unknown
}

/** The inputs of a list of components, in display order. */
export function inputsOf(list: unknown, isInput: (component: JsonObject) => boolean): readonly NamedInput[] {
  if (!Array.isArray(list)) return []
  return list.filter(isObject).flatMap((one): readonly NamedInput[] => {
    if (isObject(one.component)) return [{ input: one.component, label: one.label }]
    return isInput(one) ? [{ input: one, label: one.label }] : inputsOf(one.components, isInput)
  })
}

/** The input with a custom_id, or with a label; the problem as a text if no input has the name, or several have it. */
export function findInput(name: string, inputs: readonly NamedInput[]): JsonObject | string {
  const byId = inputs.filter(({ input }) => input.custom_id === name)
  const [found, ...others] = byId.length > 0 ? byId : inputs.filter(({ label }) => label === name)
  if (found !== undefined && others.length === 0) return found.input
  if (found !== undefined) return `several inputs have the label ${quoted(name)}; use a custom_id`
  const names = inputs.map(({ label, input: { custom_id: id } }) =>
    typeof label === 'string' && label !== id
      ? `${quoted(label)} (custom_id ${quoted(String(id))})`
      : quoted(String(id)),
  )
  const verb = names.length === 1 ? 'is' : 'are'
  return `no input ${quoted(name)}; ${names.length === 0 ? 'there is no input' : `there ${verb} ${listed(names)}`}`
}

/** What people call an input: its label; its custom_id where it has none, or another input has the same. */
export function inputName(input: JsonObject, inputs: readonly NamedInput[]): string {
  const label = inputs.find((one) => one.input === input)?.label
  const isAlone = inputs.filter((one) => one.label === label).length === 1
  return typeof label === 'string' && isAlone ? label : String(input.custom_id)
}

/** The objects in a list; none for another value. */
export function objectsIn(list: unknown): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isObject) : []
}

/** The values or ids that an input of a modal has before a person chooses. */
export function initialItems({ options, default_values: ids }: JsonObject): readonly string[] {
  const chosen = objectsIn(options).filter((one) => one.default === true)
  return [...chosen.map(({ value }) => value), ...objectsIn(ids).map(({ id }) => id)].map(String)
}
