/** An answer as it comes over HTTP: JSON, or a form of which one part is JSON beside files. */
import { isNestedDeeper } from '../core/nesting.ts'
import { DEPTH_MAX } from './callback.ts'
import { ATTACHMENT_SIZE_LIMIT } from './create.ts'

const JSON_BYTES = 8 * 1024 * 1024
const FILES_MAX = 10

const FORM = /^multipart\/form-data[ \t]*(?:;|$)/i

function isForm(contentType: string | null): contentType is string {
  return contentType !== null && FORM.test(contentType)
}

/** How many bytes of an answer are taken in: of a form, as many as its files can have besides. */
export function mostBytes(contentType: string | null): number {
  return isForm(contentType) ? JSON_BYTES + FILES_MAX * ATTACHMENT_SIZE_LIMIT : JSON_BYTES
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * The JSON of an answer.
 *
 * @throws when there is none, or it is nested too deep to be one
 */
export async function parseAnswer(bytes: Uint8Array, contentType: string | null): Promise<unknown> {
  const text = isForm(contentType) ? await payloadOf(bytes, contentType) : decoder.decode(bytes)
  if (isNestedDeeper(text, DEPTH_MAX)) throw new SyntaxError(`JSON is nested more than ${DEPTH_MAX} deep`)
  return JSON.parse(text)
}

async function payloadOf(bytes: Uint8Array, contentType: string): Promise<string> {
  const form = new Response(bytes as BodyInit, { headers: { 'Content-Type': contentType } })
  return String((await form.formData()).get('payload_json') ?? '')
}
