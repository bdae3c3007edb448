/** Parses the body of an answer: JSON, or a form with a part of JSON beside files. */
import { isNestedDeeper } from './nesting.ts'
import { DEPTH_MAX, type AnswerFile } from '../../model/answer-types.ts'
import { parseIds } from '../../core/json.ts'
import { ATTACHMENT_SIZE_LIMIT } from '../usage/create.ts'

const JSON_BYTES = 8 * 1024 * 1024
const FILES_MAX = 10

// py-cord sends answers without files in the second form.
const FORM = /^(?:multipart\/form-data|application\/x-www-form-urlencoded)[ \t]*(?:;|$)/i

/** Whether a content type is that of a form, which may have files. */
export function isForm(contentType: string | null): contentType is string {
  return contentType !== null && FORM.test(contentType)
}

/** The largest size of an answer in bytes; that of a form includes its files. */
export function mostBytes(contentType: string | null): number {
  return isForm(contentType) ? JSON_BYTES + FILES_MAX * ATTACHMENT_SIZE_LIMIT : JSON_BYTES
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * The JSON of an answer, and the files beside it without their contents.
 *
 * @throws if there is no JSON, or it is nested too deep
 */
export async function parseAnswer(
  bytes: Uint8Array,
  contentType: string | null,
): Promise<{ readonly value: unknown; readonly files: readonly AnswerFile[] }> {
  const form = isForm(contentType) ? await formOf(bytes, contentType) : null
  if (form === null) return { value: parseJson(bytes, DEPTH_MAX, parseIds), files: [] }
  return {
    value: parseJson(String(form.get('payload_json') ?? ''), DEPTH_MAX, parseIds),
    files: [...form].flatMap(fileOf),
  }
}

/**
 * The value of a JSON text or of its bytes in UTF-8.
 *
 * @param parse `parseIds` for texts whose ids may be integers
 * @throws if it is not JSON, or nested deeper than `depth`
 */
export function parseJson(
  source: string | Uint8Array,
  depth: number,
  parse: (text: string) => unknown = JSON.parse,
): unknown {
  const text = typeof source === 'string' ? source : decoder.decode(source)
  if (isNestedDeeper(text, depth)) throw new SyntaxError(`JSON is nested more than ${depth} deep`)
  return parse(text)
}

function formOf(bytes: Uint8Array, contentType: string): Promise<FormData> {
  return new Response(bytes as BodyInit, { headers: { 'Content-Type': contentType } }).formData()
}

const FILE = /^files\[([0-9]{1,3})\]$/

function fileOf([name, part]: [string, FormDataEntryValue]): readonly AnswerFile[] {
  const key = FILE.exec(name)?.[1]
  if (key === undefined || typeof part === 'string') return []
  const { name: filename, size, type } = part
  return [{ key, filename, size, ...(type !== '' && { content_type: type }) }]
}
