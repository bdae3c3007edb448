/**
 * The published JSON Schema in the libraries that take none: valibot and arktype. Lengths count characters, as JSON
 * Schema does; their own checks of length count UTF-16 units, and would refuse valid texts.
 */

export interface Schema {
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, Schema>>
  readonly type?: string | readonly string[]
  readonly oneOf?: readonly Schema[]
  readonly enum?: readonly number[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean
  readonly items?: Schema
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
}

/** Without its types: of a schema that is known only at run time they say nothing. */
const untyped = (name: string): Promise<any> => import(/* @vite-ignore */ name)

const nameOf = ($ref: string) => $ref.slice('#/$defs/'.length)

/** The alternatives of a schema, each with one type. */
function alternatives(schema: Schema): readonly Schema[] {
  if (schema.oneOf !== undefined) return schema.oneOf.flatMap(alternatives)
  const { type } = schema
  if (type === undefined || typeof type === 'string') return [schema]
  return type.map((type) => (type === 'null' ? { type } : { ...schema, type }))
}

export function lengthOf(text: string): number {
  let length = text.length
  for (let i = 0; i < text.length - 1; i++)
    if ((text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) length--
  return length
}

/** Undefined for any text. */
function textCheck({ minLength = 0, maxLength, pattern }: Schema): ((text: string) => boolean) | undefined {
  if (minLength === 0 && maxLength === undefined && pattern === undefined) return
  const most = maxLength ?? Infinity
  const regex = pattern === undefined ? undefined : new RegExp(pattern, 'u')
  return (text) =>
    text.length >= minLength &&
    (text.length <= most || lengthOf(text) <= most) &&
    (regex === undefined || regex.test(text))
}

/** Undefined for any list. */
function listCheck({ minItems = 0, maxItems = Infinity, uniqueItems = false }: Schema) {
  if (minItems === 0 && maxItems === Infinity && !uniqueItems) return
  return (list: unknown[]) =>
    list.length >= minItems && list.length <= maxItems && (!uniqueItems || new Set(list).size === list.length)
}

/** Dictionaries have the same schema for each locale, as their users would write it. */
function dictionaryText({ properties = {}, required, additionalProperties }: Schema): Schema | undefined {
  const [first, ...rest] = Object.values(properties)
  if (additionalProperties !== false || required !== undefined || first === undefined) return
  return rest.every((one) => JSON.stringify(one) === JSON.stringify(first)) ? first : undefined
}

export async function valibotOf(root: Schema): Promise<(body: unknown) => boolean> {
  const v = await untyped('valibot')
  const named = new Map<string, object>()
  const convert = (schema: Schema): object => {
    const all = alternatives(schema)
    const rest = all.filter(({ type }) => type !== 'null').map(one)
    const type = rest.length === 1 ? rest[0]! : v.union(rest)
    return rest.length < all.length ? v.nullable(type) : type
  }
  const one = (schema: Schema): object => {
    if (schema.$ref !== undefined) {
      const name = nameOf(schema.$ref)
      return v.lazy(() => named.get(name)!)
    }
    if (schema.enum !== undefined) return v.picklist(schema.enum)
    if (schema.type === 'boolean') return v.boolean()
    if (schema.type === 'string') {
      const check = textCheck(schema)
      return check === undefined ? v.string() : v.pipe(v.string(), v.check(check))
    }
    if (schema.type === 'array') {
      const list = v.array(convert(schema.items!))
      const check = listCheck(schema)
      return check === undefined ? list : v.pipe(list, v.check(check))
    }
    if (schema.type === 'object') return object(schema)
    const { minimum = -Infinity, maximum = Infinity } = schema
    const number = v.pipe(v.number(), v.minValue(minimum), v.maxValue(maximum))
    return schema.type === 'integer' ? v.pipe(number, v.integer()) : number
  }
  const object = (schema: Schema): object => {
    const { properties = {}, required = [], additionalProperties } = schema
    const text = dictionaryText(schema)
    if (text !== undefined) return v.record(v.picklist(Object.keys(properties)), convert(text))
    const entries = Object.fromEntries(
      Object.entries(properties).map(([key, one]) => [
        key,
        required.includes(key) ? convert(one) : v.optional(convert(one)),
      ]),
    )
    return additionalProperties === false ? v.strictObject(entries) : v.object(entries)
  }
  for (const [name, schema] of Object.entries(root.$defs ?? {})) named.set(name, convert(schema))
  const type = convert(root)
  return (body) => v.is(type, body)
}

/** arktype's definitions are data: names of a scope, objects, and tuples with an operator. */
export async function arktypeOf(root: Schema): Promise<(body: unknown) => boolean> {
  const { scope } = await untyped('arktype')
  const convert = (schema: Schema): unknown =>
    alternatives(schema)
      .map(one)
      .reduce((left, right) => [left, '|', right])
  const one = (schema: Schema): unknown => {
    if (schema.$ref !== undefined) return nameOf(schema.$ref)
    if (schema.enum !== undefined) return ['===', ...schema.enum]
    if (schema.type === 'object') return object(schema)
    if (schema.type === 'string') return narrowed('string', textCheck(schema))
    if (schema.type === 'array') return narrowed([convert(schema.items!), '[]'], listCheck(schema))
    const name = schema.type === 'integer' ? 'number.integer' : schema.type
    const least = schema.minimum === undefined ? '' : `${schema.minimum} <= `
    const most = schema.maximum === undefined ? '' : ` <= ${schema.maximum}`
    return least !== '' && most === '' ? `${name} >= ${schema.minimum}` : `${least}${name}${most}`
  }
  const narrowed = (type: unknown, check: unknown) => (check === undefined ? type : [type, ':', check])
  const object = ({ properties = {}, required = [], additionalProperties }: Schema): object => ({
    ...(additionalProperties === false && { '+': 'reject' }),
    ...Object.fromEntries(
      Object.entries(properties).map(([key, one]) => [
        required.includes(key) ? key : `${key}?`,
        convert(one),
      ]),
    ),
  })
  const { $defs = {}, ...body } = root
  const definitions = Object.fromEntries(Object.entries($defs).map(([name, one]) => [name, convert(one)]))
  const types = scope({ ...definitions, Command: convert(body) } as never).export() as unknown as {
    readonly Command: { allows(body: unknown): boolean }
  }
  return (body) => types.Command.allows(body)
}
