/** JSON files. */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { jsonFault, positionsIn } from '../authoring/locate.ts'
import { CommandError } from './errors.ts'
import type { Io } from './io.ts'

/** The text of a file. @throws CommandError */
export async function readTextFile(io: Io, file: string): Promise<string> {
  try {
    return textOf(await readFile(resolve(io.cwd, file)))
  } catch (error) {
    if (error instanceof CommandError) throw error
    const { code } = error as NodeJS.ErrnoException
    throw new CommandError(code === 'ENOENT' ? 'file not found' : `cannot be read (${code})`)
  }
}

/** The text of bytes. @throws CommandError for bytes that are not UTF-8 */
export function textOf(bytes: Uint8Array): string {
  // A byte order mark stays, so that a repaired file keeps it.
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  if (!text.includes('\ufffd')) return text
  // The first byte that decoding changed; the character itself may be in the text too.
  const written = Buffer.from(text)
  const index = written.findIndex((byte, at) => byte !== bytes[at])
  if (index < 0 && written.length === bytes.length) return text
  throw new CommandError(`is not UTF-8: byte ${(index < 0 ? written.length : index) + 1}`)
}

/** The JSON that a file holds. @throws CommandError with the name of the file */
export async function loadJson(io: Io, file: string): Promise<unknown> {
  try {
    return parseJson(await readTextFile(io, file))
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    throw new CommandError(`${file}: ${error.message}`)
  }
}

/** Parses JSON, with or without a byte order mark. @throws CommandError with the line and column of the fault */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    // The parser's own message can quote the text, which may hold tokens.
    const offset = jsonFault(text)
    if (offset === undefined) throw new CommandError('is not valid JSON')
    const { line, column } = positionsIn(text)(offset)
    throw new CommandError(`is not valid JSON: line ${line}, column ${column}`)
  }
}

/** For `JSON.stringify`, which refuses bigints. */
export function bigintsAsText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
