/**
 * The keys of the documents on a single Redis server, in one sorted set: a listing reads its range of them and not all
 * keys of the server. The script that writes a document keeps the set; a cluster has none, as a script runs in one slot.
 */
import { reasonOf } from './store-error.ts'
import { keyPages } from './text-store.ts'

/** After the prefix. No document has this key, because `~` is followed by four digits in theirs. */
export const INDEX = '~index'

// A member after all keys, which are ASCII: the set has the keys of all documents. Earlier versions had no set.
const COMPLETE = '\u0080'
const BATCH = 500

// KEYS: the set, then documents. ARGV: their members. Only what is there is added: a document may be removed meanwhile.
const ADD_SCRIPT = `
for i, member in ipairs(ARGV) do
  if redis.call('EXISTS', KEYS[i + 1]) == 1 then redis.call('ZADD', KEYS[1], 0, member) end
end
return 1`

/** Sends a command with the keys that it names. */
type SendCommand = (args: string[]) => PromiseLike<unknown>

/** Whether a server refuses commands about several keys, as a node of a cluster does. */
export function refusesSeveralKeys(error: unknown): boolean {
  return reasonOf(error).startsWith('CROSSSLOT')
}

/**
 * The keys of the documents that start with a text. The first listing of a server without a complete set adds the keys
 * that a scan finds.
 *
 * @param scan the keys of all documents
 */
export async function* indexedKeys(
  send: SendCommand,
  prefix: string,
  start: string,
  scan: () => Promise<readonly string[]>,
): AsyncGenerator<string> {
  const index = prefix + INDEX
  if ((await send(['ZSCORE', index, COMPLETE])) === null) {
    const keys = await scan()
    for (let i = 0; i < keys.length; i += BATCH) {
      const some = keys.slice(i, i + BATCH)
      const documents = some.map((key) => prefix + key)
      await send(['EVAL', ADD_SCRIPT, String(some.length + 1), index, ...documents, ...some])
    }
    await send(['ZADD', index, '0', COMPLETE])
  }
  yield* keyPages(start, async (from, to, limit) => {
    const range = [from === '' ? '-' : `[${from}`, `(${to}`, 'LIMIT', '0', String(limit)]
    const keys = (await send(['ZRANGEBYLEX', index, ...range])) as readonly unknown[]
    return keys.map((key) => ({ key: String(key) }))
  })
}
