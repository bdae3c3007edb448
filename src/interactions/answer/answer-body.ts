/** Parses the body of an answer: JSON, or a form with a part of JSON beside files. */
import { isForm, isMultipart, readForm, type FormPart } from './form.ts'
import type { AnswerFile } from '../../model/answer-types.ts'
import { parseIds, parseJson } from '../../core/json.ts'
import { ATTACHMENT_SIZE_LIMIT } from '../usage/create.ts'

const MAX_JSON_BYTES = 8 * 1024 * 1024
const MAX_FILES = 10

/** The largest size of an answer in bytes; that of a form includes its files. */
export function mostBytes(contentType: string | null): number {
  return isMultipart(contentType) ? MAX_JSON_BYTES + MAX_FILES * ATTACHMENT_SIZE_LIMIT : MAX_JSON_BYTES
}

/**
 * The JSON of an answer, and the files beside it.
 *
 * @throws if there is no JSON, or it is nested too deep
 * @throws TooManyPartsError for a form with more parts than any answer has
 * @throws TooLargeFileError
 */
export async function parseAnswer(
  bytes: Uint8Array,
  contentType: string | null,
): Promise<{ readonly value: unknown; readonly files: readonly AnswerFile[] }> {
  if (!isForm(contentType)) return { value: parseJson(bytes, parseIds), files: [] }
  const parts = readForm(bytes, contentType)
  const json = parts.find(({ name }) => name === 'payload_json')?.bytes ?? new Uint8Array()
  if (json.length > MAX_JSON_BYTES)
    throw new TooLargeFileError(`payload_json: ${json.length} bytes, but JSON has at most ${MAX_JSON_BYTES}`)
  return { value: parseJson(json, parseIds), files: parts.flatMap(fileOf) }
}

const FILE = /^files\[([0-9]{1,3})\]$/

/** A file, or the JSON beside files, that is larger than the service takes. */
export class TooLargeFileError extends RangeError {}

function fileOf({ name: field, file, bytes }: FormPart): readonly AnswerFile[] {
  const key = FILE.exec(field)?.[1]
  if (key === undefined || file === null) return []
  const { length: size } = bytes
  if (size > ATTACHMENT_SIZE_LIMIT)
    throw new TooLargeFileError(
      `${field}: ${size} bytes, but a file has at most ${ATTACHMENT_SIZE_LIMIT}; send a smaller one`,
    )
  const { filename, content_type: type } = file
  return [{ key, filename, size, ...(type !== '' && { content_type: type }), bytes }]
}
