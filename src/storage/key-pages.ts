import { after, decodeKey, keyRange } from './store-codec.ts'
import { storeError } from './store-error.ts'

/** How many keys an engine with ordered keys is asked for at a time. */
export const PAGE = 500

/**
 * The keys that start with a prefix, in the order in which they are written, page by page.
 *
 * @param pageOf the first `PAGE` written keys from one up to, without, another
 */
export async function* keyPages(
  prefix: string,
  pageOf: (from: string, to: string) => Promise<readonly { readonly k: string }[]>,
): AsyncGenerator<string> {
  const { from, to } = keyRange(prefix)
  for (let start = from; ;) {
    let rows: readonly { readonly k: string }[]
    try {
      rows = await pageOf(start, to)
    } catch (cause) {
      throw storeError('listing keys', cause, false)
    }
    for (const { k } of rows) yield decodeKey(k)
    const last = rows[PAGE - 1]
    if (last === undefined) return
    start = after(last.k)
  }
}
