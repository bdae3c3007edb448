/** Files in the JSON of a request, whose contents are base64. */
import { isObject } from '../../../core/json.ts'
import { InputError } from '../people/people.ts'

/**
 * A value of a request, whose files may have their content as `base64`: with its bytes instead, also within lists and
 * objects. @throws InputError for what is no base64
 */
export function withBytes(value: unknown): any {
  if (Array.isArray(value)) return value.map(withBytes)
  if (!isObject(value)) return value
  if (typeof value.filename !== 'string' || value.base64 === undefined)
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withBytes(one)]))
  const { base64, ...file } = value
  if (file.content !== undefined) throw new InputError(`${value.filename}: has content and base64; use one`)
  if (typeof base64 !== 'string' || !isBase64(base64))
    throw new InputError(`${value.filename}: expected base64 with its padding, such as "aGk="`)
  return { ...file, content: Uint8Array.from(Buffer.from(base64, 'base64')) }
}

const isBase64 = (text: string) => text.length % 4 === 0 && /^[A-Za-z\d+/]*={0,2}$/.test(text)
