/** Forms with files: their parts, which are read once, and the names of their files. */

// py-cord sends answers without files in the second form.
const FORM = /^(?:multipart\/form-data|application\/x-www-form-urlencoded)[ \t]*(?:;|$)/i
const MULTIPART = /^multipart\/form-data[ \t]*(?:;|$)/i
const BOUNDARY = /;[ \t]*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i

/** Parts of a form. Ten files and the JSON are allowed; more than that, up to this number, is refused by name. */
const MAX_FORM_PARTS = 100
const MAX_PART_HEAD_BYTES = 16 * 1024
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

/** One part of a form. Its bytes are a view of those of the form: copy them to keep them. */
export interface FormPart {
  readonly name: string
  /** Null for a part that is not a file. */
  readonly file: { readonly filename: string; readonly content_type: string } | null
  readonly bytes: Uint8Array
}

/** Whether a content type is that of a form, which may have files. */
export function isForm(contentType: string | null): contentType is string {
  return contentType !== null && FORM.test(contentType)
}

/** Whether it is that of a form that may have files. */
export function isMultipart(contentType: string | null): boolean {
  return contentType !== null && MULTIPART.test(contentType)
}

/** The parts of forms that were read, as a record of a request reads the same form again. */
const known = new WeakMap<Uint8Array, readonly FormPart[] | Error>()

/**
 * The parts of a form, in order.
 *
 * @throws SyntaxError for a broken form
 * @throws TooManyPartsError
 */
export function readForm(bytes: Uint8Array, contentType: string): readonly FormPart[] {
  let parts = known.get(bytes)
  if (parts === undefined) {
    parts = formOf(bytes, contentType)
    known.set(bytes, parts)
  }
  if (parts instanceof Error) throw parts
  return parts
}

function formOf(bytes: Uint8Array, contentType: string): readonly FormPart[] | Error {
  if (!isMultipart(contentType)) return fieldsOf(decoder.decode(bytes))
  const [, quoted, plain = quoted] = BOUNDARY.exec(contentType) ?? []
  if (plain === undefined) return new SyntaxError('form: expected a boundary in its content type')
  return splitParts(bytes, plain)
}

const decoder = new TextDecoder()
const encoder = new TextEncoder()

/** The fields of a form without files. */
function fieldsOf(text: string): readonly FormPart[] | Error {
  let fields = 1
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1))
    if (++fields > MAX_FORM_PARTS) return new TooManyPartsError(fields)
  return [...new URLSearchParams(text)].map(([name, value]) => ({
    name,
    file: null,
    bytes: encoder.encode(value),
  }))
}

/** How many bytes are searched as one text. */
const WINDOW = 64 * 1024
// One character a byte, so that places in the text are places in the bytes.
const latin1 = new TextDecoder('latin1')

/** Where bytes have an ASCII text, which native code searches. */
function* indexesOf(bytes: Uint8Array, text: string): Generator<number> {
  for (let start = 0; start < bytes.length; start += WINDOW) {
    const window = latin1.decode(bytes.subarray(start, start + WINDOW + text.length - 1))
    for (let at = window.indexOf(text); at !== -1; at = window.indexOf(text, at + 1)) yield start + at
  }
}

const [LINE_FEED, CARRIAGE_RETURN, HYPHEN] = [10, 13, 45]

interface Delimiter {
  readonly start: number
  readonly end: number
  readonly isLast: boolean
}

/** The lines between the parts of a form. RFC 2046 allows short boundaries, which parts may have within a line. */
function* delimitersOf(bytes: Uint8Array, boundary: string): Generator<Delimiter> {
  const followedBy = (at: number, one: number, two: number) => bytes[at] === one && bytes[at + 1] === two
  const delimiterAt = (start: number, length: number): Delimiter | null => {
    const end = start + length
    const isLast = followedBy(end, HYPHEN, HYPHEN)
    return isLast || followedBy(end, CARRIAGE_RETURN, LINE_FEED) ? { start, end, isLast } : null
  }
  const line = `\r\n--${boundary}`
  // The first one has no line before it.
  const opening = line.slice(2)
  const isAtStart = latin1.decode(bytes.subarray(0, opening.length)) === opening
  const first = isAtStart ? delimiterAt(0, opening.length) : null
  if (first !== null) yield first
  for (const start of indexesOf(bytes, line)) {
    const delimiter = delimiterAt(start, line.length)
    if (delimiter !== null) yield delimiter
  }
}

