import { after, decodeKey, keyRange } from './store-codec.ts'
import { storeError } from './store-error.ts'

/** The number of keys that one page has at most. */
export const PAGE = 500

/**
 * The keys that start with a prefix, in the order of their written forms, fetched page by page.
 *
 * @param fetchPage returns the first `PAGE` written keys from `from`, up to but without `to`
 */
export async function* keyPages(
  prefix: string,
  fetchPage: (from: string, to: string) => Promise<readonly { readonly k: string }[]>,
): AsyncGenerator<string> {
  const { from, to } = keyRange(prefix)
  for (let start = from; ;) {
    let rows: readonly { readonly k: string }[]
    try {
      rows = await fetchPage(start, to)
    } catch (cause) {
      throw storeError('listing keys', cause, false)
    }
    for (const { k } of rows) yield decodeKey(k)
    const last = rows[PAGE - 1]
    if (last === undefined) return
    start = after(last.k)
  }
}
