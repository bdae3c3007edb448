/** Operations on a store that throw when their result is wrong, and the assertions behind them. */
import { deepFreeze } from '../../core/freeze.ts'
import type { Entry, Store } from '../../storage/store.ts'
import type { Json } from './promise.ts'

export async function readOne(store: Store, key: string): Promise<Entry | undefined> {
  return (await store.read([key]))[0]
}

export async function create(store: Store, key: string, value: Json): Promise<string> {
  const written = await store.write(key, null, deepFreeze(value))
  expectTrue(written.ok, `creating ${print(key)}, which did not exist, was refused`)
  return written.revision
}

export async function replace(store: Store, key: string, revision: string, value: Json): Promise<string> {
  const written = await store.write(key, revision, deepFreeze(value))
  expectTrue(written.ok, `replacing ${print(key)} at its current revision was refused`)
  return written.revision
}

export async function remove(store: Store, key: string, revision: string): Promise<void> {
  const written = await store.write(key, revision, undefined)
  expectTrue(written.ok, `removing ${print(key)} at its current revision was refused`)
}

/** A write with the wrong expected revision: must be refused and change nothing. */
export async function expectRefused(
  store: Store,
  key: string,
  expected: string | null,
  value: Json | undefined,
): Promise<void> {
  const before = await readOne(store, key)
  const { ok } = await store.write(key, expected, deepFreeze(value))
  const kind = value === undefined ? 'a removal' : 'a write'
  expectTrue(
    !ok,
    `${print(key)} had the revision ${print(before?.revision)}, but ${kind} that expected ${print(expected)} succeeded`,
  )
  expectSame(await readOne(store, key), before, `${print(key)} after a refused write`)
}

async function listKeys(store: Store, prefix: string): Promise<string[]> {
  const keys: string[] = []
  for await (const key of store.keys(prefix)) keys.push(key)
  return keys
}

/** Throws the message unless the condition holds. */
export function expectTrue(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message)
}

/** Compares values as JSON text, so the order of keys and every UTF-16 unit count. */
export function expectSame(actual: unknown, expected: unknown, what: string): void {
  const actualText = toText(actual)
  const expectedText = toText(expected)
  if (actualText !== expectedText)
    throw new Error(
      `${what}: expected ${excerpt(expectedText, actualText)}, got ${excerpt(actualText, expectedText)}`,
    )
}

export async function expectDocument(
  store: Store,
  key: string,
  expected: Entry | undefined,
  what = 'the document',
): Promise<void> {
  expectSame(await readOne(store, key), expected, what)
}

/** Reads several documents at once, and compares each with the expected one. */
export async function expectDocuments(
  store: Store,
  keys: readonly string[],
  expected: (key: string, index: number) => Entry | undefined,
): Promise<void> {
  const entries = await store.read(keys)
  expectTrue(entries.length === keys.length, `asked for ${keys.length} documents, got ${entries.length}`)
  for (const [i, key] of keys.entries())
    expectSame(entries[i], expected(key, i), `document ${i} of ${keys.length}, ${print(key)}`)
}

export async function expectAbsent(store: Store, key: string, message: string): Promise<void> {
  expectTrue((await readOne(store, key)) === undefined, message)
}

export async function expectKeys(
  store: Store,
  prefix: string,
  expected: readonly string[],
  what = 'the keys',
): Promise<void> {
  expectSame(await listKeys(store, prefix), expected, what)
}

export function expectFound<T>(value: T | undefined): T {
  expectTrue(value !== undefined, 'a document that was not removed is missing')
  return value
}

/** A value as text for a message, shortened. */
export function print(value: unknown): string {
  return excerpt(toText(value), '')
}

function toText(value: unknown): string {
  if (value === undefined) return 'undefined'
  if (Array.isArray(value)) return `[${value.map(toText).join()}]`
  if (isEntry(value)) return `{"value":${toText(value.value)},"revision":${toText(value.revision)}}`
  return JSON.stringify(value)
}

function isEntry(value: unknown): value is { readonly value: unknown; readonly revision: unknown } {
  return typeof value === 'object' && value !== null && 'revision' in value && 'value' in value
}

/** The part of a long text around the first difference from another. */
function excerpt(text: string, other: string): string {
  let start = 0
  while (start < text.length && text[start] === other[start]) start++
  start = Math.max(0, start - 60)
  return `${start > 0 ? '…' : ''}${text.slice(start, start + 200)}${start + 200 < text.length ? '…' : ''}`
}
