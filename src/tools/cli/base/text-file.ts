/** The text of a file, and JSON files. */
import { isUtf8 } from 'node:buffer'
import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseJson } from '../../../core/json.ts'
import { jsonFault, jsonRemedy, positionsIn, type Position } from '../../authoring/locate.ts'
import { CommandError } from './errors.ts'
import type { Io } from './io.ts'

/** The text of a file. @throws CommandError */
export async function readTextFile(io: Io, file: string): Promise<string> {
  const bytes = await readFile(await finitePath(io, file)).catch(({ code }: NodeJS.ErrnoException): never => {
    throw new CommandError(code === 'ENOENT' ? notFound(file) : `cannot be read (${code})`)
  })
  return decodedText(bytes)
}

/** The path of a file that has an end. @throws CommandError for a pipe, a device or a socket, which may keep a reader waiting */
export async function finitePath(io: Io, file: string): Promise<string> {
  const path = resolve(io.cwd, file)
  const found = await stat(path).catch(() => undefined)
  // What a shell has opened, such as <(node build.js).
  const isOpened = /^\/(?:dev\/(?:stdin$|fd\/)|proc\/[^/]+\/fd\/)/.test(path)
  // The reader reports what is missing, and a folder.
  if (found === undefined || found.isFile() || found.isDirectory() || isOpened) return path
  throw new CommandError('is a pipe, a device or a socket; give a regular file')
}

function notFound(file: string): string {
  return /[*?]/.test(file) ? `file not found; name the folder instead of "${file}"` : 'file not found'
}

/** The text of bytes. @throws CommandError for bytes that are not UTF-8 */
export function decodedText(bytes: Uint8Array): string {
  // A byte order mark stays, so that a repaired file keeps it.
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  if (isUtf8(bytes)) return text
  // The first byte that decoding changed.
  const index = Buffer.from(text).findIndex((byte, at) => byte !== bytes[at])
  throw new CommandError(`is not UTF-8: byte ${index + 1}; save it as UTF-8`)
}

/** The JSON that a file holds. @throws CommandError with the name of the file */
export async function loadJson(io: Io, file: string): Promise<unknown> {
  const read = readTextFile(io, file).then(parseJsonText)
  return read.catch(({ message }: CommandError) => {
    throw new CommandError(`${file}: ${message}`)
  })
}

/** The error of a file that is not JSON. The message has the position. */
export class InvalidJson extends CommandError {
  /** Where it is wrong, with a message that does not repeat that. */
  readonly fault: { readonly message: string; readonly position: Position } | undefined

  constructor(remedy?: string, position?: Position) {
    const at = position && `: line ${position.line}, column ${position.column}; ${remedy}`
    super(`is not valid JSON${at ?? ''}`)
    this.fault = position && { message: `is not valid JSON; ${remedy}`, position }
  }
}

/** Parses JSON, with or without a byte order mark. @throws CommandError with the line and column of the fault */
export function parseJsonText(text: string): unknown {
  try {
    return parseJson(text.replace(/^\ufeff/, ''))
  } catch {
    // The parser's own message can quote the text, which may hold tokens.
    const offset = jsonFault(text)
    if (offset === undefined) throw new InvalidJson()
    throw new InvalidJson(jsonRemedy(text, offset), positionsIn(text)(offset))
  }
}

/** For `JSON.stringify`, which refuses bigints. */
export function bigintsAsText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
