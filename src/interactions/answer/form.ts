/** Forms with files: how many parts they have, which is counted before they are parsed, and the names of their files. */
import { joinBytes } from '../../core/bytes.ts'
import { uniqueText } from '../../core/random.ts'

// py-cord sends answers without files in the second form.
const FORM = /^(?:multipart\/form-data|application\/x-www-form-urlencoded)[ \t]*(?:;|$)/i
const BOUNDARY = /;[ \t]*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i

/** Parts of a form. Ten files and the JSON are allowed; more than that, up to this number, is refused by name. */
const MAX_FORM_PARTS = 100
const MAX_FILE_NAME_LENGTH = 255
const MAX_CONTENT_TYPE_LENGTH = 255
const MAX_EXTENSION_LENGTH = 20

/** A form whose parts are too many to parse. */
export class TooManyPartsError extends RangeError {
  readonly parts: number

  constructor(parts: number) {
    super(`form: expected at most ${MAX_FORM_PARTS} parts, got more`)
    this.parts = parts
  }
}

/** Whether a content type is that of a form, which may have files. */
export function isForm(contentType: string | null): contentType is string {
  return contentType !== null && FORM.test(contentType)
}

/** @throws TooManyPartsError */
export async function parseForm(bytes: Uint8Array, contentType: string): Promise<FormData> {
  const [, quoted, plain] = BOUNDARY.exec(contentType) ?? []
  const boundary = quoted ?? plain ?? ''
  if (/^multipart/i.test(contentType) && boundary !== '') {
    const other = uniqueText()
    const type = { 'Content-Type': `multipart/form-data; boundary=${other}` }
    return new Response(withBoundary(bytes, boundary, other) as BodyInit, { headers: type }).formData()
  }
  if (countMatches(bytes, '&') >= MAX_FORM_PARTS) throw new TooManyPartsError(MAX_FORM_PARTS + 1)
  return new Response(bytes as BodyInit, { headers: { 'Content-Type': contentType } }).formData()
}

/** Where a separator is found in a body. */
function* indexesOf(bytes: Uint8Array, text: string): Generator<number> {
  const separator = new TextEncoder().encode(text)
  const [first] = separator
  for (let at = bytes.indexOf(first!); at !== -1; at = bytes.indexOf(first!, at + 1)) {
    let length = 1
    while (length < separator.length && bytes[at + length] === separator[length]) length++
    if (length === separator.length) yield at
  }
}

/** Counting stops soon after there are too many parts. */
function countMatches(bytes: Uint8Array, separator: string): number {
  let count = 0
  for (const _ of indexesOf(bytes, separator)) if (++count > MAX_FORM_PARTS + 1) break
  return count
}

const [LINE_FEED, CARRIAGE_RETURN, HYPHEN] = [10, 13, 45]

/**
 * A form with another boundary. RFC 2046 allows boundaries from 1 character on, but the parser of Node looks for a
 * boundary within the parts too, where a short one is likely. Here it counts only as a line of its own.
 *
 * @throws TooManyPartsError
 */
function withBoundary(bytes: Uint8Array, boundary: string, other: string): Uint8Array {
  const length = boundary.length + 2
  const isDelimiter = (at: number) => {
    const isLine = at === 0 || (bytes[at - 1] === LINE_FEED && bytes[at - 2] === CARRIAGE_RETURN)
    const [next, after] = bytes.subarray(at + length)
    return (
      isLine && ((next === CARRIAGE_RETURN && after === LINE_FEED) || (next === HYPHEN && after === HYPHEN))
    )
  }
  const pieces: Uint8Array[] = []
  let copied = 0
  for (const at of indexesOf(bytes, `--${boundary}`)) {
    if (at < copied || !isDelimiter(at)) continue
    pieces.push(bytes.subarray(copied, at), new TextEncoder().encode(`--${other}`))
    copied = at + length
    if (pieces.length > 2 * (MAX_FORM_PARTS + 1)) throw new TooManyPartsError(MAX_FORM_PARTS + 1)
  }
  pieces.push(bytes.subarray(copied))
  return joinBytes(pieces)
}

/** The text of a form, and its files without their contents. */
export interface FormParts {
  /** The part `payload_json`; empty without one. */
  readonly json: string
  readonly files: readonly {
    readonly filename: string
    readonly content_type: string
    readonly size: number
  }[]
}

const CONTENT_TYPE = /\r\nContent-Type:[ \t]*([^\r\n]*)/i
const PART_HEAD = /^\r\nContent-Disposition:[^\r\n]*?\bname="([^"]*)"(?:;[ \t]*filename="([^"]*)")?/i

/** The parts of a form for a record. A form that is broken has none. */
export function readParts(bytes: Uint8Array, contentType: string): FormParts {
  const [, quoted, plain] = BOUNDARY.exec(contentType) ?? []
  // One character a byte, so that places in the text are places in the bytes.
  const parts = new TextDecoder('latin1').decode(bytes).split(`--${quoted ?? plain ?? ''}`)
  let at = 0
  let json = ''
  const files: FormParts['files'][number][] = []
  for (const part of parts.slice(0, MAX_FORM_PARTS)) {
    const [head = '', name, filename] = PART_HEAD.exec(part) ?? []
    const start = part.indexOf('\r\n\r\n') + 4
    const utf8 = (from: number, to: number) => new TextDecoder().decode(bytes.subarray(at + from, at + to))
    if (name === 'payload_json') json = utf8(start, part.length - 2)
    else if (filename !== undefined) {
      const nameAt = head.length - filename.length - 1
      const type = CONTENT_TYPE.exec(part.slice(0, start))
      const typeAt = type === null ? 0 : type.index + type[0].length - type[1]!.length
      // Decoded again: a part of a text keeps the whole text in memory, here with the contents of all files.
      const content_type = cleanContentType(utf8(typeAt, typeAt + (type?.[1]!.length ?? 0)))
      const size = Math.max(0, part.length - start - 2)
      files.push({ filename: cleanFileName(utf8(nameAt, head.length - 1)), content_type, size })
    }
    at += part.length + 2 + (quoted ?? plain ?? '').length
  }
  return { json, files }
}

/** A file name as the service keeps it: without folders and special characters, and of a bounded length. */
export function cleanFileName(name: string): string {
  const last = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)
  const dot = last.lastIndexOf('.')
  const extension = dot > 0 && last.length - dot <= MAX_EXTENSION_LENGTH ? last.slice(dot) : ''
  const stem = last.slice(0, Math.min(last.length, MAX_FILE_NAME_LENGTH) - extension.length)
  const cleaned = `${stem}${extension}`.replace(/[^\p{L}\p{M}\p{N}._-]/gu, '_')
  return /[^._]/.test(cleaned) ? cleaned : 'unknown'
}

/** The content type of a file; empty for one that is too long. */
export function cleanContentType(type: string): string {
  return type.length <= MAX_CONTENT_TYPE_LENGTH ? type : ''
}
