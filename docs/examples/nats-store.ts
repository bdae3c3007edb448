/**
 * A store in a NATS key-value bucket: the worked example of docs/storage.md.
 *
 * Guarantees: the contract, for any number of processes. The durability of an acknowledged write is that of the
 * bucket: its storage and its number of replicas.
 *
 * Costs: a read takes one concurrent round trip for each key, and one more for a document above 512 KiB; a
 * write takes two, because it reads the document first. A removed document leaves a marker of a few bytes.
 *
 * The bucket must respond from its leader, or a read may miss the last writes:
 *
 *     const kv = await new Kvm(connection).create('commandry', { history: 1, allow_direct: false })
 */
import type { KV, KvEntry } from '@nats-io/kv'
import type { Entry, Json, Store, Written } from 'commandry'

export function natsStore(kv: KV): Store {
  return {
    async read(keys) {
      const entries = new Map<string, Entry | undefined>()
      const asked = [...new Set(keys)]
      for (let i = 0; i < asked.length; i += AT_ONCE) {
        const some = asked.slice(i, i + AT_ONCE)
        const found = await Promise.all(some.map((key) => readOne(kv, key)))
        some.forEach((key, j) => entries.set(key, found[j]))
      }
      return keys.map((key) => entries.get(key))
    },

    async write(key, expected, value) {
      const { found: before, last } = await head(kv, key)
      if ((before?.revision ?? null) !== expected) return { ok: false }
      if (value === undefined) return remove(kv, key, before, last)

      const text = JSON.stringify(value)
      const id = crypto.randomUUID()
      const document = text.length * 3 < PART ? { id, text } : { id, parts: await putParts(kv, text) }
      const data = JSON.stringify(document)
      // Not `create`: it sends the write again when the answer is lost, even after another writer has removed the document.
      const written = await compareAndSet(async () =>
        revisionOf(await kv.put(subject(key), data, { previousSeq: last }), document),
      )
      // No document refers to these parts. If the process ends before they are removed, they only take up
      // space.
      await dropParts(kv, written.ok ? before?.document : document)
      return written
    },

    async *keys(prefix) {
      const found: string[] = []
      for await (const name of await kv.keys(`${DOCUMENTS}.>`)) found.push(keyOf(name))
      // The default order of JavaScript is that of UTF-16 units.
      yield* found.filter((key) => key.startsWith(prefix)).sort()
    },
  }
}

const AT_ONCE = 500
const DOCUMENTS = 'document'
const PARTS = 'part'
/** Bytes in one message; the default limit of a server is 1 MiB. */
const PART = 512 * 1024

/** The value of the key itself: the document, or the keys of its parts. */
type Head = { readonly id: string } & ({ readonly text: string } | { readonly parts: readonly string[] })

/** The sequence number of the stream alone would be given again after a restore of the bucket, or when it is made anew. */
const revisionOf = (sequence: number, { id }: Head) => `${sequence}-${id}`

interface Found {
  readonly revision: string
  readonly document: Head
}

/** The document, and the last sequence number of its key: that of the marker after a removal, 0 if there is none. */
async function head(kv: KV, key: string): Promise<{ readonly found?: Found; readonly last: number }> {
  const entry = await kv.get(subject(key))
  const last = entry?.revision ?? 0
  if (!isThere(entry)) return { last }
  const document = entry.json<Head>()
  return { found: { revision: revisionOf(last, document), document }, last }
}

async function readOne(kv: KV, key: string): Promise<Entry | undefined> {
  for (;;) {
    const { found } = await head(kv, key)
    if (found === undefined) return undefined
    const text = await textOf(kv, found.document)
    if (text !== undefined) return frozen({ value: JSON.parse(text) as Json, revision: found.revision })
    // The parts are gone because the document was replaced during the read: read it again.
  }
}

async function textOf(kv: KV, document: Head): Promise<string | undefined> {
  if ('text' in document) return document.text
  const parts = await Promise.all(document.parts.map((part) => kv.get(part)))
  if (!parts.every(isThere)) return undefined
  const decoder = new TextDecoder()
  return parts.map((part) => decoder.decode(part.value, { stream: true })).join('') + decoder.decode()
}

async function putParts(kv: KV, text: string): Promise<readonly string[]> {
  const bytes = new TextEncoder().encode(text)
  const name = `${PARTS}.${crypto.randomUUID()}`
  const parts: string[] = []
  for (let start = 0; start < bytes.length; start += PART) {
    parts.push(`${name}.${parts.length}`)
    await kv.put(parts.at(-1)!, bytes.subarray(start, start + PART))
  }
  return parts
}

async function dropParts(kv: KV, document: Head | undefined): Promise<void> {
  if (document !== undefined && 'parts' in document)
    await Promise.all(document.parts.map((part) => kv.purge(part)))
}

async function remove(kv: KV, key: string, before: Found | undefined, last: number): Promise<Written> {
  if (before === undefined) return { ok: true, revision: '0' }
  const written = await compareAndSet(async () => {
    await kv.delete(subject(key), { previousSeq: last })
    return '0'
  })
  if (written.ok) await dropParts(kv, before.document)
  return written
}

const WRONG_LAST_SEQUENCE = 10071

async function compareAndSet(write: () => Promise<string>): Promise<Written> {
  try {
    return { ok: true, revision: await write() }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === WRONG_LAST_SEQUENCE) return { ok: false }
    // The registry reports any other error as a write that may have happened.
    throw error
  }
}

function isThere(entry: KvEntry | null): entry is KvEntry {
  return entry !== null && entry.operation === 'PUT'
}

/** The subject of a key, unique for each key: characters other than letters, digits, `-`, `_` and `/` become four hex digits. */
function subject(key: string): string {
  const escaped = key.replace(/[^\w/-]/g, (unit) => `=${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return `${DOCUMENTS}.=${escaped}`
}

function keyOf(name: string): string {
  const escaped = name.slice(DOCUMENTS.length + 2)
  return escaped.replace(/=([0-9a-f]{4})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    for (const inner of Object.values(value)) frozen(inner)
    Object.freeze(value)
  }
  return value
}