function splitParts(bytes: Uint8Array, boundary: string): readonly FormPart[] | Error {
  const parts: FormPart[] = []
  let start = -1
  for (const delimiter of delimitersOf(bytes, boundary)) {
    if (start !== -1) {
      if (parts.length === MAX_FORM_PARTS) return new TooManyPartsError(parts.length + 1)
      const part = partOf(bytes.subarray(start, delimiter.start))
      if (part instanceof Error) return part
      parts.push(part)
    }
    if (delimiter.isLast) return parts
    start = delimiter.end
  }
  return new SyntaxError('form: expected its closing boundary')
}

const HEAD_END = '\r\n\r\n'
const DISPOSITION = /\r\nContent-Disposition:[ \t]*form-data([^\r\n]*)/i
const CONTENT_TYPE = /\r\nContent-Type:[ \t]*([^\r\n]*)/i
const NAME = /;[ \t]*name=(?:"([^"]*)"|([^\s;"]*))/i
const FILE_NAME = /;[ \t]*filename=(?:"([^"]*)"|([^\s;"]*))/i
// Of RFC 5987, for other characters.
const ENCODED_FILE_NAME = /;[ \t]*filename\*=utf-8'[^']*'([^\s;]*)/i

/** A part from the end of its first delimiter to the start of the next. */
function partOf(bytes: Uint8Array): FormPart | Error {
  const top = bytes.subarray(0, MAX_PART_HEAD_BYTES)
  const [headEnd = -1] = indexesOf(top, HEAD_END)
  if (headEnd === -1 && bytes.length > top.length)
    return new SyntaxError('form: expected a shorter head of a part')
  // A part without content may end with its head.
  const head = decoder.decode(headEnd === -1 ? top : top.subarray(0, headEnd))
  const [, disposition = ''] = DISPOSITION.exec(head) ?? []
  const filename = encodedFileName(disposition) ?? valueIn(FILE_NAME, disposition)
  const [, type = ''] = CONTENT_TYPE.exec(head) ?? []
  return {
    name: valueIn(NAME, disposition) ?? '',
    file:
      filename === undefined
        ? null
        : { filename: copyOf(cleanFileName(filename)), content_type: copyOf(cleanContentType(type)) },
    bytes: headEnd === -1 ? new Uint8Array() : bytes.subarray(headEnd + HEAD_END.length),
  }
}

/** A text of its own: a part of a text keeps the whole in memory. */
const copyOf = (text: string) => decoder.decode(encoder.encode(text))

/** A value of a disposition, in which browsers and `fetch` encode quotes and line ends. */
function valueIn(pattern: RegExp, disposition: string): string | undefined {
  const found = pattern.exec(disposition)
  const [, quoted, plain] = found ?? []
  return (quoted ?? plain)?.replace(/%(?:22|0A|0D)/gi, (digits) => decodeURIComponent(digits))
}

function encodedFileName(disposition: string): string | undefined {
  try {
    return decodeURIComponent(ENCODED_FILE_NAME.exec(disposition)![1]!)
  } catch {
    // It has none, or a broken one.
    return undefined
  }
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

/** The parts of a form for a record. A form that is broken has none. */
export function readFormParts(bytes: Uint8Array, contentType: string): FormParts {
  try {
    const parts = readForm(bytes, contentType)
    const json = parts.find(({ name }) => name === 'payload_json')?.bytes
    return {
      json: json === undefined ? '' : decoder.decode(json),
      files: parts.flatMap(({ file, bytes: { length: size } }) => (file === null ? [] : [{ ...file, size }])),
    }
  } catch {
    return { json: '', files: [] }
  }
}

/**
 * A file name as the service keeps it: without folders and special characters, without dots and underscores around it,
 * and of a bounded length.
 */
export function cleanFileName(name: string): string {
  const last = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)
  const dot = last.lastIndexOf('.')
  const extension = dot > 0 && last.length - dot <= MAX_EXTENSION_LENGTH ? last.slice(dot) : ''
  const stem = last.slice(0, Math.min(last.length, MAX_FILE_NAME_LENGTH) - extension.length)
  const cleaned = `${stem}${extension}`.replace(/[^\p{L}\p{M}\p{N}._-]/gu, '_')
  const start = cleaned.search(/[^._]/)
  return start < 0 ? 'unknown' : withoutEnd(cleaned.slice(start))
}

function withoutEnd(name: string): string {
  let end = name.length
  while (/[._]/.test(name[end - 1] ?? '')) end--
  return name.slice(0, end)
}

// Of RFC 9110, with any parameters that a header may have.
const CONTENT_TYPE_FORM = /^[!#$%&'*+.^`|~\w-]+\/[!#$%&'*+.^`|~\w-]+[ \t]*(?:;[ -~\t]*)?$/

/** The content type of a file; empty for one that is too long, or that no header may have. */
export function cleanContentType(type: string): string {
  return type.length <= MAX_CONTENT_TYPE_LENGTH && CONTENT_TYPE_FORM.test(type) ? type : ''
}
