/** Documents that end by themselves: what the processes of a service share beside commands and permissions. */
import { isObject } from '../../core/json.ts'
import type { Entries } from './documents.ts'

/** A document that may be removed after a time. */
export interface TemporaryDocument {
  /** In milliseconds since 1970. */
  readonly until: number
  /** The key of a temporary document that is removed together with this one. */
  readonly also?: string
}

/** The key of a temporary document. Those of an application can be removed with it. */
export function temporaryKey(owner: string, kind: string, id: string): string {
  return `${temporaryPrefix(owner)}${kind}/${id}`
}

/** The start of the keys of an owner's temporary documents; of all without one. */
export function temporaryPrefix(owner?: string): string {
  return owner === undefined ? 'temporary/' : `temporary/${owner}/`
}

/** The temporary document of an entry; undefined without one. @throws TypeError if this library cannot have written it */
export function temporaryIn(entry: Entries[number]): TemporaryDocument | undefined {
  if (entry === undefined) return undefined
  const { value } = entry
  if (isObject(value) && typeof value.until === 'number') return value as unknown as TemporaryDocument
  throw new TypeError('expected a temporary document, which has a number in until')
}
